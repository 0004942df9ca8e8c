/** A company with something on every page of the dashboard, under names of the caller's choice. */
import assert from 'node:assert/strict';
import type { Answer, App, TestCompany } from '../harness.ts';
import { storedGrant } from './oauth.ts';
import { TestReceiver } from './test-receiver.ts';

export type FilledNames = {
  company: string;
  client: string;
  line: string;
  key: string;
  product: string;
  hook: string;
  application: string;
};

/** By the parameter in a page's address. */
export type FilledIds = Readonly<Record<string, string>>;

export type Filled = { company: TestCompany; live: FilledIds; test: FilledIds };

async function made(answer: Promise<Answer>) {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body.data;
}

type Place = { app: App; company: TestCompany; names: FilledNames };

/** The service has to reach loopback: `loopbackReceivers()`. */
export async function fillCompany(
  place: Place,
  t: Parameters<typeof TestReceiver.listen>[0],
): Promise<Filled> {
  const { app, company, names } = place;
  const receiver = await TestReceiver.listen(t);
  const { test_key: key } = company;
  await made(app.put('/v1/verifactu/settings', { key, body: { enabled: true } }));
  const hook = await fillHook(place, receiver.url);
  const invoices = await fillInvoices(place);
  const test_delivery = await made(app.post(`/v1/webhook_endpoints/${hook}/ping`, { key }));
  // A frozen clock runs due work, and skips the authority's waits.
  await made(app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: true } }));
  await app.service.worker.runDue(company.sandbox_company_id);
  await app.service.deliveries.runDue(company.sandbox_company_id);
  await made(app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: false } }));
  const [event] = await made(app.get('/v1/events', { key, query: { limit: '1' } }));
  const rejected = await made(app.get('/v1/verifactu/records', { key, query: { status: 'rejected' } }));
  const [api_key] = await made(app.get('/v1/account/api-keys', { key }));
  const [series] = await made(app.get('/v1/series', { key }));
  const product = await made(
    app.post('/v1/products', { key, body: { name: names.product, unit_price: 10 } }),
  );
  const supplier = await made(app.post('/v1/suppliers', { key, body: { name: names.client } }));
  const [email] = await made(app.get('/v1/emails', { key }));
  const test = {
    ...invoices,
    webhook_endpoint: hook,
    delivery: test_delivery.id,
    event: event.id,
    record: rejected[0].id,
    api_key: api_key.id,
    series: series.id,
    product: product.id,
    supplier: supplier.id,
    email: email.id,
  };
  return { company, test, live: { ...test, ...(await fillLive(place)) } };
}

async function fillHook({ app, company, names }: Place, origin: string): Promise<string> {
  const body = { url: `${origin}/folio`, description: names.hook, enabled_events: ['invoice.*', 'client.*'] };
  return (await made(app.post('/v1/webhook_endpoints', { key: company.test_key, body }))).id;
}

async function fillInvoices({ app, company, names }: Place): Promise<FilledIds> {
  const { test_key: key } = company;
  const address = { line1: 'Calle Mayor', number: '1', city: 'Getafe', postal_code: '28901', country: 'ES' };
  const clientOf = async (tax_id: string, name: string) =>
    (await made(app.post('/v1/clients', { key, body: { name, tax_id, address } }))).id as string;
  const invoice = async (more: object, unit_price: number) => {
    const lines = [{ description: names.line, quantity: 2, unit_price, tax_rate: 21 }];
    return (await made(app.post('/v1/invoices', { key, body: { type: 'F1', lines, ...more } }))).id as string;
  };
  const issue = { options: { issue: true } };
  // Tax ids that the sandbox accepts, refuses and holds up (docs/sandbox-magic-values.md).
  const client = await clientOf('B00000018', names.client);
  const refused = await clientOf('B00000034', 'Talleres Ibáñez SL');
  const held_up = await clientOf('B00000075', 'Hotel Miramar SA');
  await invoice({ client_id: refused, ...issue }, 1250.5);
  await invoice({ client_id: held_up, ...issue }, 80);
  await invoice({ type: 'F2', ...issue }, 12.4);
  const invoice_draft = await invoice({ client_id: client }, 300);
  const invoice_issued = await invoice({ client_id: client, ...issue }, 1000);
  const paid = {
    amount: 420,
    payment_method: 'bank_transfer',
    payment_date: null,
    reference: names.line.slice(0, 200),
  };
  await made(app.post(`/v1/invoices/${invoice_issued}/payments`, { key, body: paid }));
  const to = { to: ['compras@norte.example'], subject: names.line.slice(0, 150) };
  await made(app.post(`/v1/invoices/${invoice_issued}/send`, { key, body: to }));
  return { client, invoice: invoice_issued, invoice_draft };
}

/** What only the live company has. */
async function fillLive({ app, company, names }: Place): Promise<FilledIds> {
  const { live_key: key } = company;
  const body = { name: names.application, type: 'confidential', redirect_uris: ['https://crm.example/back'] };
  const client = await made(app.post('/v1/oauth/clients', { key, body }));
  const oauth_grant = await storedGrant(app, company.company_id, { ...client, name: names.application });
  const own = { name: names.key, scopes: ['invoices:read'], environment: 'live' };
  const { id: api_key } = await made(app.post('/v1/account/api-keys', { key, body: own }));
  return { oauth_client: client.id, oauth_grant, api_key };
}
