/** An exchange rate is of a day: of the operation, else of the issue, unless the invoice says another (LIVA, art. 79.11). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

type Json = Record<string, unknown>;

const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const dollars = { type: 'F2', currency: 'USD', exchange_rate: 0.92, lines: [line] };
const issue = { options: { issue: true } };

async function given(app: App) {
  app.clock.set('2026-11-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const invoice = (body: Json) =>
    create<{ id: string; exchange_rate_on: string | null }>(app, '/v1/invoices', key, body);
  return { key, invoice };
}

for (const [what, said, expected] of [
  ['nothing', {}, '2026-11-20'],
  ['an earlier operation', { operation_on: '2026-11-10' }, '2026-11-10'],
  ['an earlier issue', { issued_on: '2026-11-19' }, '2026-11-19'],
  ['a day', { operation_on: '2026-11-10', exchange_rate_on: '2026-11-09' }, '2026-11-09'],
  [
    'a continuous supply of later',
    { operation_on: '2026-12-31', lines: [{ ...line, regime_key: '15' }] },
    '2026-11-20',
  ],
  ['euros', { currency: 'EUR', exchange_rate: null }, null],
] as const) {
  test(`given an invoice in dollars that says ${what}, when it is issued, then its rate is of ${expected ?? 'no day'}`, async (t) => {
    const app = await startApp(t);
    const { key, invoice } = await given(app);
    const draft = await invoice({ ...dollars, ...said });
    assert.equal(draft.exchange_rate_on, 'exchange_rate_on' in said ? said.exchange_rate_on : null);
    const issued = await app.post(`/v1/invoices/${draft.id}/issue`, { key });
    assert.equal(issued.body.data?.exchange_rate_on, expected, issued.text);
    assert.equal((await invoice({ ...dollars, ...said, ...issue })).exchange_rate_on, expected);
    const read = await app.get(`/v1/invoices/${draft.id}`, { key });
    assert.equal(read.body.data.exchange_rate_on, expected);
  });
}

test('given the day of a rate, when it is later than the issue, or in euros, then it is refused', async (t) => {
  const app = await startApp(t);
  const { key, invoice } = await given(app);
  const late = { ...dollars, exchange_rate_on: '2026-11-21' };
  const draft = await invoice(late);
  const answers = [
    await app.post(`/v1/invoices/${draft.id}/issue`, { key }),
    await app.post('/v1/invoices', { key, body: { ...late, ...issue } }),
    await app.post('/v1/invoices', { key, body: { lines: [line], exchange_rate_on: '2026-11-20' } }),
  ];
  for (const answer of answers) assertRefused(answer, 422, 'business_rule_violation', 'exchange_rate_on');
});

test('given an invoice in dollars, when it is corrected, replaced or copied, then the rate keeps its day', async (t) => {
  const app = await startApp(t);
  const { key, invoice } = await given(app);
  const made = await invoice({ ...dollars, ...issue });
  const ticket = await invoice({ ...dollars, ...issue });
  app.clock.set('2026-11-25T10:00:00Z');
  const { id: client_id } = await create(app, '/v1/clients', key, { name: 'Norte SL' });
  const path = `/v1/invoices/${made.id}`;
  const answers = [
    await app.post(`${path}/duplicate`, { key }),
    await app.post(`${path}/corrective`, { key, body: { correction: { type: 'differences' } } }),
    await app.post('/v1/invoices/substitute-simplified', {
      key,
      body: { simplified_invoice_uuids: [ticket.id], client_id },
    }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.data.exchange_rate_on, '2026-11-20');
  }
});
