import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Desk, line, openDesk } from '../../../../test/support/client-accounts.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

test('given invoices, payments and drafts in two currencies, then balance and statement tell each apart', async (t) => {
  const { app, desk } = await openDesk(t);
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

test('given correctives, substitutions and withdrawals, then what is owed is that of the invoices after each step', async (t) => {
  const { desk } = await openDesk(t);
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

test("given a client's tickets, when full invoices in other names replace them, then the debt goes along, and comes back with a withdrawal", async (t) => {
  const { desk } = await openDesk(t);
  const [ana, beta] = [await desk.client('Ana'), await desk.client('Beta SL')];
  await desk.sell(ana);
  const tickets: string[] = [];
  for (let index = 0; index < 3; index++) tickets.push(await desk.sell(ana, { type: 'F2' }));
  const [open, part, corrected] = tickets as [string, string, string];
  await desk.sell(beta);
  const payment = await desk.pay(part, 21);
  await desk.correct(corrected, 'differences', -0.5);
  const replace = async (ids: string[], client_id: string): Promise<string> =>
    (await desk.make('/v1/invoices/substitute-simplified', { simplified_invoice_uuids: ids, client_id })).id;
  const pending = async () =>
    (await Promise.all([ana, beta].map((client) => desk.balances(client)))).map((all) => all[0]!.pending);
  const held = async (expected: number[]) => {
    assert.deepEqual(await pending(), expected);
    for (const client of [ana, beta]) await desk.holds(client);
  };
  await held([121 + 121 + 100 + 60.5, 121]);
  const full = await replace([open, part], beta);
  await held([121 + 60.5, 121 + 121 + 100]);
  const moved = (await desk.statement(ana)).filter(({ invoice }) => invoice.id === full);
  assert.deepEqual(
    moved.map(({ id, date, type, invoice, amount }) => [id, date, type, invoice.type, amount]),
    [[full, '2026-05-20', 'invoice', 'F3', -221]],
  );
  await desk.make(`/v1/invoices/${part}/payments/${payment}/reversal`, { reason: 'bounced_effect' }, 200);
  await held([121 + 60.5, 121 + 121 + 121]);
  const other = await replace([corrected], beta);
  await held([121, 121 + 121 + 121 + 60.5]);
  const instead = await desk.correct(full, 'substitution', 1);
  await held([121, 121 + 121 + 60.5]);
  for (const id of [instead, full]) await desk.make(`/v1/invoices/${id}/annul`, {}, 200);
  await held([121 + 121 + 121, 121 + 60.5]);
  await desk.pay(other, 60.5);
  await held([121 + 121 + 121, 121]);
});

/** A client's year in one currency, step by step. */
function yearIn(desk: Desk, client: string, money: object): (() => Promise<unknown>)[] {
  const sell = (fields: object = {}) => desk.sell(client, { ...money, ...fields });
  const end = (id: string, how: 'annul' | 'void', body: object = {}) =>
    desk.make(`/v1/invoices/${id}/${how}`, body, 200);
  let [first, second, third, substitute, payment] = ['', '', '', '', ''];
  const uneven = { lines: [{ ...line, quantity: 3, unit_price: 33.3333 }] };
  return [
    async () => (first = await sell()),
    async () => (payment = await desk.pay(first, 40.01, '2026-05-13')),
    () => desk.correct(first, 'differences', -0.3333),
    () => desk.pay(first, 10),
    async () => (second = await sell(uneven)),
    () => desk.pay(second, 60.55, '2026-05-14'),
    async () => (substitute = await desk.correct(second, 'substitution', 0.5)),
    () => desk.correct(substitute, 'differences', 0.07),
    () => desk.pay(substitute, 3.03),
    async () => (third = await sell({ type: 'F2' })),
    () => desk.pay(third, 21, '2026-05-15'),
    () =>
      desk.make('/v1/invoices/substitute-simplified', {
        simplified_invoice_uuids: [third],
        client_id: client,
      }),
    async () => end(await desk.correct(first, 'differences', 0.5), 'annul'),
    async () => end(await sell(), 'void'),
    async () => {
      const paid = await sell({ payment: { method: 'cash' } });
      return end(paid, 'annul', { revert_collections: true });
    },
    () => desk.make(`/v1/invoices/${first}/payments/${payment}/reversal`, { reason: 'recording_error' }, 200),
  ];
}

test('given the same year in euros and in two currencies, then balances and statements are the same, apart, and never mixed', async (t) => {
  const { desk } = await openDesk(t);
  const client = await desk.client();
  const monies = [
    {},
    { currency: 'USD', exchange_rate: 0.9137 },
    { currency: 'CHF', exchange_rate: 1.07215 },
  ];
  const years = monies.map((money) => yearIn(desk, client, money));
  for (const [step] of years[0]!.entries())
    for (const year of years) {
      await year[step]!();
      await desk.holds(client);
    }
  const balances = await desk.balances(client);
  assert.deepEqual(
    balances.map(({ currency }) => currency),
    ['CHF', 'EUR', 'USD'],
  );
  const entries = await desk.statement(client, { limit: '100' });
  const of = (one: string) =>
    entries
      .filter(({ currency }) => currency === one)
      .map(({ date, type, amount, balance }) => [date, type, amount, balance]);
  for (const { currency, ...sums } of balances) {
    assert.deepEqual(sums, { invoiced: 270.64, paid: 94.58, pending: 176.06, overdue: 0 }, currency);
    assert.deepEqual(of(currency), of('EUR'), currency);
  }
});

test('given a client of nobody, of another company or that is a supplier, then there is no balance', async (t) => {
  const { app, acme, desk } = await openDesk(t);
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
