/** Balance and statement of a client, held against what its invoices say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const line = { description: 'Trabajo', unit_price: 100, tax_rate: 21 };

type Entry = {
  id: string;
  date: string;
  type: string;
  currency: string;
  amount: number;
  balance: number;
  invoice: { id: string; number: string; type: string };
};
type Balance = { currency: string; invoiced: number; paid: number; pending: number; overdue: number };

class Desk {
  readonly app: App;
  readonly key: string;
  constructor(app: App, key: string) {
    this.app = app;
    this.key = key;
  }
  async make(path: string, body: object = {}, status = 201) {
    const answer = await this.app.post(path, { key: this.key, body });
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    return answer.body.data;
  }
  async client(name = 'Norte SL'): Promise<string> {
    return (await this.make('/v1/clients', { name, tax_id: 'A58818501' })).id;
  }
  async sell(client_id: string | null, fields: object = {}): Promise<string> {
    const body = { client_id, lines: [line], options: { issue: true }, ...fields };
    return (await this.make('/v1/invoices', body)).id;
  }
  async pay(id: string, amount: number, payment_date?: string): Promise<string> {
    const body = { amount, payment_method: 'cash', ...(payment_date ? { payment_date } : {}) };
    return (await this.make(`/v1/invoices/${id}/payments`, body)).id;
  }
  async correct(id: string, type: 'differences' | 'substitution', quantity: number): Promise<string> {
    const body = { correction: { type }, lines: [{ ...line, quantity }] };
    return (await this.make(`/v1/invoices/${id}/corrective`, body)).id;
  }
  async balances(client: string): Promise<Balance[]> {
    const answer = await this.app.get(`/v1/clients/${client}/balance`, { key: this.key });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.balances;
  }
  async statement(client: string, query: Record<string, string> = {}): Promise<Entry[]> {
    const answer = await this.app.get(`/v1/clients/${client}/statement`, { key: this.key, query });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  }
  /** Balance, last lines of the statement and the invoices' own pending amounts are the same. */
  async holds(client: string): Promise<void> {
    const query = { client_id: client, limit: '100' };
    const { data } = (await this.app.get('/v1/invoices', { key: this.key, query })).body;
    const entries = await this.statement(client, { limit: '100' });
    const cents = (amount: number) => Math.round(amount * 100);
    for (const { currency, invoiced, paid, pending } of await this.balances(client)) {
      assert.equal(cents(invoiced) - cents(paid), cents(pending));
      const own = data.filter(
        (one: { currency: string; status: string }) => one.currency === currency && one.status !== 'draft',
      );
      const sum = own.reduce(
        (all: number, one: { pending_amount: number }) => all + cents(one.pending_amount),
        0,
      );
      assert.equal(cents(pending), sum, currency);
      const moved = entries.filter((entry) => entry.currency === currency);
      assert.equal(cents(moved.at(-1)?.balance ?? 0), sum, JSON.stringify(moved));
      assert.equal(
        moved.reduce((all, entry) => all + cents(entry.amount), 0),
        sum,
      );
    }
  }
}

async function open(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  return { app, acme, desk: new Desk(app, acme.live_key) };
}

test('given invoices, payments and drafts in two currencies, then balance and statement tell each apart', async (t) => {
  const { app, desk } = await open(t);
  const client = await desk.client();
  assert.deepEqual([await desk.balances(client), await desk.statement(client)], [[], []]);
  const late = await desk.sell(client, { issued_on: '2026-05-01', due_on: '2026-05-10' });
  const first = await desk.pay(late, 21, '2026-05-12');
  const usd = { currency: 'USD', exchange_rate: 0.9, issued_on: '2026-05-11' };
  const dollars = await desk.sell(client, usd);
  const paid = await desk.sell(client, { issued_on: '2026-05-15', payment: { method: 'card' } });
  await desk.make('/v1/invoices', { client_id: client, lines: [line] });
  await desk.sell(await desk.client('Otro SL'));
  assert.deepEqual(await desk.balances(client), [
    { currency: 'EUR', invoiced: 242, paid: 142, pending: 100, overdue: 100 },
    { currency: 'USD', invoiced: 121, paid: 0, pending: 121, overdue: 0 },
  ]);
  const entries = await desk.statement(client);
  assert.deepEqual(
    entries.map(({ date, type, invoice, currency, amount, balance }) => [
      date,
      type,
      invoice.id,
      currency,
      amount,
      balance,
    ]),
    [
      ['2026-05-01', 'invoice', late, 'EUR', 121, 121],
      ['2026-05-11', 'invoice', dollars, 'USD', 121, 121],
      ['2026-05-12', 'payment', late, 'EUR', -21, 100],
      ['2026-05-15', 'invoice', paid, 'EUR', 121, 221],
      ['2026-05-20', 'payment', paid, 'EUR', -121, 100],
    ],
  );
  assert.equal(entries[2]!.id, first);
  const shown = (await app.get(`/v1/clients/${client}/balance`, { key: desk.key })).body.data;
  assert.deepEqual(
    [shown.object, shown.id, shown.as_of, shown.client],
    ['client_balance', client, '2026-05-20', { id: client, name: 'Norte SL' }],
  );
  await desk.holds(client);
});

