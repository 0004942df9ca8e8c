import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { families } from '../../src/modules/families.ts';
import type { App, TestCompany } from '../harness.ts';
import { validCallOf } from './calls/index.ts';
import { type Kept, namesRead, type Seed, seedCompany, type SeedWish, type ValidCall } from './calls/seed.ts';

export { type Seed, type ValidCall, validCallOf };

/** The document of each family has its kind as its name in the seed. */
const kinds = families.map(({ object }) => object as keyof Seed);

const idNames: Readonly<Record<string, keyof Seed>> = {
  ...Object.fromEntries(kinds.flatMap((kind) => [kind, `${kind}_id`].map((name) => [name, kind]))),
  client: 'client',
  supplier: 'supplier',
  product: 'product',
  price_list: 'price_list',
  price_list_item: 'price_list_item',
  tax: 'tax',
  series: 'series',
  email: 'email',
  'delivery_note_ids.0': 'pending_note',
  payment: 'payment',
  event: 'event',
  api_key: 'api_key',
  actor_id: 'api_key',
  oauth_client: 'oauth_client',
  oauth_grant: 'oauth_grant',
  record: 'record',
  webhook_endpoint: 'webhook_endpoint',
  delivery: 'delivery',
  // Parts of a product have no path of their own. The id of a product is the id of none of them.
  'attributes.0.id': 'product',
  'attributes.0.values.0.id': 'product',
  'variants.0.id': 'product',
  'presentations.0.id': 'product',
  'option_groups.0.id': 'product',
  'option_groups.0.values.0.id': 'product',
  attribute_id: 'product',
  variant_id: 'product',
  presentation_id: 'product',
  group_id: 'product',
  value_id: 'product',
  'lines.0.linked_expense_ids.0': 'purchase_invoice',
  'invoices.0.lines.0.linked_expense_ids.0': 'purchase_invoice',
  purchase_scan: 'purchase_scan',
  'scan_ids.0': 'purchase_scan',
  client_id: 'client',
  supplier_id: 'supplier',
  contact_id: 'client',
  event_id: 'event',
  invoice_id: 'issued',
  document_id: 'issued',
  product_id: 'product',
  price_list_id: 'price_list',
  series_id: 'series',
  taxes_id: 'tax',
  shipping_taxes_id: 'tax',
  default_taxes_id: 'tax',
  aggregate_id: 'invoice',
  'lines.0.id': 'line',
  'lines.0.original_line_id': 'issued_line',
  'invoices.0.lines.0.id': 'line',
  original_invoice_id: 'issued',
  'simplified_invoice_uuids.0': 'ticket',
};

/** What `ids` of a bulk operation names, by its tag. */
const bulkIds: Readonly<Record<string, keyof Seed>> = Object.fromEntries(
  families.map(({ collection, object }) => [collection, object as keyof Seed]),
);

/** @throws AssertionError for an unknown place */
export function seedIdAt(operation: Operation, place: string, seed: Seed): string {
  const bulk = place === 'ids.0' ? bulkIds[operation.tag] : undefined;
  const name = bulk ?? idNames[place] ?? idNames[place.split('.').at(-1) ?? ''];
  assert.ok(
    name,
    `${operation.name} takes an id in ${place}, which idNames in test/support/catalogue-calls.ts does not have`,
  );
  return seed[name];
}

type SchemaNode = {
  format?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
};

/** Where a value of this schema holds ids, such as `lines.0.product_id`. */
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

export function fillPath(operation: Operation, params: Record<string, string>): string {
  return operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

export function paramsOf(operation: Operation, seed: Seed): Record<string, string> {
  const given = validCallOf(operation, seed).params ?? {};
  // What the call itself names is not looked for, so that no seed makes it in vain.
  const at = (name: string) => given[name] ?? seedIdAt(operation, name, seed);
  const names = Object.keys(operation.params?.properties ?? {});
  return { ...Object.fromEntries(names.map((name) => [name, at(name)])), ...given };
}

export function withValueAt(value: unknown, place: string, put: unknown): unknown {
  const [head = '', ...rest] = place.split('.');
  const inner =
    rest.length === 0 ? put : withValueAt((value as Record<string, unknown>)?.[head], rest.join('.'), put);
  if (value === undefined && /^\d+$/.test(head)) return [inner];
  if (Array.isArray(value)) return value.map((member, i) => (String(i) === head ? inner : member));
  if (value === undefined && head === '0') return [inner];
  return { ...(value as object), [head]: inner };
}

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
    headers: { ...neededKey(operation), ...company.headers },
  });
}

