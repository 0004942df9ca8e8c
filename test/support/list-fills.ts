/** Items for every list. */
import assert from 'node:assert/strict';
import { newId } from '../../src/kernel/uuid7.ts';
import type { App, TestCompany } from '../harness.ts';

type Fill = (app: App, company: TestCompany, i: number) => Promise<unknown>;

async function post(app: App, company: TestCompany, path: string, body: unknown): Promise<void> {
  const answer = await app.post(path, { key: company.live_key, body });
  assert.ok([201, 202].includes(answer.status), answer.text);
}

const receiver = { url: 'https://hooks.example.com/folio', enabled_events: ['*'] };
const endpoints = new WeakMap<TestCompany, string>();

const recurrence = {
  name: 'Cuota',
  type: 'F2',
  frequency: 'daily',
  starts_on: '2199-01-01',
  lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
};
const recurrences = new WeakMap<TestCompany, string>();

async function recurrenceOf(app: App, company: TestCompany): Promise<string> {
  const known = recurrences.get(company);
  if (known !== undefined) return known;
  const made = await app.post('/v1/recurring_invoices', { key: company.live_key, body: recurrence });
  recurrences.set(company, made.body.data.id);
  return made.body.data.id;
}

/** Inside the company's one endpoint or recurrence where needed. */
export async function pathOf(app: App, company: TestCompany, path: string): Promise<string> {
  if (path.includes(':recurring_invoice'))
    return path.replace(':recurring_invoice', await recurrenceOf(app, company));
  if (!path.includes(':')) return path;
  let endpoint = endpoints.get(company);
  if (endpoint === undefined) {
    const made = await app.post('/v1/webhook_endpoints', { key: company.live_key, body: receiver });
    endpoint = String(made.body.data.id);
    endpoints.set(company, endpoint);
  }
  return path.replace(':webhook_endpoint', endpoint);
}

const makeKey: Fill = (app, company, i) =>
  post(app, company, '/v1/account/api-keys', { name: `Clave ${i}`, scopes: ['invoices:read'] });
const makeProduct: Fill = (app, company, i) => post(app, company, '/v1/products', { name: `p${i % 3}` });

const makeOffer =
  (path: string): Fill =>
  async (app, company, i) => {
    const body = { name: `c${i % 3}` };
    const client = await app.post('/v1/clients', { key: company.live_key, body });
    await post(app, company, path, {
      client_id: client.body.data.id,
      valid_until: [null, '2190-01-01', '2190-01-02', null][i % 4],
      lines: [{ description: 'x', unit_price: 10 * (i % 3), tax_rate: 21 }],
      options: { mark_pending: i % 2 === 0 },
    });
  };

const makeNote: Fill = async (app, company, i) => {
  const body = { name: `c${i % 3}` };
  const client = await app.post('/v1/clients', { key: company.live_key, body });
  await post(app, company, '/v1/delivery_notes', {
    client_id: client.body.data.id,
    delivery_date: [null, '2026-01-01', '2026-01-02', null][i % 4],
    lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
    options: { mark_pending: i % 2 === 0 },
  });
};

const makePurchase: Fill = (app, company, i) =>
  post(app, company, '/v1/purchase_invoices', {
    draft: true,
    issued_on: [null, '2026-01-01', '2026-01-02', '2026-01-01'][i % 4],
    due_on: [null, '2026-02-01', null, '2026-02-02'][i % 4],
    lines: [{ description: 'x', unit_price: 10 * (i % 3), tax_rate: 21 }],
  });

/** Each adds one item. Some items tie in a sort field. Every list must have one. */
export const fills: Readonly<Record<string, Fill>> = {
  list_api_keys: makeKey,
  list_audit_log: makeKey,
  list_events: makeProduct,
  list_products: makeProduct,
  list_clients: (app, company, i) => post(app, company, '/v1/clients', { name: `c${i % 3}` }),
  list_suppliers: (app, company, i) => post(app, company, '/v1/suppliers', { name: `s${i % 3}` }),
  list_taxes: (app, company, i) =>
    post(app, company, '/v1/taxes', { name: `t${i % 3}`, kind: 'vat', rate: 10 }),
  list_series: (app, company, i) =>
    post(app, company, '/v1/series', { code: `S${i}`, document_type: 'quote' }),
  list_invoices: (app, company, i) =>
    post(app, company, '/v1/invoices', {
      type: 'F2',
      lines: [{ description: 'x', unit_price: 10 * (i % 3), tax_rate: 21 }],
      options: { issue: i % 2 === 0 },
    }),
  list_delivery_notes: makeNote,
  list_purchase_invoices: makePurchase,
  list_proformas: makeOffer('/v1/proformas'),
  list_quotes: makeOffer('/v1/quotes'),
  list_payments: (app, company, i) =>
    post(app, company, '/v1/invoices', {
      type: 'F2',
      lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
      payment: { method: 'cash', paid_at: `2026-01-0${1 + (i % 3)}` },
    }),
  list_emails: (app, company) =>
    post(app, company, '/v1/invoices', {
      type: 'F2',
      lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
      options: { send_automatically: true, send_to: 'ana@example.com' },
    }),
  async list_verifactu_records(app, company, i) {
    await app.put('/v1/verifactu/settings', { key: company.live_key, body: { enabled: true } });
    const lines = [{ description: 'x', unit_price: 10 * (i % 3), tax_rate: 21 }];
    await post(app, company, '/v1/invoices', { type: 'F2', lines, options: { issue: true } });
  },
  list_verifactu_events: (app, { company_id }, i) => app.sql`
    insert into verifactu_events (company_id, id, position, type, stamped_at, occurred_at, huella, xml)
    values (${company_id}, ${newId()}, ${i + 1}, '90', '2026-11-21T10:00:00+01:00', ${app.clock.now()}, '', '')`,
  list_webhook_endpoints: (app, company) => post(app, company, '/v1/webhook_endpoints', receiver),
  list_webhook_deliveries: async (app, company) =>
    post(app, company, await pathOf(app, company, '/v1/webhook_endpoints/:webhook_endpoint/ping'), undefined),
  list_recurring_invoices: (app, company, i) =>
    post(app, company, '/v1/recurring_invoices', { ...recurrence, starts_on: `2199-01-0${1 + (i % 3)}` }),
  list_recurring_invoice_occurrences: async (app, company) =>
    post(app, company, await pathOf(app, company, '/v1/recurring_invoices/:recurring_invoice/emit'), {}),
  list_request_logs: async (app, company) => {
    await app.get('/v1/products', { key: company.live_key });
    await app.service.flush();
  },
};
