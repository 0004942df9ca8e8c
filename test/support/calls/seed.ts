import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { App } from '../../harness.ts';
import { storedGrant } from '../oauth.ts';
import { signatureImage } from '../notes.ts';
import { textPdf } from '../scan-samples/pdf-text.ts';
import { certificateFile, storeCertificate, storeRepresentation } from '../company-certificates.ts';

export type Seed = {
  client: string;
  client_external_id: string;
  supplier: string;
  supplier_external_id: string;
  product: string;
  price_list: string;
  price_list_item: string;
  /** Another product, for a pack. */
  component: string;
  tax: string;
  series: string;
  /** A draft. */
  invoice: string;
  line: string;
  issued: string;
  issued_line: string;
  /** Of the issued invoice. */
  payment: string;
  /** An issued simplified invoice and its number. */
  ticket: string;
  number: string;
  event: string;
  api_key: string;
  /** Confidential, and something that a person granted to it. */
  oauth_client: string;
  oauth_grant: string;
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
  /** Waits for its reading; one that was read, and one that is archived. */
  purchase_scan: string;
  processed_scan: string;
  archived_scan: string;
  /** A draft, one received in another currency, and one paid in part, with its payment. */
  purchase_invoice: string;
  received_purchase: string;
  paid_purchase: string;
  purchase_payment: string;
};

type Make = (path: string, body?: unknown, status?: number) => Promise<Made>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Made = any;

/** Runs once, when it is first asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * What several seeds of one company share. Their operations change none of it.
 * @property round which seed of the company this is; texts that name one thing of a company end with it
 * @property is_on whether VeriFactu is
 */
export type Kept = { readonly base: Map<string, Promise<Made>>; round: number; is_on: boolean };

const idOf = (made: () => Promise<Made>) => async (): Promise<string> => (await made()).id;

const lines = (product: string) => [
  { description: 'Cuaderno', quantity: 2, unit_price: 2.5, tax_rate: 21, product_id: product },
];

function catalogueMakers(make: Make, product: () => Promise<Made>) {
  const list = once(() => make('/v1/price-lists', { name: 'Tienda', code: 'T-1', external_id: 'TAR-1' }));
  const item = once(async () => {
    const body = { product_id: (await product()).id, unit_price: 2.4 };
    return make(`/v1/price-lists/${(await list()).id}/items`, body);
  });
  const component = once(() => make('/v1/products', { name: 'Goma', unit_price: 0.5 }));
  return { price_list: idOf(list), price_list_item: idOf(item), component: idOf(component) };
}

function scanMakers(app: App, make: Make) {
  const scan = (text: string, change?: { status: string; before: string | null }) =>
    once(async (): Promise<string> => {
      const content_base64 = textPdf([[text]]).toString('base64');
      const { id } = await make('/v1/purchase_scans', { file_name: `${text}.pdf`, content_base64 });
      if (change)
        await app.sql`update purchase_scans set status = ${change.status}, status_before = ${change.before}
                       where id = ${id}`;
      return id;
    });
  return {
    purchase_scan: scan('Factura 1'),
    processed_scan: scan('Factura 2', { status: 'processed', before: null }),
    archived_scan: scan('Factura 3', { status: 'archived', before: 'processed' }),
  };
}

type PurchaseName = 'purchase_invoice' | 'received_purchase' | 'paid_purchase' | 'purchase_payment';

function purchaseMakers(
  make: Make,
  supplier: () => Promise<string>,
  product: () => Promise<string>,
  mark: string,
): Record<PurchaseName, () => Promise<string>> {
  const path = '/v1/purchase_invoices';
  const purchase = (number: string, more: object) =>
    once(async (): Promise<string> => {
      const content = { supplier_id: await supplier(), lines: lines(await product()) };
      // Its own number is of that year, as are the days that the calls give it.
      const days = { issued_on: '2026-01-02', received_on: '2026-01-03' };
      return (await make(path, { ...content, number: number + mark, ...days, ...more })).id;
    });
  const paid_purchase = purchase('F-72', {});
  return {
    purchase_invoice: purchase('F-70', { draft: true, external_id: `COM-1${mark}`, tags: ['uno'] }),
    // Its number is of the year in which it was received.
    received_purchase: purchase('F-71', { currency: 'USD', exchange_rate: 0.92, received_on: '2026-01-02' }),
    paid_purchase,
    purchase_payment: async () => {
      const payment = { amount: 1, payment_method: 'cash' };
      return (await make(`${path}/${await paid_purchase()}/payments`, payment)).id;
    },
  };
}

function recurrenceMakers(
  make: Make,
  toClient: () => Promise<object>,
  series: () => Promise<Made>,
  mark: string,
): Record<'recurring_invoice' | 'recurring_line' | 'paused_recurrence', () => Promise<string>> {
  const cuota = async () => ({
    ...(await toClient()),
    name: 'Cuota',
    series_id: (await series()).id,
    frequency: 'monthly',
    starts_on: inDays(400),
    tags: ['web'],
  });
  const recurring = once(async () =>
    make('/v1/recurring_invoices', { ...(await cuota()), external_id: `REC-1${mark}` }),
  );
  const paused = once(async () => make('/v1/recurring_invoices', { ...(await cuota()), status: 'paused' }));
  return {
    recurring_invoice: async () => (await recurring()).id,
    recurring_line: async () => (await recurring()).lines[0].id,
    paused_recurrence: async () => (await paused()).id,
  };
}