/** Of an operation that is not called without one. */
export function neededKey({ idempotency }: Operation): Record<string, string> {
  return idempotency === 'required' ? { 'idempotency-key': randomUUID() } : {};
}

export const changesNothing = ({ method, transaction }: Operation): boolean =>
  method === 'GET' || transaction === 'read';

/** They make something new and leave all else as it was, so one company can have the call of each. */
export const adding: readonly Operation[] = catalog.filter(
  ({ method, params, status, environment, transaction }) =>
    method === 'POST' &&
    params === null &&
    status === 201 &&
    environment !== 'test' &&
    transaction !== 'read',
);

const ownDocuments = new Set([
  'invoices',
  'recurring_invoices',
  'quotes',
  'proformas',
  'delivery_notes',
  'purchase_invoices',
  'webhooks',
  'oauth',
]);

/** They change one document, and nothing that another of them sees. The invoices of two conversions would have one name. */
const changesOwn = (operation: Operation): boolean =>
  ownDocuments.has(operation.tag) &&
  !changesNothing(operation) &&
  !adding.includes(operation) &&
  !operation.name.startsWith('convert_');

/** Some operations exist in one environment only. */
export function keyFor(operation: Operation, { company }: { company: TestCompany }): string {
  return operation.environment === 'test' ? company.test_key : company.live_key;
}

export type SeededCompany = { company: TestCompany; key: string; seed: Seed };

/** @param operations the seed has only what their calls and paths name; without any, all */
export async function givenSeeded(app: App, ...operations: readonly Operation[]): Promise<SeededCompany> {
  const company = await app.given.company();
  const known = { id: company.company_id, tax_id: company.tax_id };
  const seed = await seedCompany(app, company.live_key, wishOf(operations), known);
  return { company, key: company.live_key, seed };
}

/**
 * As `givenSeeded`, where operations that change a document of their own share a company, its client and its products. The
 * others have a company each.
 * @param reads what shows the document
 */
export function makeSeeding(): (
  app: App,
  operation: Operation,
  ...reads: readonly Operation[]
) => Promise<SeededCompany> {
  let shared: Promise<TestCompany> | undefined;
  const kept: Kept = { base: new Map(), round: 0, is_on: false };
  return async (app, operation, ...reads) => {
    if (!changesOwn(operation)) return givenSeeded(app, operation, ...reads);
    shared ??= app.given.company();
    const company = await shared;
    kept.round += 1;
    const known = { id: company.company_id, tax_id: company.tax_id };
    const seed = await seedCompany(app, company.live_key, wishOf([operation, ...reads]), known, kept);
    return { company, key: company.live_key, seed };
  };
}

export function seedFor(app: App, key: string, ...operations: readonly Operation[]): Promise<Seed> {
  return seedCompany(app, key, wishOf(operations));
}

/** The collections whose operations neither issue nor record: for them it is the same whether VeriFactu is on. */
const unrecorded = new Set([
  'clients',
  'suppliers',
  'products',
  'price_lists',
  'taxes',
  'series',
  'webhooks',
  'oauth',
  'quotes',
  'proformas',
  'delivery_notes',
  'purchase_invoices',
  'purchase_scans',
]);

/** Undefined, which stands for all, without any operation. */
function wishOf(operations: readonly Operation[]): SeedWish | undefined {
  if (operations.length === 0) return undefined;
  const names = namesRead((seed) => operations.map((one) => [paramsOf(one, seed), validCallOf(one, seed)]));
  return { names, records: operations.some(({ tag }) => !unrecorded.has(tag)) };
}