test('given a statement, when it is filtered and read page by page, then the balance runs on', async (t) => {
  const { app, desk } = await open(t);
  const client = await desk.client();
  for (let day = 1; day <= 5; day++) {
    const id = await desk.sell(client, { issued_on: `2026-05-0${day}` });
    if (day % 2) await desk.pay(id, 21, `2026-05-0${day}`);
  }
  const whole = await desk.statement(client);
  assert.equal(whole.length, 8);
  assert.deepEqual(await desk.statement(client, { 'date[gte]': '2026-05-04' }), whole.slice(5));
  assert.deepEqual(await desk.statement(client, { currency: 'USD' }), []);
  const path = `/v1/clients/${client}/statement`;
  const seen: Entry[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: Record<string, string> = { limit: '3', ...(after ? { starting_after: after } : {}) };
    const { body } = await app.get(path, { key: desk.key, query });
    seen.push(...body.data);
    after = body.next_cursor;
  }
  assert.deepEqual(seen, whole);
  const before = { limit: '2', ending_before: whole[4]!.id };
  assert.deepEqual(await desk.statement(client, before), whole.slice(2, 4));
  const stranger = await app.get(path, { key: desk.key, query: { starting_after: client } });
  assertRefused(stranger, 422, 'parameter_invalid_cursor', 'starting_after');
});

test('given correctives, substitutions and withdrawals, then what is owed is that of the invoices after each step', async (t) => {
  const { desk } = await open(t);
  const client = await desk.client();
  const steps: (() => Promise<unknown>)[] = [];
  const a = await desk.sell(client);
  const b = await desk.sell(client);
  const qualified = await desk.sell(client, { type: 'F2' });
  const anonymous = await desk.sell(null, { type: 'F2' });
  let substitute = '';
  let payment = '';
  steps.push(
    () => desk.correct(a, 'differences', -0.5),
    async () => (payment = await desk.pay(a, 10)),
    () => desk.correct(a, 'differences', 0.25),
    () => desk.correct(b, 'differences', -0.25),
    () => desk.pay(b, 30),
    async () => (substitute = await desk.correct(b, 'substitution', 2)),
    () => desk.pay(substitute, 50),
    () => desk.correct(substitute, 'differences', -1),
    () => desk.make(`/v1/invoices/${a}/payments/${payment}/reversal`, { reason: 'recording_error' }, 200),
    () => desk.pay(qualified, 5),
    () => desk.correct(qualified, 'differences', -0.1),
    () => desk.pay(anonymous, 7),
    () => desk.correct(anonymous, 'differences', -0.2),
    () =>
      desk.make('/v1/invoices/substitute-simplified', {
        simplified_invoice_uuids: [qualified, anonymous],
        client_id: client,
      }),
    async () => desk.make(`/v1/invoices/${await desk.sell(client)}/annul`, {}, 200),
    async () => {
      const kept = await desk.sell(client);
      const corrective = await desk.correct(kept, 'substitution', 3);
      await desk.holds(client);
      return desk.make(`/v1/invoices/${corrective}/annul`, {}, 200);
    },
    async () => {
      const id = await desk.sell(client, { payment: { method: 'cash' } });
      return desk.make(`/v1/invoices/${id}/annul`, { revert_collections: true }, 200);
    },
    async () => desk.correct(await desk.sell(client, { payment: { method: 'cash' } }), 'differences', -1),
  );
  await desk.holds(client);
  for (const step of steps) {
    await step();
    await desk.holds(client);
  }
  assert.ok((await desk.balances(client))[0]!.pending !== 0);
});

test('given a client of nobody, of another company or that is a supplier, then there is no balance', async (t) => {
  const { app, acme, desk } = await open(t);
  const other = await app.given.company();
  const client = await desk.client();
  const supplier = await desk.make('/v1/suppliers', { name: 'Sur SL' });
  for (const what of ['balance', 'statement']) {
    const at = (id: string, key: string) => app.get(`/v1/clients/${id}/${what}`, { key });
    assertRefused(await at(client, other.live_key), 404, 'resource_not_found');
    assertRefused(await at(supplier.id, acme.live_key), 404, 'resource_not_found');
    assertRefused(await at('nadie', acme.live_key), 404, 'resource_not_found');
  }
});
