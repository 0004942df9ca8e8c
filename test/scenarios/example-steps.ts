/**
 * Prepares what an example needs. Most follows from the catalogue: create_client's fullest example makes the `{client}`
 * of a path, and the examples of the sibling POST fill a list. `preparations` holds the rest.
 */
import { signatureImage } from '../support/notes.ts';
import assert from 'node:assert/strict';
import type { Example, Operation } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { fillPlaceholders, placeholderName } from '../../src/surfaces/openapi/examples.ts';
import { isList } from '../../src/surfaces/openapi/headers.ts';
import type { Answer, App, TestCompany } from '../harness.ts';
import { givenClient, storedGrant } from '../support/oauth.ts';
import { certificateFile, filePassword } from '../support/company-certificates.ts';

export class Steps {
  readonly app: App;
  readonly company: TestCompany;
  readonly #operations: readonly Operation[];

  constructor(app: App, company: TestCompany, operations: readonly Operation[]) {
    this.app = app;
    this.company = company;
    this.#operations = operations;
  }

  async run(operation: Operation, example: Example): Promise<Answer> {
    // A key's last use is written beside its first call. After this call every example sees it.
    await this.app.get('/v1/account', { key: this.#keyFor(operation) });
    const prepared = (await preparations[operation.name]?.(this)) ?? {};
    if (!(operation.name in preparations)) await this.#fill(operation, example);
    // Writes what follows earlier answers, such as the request log.
    await this.app.service.flush();
    const body = await bodies[operation.name]?.(this);
    return this.send(operation, body === undefined ? example : { ...example, body }, prepared);
  }

  /** Ids that the example leaves open come from `ids` or new resources. */
  async send(operation: Operation, example: Example, ids: Record<string, string> = {}): Promise<Answer> {
    const open = [
      ...Object.keys(operation.params?.properties ?? {}).filter((name) => !(name in (example.params ?? {}))),
      ...placeholdersIn(example),
    ];
    const known = { ...ids };
    for (const name of open) known[name] ??= await this.create(name);
    const filled = fillPlaceholders(example, (name) => known[name] ?? '');
    const params: Record<string, string> = { ...known, ...filled.params };
    const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    return this.app.call(operation.method, path, {
      key: this.#keyFor(operation),
      ...(filled.query ? { query: filled.query } : {}),
      ...(filled.body === undefined ? {} : { body: filled.body }),
      ...(operation.idempotency === 'required'
        ? { headers: { 'Idempotency-Key': 'example-of-the-reference' } }
        : {}),
    });
  }

  #keyFor(operation: Operation): string {
    // In the sandbox the simulator stands for the service's certificate.
    const is_sandbox = /^\/v1\/(sandbox|verifactu\/representation)/.test(operation.path);
    return is_sandbox ? this.company.test_key : this.company.live_key;
  }

  /** @returns the id of the new resource */
  async create(resource: string): Promise<string> {
    const own = makers[resource];
    if (own) return own(this);
    const operation = this.named(`create_${resource}`);
    return this.made(await this.send(operation, fullest(operation)), operation);
  }

  /** For operations without an example. @returns the id in the answer */
  async act(name: string, ids: Record<string, string>, body?: unknown): Promise<string> {
    const operation = this.named(name);
    return this.made(
      await this.send(operation, { title: '', ...(body === undefined ? {} : { body }) }, ids),
      operation,
    );
  }

  named(name: string): Operation {
    const operation = this.#operations.find((candidate) => candidate.name === name);
    assert.ok(
      operation,
      `The catalogue has no ${name}: say in test/scenarios/example-steps.ts how to make what is needed.`,
    );
    return operation;
  }

  made(answer: Answer, operation: Operation): string {
    assert.equal(answer.status, operation.status, `${operation.name}: ${answer.text}`);
    return String(answer.body.data.id);
  }

  /** Fills a list by the sibling POST, and a search by an item to find. */
  async #fill(operation: Operation, { body: sought }: Example): Promise<void> {
    const path = operation.path.replace(/\/find-by-[\w-]+$/, '');
    const is_find = path !== operation.path;
    if (!isList(operation) && !is_find) return;
    const sibling = this.#operations.find((other) => other.method === 'POST' && other.path === path);
    if (!sibling || sibling.path.includes(':')) return;
    for (const example of is_find ? [fullest(sibling)] : sibling.examples) {
      const body = is_find ? { ...(example.body as object), ...(sought as object) } : example.body;
      this.made(await this.send(sibling, { ...example, body }), sibling);
    }
  }
}

