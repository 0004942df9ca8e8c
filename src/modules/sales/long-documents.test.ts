/** A document of 500 lines is built in slices, whichever call builds it: others get a turn between them. */
import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import timers from 'node:timers/promises';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { lines_max } from '../../domain/sales/lines.ts';

/** Counts how often others get a turn. The clock leaps, so that every step is long enough for one. */
function countTurns(t: TestContext): { turns: number } {
  const counted = { turns: 0 };
  const now = performance.now.bind(performance);
  let leapt = 0;
  t.mock.method(performance, 'now', () => {
    leapt += 11;
    return now() + leapt;
  });
  t.mock.method(timers, 'setImmediate', async () => {
    counted.turns += 1;
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return counted;
}

test('given 500 lines, when any call builds them, then it gives way between them', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = await create(app, '/v1/clients', key, { name: 'Norte', tax_id: 'B00000018' });
  const supplier = await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  const product = await create(app, '/v1/products', key, { name: 'Mesa', unit_price: 10 });
  const list = await create(app, '/v1/price-lists', key, { name: 'Tarifa', currency: 'EUR' });
  const listed = { name: 'Sur', tax_id: 'B00000026', price_list_id: list.id };
  const of_list = await create(app, '/v1/clients', key, listed);
  const line = { description: 'Mesa', unit_price: 10, tax_rate: 21 };
  const lines = Array.from({ length: lines_max }, () => line);
  const asking = Array.from({ length: lines_max }, () => ({ product_id: product.id, tax_rate: 21 }));
  const post = (path: string, body: object) => app.post(path, { key, body });
  const one = { client_id: client.id, lines: [line] };
  const quote = await create(app, '/v1/quotes', key, one);
  const issued = await create(app, '/v1/invoices', key, { ...one, options: { issue: true } });
  const surcharged = { name: 'Este', tax_id: 'B00000034', is_surcharge_subject: true };
  const shop = await create(app, '/v1/clients', key, surcharged);
  const draft = await create(app, '/v1/invoices', key, { client_id: shop.id, lines });
  const differences = { correction: { type: 'differences' }, lines };
  const paper = { supplier_id: supplier.id, number: 'A-1', issued_on: '2026-01-12', lines };
  const calls: [what: string, call: () => ReturnType<typeof post>, slices?: number][] = [
    ['an invoice', () => post('/v1/invoices', { client_id: client.id, lines })],
    ['an invoice of a list', () => post('/v1/invoices', { client_id: of_list.id, lines: asking }), 2],
    [
      'invoices at once',
      () => post('/v1/invoices/bulk-create', { invoices: [{ client_id: client.id, lines }] }),
    ],
    ['a corrective', () => post(`/v1/invoices/${issued.id}/corrective`, differences)],
    ['an issue to a client with surcharge', () => post(`/v1/invoices/${draft.id}/issue`, {})],
    ['an edit', () => app.put(`/v1/quotes/${quote.id}`, { key, body: { lines } })],
    ['a purchase', () => post('/v1/purchase_invoices', paper)],
  ];
  const counted = countTurns(t);
  for (const [what, call, slices = 1] of calls) {
    counted.turns = 0;
    const { status, text } = await call();
    assert.ok(status < 300, `${what}: ${text.slice(0, 500)}`);
    assert.ok(counted.turns >= slices * lines_max, `${what}: ${counted.turns} turns`);
  }
});

test('given 100 lines and 101, when they are asked for as a PDF, then others get a turn before the texts of the longer one are made and before they are named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const line = { description: 'Mesa', unit_price: 10, tax_rate: 21 };
  const pdfTurns = async (count: number) => {
    const lines = Array.from({ length: count }, () => line);
    const { id } = await create(app, '/v1/invoices', key, { type: 'F2', lines });
    const counted = countTurns(t);
    const { status } = await app.get(`/v1/invoices/${id}/pdf`, { key });
    t.mock.restoreAll();
    syncBuiltinESMExports();
    assert.equal(status, 200);
    return counted.turns;
  };
  const short = await pdfTurns(100);
  assert.equal((await pdfTurns(101)) - short, 2);
});
