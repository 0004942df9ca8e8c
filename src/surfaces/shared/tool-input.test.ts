import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { defineOperation, type Operation } from '../../kernel/operation.ts';
import { One, Shape, Text, Type, Uuid } from '../../kernel/schema.ts';
import { catalog } from '../../modules/catalog.ts';
import { flatName, flattenInput, toolInputSchema, toolMembers, unflattenInput } from './tool-input.ts';

/** Arguments of a tool besides those of its operation. */
const reserved = ['idempotency_key', 'active_profile'];

test('no member of path, query or body of an operation clashes with another', () => {
  for (const operation of catalog) {
    const names = [...toolMembers(operation).map(({ flat }) => flat), ...reserved];
    const doubled = names.filter((name, i) => names.indexOf(name) !== i);
    assert.deepEqual(doubled, [], operation.name);
    for (const name of names) assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/, operation.name);
  }
});

test('every body is an object whose members are known', () => {
  for (const { name, body } of catalog)
    if (body) assert.ok((body as { properties?: unknown }).properties, `${name} has a body without members`);
});

test('every flat input is one closed JSON Schema without choices at its root', () => {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    validateFormats: false,
  });
  for (const operation of catalog) {
    const schema = toolInputSchema(operation);
    assert.ok(ajv.validateSchema(schema), `${operation.name}: ${ajv.errorsText()}`);
    assert.equal(schema.additionalProperties, false);
    for (const word of ['anyOf', 'oneOf', 'allOf', '$ref']) assert.ok(!(word in schema), operation.name);
  }
});

const values = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.object(),
);
const lists = fc.array(
  fc.string({ minLength: 1 }).filter((text) => !text.includes(',')),
  { minLength: 1 },
);

const keyed = fc.dictionary(fc.string(), fc.string(), { minKeys: 1, noNullPrototype: true });

function flatInputs(operation: Operation) {
  const members = toolMembers(operation).map(
    ({ flat, is_list, is_keyed }) => [flat, is_keyed ? keyed : is_list ? lists : values] as const,
  );
  return fc.record(Object.fromEntries<fc.Arbitrary<unknown>>(members), { requiredKeys: [] });
}

test('a flat input that is taken apart and put together again is the same, for every operation', () => {
  for (const operation of catalog) {
    const comes_back = fc.property(flatInputs(operation), (flat) => {
      const parts = unflattenInput(operation, flat);
      assert.deepEqual(flattenInput(operation, parts), { ...flat }, operation.name);
      assert.deepEqual(unflattenInput(operation, flattenInput(operation, parts)), parts, operation.name);
    });
    fc.assert(comes_back, { numRuns: 20 });
  }
});

const sheets = defineOperation({
  name: 'search_sheets',
  method: 'POST',
  path: '/v1/sheets/:sheet/search',
  scope: null,
  tag: 'sheets',
  summary: 'Busca.',
  transaction: 'own',
  mcp: true,
  params: Type.Object({ sheet: Uuid }),
  query: Type.Object({
    'created[gte]': Type.Optional(Text(20)),
    'created[lte]': Type.Optional(Text(20, { description: 'Creado: hasta este valor (AAAA-MM-DD)' })),
    'status[in]': Type.Optional(
      Text(40, { description: 'Varios estados separados por comas, 50 como máximo (Estado)' }),
    ),
    limit: Type.Integer(),
  }),
  body: Shape({ title: Text(5), note: Type.Optional(Text(5)) }),
  output: One(Type.Object({})),
  errors: [],
  handle: async () => undefined,
});

const cases: [name: string, flat: Record<string, unknown>, parts: ReturnType<typeof unflattenInput>][] = [
  [
    'each member goes to its part',
    { sheet: 'a', limit: 3, title: 'b' },
    { params: { sheet: 'a' }, query: { limit: 3 }, body: { title: 'b' } },
  ],
  [
    'a range and a list have their names of the wire',
    { created_gte: '2026', status_in: ['paid', 'sent'] },
    { params: {}, query: { 'created[gte]': '2026', 'status[in]': 'paid,sent' }, body: {} },
  ],
  ['a null stays', { note: null }, { params: {}, query: {}, body: { note: null } }],
  ['what is not declared goes to the body', { colour: 1 }, { params: {}, query: {}, body: { colour: 1 } }],
];

