/** Items for every list. */
import assert from 'node:assert/strict';
import { newId } from '../../src/kernel/uuid7.ts';
import type { App, TestCompany } from '../harness.ts';
import { textPdf } from './scan-samples/pdf-text.ts';

type Fill = (app: App, company: TestCompany, i: number) => Promise<unknown>;

async function post(app: App, company: TestCompany, path: string, body: unknown): Promise<void> {
  const answer = await app.post(path, { key: company.live_key, body });
  assert.ok([201, 202].includes(answer.status), answer.text);
}

const receiver = { url: 'https://hooks.example.com/folio', enabled_events: ['*'] };

const recurrence = {
  name: 'Cuota',
  type: 'F2',
  frequency: 'daily',
  starts_on: '2199-01-01',
  lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
};
/** What lists are within: the name in the path, and how a company makes its one. */
const parents: Readonly<Record<string, { path: string; body: unknown }>> = {
  webhook_endpoint: { path: '/v1/webhook_endpoints', body: receiver },
  recurring_invoice: { path: '/v1/recurring_invoices', body: recurrence },
  price_list: { path: '/v1/price-lists', body: { name: 'Tienda', code: 'T-1' } },
};
const made = new WeakMap<TestCompany, Map<string, string>>();

/** Inside the company's one parent where needed. */
export async function pathOf(app: App, company: TestCompany, path: string): Promise<string> {
  const name = /:(\w+)/.exec(path)?.[1];
  if (name === undefined) return path;
  const known = made.get(company) ?? new Map<string, string>();
  made.set(company, known);
  if (!known.has(name)) {
    const parent = parents[name];
    assert.ok(parent, `${name} of ${path}`);
    const answer = await app.post(parent.path, { key: company.live_key, body: parent.body });
    assert.equal(answer.status, 201, answer.text);
    known.set(name, answer.body.data.id);
  }
  return path.replace(`:${name}`, known.get(name)!);
}

const makeKey: Fill = (app, company, i) =>
  post(app, company, '/v1/account/api-keys', { name: `Clave ${i}`, scopes: ['invoices:read'] });
const makeProduct: Fill = (app, company, i) => post(app, company, '/v1/products', { name: `p${i % 3}` });

const clients = new WeakMap<TestCompany, Map<string, Promise<string>>>();

/** One of three, which a company's documents share. */
function clientOf(app: App, company: TestCompany, i: number): Promise<string> {
  const known = clients.get(company) ?? new Map<string, Promise<string>>();
  clients.set(company, known);
  const name = `c${i % 3}`;
  const client =
    known.get(name) ??
    app
      .post('/v1/clients', { key: company.live_key, body: { name } })
      .then(({ body }) => body.data.id as string);
  known.set(name, client);
  return client;
}

const makeOffer =
  (path: string): Fill =>
  async (app, company, i) => {
    await post(app, company, path, {
      client_id: await clientOf(app, company, i),
      valid_until: [null, '2190-01-01', '2190-01-02', null][i % 4],
      lines: [{ description: 'x', unit_price: 10 * (i % 3), tax_rate: 21 }],
      options: { mark_pending: i % 2 === 0 },
    });
  };

const makeNote: Fill = async (app, company, i) => {
  await post(app, company, '/v1/delivery_notes', {
    client_id: await clientOf(app, company, i),
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
  list_purchase_scans: (app, company, i) =>
    post(app, company, '/v1/purchase_scans', {
      file_name: `papel ${i % 3}.pdf`,
      content_base64: textPdf([[`Papel ${i}`]]).toString('base64'),
    }),
  list_price_lists: (app, company, i) =>
    post(app, company, '/v1/price-lists', { name: `l${i % 3}`, code: `L${i}` }),
  list_price_list_items: async (app, company, i) => {
    const product = await app.post('/v1/products', { key: company.live_key, body: { name: `p${i}` } });
    const path = await pathOf(app, company, '/v1/price-lists/:price_list/items');
    await post(app, company, path, { product_id: product.body.data.id, unit_price: i });
  },
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
  list_oauth_clients: (app, company, i) =>
    post(app, company, '/v1/oauth/clients', {
      name: `a${i % 3}`,
      type: 'public',
      redirect_uris: ['https://app.example.com/cb'],
    }),
  list_oauth_grants: (app, { company_id }, i) => app.sql`
    insert into oauth_grants (company_id, id, opens_company_id, environment, audience, client_id, client_name, user_id, scopes, created_at)
    values (${company_id}, ${newId()}, ${company_id}, 'live', 'v1', 'svc_app_1', ${`a${i % 3}`}, ${newId()}, '{invoices:read}',
            ${app.clock.now()})`,
  list_request_logs: async (app, company) => {
    await app.get('/v1/products', { key: company.live_key });
    await app.service.flush();
  },
};