function fullest(operation: Operation): Example {
  const [example] = operation.examples.toSorted((a, b) => size(b.body) - size(a.body));
  assert.ok(example, `${operation.name} has no example`);
  return example;
}

function size(body: unknown): number {
  return JSON.stringify(body ?? null).length;
}

function placeholdersIn(value: unknown): string[] {
  const name = placeholderName(value);
  if (name !== undefined) return [name];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(placeholdersIn);
}

/** Resources that no create operation makes. */
const makers: Record<string, (steps: Steps) => Promise<string>> = {
  async oauth_grant({ app, company }) {
    const { client_id } = await givenClient(app, company, 'confidential');
    return storedGrant(app, company.company_id, { client_id, name: 'Gestoría en línea' });
  },
  purchase_scan: (steps) => {
    const operation = steps.named('upload_purchase_scan');
    return steps.act(operation.name, {}, fullest(operation).body);
  },
  async event(steps) {
    await steps.create('client');
    const { body } = await steps.send(steps.named('list_events'), { title: '' });
    return String(body.data[0].id);
  },
  async email(steps) {
    await sentInvoice(steps);
    const { body } = await steps.send(steps.named('list_emails'), { title: '' });
    return String(body.data[0].id);
  },
};

/** Without a mail server the e-mail stays in the outbox. */
async function sentInvoice(steps: Steps): Promise<{ invoice: string }> {
  const { invoice } = await issuedInvoice(steps);
  await steps.act('send_invoice', { invoice }, { to: ['compras@example.com'] });
  return { invoice };
}

async function issuedInvoice(steps: Steps): Promise<{ invoice: string }> {
  const invoice = await steps.create('invoice');
  await steps.act('issue_invoice', { invoice });
  return { invoice };
}

async function partlyPaidInvoice(steps: Steps): Promise<{ client: string; invoice: string }> {
  const client = await steps.create('client');
  const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
  const body = { client_id: client, lines: [line], options: { issue: true } };
  const made = await steps.send(steps.named('create_invoice'), { title: '', body });
  const invoice = steps.made(made, steps.named('create_invoice'));
  await steps.act('register_invoice_payment', { invoice }, { amount: 50, payment_method: 'bank_transfer' });
  return { client, invoice };
}

/** An offer that waits for an answer, or a draft with a client. */
function offered(kind: 'quote' | 'proforma', options: object = { mark_pending: true }) {
  return async (steps: Steps): Promise<Record<string, string>> => {
    const operation = steps.named(`create_${kind}`);
    const lines = [{ description: 'Reforma del local', quantity: 1, unit_price: 1200, tax_rate: 21 }];
    const body = { client_id: await steps.create('client'), lines, options };
    return { [kind]: steps.made(await steps.send(operation, { title: '', body }), operation) };
  };
}

function offerPreparations(kind: 'quote' | 'proforma') {
  const names = [`revoke_${kind}_public_link`, `send_${kind}`, `accept_${kind}`, `reject_${kind}`];
  const more = [`cancel_${kind}`, `convert_${kind}`, `list_${kind}s`];
  return {
    ...Object.fromEntries([...names, ...more].map((name) => [name, offered(kind)])),
    [`mark_${kind}_pending`]: offered(kind, {}),
  };
}

/** A note to deliver, a draft with a client, or a signed one. */
function noted(options: object = { mark_pending: true }, is_signed = false) {
  return async (steps: Steps): Promise<Record<string, string>> => {
    const operation = steps.named('create_delivery_note');
    const lines = [{ description: 'Cuaderno A5', quantity: 40, unit_price: 2.5, tax_rate: 21 }];
    const body = { client_id: await steps.create('client'), lines, options };
    const delivery_note = steps.made(await steps.send(operation, { title: '', body }), operation);
    const signature = { signed_by: 'Eva Ruiz', signature_image: signatureImage };
    if (is_signed) await steps.act('sign_delivery_note', { delivery_note }, signature);
    return { delivery_note };
  };
}

function notePreparations() {
  const pending = [
    'revoke_X_public_link',
    'send_X',
    'cancel_X',
    'convert_X',
    'sign_X',
    'list_Xs',
    'recapitulate_Xs',
  ];
  const drafts = ['mark_X_pending', 'mark_X_delivered', 'change_X_status'];
  const signed = ['get_X_signature', 'get_X_signature_image', 'forget_X_signature'];
  const all = (names: readonly string[], prepare: ReturnType<typeof noted>) =>
    Object.fromEntries(names.map((name) => [name.replace('X', 'delivery_note'), prepare]));
  return {
    ...all(pending, noted()),
    ...all(drafts, noted({})),
    ...all(signed, noted({ mark_pending: true }, true)),
  };
}