for (const [name, flat, parts] of cases) {
  test(`${name}`, () => assert.deepEqual(unflattenInput(sheets, flat), parts));
}

test('a list of values is of the values that one may have, where those are known', () => {
  const list = catalog.find(({ name }) => name === 'list_invoices')!;
  const members = toolInputSchema(list).properties as Record<string, { enum?: string[]; items?: object }>;
  assert.deepEqual(members.status_in!.items, { type: 'string', enum: members.status!.enum });
  assert.deepEqual(members.client_id_in!.items, { type: 'string', format: 'uuid' });
  assert.deepEqual(members.number_in!.items, { type: 'string', pattern: '^[^,]+$' });
});

test('the keys that a caller names are members of one object, and go back to their names of the wire', () => {
  const list = catalog.find(({ name }) => name === 'list_invoices')!;
  const query = { 'metadata[pedido]': '7', 'metadata[a]b]': 'x', 'metadata[__proto__]': 'y', limit: 3 };
  const flat = flattenInput(list, { params: {}, query, body: undefined });
  assert.deepEqual(Object.entries(flat.metadata as object), [
    ['pedido', '7'],
    ['a]b', 'x'],
    ['__proto__', 'y'],
  ]);
  assert.deepEqual(Object.entries(unflattenInput(list, flat).query), Object.entries(query));
  const { metadata } = toolInputSchema(list).properties as Record<string, { description: string }>;
  assert.match(metadata!.description, /^Valor exacto de una clave de metadata: \{"pedido": "7"\}/);
  for (const wrong of [null, 'pedido', ['pedido'], 7])
    assert.deepEqual(unflattenInput(list, { metadata: wrong }).query, { metadata: wrong }, 'refused by name');
});

test('a member called __proto__ changes no prototype', () => {
  const { body } = unflattenInput(
    sheets,
    JSON.parse('{"__proto__":{"title":"x"}}') as Record<string, unknown>,
  );
  assert.deepEqual(Object.keys(body ?? {}), ['__proto__']);
  assert.equal(Object.getPrototypeOf(body), Object.prototype);
});

test('an operation without a body gets none, and an optional one only with a member', () => {
  assert.equal(unflattenInput({ ...sheets, body: null }, { sheet: 'a' }).body, undefined);
  assert.equal(unflattenInput({ ...sheets, body_optional: true }, { sheet: 'a' }).body, undefined);
  assert.deepEqual(unflattenInput({ ...sheets, body_optional: true }, { note: 'x' }).body, { note: 'x' });
  assert.deepEqual(unflattenInput({ ...sheets, body: null }, { colour: 1 }).query, { colour: 1 });
});

test('parts with a member that the operation does not declare have no flat input', () => {
  const parts = { params: {}, query: { colour: 1 }, body: undefined };
  assert.throws(() => flattenInput(sheets, parts), /declares no query member colour/);
});

test('the flat schema keeps descriptions and says what must be given', () => {
  const schema = toolInputSchema(sheets) as { properties: Record<string, object>; required: string[] };
  assert.deepEqual(schema.required, ['sheet', 'limit', 'title']);
  assert.deepEqual(schema.properties.status_in, {
    type: 'array',
    items: { type: 'string', pattern: '^[^,]+$' },
    minItems: 1,
    description: 'Varios estados, 50 como máximo',
  });
  assert.deepEqual(schema.properties.created_lte, {
    type: 'string',
    maxLength: 20,
    description: 'Creado: hasta este valor',
  });
  assert.deepEqual(toolInputSchema({ ...sheets, body_optional: true }).required, ['sheet', 'limit']);
  const asking = { ...sheets, body_optional: true, asks_for: ['note'] };
  assert.deepEqual(toolInputSchema(asking).required, ['sheet', 'limit', 'note']);
  assert.equal(flatName('created[gte]'), 'created_gte');
});
