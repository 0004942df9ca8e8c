/**
 * What the tests over the whole catalogue know of its operations: a company with one of everything, a valid
 * call of each operation, and where a call carries an id. An operation without an entry here fails those
 * tests with its name, so that a new one is never left out of them.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../src/kernel/operation.ts';
import type { App, TestCompany } from '../harness.ts';
import { certificateFile, filePassword, storeCertificate } from './company-certificates.ts';
import { fullContact } from './contact-roles.ts';

/** Ids of one company's resources, by what a call needs them for. */
export type Seed = {
  client: string;
  supplier: string;
  product: string;
  tax: string;
  series: string;
  /** A draft with one line. */
  invoice: string;
  line: string;
  issued: string;
  /** A payment of the issued one. */
  payment: string;
  /** An issued simplified invoice, and its number. */
  ticket: string;
  number: string;
  event: string;
  api_key: string;
  /** A certificate file of the company. */
  certificate_file: string;
  /** The billing record of the issued one, accepted, and that of the ticket, which waits. */
  record: string;
  waiting_record: string;
  huella: string;
  csv: string;
  webhook_endpoint: string;
  delivery: string;
  /** An e-mail with the issued one. */
  email: string;
  /** An event of no-verifactu mode that waits to be signed. */
  verifactu_event: string;
};

/** One of everything, made through the API with the given key. */
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
  const api_key = await make('/v1/account/api-keys', { name: 'Otra', scopes: ['invoices:read'] });
  const { id: company_id, tax_id } = (await app.get('/v1/account/company', { key })).body.data;
  await storeCertificate(app, company_id, tax_id);
  await make('/v1/verifactu/representation', { valid_until: inDays(300) });
  const events = await app.get('/v1/events', { key, query: { aggregate_id: draft.id } });
  const webhook_endpoint = await make('/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/a',
    enabled_events: ['invoice.paid'],
  });
  const delivery = await make(`/v1/webhook_endpoints/${webhook_endpoint.id}/ping`, undefined, 202);
  const sent = await make(`/v1/invoices/${issued.id}/send`, { to: ['ana@example.com'] }, 200);
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
    verifactu_event,
  };
}