const csv = 'A-0000000000001';

function oauthMakers(app: App, make: Make, found: (path: string) => Promise<Made>) {
  const client = once(() =>
    make('/v1/oauth/clients', {
      name: 'Gestoría en línea',
      type: 'confidential',
      redirect_uris: ['https://gestoria.example.com/vuelta'],
      website: 'https://gestoria.example.com',
    }),
  );
  const grant = once(async () => {
    const [{ client_id, name }, { id: company_id }] = [await client(), await found('/v1/account/company')];
    return storedGrant(app, company_id, { client_id, name });
  });
  return { oauth_client: async (): Promise<string> => (await client()).id, oauth_grant: grant };
}

type OfferName =
  | 'signed_note'
  | 'pending_note'
  | 'delivery_note'
  | `${'' | 'pending_'}${'proforma' | 'quote'}`;

function offerMakers(
  make: Make,
  toClient: () => Promise<object>,
  mark: string,
): Record<OfferName, () => Promise<string>> {
  /** A draft, or one that waits. */
  const offer = (path: string, more: object = {}) =>
    once(async () =>
      make(path, { ...(await toClient()), external_id: `OF-1${mark}`, tags: ['una'], ...more }),
    );
  const pending = { external_id: `OF-2${mark}`, tags: ['dos'], options: { mark_pending: true } };
  const noted = offer('/v1/delivery_notes', { ...pending, external_id: `OF-3${mark}`, tags: ['tres'] });
  const signed = once(async () => {
    const signature = { signed_by: 'Eva Ruiz', signature_image: signatureImage };
    await make(`/v1/delivery_notes/${(await noted()).id}/sign`, signature, 200);
    return noted();
  });
  return {
    signed_note: idOf(signed),
    proforma: idOf(offer('/v1/proformas')),
    pending_proforma: idOf(offer('/v1/proformas', pending)),
    quote: idOf(offer('/v1/quotes')),
    pending_quote: idOf(offer('/v1/quotes', pending)),
    delivery_note: idOf(offer('/v1/delivery_notes')),
    pending_note: idOf(offer('/v1/delivery_notes', pending)),
  };
}

/** Makes what is asked for, and first what that needs. */
function makersOf(
  app: App,
  key: string,
  make: Make,
  kept: Kept,
): { [name in keyof Seed]: () => Promise<string> } {
  const found = async (path: string) => (await app.get(path, { key })).body.data;
  const shared = (name: string, made: () => Promise<Made>) => () => {
    const known = kept.base.get(name) ?? made();
    kept.base.set(name, known);
    return known;
  };
  const mark = kept.round === 1 ? '' : `-${kept.round}`;
  const tax = shared('tax', () => make('/v1/taxes', { name: 'IVA 10 %', kind: 'vat', rate: 10 }));
  const client = shared('client', () =>
    make('/v1/clients', { name: 'Librería Norte', tax_id: 'A58818501', external_id: 'EXT-1' }),
  );
  const supplier = shared('supplier', () =>
    make('/v1/suppliers', { name: 'Papelera Sur', external_id: 'EXT-1' }),
  );
  const product = shared('product', async () =>
    make('/v1/products', { name: 'Cuaderno', code: 'C-1', unit_price: 2.5, taxes_id: (await tax()).id }),
  );
  const series = shared('series', () => make('/v1/series', { code: 'TIENDA', document_type: 'invoice' }));
  const toClient = async () => ({ client_id: (await client()).id, lines: lines((await product()).id) });
  const invoice = once(async () => {
    const body = await toClient();
    return make('/v1/invoices', { ...body, series_id: (await series()).id });
  });
  const issued = once(async () => make('/v1/invoices', { ...(await toClient()), options: { issue: true } }));
  const payment = once(async () =>
    make(`/v1/invoices/${(await issued()).id}/payments`, { amount: 1, payment_method: 'cash' }),
  );
  const ticket = once(async () =>
    make('/v1/invoices', { type: 'F2', lines: lines((await product()).id), options: { issue: true } }),
  );
  const record = once(async () => {
    const one = await found(`/v1/invoices/${(await issued()).id}/verifactu`);
    await app.sql`update verifactu_sendings set status = 'accepted', csv = ${csv} where record_id = ${one.id}`;
    return one;
  });
  const waiting = once(async () => found(`/v1/invoices/${(await ticket()).id}/verifactu`));
  const api_key = once(() => make('/v1/account/api-keys', { name: 'Otra', scopes: ['invoices:read'] }));
  const endpoint = once(() =>
    make('/v1/webhook_endpoints', { url: 'https://hooks.example.com/a', enabled_events: ['invoice.paid'] }),
  );
  const delivery = once(async () =>
    make(`/v1/webhook_endpoints/${(await endpoint()).id}/ping`, undefined, 202),
  );
  const sent = once(async () =>
    make(`/v1/invoices/${(await issued()).id}/send`, { to: ['ana@example.com'] }, 200),
  );
  const pendingEvent = once(async () => {
    const id = randomUUID();
    await app.sql`
      insert into verifactu_pending_events (company_id, id, type, details, occurred_at, last_error)
      select company_id, ${id}, '07', '{"type":"07"}', now(), 'Nadie puede firmar.'
        from invoices where id = ${(await issued()).id}`;
    return id;
  });
  return {
    tax: idOf(tax),
    client: idOf(client),
    client_external_id: async () => (await client()).external_id,
    supplier: idOf(supplier),
    supplier_external_id: async () => (await supplier()).external_id,
    product: idOf(product),
    ...catalogueMakers(make, product),
    series: idOf(series),
    invoice: idOf(invoice),
    line: async () => (await invoice()).lines[0].id,
    issued: idOf(issued),
    issued_line: async () => (await issued()).lines[0].id,
    payment: idOf(payment),
    ticket: idOf(ticket),
    number: async () => (await ticket()).number,
    record: idOf(record),
    huella: async () => (await record()).huella,
    csv: async () => (await record()) && csv,
    waiting_record: idOf(waiting),
    ...recurrenceMakers(make, toClient, series, mark),
    api_key: idOf(api_key),
    ...oauthMakers(app, make, found),
    certificate_file: async () => certificateFile(await found('/v1/account/company')),
    event: async () => (await found(`/v1/events?aggregate_id=${(await invoice()).id}`))[0].id,
    webhook_endpoint: idOf(endpoint),
    delivery: idOf(delivery),
    email: async () => (await sent()).email.id,
    ...offerMakers(make, toClient, mark),
    verifactu_event: pendingEvent,
    ...purchaseMakers(make, idOf(supplier), idOf(product), mark),
    ...scanMakers(app, make),
  };
}