async function readScan(steps: Steps): Promise<Record<string, string>> {
  const purchase_scan = await steps.create('purchase_scan');
  await steps.app.service.worker.runDue(steps.company.company_id);
  return { purchase_scan };
}

async function draftedPurchase(steps: Steps): Promise<Record<string, string>> {
  const operation = steps.named('create_purchase_invoice');
  const lines = [{ description: 'Papel A4', quantity: 20, unit_price: 4.5, tax_rate: 21 }];
  const supplier_id = await steps.create('supplier');
  const body = { supplier_id, number: 'A-7', issued_on: '2026-01-12', draft: true, lines };
  return { purchase_invoice: steps.made(await steps.send(operation, { title: '', body }), operation) };
}

async function paidPurchase(steps: Steps): Promise<Record<string, string>> {
  const purchase_invoice = await steps.create('purchase_invoice');
  const body = { amount: 50, payment_method: 'direct_debit' };
  const payment = await steps.act('register_purchase_invoice_payment', { purchase_invoice }, body);
  return { purchase_invoice, payment };
}

/** By default its record is pending. */
async function recordedInvoice(
  steps: Steps,
  answer: { status?: string; csv?: string; aeat_error_code?: string } = {},
): Promise<{ invoice: string; record: string }> {
  await steps.act('update_verifactu_settings', {}, { enabled: true });
  const { invoice } = await issuedInvoice(steps);
  const { sql } = steps.app;
  const [row] = await sql<{ id: string }[]>`select id from verifactu_records where invoice_id = ${invoice}`;
  assert.ok(row, 'an issued invoice has its record');
  const { status = 'pending', csv = null, aeat_error_code = null } = answer;
  await sql`update verifactu_sendings set status = ${status}, csv = ${csv}, aeat_error_code = ${aeat_error_code}
             where record_id = ${row.id}`;
  return { invoice, record: row.id };
}

/** The dates are fixed. */
function certificateBody({ company: { tax_id } }: Steps) {
  const valid_until = new Date('2028-03-01T10:00:00Z');
  const pkcs12_base64 = certificateFile({ tax_id, name: 'Librería Acme SL', valid_until });
  return { pkcs12_base64, password: filePassword };
}

async function uploadedCertificate(steps: Steps): Promise<Record<string, string>> {
  await steps.act('put_verifactu_certificate', {}, certificateBody(steps));
  return {};
}

/** Bodies for examples that only show a form. */
const bodies: Record<string, (steps: Steps) => unknown> = {
  put_verifactu_certificate: certificateBody,
};

async function pausedRecurrence(steps: Steps): Promise<Record<string, string>> {
  const recurring_invoice = await steps.create('recurring_invoice');
  await steps.act('pause_recurring_invoice', { recurring_invoice });
  return { recurring_invoice };
}

async function registeredRepresentation(steps: Steps): Promise<Record<string, string>> {
  await steps.act('register_company_representation', {}, { valid_until: '2030-12-31' });
  return {};
}

async function loggedEvent(steps: Steps): Promise<Record<string, string>> {
  await uploadedCertificate(steps);
  await steps.act('update_verifactu_settings', {}, { enabled: true, remission_mode: 'no_verifactu' });
  const { body } = await steps.send(steps.named('list_verifactu_events'), { title: '' });
  return { event: String(body.data[0].id) };
}

/** Nobody could sign this event when it happened. */
async function waitingEvent(steps: Steps): Promise<Record<string, string>> {
  await loggedEvent(steps);
  const event = newId();
  await steps.app.sql`
    insert into verifactu_pending_events (company_id, id, type, details, occurred_at, last_error)
    values (${steps.company.company_id}, ${event}, '07', '{"type":"07"}', ${steps.app.clock.now()}, 'Nadie puede firmar.')`;
  return { event };
}

async function queuedDelivery(steps: Steps): Promise<Record<string, string>> {
  const webhook_endpoint = await steps.create('webhook_endpoint');
  return { webhook_endpoint, delivery: await steps.act('ping_webhook_endpoint', { webhook_endpoint }) };
}

/** Prepares an operation's example. @returns the ids of its path */
async function pricedProduct(steps: Steps): Promise<Record<string, string>> {
  const [price_list, product_id] = [await steps.create('price_list'), await steps.create('product')];
  const body = { product_id, unit_price: 21.5 };
  return { price_list, price_list_item: await steps.act('create_price_list_item', { price_list }, body) };
}