/** A day that lies so far ahead on any clock of the tests. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export type ValidCall = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
};

const invoiceBody = (seed: Seed) => ({
  type: 'F1',
  client_id: seed.client,
  series_id: seed.series,
  description: 'Pedido 7',
  operation_on: '2026-01-10',
  due_on: '2027-01-10',
  currency: 'USD',
  exchange_rate: 0.92,
  issued_by: 'third_party',
  third_party: { name: 'Gestoría Sur', tax_id: 'B99286320' },
  no_recipient_art61d: false,
  prices_include_tax: false,
  notes: 'Gracias',
  lines: [
    {
      description: 'Cuaderno',
      product_id: seed.product,
      quantity: 3,
      unit: 'ud',
      unit_price: 2.5,
      discount_percent: 10,
      tax_rate: 21,
      retention_rate: 0,
      regime_key: '01',
    },
    { description: 'Encargo', quantity: 1.5, unit_price: 99.99999999, taxes_id: seed.tax },
  ],
  metadata: { pedido: '7' },
  tags: ['web'],
  custom_fields: [{ field: 'Obra', value: '12' }],
});

const contactBody = (seed: Seed) => ({ ...fullContact, external_id: 'EXT-9', default_taxes_id: seed.tax });

const productBody = (seed: Seed) => ({
  name: 'Lápiz',
  description: 'De madera',
  code: 'L-1',
  kind: 'good',
  unit: 'ud',
  unit_price: 0.12345678,
  taxes_id: seed.tax,
  external_id: 'EXT-P',
  notes: null,
  metadata: { a: 'b' },
  tags: ['oficina'],
  is_active: true,
});

const taxBody = () => ({
  name: 'IVA 21 %',
  kind: 'vat',
  rate: 21,
  surcharge_rate: 5.2,
  qualification: 'S1',
  exemption_reason: null,
  regime_key: '01',
  valid_from: '2012-09-01',
  valid_to: null,
  external_reference: 'IVA21',
  is_active: true,
  metadata: {},
});

/** A call that the operation accepts, by its name. Bodies bring as many fields as they can. */
export const validCalls: Readonly<Record<string, (seed: Seed) => ValidCall>> = {
  get_account: () => ({}),
  list_api_keys: () => ({}),
  create_api_key: () => ({
    body: {
      name: 'Informes',
      scopes: ['invoices:read', 'events:read'],
      environment: 'test',
      expires_at: '2190-01-01T00:00:00Z',
      allowed_ips: ['127.0.0.1', '10.0.0.0/8'],
    },
  }),
  get_api_key: () => ({}),
  rotate_api_key_secret: () => ({}),
  revoke_api_key: () => ({ body: { reason: 'Ya no se usa' } }),
  get_company: () => ({}),
  update_company: () => ({
    body: {
      name: 'Acme SL',
      commercial_name: 'Acme',
      address: fullContact.address,
      email: 'hola@acme.example',
      phone: '+34 910 000 000',
      website: 'https://acme.example',
      colour: '#aabbcc',
      language: 'es',
      time_zone: 'Europe/Madrid',
      iban: fullContact.iban,
      default_vat: { invoice: 21, quote: null },
      reminders: { enabled: true, days_after_due: [7, 30] },
    },
  }),
  list_audit_log: () => ({ query: { action: 'api_key.created' } }),
  list_request_logs: () => ({ query: { method: 'GET' } }),
  list_events: () => ({ query: { type: 'invoice.created' } }),
  get_event: () => ({}),
  list_event_catalog: () => ({}),
  list_clients: () => ({ query: { q: 'norte' } }),
  create_client: (seed) => ({ body: contactBody(seed) }),
  find_client_by_external_id: () => ({ body: { external_id: 'EXT-1' } }),
  get_client: () => ({}),
  update_client: (seed) => ({ body: contactBody(seed) }),
  delete_client: () => ({}),
  list_suppliers: () => ({ query: { is_active: 'true' } }),
  create_supplier: (seed) => ({ body: contactBody(seed) }),
  find_supplier_by_external_id: () => ({ body: { external_id: 'EXT-1' } }),
  get_supplier: () => ({}),
  update_supplier: (seed) => ({ body: contactBody(seed) }),
  delete_supplier: () => ({}),
  list_products: () => ({ query: { code: 'C-1' } }),
  create_product: (seed) => ({ body: productBody(seed) }),
  get_product: () => ({}),
  update_product: (seed) => ({ body: productBody(seed) }),
  delete_product: () => ({}),
  list_taxes: () => ({ query: { kind: 'vat' } }),
  create_tax: () => ({ body: taxBody() }),
  get_tax: () => ({}),
  update_tax: () => ({ body: taxBody() }),
  delete_tax: () => ({}),
  list_series: () => ({ query: { document_type: 'invoice' } }),
  create_series: () => ({
    body: {
      code: 'B',
      name: 'Tienda',
      document_type: 'invoice',
      format: '{code}{year}-{number:6}',
      reset: 'year',
      next_number: 7,
    },
  }),
  get_series: () => ({}),
  update_series: () => ({ body: { name: 'Tienda', format: '{code}{yy}/{number:4}', next_number: 3 } }),
  delete_series: () => ({}),
  archive_series: () => ({}),
  unarchive_series: () => ({}),
  set_default_series: () => ({}),
  get_sandbox_clock: () => ({}),
  update_sandbox_clock: () => ({ body: { now: null, frozen: false } }),
  list_invoices: () => ({ query: { status: 'draft' } }),
  create_invoice: (seed) => ({
    body: { ...invoiceBody(seed), external_id: 'PED-7', options: { issue: false } },
  }),
  get_invoice: () => ({}),
  get_invoice_pdf: () => ({ query: { format: 'ticket_58' } }),
  get_invoice_pdf_link: () => ({ query: { format: 'a4' } }),
  get_invoice_verifactu: (seed) => ({ params: { invoice: seed.issued } }),
  update_invoice: (seed) => ({
    body: { ...invoiceBody(seed), lines: [{ id: seed.line, description: 'Cambiada', quantity: 1 }] },
  }),
  delete_invoice: () => ({}),
  issue_invoice: () => ({}),
  mark_invoice_sent: () => ({}),
  send_invoice: () => ({
    body: { to: ['ana@example.com'], cc: [], subject: 'Factura', message: 'Adjunta', attach_pdf: true },
  }),
  send_invoice_reminder: (seed) => ({
    params: { invoice: seed.issued },
    body: { to: ['ana@example.com'], cc: [], subject: 'Pago', message: 'Pendiente', attach_pdf: true },
  }),
  duplicate_invoice: () => ({}),
  reverse_invoice_payment: (seed) => ({
    params: { invoice: seed.issued },
    body: { reason: 'direct_debit_return', note: 'Sin fondos' },
  }),
  can_annul_invoice: () => ({}),
  can_issue_invoice: () => ({}),
  annul_invoice: (seed) => ({ params: { invoice: seed.issued }, body: { revert_collections: true } }),
  void_invoice: (seed) => ({ params: { invoice: seed.ticket } }),
  create_corrective_invoice: (seed) => ({
    params: { invoice: seed.issued },
    body: {
      correction: { type: 'substitution', reason: 'Precio' },
      type: 'R4',
      original_invoice_id: seed.issued,
      lines: [
        { description: 'Cuaderno', product_id: seed.product, quantity: 1, unit_price: 2, tax_rate: 21 },
      ],
    },
  }),
  substitute_simplified_invoices: (seed) => ({
    body: { simplified_invoice_uuids: [seed.ticket], client_id: seed.client },
  }),
  bulk_create_invoices: (seed) => ({ body: { invoices: [{ ...invoiceBody(seed), external_id: 'LOTE-1' }] } }),
  list_emails: (seed) => ({ query: { status: 'not_sent', purpose: 'invoice', document_id: seed.issued } }),
  get_email: () => ({}),
  get_verifactu_config: () => ({}),
  update_verifactu_settings: () => ({
    body: { enabled: true, remission_mode: 'verifactu', effective_on: null },
  }),
  get_verifactu_stats: () => ({}),
  get_verifactu_certificate: () => ({}),
  put_verifactu_certificate: (seed) => ({
    body: { pkcs12_base64: seed.certificate_file, password: filePassword },
  }),
  delete_verifactu_certificate: () => ({}),
  get_company_representation: () => ({}),
  register_company_representation: () => ({
    body: {
      valid_until: inDays(200),
      representative: { name: 'Ana Prueba', tax_id: '00000000T' },
      reference: 'REP-7',
    },
  }),
  revoke_company_representation: () => ({ body: { reason: 'Ya no hace falta' } }),
  list_verifactu_records: () => ({ query: { status: 'accepted' } }),
  get_verifactu_record: () => ({}),
  get_verifactu_record_xml: () => ({}),
  find_verifactu_record_by_csv: (seed) => ({ body: { csv: seed.csv } }),
  find_verifactu_record_by_huella: (seed) => ({ body: { huella: seed.huella } }),
  find_verifactu_record_by_invoice_number: (seed) => ({ body: { number: seed.number } }),
  retry_verifactu_record: (seed) => ({ params: { record: seed.waiting_record } }),
  retry_blocked_verifactu_records: () => ({ body: {} }),
  subsanar_verifactu_record: () => ({
    body: {
      description: 'Corregida',
      recipient: { name: 'Librería Norte SL', tax_id: 'A58818501', foreign_id: null },
      operation_on: null,
    },
  }),
  list_verifactu_events: () => ({ query: { type: '10', status: 'logged' } }),
  get_verifactu_event: (seed) => ({ params: { event: seed.verifactu_event } }),
  get_verifactu_event_xml: (seed) => ({ params: { event: seed.verifactu_event } }),
  retry_verifactu_event: (seed) => ({ params: { event: seed.verifactu_event } }),
  check_verifactu_integrity: () => ({ body: { from_position: 1, to_position: 2 } }),
  get_declaracion_responsable: () => ({}),
  list_declaraciones_responsables: () => ({}),
  list_webhook_endpoints: () => ({ query: { status: 'enabled' } }),
  create_webhook_endpoint: () => ({
    body: {
      url: 'https://hooks.example.com/b',
      description: 'Contabilidad',
      enabled_events: ['invoice.*', 'payment.received'],
      timeout_seconds: 5,
      ip_allowlist: [],
    },
  }),
  get_webhook_endpoint: () => ({}),
  update_webhook_endpoint: () => ({
    body: {
      url: 'https://hooks.example.com/c',
      description: 'Contabilidad',
      enabled_events: ['*'],
      timeout_seconds: 5,
      ip_allowlist: [],
      status: 'disabled',
    },
  }),
  delete_webhook_endpoint: () => ({}),
  enable_webhook_endpoint: () => ({}),
  disable_webhook_endpoint: () => ({}),
  rotate_webhook_secret: () => ({}),
  ping_webhook_endpoint: () => ({}),
  send_webhook_test_event: () => ({ body: { type: 'invoice.paid' } }),
  list_webhook_deliveries: () => ({ query: { status: 'queued' } }),
  get_webhook_delivery: () => ({}),
  replay_webhook_delivery: () => ({}),
  list_webhook_source_ips: () => ({}),
  register_invoice_payment: (seed) => ({
    params: { invoice: seed.issued },
    body: {
      amount: 1.5,
      payment_date: '2026-01-15',
      payment_method: 'bank_transfer',
      reference: 'T1',
      notes: 'n',
    },
  }),
};