/** @property records VeriFactu is on, and there is somebody who may sign and send */
export type SeedWish = { names: ReadonlySet<keyof Seed>; records: boolean };

/** Those that come with a record. */
const recorded = new Set<keyof Seed>([
  'issued',
  'issued_line',
  'payment',
  'ticket',
  'number',
  'record',
  'waiting_record',
  'huella',
  'csv',
  'email',
  'verifactu_event',
]);

/**
 * @param wish all when left out; another member of the seed then throws when it is read
 * @param known the company of the key, which is asked for when left out
 */
export async function seedCompany(
  app: App,
  key: string,
  wish?: SeedWish,
  known?: { id: string; tax_id: string },
  kept: Kept = { base: new Map(), round: 1, is_on: false },
): Promise<Seed> {
  const make: Make = async (path, body, status = 201) => {
    const answer = await app.post(path, { key, ...(body === undefined ? {} : { body }) });
    assert.equal(answer.status, status, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  const is_recorded = !wish || wish.records || !wish.names.isDisjointFrom(recorded);
  if (is_recorded && !kept.is_on) await turnVerifactuOn(app, key, known);
  kept.is_on ||= is_recorded;
  const makers = makersOf(app, key, make, kept);
  const seed: Partial<Record<keyof Seed, string>> = {};
  // One after the other, so that numbers and times have one order.
  for (const name of Object.keys(makers) as (keyof Seed)[])
    if (!wish || wish.names.has(name)) seed[name] = await makers[name]();
  return new Proxy(seed as Seed, {
    get(made, name: keyof Seed) {
      assert.ok(name in made || !(name in makers), `the seed has no ${name}: nothing asked for it`);
      return made[name];
    },
  });
}

async function turnVerifactuOn(app: App, key: string, known?: { id: string; tax_id: string }): Promise<void> {
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  const { id, tax_id } = known ?? (await app.get('/v1/account/company', { key })).body.data;
  await storeCertificate(app, id, tax_id);
  await storeRepresentation(app, id);
}

/** The members of a seed that a function reads. */
export function namesRead(read: (seed: Seed) => unknown): ReadonlySet<keyof Seed> {
  const names = new Set<keyof Seed>();
  read(
    new Proxy({} as Seed, {
      get(_, name: keyof Seed) {
        names.add(name);
        return randomUUID();
      },
    }),
  );
  return names;
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

/** What documents that are no invoices share. */
export const documentContent = (seed: Seed) => ({
  client_id: seed.client,
  currency: 'USD',
  prices_include_tax: false,
  notes: 'Gracias',
  lines: [
    {
      description: 'Cuaderno',
      product_id: seed.product,
      quantity: 3,
      unit_price: 2.5,
      discount_percent: 10,
      tax_rate: 21,
    },
    { description: 'Encargo', quantity: 1.5, unit_price: 99.99999999, taxes_id: seed.tax },
  ],
  metadata: { pedido: '7' },
  tags: ['web'],
  custom_fields: [{ field: 'Obra', value: '12' }],
});
