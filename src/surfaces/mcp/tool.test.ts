/** What the list says of each operation, without a service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Caller, largestBody, type Operation } from '../../kernel/operation.ts';
import { planModules } from '../../kernel/plans.ts';
import { Enum, Shape, Text, type TProperties, Type, Uuid } from '../../kernel/schema.ts';
import { catalog } from '../../modules/catalog.ts';
import { fillPlaceholders } from '../openapi/examples.ts';
import { flattenInput } from '../shared/tool-input.ts';
import { withDefinitions } from './definitions.ts';
import { compressMiddle, gzipAround } from './gzip-around.ts';
import { outputForModels } from './model-schema.ts';
import { hintsOf, toolOf } from './tool.ts';
import { compressedOf, makeToolList } from './tool-list.ts';
import { isInView, readView, wholeView } from './tool-view.ts';

const tools = catalog.filter(({ mcp }) => mcp);
const named = (name: string) => catalog.find((operation) => operation.name === name)!;

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, validateFormats: false });

/** Keys, certificates, logs and files are no tools, nor are names that the contract gave up. */
const notTools = [
  'list_api_keys',
  'create_api_key',
  'get_api_key',
  'rotate_api_key_secret',
  'revoke_api_key',
  'list_audit_log',
  'get_invoice_pdf',
  'get_quote_pdf',
  'get_proforma_pdf',
  'get_delivery_note_pdf',
  'get_delivery_note_signature_image',
  'get_purchase_scan_file',
  'get_verifactu_record_xml',
  'get_verifactu_event_xml',
  'put_verifactu_certificate',
  'delete_verifactu_certificate',
  'change_delivery_note_status',
];

test('every operation is a tool but keys, OAuth, certificates, the audit log and files', () => {
  const without = catalog.filter(({ mcp, tag }) => !mcp && tag !== 'oauth').map(({ name }) => name);
  assert.deepEqual(without.sort(), [...notTools].sort());
  for (const operation of tools)
    assert.equal(operation.output_media_type, 'application/json', operation.name);
  for (const name of [
    'create_invoice',
    'bulk_change_recurring_invoice_status',
    'retry_blocked_verifactu_records',
    'get_company_representation',
    'register_company_representation',
    'revoke_company_representation',
  ])
    assert.ok(named(name).mcp, name);
});

test('a name is short enough for hosts that put another before it', () => {
  for (const { name } of tools) assert.match(name, /^[a-z0-9_]{1,48}$/);
});

test('every input is a closed schema that takes the examples of its operation', () => {
  for (const operation of tools) {
    const { inputSchema } = toolOf(operation, true) as { inputSchema: Record<string, unknown> };
    const validate = ajv.compile(inputSchema);
    assert.equal(inputSchema.additionalProperties, false, operation.name);
    for (const example of operation.examples) {
      const { params = {}, query = {}, body } = fillPlaceholders(example, () => id);
      const names = Object.keys(operation.params?.properties ?? {});
      const given = { ...Object.fromEntries(names.map((name) => [name, id])), ...params };
      const flat = flattenInput(operation, {
        params: given,
        query: typed(operation, query),
        body: body as never,
      });
      const needed = operation.idempotency === 'required' ? { idempotency_key: 'x'.repeat(24) } : {};
      assert.ok(
        validate({ ...flat, ...needed }),
        `${operation.name}, ${example.title}: ${ajv.errorsText(validate.errors)}`,
      );
    }
  }
});

const id = '01890f3a-7b1c-7cc0-98c4-dc0c0c07398f';

/** Texts of an address as the values that a tool takes. */
function typed(operation: Operation, query: Record<string, string>): Record<string, unknown> {
  const properties = (operation.query?.properties ?? {}) as Record<string, { type?: unknown }>;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const type = properties[name]?.type;
      if (type === 'integer' || type === 'number') return [name, Number(value)];
      return [name, type === 'boolean' ? value === 'true' : value];
    }),
  );
}

