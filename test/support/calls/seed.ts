import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { App } from '../../harness.ts';
import { signatureImage } from '../notes.ts';
import { certificateFile, storeCertificate, storeRepresentation } from '../company-certificates.ts';

export type Seed = {
  client: string;
  supplier: string;
  product: string;
  tax: string;
  series: string;
  /** A draft. */
  invoice: string;
  line: string;
  issued: string;
  /** Of the issued invoice. */
  payment: string;
  /** An issued simplified invoice and its number. */
  ticket: string;
  number: string;
  event: string;
  api_key: string;
  certificate_file: string;
  /** The accepted record of the issued invoice, and the pending one of the ticket. */
  record: string;
  waiting_record: string;
  huella: string;
  csv: string;
  webhook_endpoint: string;
  delivery: string;
  /** With the issued invoice. */
  email: string;
  /** Drafts, and those that wait for an answer. */
  proforma: string;
  pending_proforma: string;
  quote: string;
  pending_quote: string;
  /** A draft, one to deliver, and one that is signed. */
  delivery_note: string;
  pending_note: string;
  signed_note: string;
  /** Waits for its signature in no-verifactu mode. */
  verifactu_event: string;
  /** Active, and its line. */
  recurring_invoice: string;
  recurring_line: string;
  paused_recurrence: string;
};

export async function seedCompany(app: App, key: string): Promise<Seed> {
  const make = async (path: string, body?: unknown, status = 201) => {
    const answer = await app.post(path, { key, ...(body === undefined ? {} : { body }) });
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  const tax = await make('/v1/taxes', { name: 'IVA 10 %', kind: 'vat', rate: 10 });
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  const client = await make('/v1/clients', {
    name: 'Librería Norte',
    tax_id: 'A58818501',
    external_id: 'EXT-1',
  });
  const supplier = await make('/v1/suppliers', { name: 'Papelera Sur', external_id: 'EXT-1' });
  const product = await make('/v1/products', {
    name: 'Cuaderno',
    code: 'C-1',
    unit_price: 2.5,
    taxes_id: tax.id,
  });
  const series = await make('/v1/series', { code: 'TIENDA', document_type: 'invoice' });
  const lines = [
    { description: 'Cuaderno', quantity: 2, unit_price: 2.5, tax_rate: 21, product_id: product.id },
  ];
  const draft = await make('/v1/invoices', { client_id: client.id, series_id: series.id, lines });
  const issued = await make('/v1/invoices', { client_id: client.id, lines, options: { issue: true } });
  const paid = { amount: 1, payment_method: 'cash' };
  const payment = await make(`/v1/invoices/${issued.id}/payments`, paid);
  const ticket = await make('/v1/invoices', { type: 'F2', lines, options: { issue: true } });
  const recordOf = async (id: string) => (await app.get(`/v1/invoices/${id}/verifactu`, { key })).body.data;
  const [record, waiting] = [await recordOf(issued.id), await recordOf(ticket.id)];
  const csv = 'A-0000000000001';
  await app.sql`update verifactu_sendings set status = 'accepted', csv = ${csv} where record_id = ${record.id}`;
  const cuota = {
    name: 'Cuota',
    client_id: client.id,
    series_id: series.id,
    frequency: 'monthly',
    starts_on: inDays(400),
    tags: ['web'],
    lines,
  };
  const recurring = await make('/v1/recurring_invoices', { ...cuota, external_id: 'REC-1' });
  const paused = await make('/v1/recurring_invoices', { ...cuota, status: 'paused' });
  const api_key = await make('/v1/account/api-keys', { name: 'Otra', scopes: ['invoices:read'] });
  const { id: company_id, tax_id } = (await app.get('/v1/account/company', { key })).body.data;
  await storeCertificate(app, company_id, tax_id);
  await storeRepresentation(app, company_id);
  const events = await app.get('/v1/events', { key, query: { aggregate_id: draft.id } });
  const webhook_endpoint = await make('/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/a',
    enabled_events: ['invoice.paid'],
  });
  const delivery = await make(`/v1/webhook_endpoints/${webhook_endpoint.id}/ping`, undefined, 202);
  const sent = await make(`/v1/invoices/${issued.id}/send`, { to: ['ana@example.com'] }, 200);
  const offered = { client_id: client.id, lines, external_id: 'OF-1', tags: ['una'] };
  const pending = {
    ...offered,
    external_id: 'OF-2',
    tags: ['dos'],
    options: { mark_pending: true },
  };
  const signed_note = await make('/v1/delivery_notes', { ...pending, external_id: 'OF-3', tags: ['tres'] });
  const signature = { signed_by: 'Eva Ruiz', signature_image: signatureImage };
  await make(`/v1/delivery_notes/${signed_note.id}/sign`, signature, 200);
  const verifactu_event = randomUUID();
  await app.sql`
    insert into verifactu_pending_events (company_id, id, type, details, occurred_at, last_error)
    select company_id, ${verifactu_event}, '07', '{"type":"07"}', now(), 'Nadie puede firmar.' from invoices where id = ${issued.id}`;
  return {
    client: client.id,
    supplier: supplier.id,
    product: product.id,
    tax: tax.id,
    series: series.id,
    invoice: draft.id,
    line: draft.lines[0].id,
    issued: issued.id,
    payment: payment.id,
    ticket: ticket.id,
    number: ticket.number,
    event: events.body.data[0].id,
    api_key: api_key.id,
    get certificate_file() {
      return certificateFile({ tax_id });
    },
    record: record.id,
    waiting_record: waiting.id,
    huella: record.huella,
    csv,
    webhook_endpoint: webhook_endpoint.id,
    delivery: delivery.id,
    email: sent.email.id,
    proforma: (await make('/v1/proformas', offered)).id,
    pending_proforma: (await make('/v1/proformas', pending)).id,
    quote: (await make('/v1/quotes', offered)).id,
    pending_quote: (await make('/v1/quotes', pending)).id,
    recurring_invoice: recurring.id,
    recurring_line: recurring.lines[0].id,
    paused_recurrence: paused.id,
    delivery_note: (await make('/v1/delivery_notes', offered)).id,
    pending_note: (await make('/v1/delivery_notes', pending)).id,
    signed_note: signed_note.id,
    verifactu_event,
  };
}

/** In the future of every clock that the tests use. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export type ValidCall = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
};

/** By operation name. Bodies fill as many fields as they can. */
export type Calls = Readonly<Record<string, (seed: Seed) => ValidCall>>;