const preparations: Record<string, (steps: Steps) => Promise<Record<string, string>>> = {
  list_events: async (steps) => ({ invoice: await steps.create('invoice') }),
  list_emails: sentInvoice,
  list_oauth_grants: async (steps) => ({ oauth_grant: await steps.create('oauth_grant') }),
  list_audit_log: async (steps) => ({ api_key: await steps.create('api_key') }),
  list_request_logs: async (steps) => ({ client: await steps.create('client') }),
  ...offerPreparations('quote'),
  ...offerPreparations('proforma'),
  ...notePreparations(),
  list_purchase_scans: readScan,
  get_purchase_scan: readScan,
  reprocess_purchase_scan: readScan,
  archive_purchase_scan: readScan,
  async restore_purchase_scan(steps) {
    const { purchase_scan = '' } = await readScan(steps);
    const { company, app } = steps;
    await app.delete(`/v1/purchase_scans/${purchase_scan}`, {
      key: company.live_key,
      query: { expected_version: '3' },
      headers: { 'Idempotency-Key': 'example-to-be-restored' },
    });
    return { purchase_scan };
  },
  delete_purchase_invoice: draftedPurchase,
  mark_purchase_invoice_received: draftedPurchase,
  reverse_purchase_invoice_payment: paidPurchase,
  mark_invoice_sent: issuedInvoice,
  revoke_invoice_public_link: issuedInvoice,
  async unarchive_series(steps) {
    const series = await steps.create('series');
    await steps.act('archive_series', { series });
    return { series };
  },
  register_invoice_payment: issuedInvoice,
  create_corrective_invoice: issuedInvoice,
  substitute_simplified_invoices: issuedInvoice,
  annul_invoice: issuedInvoice,
  void_invoice: issuedInvoice,
  send_invoice: issuedInvoice,
  send_invoice_reminder: issuedInvoice,
  can_annul_invoice: issuedInvoice,
  get_invoice_verifactu: (steps) => recordedInvoice(steps),
  list_verifactu_records: (steps) => recordedInvoice(steps, { status: 'rejected', aeat_error_code: '1109' }),
  get_verifactu_record: (steps) => recordedInvoice(steps),
  get_verifactu_record_xml: (steps) => recordedInvoice(steps),
  find_verifactu_record_by_csv: (steps) =>
    recordedInvoice(steps, { status: 'accepted', csv: 'A-0000000000001' }),
  async find_verifactu_record_by_huella(steps) {
    const ids = await recordedInvoice(steps);
    await steps.app.sql`update verifactu_records set huella = ${'0'.repeat(64)} where id = ${ids.record}`;
    return ids;
  },
  async find_verifactu_record_by_invoice_number(steps) {
    const ids = await recordedInvoice(steps);
    await steps.app.sql`update verifactu_records set number = 'F2026-000001' where id = ${ids.record}`;
    return ids;
  },
  get_price_list_item: pricedProduct,
  update_price_list_item: pricedProduct,
  delete_price_list_item: pricedProduct,
  get_verifactu_certificate: uploadedCertificate,
  delete_verifactu_certificate: uploadedCertificate,
  get_company_representation: registeredRepresentation,
  revoke_company_representation: registeredRepresentation,
  get_verifactu_event: loggedEvent,
  get_verifactu_event_xml: loggedEvent,
  retry_verifactu_event: waitingEvent,
  get_webhook_delivery: queuedDelivery,
  replay_webhook_delivery: queuedDelivery,
  retry_verifactu_record: (steps) => recordedInvoice(steps),
  subsanar_verifactu_record: (steps) => recordedInvoice(steps, { status: 'accepted' }),
  resume_recurring_invoice: pausedRecurrence,
  activate_recurring_invoice: pausedRecurrence,
  async list_recurring_invoice_occurrences(steps) {
    const recurring_invoice = await steps.create('recurring_invoice');
    await steps.act('emit_recurring_invoice', { recurring_invoice });
    return { recurring_invoice };
  },
  list_payments: partlyPaidInvoice,
  get_client_balance: partlyPaidInvoice,
  get_client_statement: partlyPaidInvoice,
  async reverse_invoice_payment(steps) {
    const { invoice } = await issuedInvoice(steps);
    const body = { amount: 50, payment_method: 'direct_debit' };
    return { invoice, payment: await steps.act('register_invoice_payment', { invoice }, body) };
  },
};