test('no text of an answer is sent, and every output is a schema of an object', () => {
  for (const operation of tools) {
    const { outputSchema } = toolOf(operation) as { outputSchema: Record<string, unknown> };
    assert.ok(ajv.validateSchema(outputSchema), operation.name);
    assert.equal(outputSchema.type, 'object', operation.name);
    assert.doesNotMatch(JSON.stringify(outputSchema), /"description":"/, operation.name);
  }
});

test('an answer names what is always there only where something may lack, and a write tells parts by id', () => {
  type Told = { properties: Record<string, Told>; items: Told; required?: string[] };
  const told = (properties: TProperties) =>
    outputForModels({ ...named('get_client'), output: Shape(properties) }) as Told;
  const note = Type.Optional(Text(10));
  assert.deepEqual(told({ id: Uuid, note, kind: Enum(['a', 'b']) }), {
    type: 'object',
    properties: { id: { type: 'string' }, note: { type: 'string' }, kind: { enum: ['a', 'b'] } },
    required: ['id', 'kind'],
  });
  assert.deepEqual(told({ note }).required, []);
  assert.equal(told({ id: Uuid }).required, undefined);
  const lineOf = (name: string) =>
    (toolOf(named(name)).outputSchema as Told).properties.data?.properties.lines?.items.properties ?? {};
  assert.ok(lineOf('get_invoice').unit_price);
  assert.deepEqual(lineOf('issue_invoice'), { object: { const: 'invoice_line' }, id: { type: 'string' } });
});

test('a tool says nothing that only REST has: headers, methods, conditions', () => {
  const ofRest =
    /\b(Idempotency-Key|Idempotent-Replayed|error\.(param|errors)|X-[A-Z][a-z]+|If-Match|ETag|Retry-After|PUT|PATCH)\b|separad[oa]s por comas|\[(gte|in)\]/;
  for (const operation of tools) {
    const { description, inputSchema } = toolOf(operation, true);
    assert.doesNotMatch(`${description} ${JSON.stringify(inputSchema)}`, ofRest, operation.name);
  }
});

test('what only some calls may leave out is said beside it', () => {
  type Told = { description: string; properties: Record<string, Told>; items: Told };
  const input = (name: string) => (toolOf(named(name)).inputSchema as Told).properties;
  for (const name of ['create_product', 'update_product']) {
    const { attributes, presentations, option_groups } = input(name);
    assert.match(attributes!.description, /uno nuevo lleva name y values$/);
    assert.match(attributes!.items.properties.values!.description, /uno nuevo lleva name$/);
    assert.match(presentations!.description, /una nueva lleva name y factor$/);
    assert.match(option_groups!.description, /uno nuevo lleva name y values$/);
    assert.match(option_groups!.items.properties.values!.description, /una nueva lleva name$/);
  }
  assert.match(input('create_purchase_invoice').number!.description, /solo un borrador puede no llevarlo$/);
});

test('what an operation asks for by itself is among what its tool requires', () => {
  const required = (name: string) => toolOf(named(name)).inputSchema.required;
  assert.deepEqual(required('convert_delivery_note'), ['delivery_note', 'target']);
  assert.deepEqual(required('convert_quote'), ['quote']);
});

test('no argument may be longer than a message of the address', () => {
  const long = tools.filter((operation) =>
    (JSON.stringify(toolOf(operation).inputSchema).match(/(?<="maxLength":)\d+/g) ?? []).some(
      (max) => Number(max) > largestBody,
    ),
  );
  assert.deepEqual(
    long.map(({ name }) => name),
    [],
  );
  assert.match(toolOf(named('upload_purchase_scan')).description, /herramienta[^.]* 1 MiB/);
});

test('an argument that the service alone writes is told as such, in few words', () => {
  const { properties } = toolOf(named('update_client')).inputSchema as { properties: Record<string, object> };
  assert.deepEqual(properties.created_at, { readOnly: true });
  assert.doesNotMatch(JSON.stringify(properties), /u0000/);
});

test('what a schema says twice is said once, and means the same', () => {
  const address = {
    type: 'object',
    required: ['street'],
    properties: { street: { type: 'string', minLength: 1, maxLength: 200 } },
  };
  const wide = {
    ...address,
    properties: { ...address.properties, city: { type: 'string', pattern: '^.{1,90}$', maxLength: 90 } },
  };
  const schema = {
    type: 'object',
    properties: { a: wide, b: wide, type: wide, c: { type: 'array', items: wide } },
  };
  const placed = withDefinitions(schema);
  assert.deepEqual(Object.keys(placed.$defs as object), ['d1']);
  const validate = ajv.compile(placed);
  assert.ok(validate({ a: { street: 'x', city: 'y' }, c: [{ street: 'x' }] }));
  assert.ok(!validate({ c: [{ city: 'y' }] }));
  assert.ok(!validate({ type: { street: 1 } }));
  assert.deepEqual(withDefinitions({ type: 'object', properties: { a: wide } }).$defs, undefined);
});

const hints: [name: string, hints: [read: boolean, destroys: boolean, repeats: boolean, open: boolean]][] = [
  ['get_invoice', [true, false, true, false]],
  ['create_client', [false, false, false, false]],
  ['update_client', [false, false, true, false]],
  ['delete_client', [false, true, true, false]],
  ['issue_invoice', [false, true, false, true]],
  ['archive_client', [false, true, false, false]],
  ['can_issue_invoice', [true, false, true, false]],
];

for (const [name, [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]] of hints)
  test(`${name} is told with its hints`, () =>
    assert.deepEqual(hintsOf(named(name)), { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }));

const caller = (scopes: readonly string[], environment: 'live' | 'test' = 'live'): Caller =>
  ({
    principal: { kind: 'api_key', id, name: 'x' },
    company_id: id,
    key_company_id: id,
    owner_company_id: id,
    environment,
    scopes,
    modules: planModules('scale'),
  }) as never;

test('a list holds what scope and environment allow, in one order: what reads first, and what takes a document together', async () => {
  const list = makeToolList(catalog);
  const told = async (of: Caller) => JSON.parse((await list.text(of, wholeView, false)).bytes.toString());
  const names = async (of: Caller) => (await told(of)).map(({ name }: { name: string }) => name);
  const live = tools.filter(({ environment }) => environment !== 'test');
  const all = await names(caller(['*']));
  assert.deepEqual([...all].sort(), live.map(({ name }) => name).sort());
  const firstWrite = all.findIndex((name: string) => named(name).transaction !== 'read');
  assert.ok(all.slice(firstWrite).every((name: string) => named(name).transaction !== 'read'));
  const takingLines = all.flatMap((name: string, i: number) =>
    /^(create|update)_(invoice|quote|delivery_note|purchase_invoice)$/.test(name) ? [i] : [],
  );
  assert.equal(takingLines.length, 8);
  assert.ok(takingLines[7] - takingLines[0] < 20, 'neighbours are packed once');
  assert.ok((await names(caller(['*'], 'test'))).includes('update_sandbox_clock'));
  const reader = caller(['invoices:read']);
  const readers = await names(reader);
  assert.ok(readers.includes('list_invoices') && !readers.includes('create_invoice'));
  assert.ok(!readers.includes('list_clients'));
  assert.deepEqual((await told(reader))[0], toolOf(named(readers[0])));
  assert.equal(await list.text(reader, wholeView, false), await list.text(reader, wholeView, false));
});

test('sixteen lists are kept, and the one that nobody asked for longest goes first', async () => {
  const list = makeToolList(catalog);
  const scopes = [...new Set(tools.flatMap(({ scope }) => scope ?? []))].slice(0, 17);
  assert.equal(scopes.length, 17);
  const of = (scope: string) => list.text(caller([scope]), wholeView, false);
  const [busy, idle, ...others] = scopes as [string, string, ...string[]];
  const [first, second] = [await of(busy), await of(idle)];
  for (const scope of others) {
    await of(busy);
    await of(scope);
  }
  assert.equal(await of(busy), first);
  assert.notEqual(await of(idle), second);
});

test('toolsets and read_only narrow the list', () => {
  const invoices = readView({ toolsets: 'invoices,contacts' });
  assert.ok(isInView(invoices, named('create_invoice')) && isInView(invoices, named('list_clients')));
  assert.ok(!isInView(invoices, named('list_products')));
  const reads = readView({ toolsets: 'invoices', read_only: 'true' });
  assert.ok(isInView(reads, named('get_invoice')) && !isInView(reads, named('create_invoice')));
  const refusal = (query: Record<string, unknown>) => {
    try {
      readView(query);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(refusal({ toolsets: 'facturas' }), 'unknown_toolset');
  assert.equal(refusal({ toolsets: '' }), 'unknown_toolset');
  assert.equal(refusal({ toolsets: 'reserved' }), 'unknown_toolset');
  assert.equal(refusal({ toolset: 'invoices' }), 'unknown_mcp_parameter');
  assert.equal(refusal({ read_only: 'yes' }), 'unknown_mcp_parameter');
  assert.equal(refusal({ read_only: 'false' }), null);
});

test('a gzip around a middle that was compressed before opens as one text', async () => {
  const middle = JSON.stringify({ words: Array(500).fill('factura ñ €') });
  for (const [before, after] of [
    ['{"id":1,', '}'],
    ['', ''],
    ['á'.repeat(5000), 'ü'],
  ] as const) {
    const bytes = gzipAround(before, Buffer.from(middle), await compressMiddle(Buffer.from(middle)), after);
    assert.equal(gunzipSync(bytes).toString(), before + middle + after);
  }
});

test('the list of all tools is kept, packed once, and small for what it holds', async () => {
  const list = makeToolList(catalog);
  const all = await list.text(caller(['*']), wholeView, false);
  const packed = await compressedOf(all);
  assert.equal(compressedOf(all), compressedOf(all));
  const each = { plain: all.bytes.length / live.length, packed: packed.length / live.length };
  assert.ok(each.plain < 5000 && each.packed < 410, JSON.stringify(each));
});

const live = tools.filter(({ environment }) => environment !== 'test');

/** What no call takes back: whoever can ask a person does so. `?` depends on the input. */
const irreversible = `
annul_invoice bulk_create_invoices? bulk_delete_delivery_notes bulk_delete_recurring_invoices cancel_delivery_note
cancel_proforma cancel_purchase_invoice cancel_quote cancel_recurring_invoice change_delivery_note_status
create_corrective_invoice? create_delivery_note? create_invoice? create_proforma? create_purchase_invoice? create_quote?
delete_client delete_delivery_note delete_invoice delete_price_list delete_price_list_item delete_product delete_proforma
delete_purchase_invoice delete_quote delete_recurring_invoice delete_sandbox_data delete_series delete_supplier delete_tax
delete_verifactu_certificate delete_webhook_endpoint emit_recurring_invoice? forget_delivery_note_signature issue_invoice
mark_delivery_note_delivered mark_delivery_note_pending mark_invoice_sent mark_proforma_pending
mark_purchase_invoice_received mark_quote_pending accept_proforma accept_quote retry_blocked_verifactu_records
retry_verifactu_record reverse_invoice_payment reverse_purchase_invoice_payment revoke_api_key revoke_company_representation
revoke_delivery_note_public_link revoke_invoice_public_link revoke_proforma_public_link revoke_quote_public_link
rotate_api_key_secret rotate_webhook_secret send_delivery_note send_invoice send_invoice_reminder send_proforma send_quote
sign_delivery_note subsanar_verifactu_record substitute_simplified_invoices? update_sandbox_clock void_invoice
put_verifactu_certificate register_company_representation`;

test('the operations that cannot be undone are these', () => {
  const found = catalog
    .filter((operation) => operation.irreversible && operation.tag !== 'oauth')
    .map(({ name, irreversible_for }) => (irreversible_for ? `${name}?` : name));
  assert.deepEqual(found.sort(), irreversible.trim().split(/\s+/).sort());
});

test('what may take a number is irreversible', () => {
  const numbering = catalog.filter(({ events }) => events.includes('series.number_consumed'));
  assert.ok(numbering.length >= 20, `${numbering.length}`);
  for (const { name, irreversible } of numbering) assert.ok(irreversible, name);
});

/** Their receiver is the company's own. */
const ownReceivers = ['ping_webhook_endpoint', 'send_webhook_test_event', 'replay_webhook_delivery'];

test("what reaches somebody outside is irreversible, but for the company's own receivers", () => {
  const found = catalog.filter((one) => one.reaches_outside && !one.irreversible).map(({ name }) => name);
  assert.deepEqual(found.sort(), ownReceivers.sort());
});

const asked: [name: string, body: unknown, is_irreversible: boolean][] = [
  ['create_invoice', {}, false],
  ['create_invoice', { options: { issue: true } }, true],
  ['create_invoice', { options: { send_automatically: true } }, true],
  ['create_invoice', { payment: {} }, true],
  ['create_invoice', { options: { issue: true, dry_run: true } }, false],
  ['bulk_create_invoices', { invoices: [{}, { options: { issue: true } }] }, true],
  ['bulk_create_invoices', { invoices: [{}, null, 3, { options: null }] }, false],
  ['create_quote', { options: { mark_pending: true } }, true],
  ['create_quote', {}, false],
  ['create_quote', { options: { mark_pending: true, dry_run: true } }, false],
  ['create_purchase_invoice', {}, true],
  ['create_purchase_invoice', { draft: true }, false],
  ['emit_recurring_invoice', undefined, true],
  ['emit_recurring_invoice', { dry_run: true }, false],
  ['create_corrective_invoice', { correction: {} }, true],
  ['create_corrective_invoice', { correction: {}, dry_run: true }, false],
  ['substitute_simplified_invoices', {}, true],
  ['substitute_simplified_invoices', { dry_run: true }, false],
];

for (const [name, body, expected] of asked)
  test(`${name} with ${JSON.stringify(body)} ${expected ? 'cannot' : 'can'} be undone`, () =>
    assert.equal(named(name).irreversible_for?.({ params: {}, query: {}, body }), expected));
