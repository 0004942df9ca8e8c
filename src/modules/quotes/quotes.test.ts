/** What quotes do besides what every family does (test/scenarios/sales-families.test.ts). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { checkOffers } from '../../../test/support/offer-checks.ts';
import { quotes, quotesOperations } from './index.ts';

checkOffers({
  operations: quotesOperations,
  scopes: {
    list_quotes: ['quotes:read'],
    create_quote: ['quotes:write'],
    get_quote: ['quotes:read'],
    get_quote_pdf: ['pdfs:read', 'quotes:read'],
    get_quote_pdf_link: ['pdfs:read', 'quotes:read'],
    revoke_quote_public_link: ['quotes:write'],
    update_quote: ['quotes:write'],
    delete_quote: ['quotes:delete'],
    duplicate_quote: ['quotes:write'],
    send_quote: ['quotes:send'],
    mark_quote_pending: ['quotes:transition'],
    accept_quote: ['quotes:transition'],
    reject_quote: ['quotes:transition'],
    cancel_quote: ['quotes:transition'],
    convert_quote: ['quotes:transition'],
  },
  family: quotes,
  said: { accept: 'approved' },
  enters: ['marked_as_pending'],
});

test('given a quote, when it becomes a pro-forma invoice and that an invoice, then each opens again as the next goes', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-22T12:00:00Z');
  const company = await app.given.company();
  const key = company.live_key;
  const post = async (path: string, body: unknown = {}) => (await app.post(path, { key, body })).body.data;
  const read = async (path: string) => (await app.get(path, { key })).body.data;
  const client = await post('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501' });
  const lines = [
    { description: 'Reforma', quantity: 3, unit_price: 33.33, tax_rate: 21 },
    { description: 'Libros', quantity: 1, unit_price: 9.99, tax_rate: 4 },
  ];
  const options = { mark_pending: true };
  const quote = await post('/v1/quotes', { client_id: client.id, lines, notes: 'Gracias', options });
  const proforma = await post(`/v1/quotes/${quote.id}/convert`, { target: 'proforma' });
  assert.deepEqual(
    [proforma.object, proforma.status, proforma.number, proforma.total, proforma.notes, proforma.valid_until],
    ['proforma', 'draft', null, quote.total, 'Gracias', '2026-12-22'],
  );
  const converted = await read(`/v1/quotes/${quote.id}`);
  assert.deepEqual(
    [converted.status, converted.converted_to],
    ['converted', { object: 'proforma', id: proforma.id }],
  );
  const pending = await post(`/v1/proformas/${proforma.id}/mark-pending`);
  assert.match(pending.number, /^PF2026-000001$/);
  await post(`/v1/proformas/${proforma.id}/accept`);
  const invoice = await post(`/v1/proformas/${proforma.id}/convert`, { due_on: '2027-01-31' });
  assert.deepEqual(
    [invoice.object, invoice.total, invoice.tax_breakdown, invoice.due_on],
    ['invoice', quote.total, quote.tax_breakdown, '2027-01-31'],
  );
  assert.equal((await app.delete(`/v1/invoices/${invoice.id}`, { key })).status, 200);
  assert.equal((await read(`/v1/proformas/${proforma.id}`)).status, 'accepted');
  // What has a number is cancelled, not deleted: the quote stays converted.
  assert.equal((await app.delete(`/v1/proformas/${proforma.id}`, { key })).status, 409);
  const other = await post(`/v1/quotes`, { client_id: client.id, lines, options });
  const draft = await post(`/v1/quotes/${other.id}/convert`, { target: 'proforma' });
  assert.equal((await app.delete(`/v1/proformas/${draft.id}`, { key })).status, 200);
  const open = await read(`/v1/quotes/${other.id}`);
  assert.deepEqual([open.status, open.converted_to], ['pending', null]);
  assert.deepEqual((await app.eventTypes(company, other.id)).slice(-2), ['quote.converted', 'quote.updated']);
  const due = { target: 'proforma', due_on: '2027-01-31' };
  const refused = await app.post(`/v1/quotes/${other.id}/convert`, { key, body: due });
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'due_on']);
});