/** The operation's valid call; fails, naming it, for an operation that has none. */
export function validCallOf(operation: Operation, seed: Seed): ValidCall {
  const call = validCalls[operation.name];
  assert.ok(call, `${operation.name} has no valid call in test/support/catalogue-calls.ts`);
  return call(seed);
}

/** Which of a company's ids the parameter or field of this name carries. */
const idNames: Readonly<Record<string, keyof Seed>> = {
  client: 'client',
  supplier: 'supplier',
  product: 'product',
  tax: 'tax',
  series: 'series',
  invoice: 'invoice',
  email: 'email',
  payment: 'payment',
  event: 'event',
  api_key: 'api_key',
  record: 'record',
  webhook_endpoint: 'webhook_endpoint',
  delivery: 'delivery',
  client_id: 'client',
  event_id: 'event',
  invoice_id: 'issued',
  document_id: 'issued',
  product_id: 'product',
  series_id: 'series',
  taxes_id: 'tax',
  default_taxes_id: 'tax',
  aggregate_id: 'invoice',
  'lines.0.id': 'line',
  'invoices.0.lines.0.id': 'line',
  original_invoice_id: 'issued',
  'simplified_invoice_uuids.0': 'ticket',
};

/** The id of the seed that belongs at a place; fails, naming it, for a place that nobody knows. */
export function seedIdAt(operation: Operation, place: string, seed: Seed): string {
  const name = idNames[place] ?? idNames[place.split('.').at(-1) ?? ''];
  assert.ok(
    name,
    `${operation.name} takes an id in ${place}, which test/support/catalogue-calls.ts does not know`,
  );
  return seed[name];
}

