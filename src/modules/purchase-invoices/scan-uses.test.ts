/** A reading that a purchase would refuse is not proposed. The reader is left out: what it says is made up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { blankPdf } from '../../../test/support/scan-samples/pdf-text.ts';
import { create } from '../../../test/support/resource-checks.ts';
import type { ReadPurchase } from '../purchase-scans/rules/read-purchase.ts';
import { proposalOf } from '../purchase-scans/rules/proposal.ts';

const line = {
  description: 'Papel',
  quantity: '1',
  unit_price: '100',
  tax_kind: 'vat',
  tax_rate: '21',
  retention_rate: null,
} as const;
const whole: ReadPurchase = {
  supplier_tax_ids: ['B12345674'],
  supplier_vat_id: null,
  issuer_tax_id: null,
  buyer_tax_id: null,
  number: 'A-1',
  kind: 'invoice',
  issued_on: '2026-01-12',
  operation_on: null,
  due_on: null,
  currency: 'EUR',
  lines: [line],
  taxes: [{ tax_kind: 'vat', tax_rate: '21', base: '100', tax: '21' }],
  total: '121',
};
const off = [{ tax_kind: 'vat', tax_rate: '21', base: '100', tax: '22' }] as const;

/** What the purchase says besides, and the member that it would be refused by. */
const readings: [what: string, read: Partial<ReadPurchase>, param: string | null][] = [
  ['all as it should be', {}, null],
  ['a text that is too long', { lines: [{ ...line, description: 'x'.repeat(1001) }] }, 'lines.0.description'],
  ['a number that is too long', { number: 'A'.repeat(61) }, 'number'],
  ['a rate beyond a hundred', { lines: [{ ...line, tax_rate: '101' }] }, 'lines.0.tax_rate'],
  ['more lines than a document has', { lines: Array.from({ length: 501 }, () => line) }, 'lines'],
  ['a tax that is a euro off', { taxes: off }, 'tax_breakdown.0.tax'],
  ['a total that is a euro off', { total: '122' }, 'expected_total'],
];

test('given a reading that would be refused as a purchase, when it is concluded, then nothing is proposed, and the warning tells why as the call does', async (t) => {
  let next: ReadPurchase = whole;
  const app = await startApp(t, {
    wrap_ports: (ports) => ({
      ...ports,
      scan_reader: {
        at_once: 1,
        read: async () => ({ purchase: next, pages: 1, method: 'facturae', fields: [], warnings: [] }),
      },
    }),
  });
  const { company_id, live_key: key } = await app.given.company();
  const supplier = await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  const today = '2026-11-23';
  app.clock.set(`${today}T12:00:00Z`);
  for (const [at, [what, read, param]] of readings.entries()) {
    next = { ...whole, number: `A-${at}`, ...read };
    const content_base64 = blankPdf(at + 1).toString('base64');
    const { id } = await create(app, '/v1/purchase_scans', key, { file_name: 'a.pdf', content_base64 });
    await app.service.worker.runDue(company_id);
    const { status, proposal, extraction } = (await app.get(`/v1/purchase_scans/${id}`, { key })).body.data;
    const body = proposalOf(next, { supplier_id: supplier.id, today }).proposal!;
    const { error } = (await app.post('/v1/purchase_invoices', { key, body })).body;
    const told =
      error && `Lo leído no se puede registrar tal cual: ${error.errors?.[0].message ?? error.message}`;
    assert.deepEqual([status, error?.param ?? null], ['processed', param], what);
    assert.deepEqual([proposal, extraction.warnings], param === null ? [body, []] : [null, [told]], what);
  }
});

test('given a paper that is registered, when its scan is read, then nothing is proposed until its purchase is cancelled; of another day it is', async (t) => {
  let next: ReadPurchase = whole;
  const app = await startApp(t, {
    wrap_ports: (ports) => ({
      ...ports,
      scan_reader: {
        at_once: 1,
        read: async () => ({ purchase: next, pages: 1, method: 'facturae', fields: [], warnings: [] }),
      },
    }),
  });
  const { company_id, live_key: key } = await app.given.company();
  await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  const content_base64 = blankPdf(1).toString('base64');
  const { id } = await create(app, '/v1/purchase_scans', key, { file_name: 'a.pdf', content_base64 });
  const read = async () => {
    await app.service.worker.runDue(company_id);
    return (await app.get(`/v1/purchase_scans/${id}`, { key })).body.data;
  };
  const readAgain = async () => {
    await app.post(`/v1/purchase_scans/${id}/reprocess`, { key });
    return read();
  };
  const book = (body: object) => app.post('/v1/purchase_invoices', { key, body });
  const { proposal } = await read();
  const made = await book({ ...proposal, draft: false, number: 'a-1', scan_ids: [id] });
  assert.equal(made.status, 201, made.text);
  const again = await readAgain();
  const { error } = (await book(proposal)).body;
  const told = `Lo leído no se puede registrar tal cual: ${error.message}`;
  assert.deepEqual([again.proposal, again.extraction.warnings], [null, [told]]);
  assert.deepEqual(again.possible_duplicate_ids, [made.body.data.id]);
  next = { ...whole, issued_on: '2026-01-13' };
  const other = await readAgain();
  assert.deepEqual(other.possible_duplicate_ids, [made.body.data.id]);
  assert.equal((await book(other.proposal)).status, 201);
  next = whole;
  await app.post(`/v1/purchase_invoices/${made.body.data.id}/cancel`, { key, body: {} });
  const right = await book({ ...(await readAgain()).proposal, draft: false, scan_ids: [id] });
  assert.equal(right.status, 201, right.text);
  // The paper is now that of the right one, and the cancelled one still says which it was.
  const { purchase_invoice_id } = await read();
  const cancelled = await app.get(`/v1/purchase_invoices/${made.body.data.id}`, { key });
  assert.deepEqual([purchase_invoice_id, cancelled.body.data.scan_ids], [right.body.data.id, [id]]);
  const third = await book({ ...proposal, number: 'b-1', scan_ids: [id] });
  assert.deepEqual([third.status, third.body.error?.param], [409, 'scan_ids.0']);
});
