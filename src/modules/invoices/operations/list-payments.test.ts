import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { assertFilters, assertRefused } from '../../../../test/support/resource-checks.ts';
import { newId } from '../../../kernel/uuid7.ts';

const path = '/v1/payments';
const lines = [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }];

async function make(app: App, key: string, at: string, body: object) {
  const answer = await app.post(at, { key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

async function givenPayments(app: App, key: string) {
  const client = await make(app, key, '/v1/clients', { name: 'Norte SL', tax_id: 'A58818501' });
  const sold = { client_id: client.id, lines, options: { issue: true } };
  const first = await make(app, key, '/v1/invoices', sold);
  const ticket = await make(app, key, '/v1/invoices', { type: 'F2', lines, options: { issue: true } });
  const pay = (invoice: string, payment_date: string, payment_method: string, external_id: string) =>
    make(app, key, `/v1/invoices/${invoice}/payments`, {
      amount: 10,
      payment_date,
      payment_method,
      external_id,
    });
  const cash = await pay(first.id, '2026-05-01', 'cash', 'p-1');
  const card = await pay(first.id, '2026-05-10', 'card', 'p-2');
  const other = await pay(ticket.id, '2026-05-05', 'cash', 'p-3');
  const reversal = { key, body: { reason: 'card_dispute' } };
  const reversed = await app.post(`/v1/invoices/${first.id}/payments/${card.id}/reversal`, reversal);
  assert.equal(reversed.status, 200, reversed.text);
  return { client, first, ticket, cash, card: reversed.body.data, other };
}

test('given payments, when they are listed, then each filter keeps its own, as invoices show them', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const { client, first, cash, card, other } = await givenPayments(app, key);
  const all = await app.get(path, { key });
  assert.deepEqual(all.body, { data: [other, card, cash], has_more: false, next_cursor: null });
  await assertFilters(app, path, key, [
    [{}, [cash.id, card.id, other.id]],
    [{ sort: 'payment_date' }, [cash.id, other.id, card.id]],
    [{ sort: '-payment_date' }, [card.id, other.id, cash.id]],
    [{ 'payment_date[gte]': '2026-05-05' }, [card.id, other.id]],
    [{ 'payment_date[gt]': '2026-05-01', 'payment_date[lt]': '2026-05-10' }, [other.id]],
    [{ payment_method: 'cash' }, [cash.id, other.id]],
    [{ 'payment_method[in]': 'card,bizum' }, [card.id]],
    [{ invoice_id: first.id }, [cash.id, card.id]],
    [{ client_id: client.id }, [cash.id, card.id]],
    [{ client_id: newId() }, []],
    [{ is_reversed: 'true' }, [card.id]],
    [{ is_reversed: 'false' }, [cash.id, other.id]],
    [{ is_reversed: 'false', client_id: client.id, payment_method: 'cash' }, [cash.id]],
    [{ external_id: 'p-3' }, [other.id]],
    [{ 'created[lte]': '2026-05-20T10:00:00Z' }, [cash.id, card.id, other.id]],
    [{ 'created[gt]': '2026-05-20T10:00:00Z' }, []],
  ]);
});

test('given payments of a process of the version before, when they are filtered by client, then they are found', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { company_id, live_key: key } = await app.given.company();
  const { client, cash, card } = await givenPayments(app, key);
  await app.sql`update payments set client_id = null, names_client = false where company_id = ${company_id} and id = ${cash.id}`;
  await assertFilters(app, path, key, [[{ client_id: client.id }, [cash.id, card.id]]]);
});

test('given many payments, when they are read page by page, then each comes once, in any order', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await make(app, key, '/v1/invoices', { type: 'F2', lines, options: { issue: true } });
  for (let i = 1; i <= 7; i++)
    await make(app, key, `/v1/invoices/${id}/payments`, {
      amount: i,
      payment_method: i % 2 ? 'cash' : 'card',
      payment_date: `2026-05-0${1 + (i % 3)}`,
    });
  for (const query of [{}, { sort: 'payment_date' }, { payment_method: 'cash' }, { is_reversed: 'false' }]) {
    const whole = (await app.get(path, { key, query })).body.data.map((one: { id: string }) => one.id);
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const asked: Record<string, string> = {
        ...query,
        limit: '2',
        ...(after ? { starting_after: after } : {}),
      };
      const { body } = await app.get(path, { key, query: asked });
      seen.push(...body.data.map((one: { id: string }) => one.id));
      after = body.next_cursor;
    }
    assert.deepEqual(seen, whole);
  }
});

test('given values that no filter knows, when payments are listed, then they are refused by name', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const [name, value] of [
    ['payment_method', 'gold'],
    ['payment_method[in]', 'cash,gold'],
    ['invoice_id', 'x'],
    ['is_reversed', 'maybe'],
    ['payment_date[gte]', '2026-02-30'],
    ['sort', 'amount'],
  ] as const)
    assertRefused(await app.get(path, { key, query: { [name]: value } }), 422, 'parameter_invalid', name);
});

test("given another company's payments, when its ids are asked for, then none is listed", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const { client, first } = await givenPayments(app, acme.live_key);
  for (const query of [{}, { client_id: client.id }, { invoice_id: first.id }, { external_id: 'p-1' }])
    assert.deepEqual((await app.get(path, { key: other.live_key, query })).body.data, []);
});