type SchemaNode = {
  format?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
};

/** Where a value of this schema carries ids: `client_id`, `lines.0.product_id`. */
export function idPlaces(schema: unknown, path: readonly string[] = []): string[] {
  const node = schema as SchemaNode | null;
  if (!node) return [];
  if (node.format === 'uuid') return [path.join('.')];
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([name, member]) => idPlaces(member, [...path, name])),
    ...(node.items ? idPlaces(node.items, [...path, '0']) : []),
    ...(node.anyOf ?? []).flatMap((member) => idPlaces(member, path)),
  ];
}

/** The path with its parameters filled. */
export function fillPath(operation: Operation, params: Record<string, string>): string {
  return operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** The ids that the operation's path needs, as the seed has them. */
export function paramsOf(operation: Operation, seed: Seed): Record<string, string> {
  const names = Object.keys(operation.params?.properties ?? {});
  const own = Object.fromEntries(names.map((name) => [name, seedIdAt(operation, name, seed)]));
  return { ...own, ...validCallOf(operation, seed).params };
}

/** Copies the value with another one at the place. */
export function withValueAt(value: unknown, place: string, put: unknown): unknown {
  const [head = '', ...rest] = place.split('.');
  const inner =
    rest.length === 0 ? put : withValueAt((value as Record<string, unknown>)?.[head], rest.join('.'), put);
  if (Array.isArray(value)) return value.map((member, i) => (String(i) === head ? inner : member));
  return { ...(value as object), [head]: inner };
}

/** Carries out the operation's call over HTTP. */
export function send(
  app: App,
  operation: Operation,
  company: { key: string; seed: Seed; headers?: Record<string, string> },
  call: ValidCall = validCallOf(operation, company.seed),
) {
  const params = { ...paramsOf(operation, company.seed), ...call.params };
  return app.call(operation.method, fillPath(operation, params), {
    key: company.key,
    ...(call.query ? { query: call.query } : {}),
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(company.headers ? { headers: company.headers } : {}),
  });
}

/** The key that may call the operation: some are for one environment alone. */
export function keyFor(operation: Operation, { company }: { company: TestCompany }): string {
  return operation.environment === 'test' ? company.test_key : company.live_key;
}

export type SeededCompany = { company: TestCompany; key: string; seed: Seed };

export async function givenSeeded(app: App): Promise<SeededCompany> {
  const company = await app.given.company();
  return { company, key: company.live_key, seed: await seedCompany(app, company.live_key) };
}
