/** A person or a model without the reference has only these texts to call an operation by. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { patternWords } from '../kernel/check.ts';
import type { Operation } from '../kernel/operation.ts';
import { declaredProblems } from '../kernel/problem.ts';
import { DayText, Money, Timestamp, Uuid } from '../kernel/schema.ts';
import { catalog } from './catalog.ts';
import { personOperations } from './people/index.ts';

type Schema = {
  description?: string;
  pattern?: string;
  pattern_message?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
};

/** A form's shared description does not say what a field is for. */
const forms: ReadonlySet<string | undefined> = new Set(
  [Uuid, DayText, Timestamp, Money].map((schema) => (schema as Schema).description),
);

/** Fields without their own description. */
function untoldFields(schema: Schema | null, path: string): string[] {
  if (schema === null) return [];
  const inside = [schema.items, ...(schema.anyOf ?? [])].flatMap((part) =>
    part ? untoldFields(part, path) : [],
  );
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = `${path}.${name}`;
    const is_told = Boolean(field.description) && !forms.has(field.description);
    return [...(is_told ? [] : [here]), ...untoldFields(field, here)];
  });
  return [...inside, ...fields];
}

function untold({ summary, description = '', params, query, body, examples }: Operation): string[] {
  const parts = Object.entries({ params, query, body });
  return [
    ...(description.length < 40 || description === summary ? ['description'] : []),
    ...(examples.length === 0 ? ['examples'] : []),
    ...parts.flatMap(([name, schema]) => untoldFields(schema as Schema | null, name)),
  ];
}

/** Those that only the dashboard calls too. */
const all: readonly Operation[] = [...catalog, ...personOperations];

/** Fields whose pattern has no words. Elsewhere "El formato no es válido." is all that a caller is told. */
function wordlessPatterns(schema: Schema | null, path: string): string[] {
  if (schema === null) return [];
  const parts = [schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part ? [[path, part]] : []));
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [`${path}.${name}`, field]);
  const is_wordless = schema.pattern !== undefined && patternWords(schema) === undefined;
  const inside = ([...parts, ...fields] as [string, Schema][]).flatMap(([at, part]) =>
    wordlessPatterns(part, at),
  );
  return [...(is_wordless ? [path] : []), ...inside];
}

test('each pattern of a field says in words what it wants', () => {
  const wordless = all.flatMap(({ name, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      wordlessPatterns(schema as Schema | null, `${name} ${part}`),
    ),
  );
  assert.deepEqual(wordless, []);
});

for (const operation of all) {
  test(`${operation.name} says what it does, and what each field of its input is`, () => {
    assert.deepEqual(untold(operation), []);
  });
}

/** Fields and fixed values, without the range of a filter. */
function namesIn(schema: Schema | null): string[] {
  if (schema === null) return [];
  const { properties = {}, items, anyOf = [], enum: values = [] } = schema;
  return [
    ...Object.keys(properties).map((name) => name.replace(/\[.*/, '')),
    ...[...values, schema.const].filter((value) => typeof value === 'string'),
    ...[...Object.values(properties), ...(items ? [items] : []), ...anyOf].flatMap(namesIn),
  ];
}

const known = new Set([
  ...declaredProblems().map(({ code }) => code),
  ...catalog.flatMap(({ name, params, query, body, output }) => [
    name,
    ...[params, query, body, output].flatMap((schema) => namesIn(schema as Schema | null)),
  ]),
]);

/** Names in backticks or with underscores. A caller fills in what is in braces. */
function namedIn(text: string): string[] {
  const without_fillers = text.replace(/\{\w+\}/g, '');
  const quoted = [...without_fillers.matchAll(/`(\w+)`/g)].map(([, word]) => word!);
  return [...quoted, ...(without_fillers.match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g) ?? [])];
}

const tools = catalog.filter(({ mcp }) => mcp);

for (const { name, summary, description = '' } of tools) {
  test(`the text of the tool ${name} is long enough to act on, and names only what exists`, () => {
    assert.ok(description.length >= 80 && description.length <= 1000, `${description.length} characters`);
    assert.deepEqual(
      namedIn(`${summary} ${description}`).filter((word) => !known.has(word)),
      [],
    );
    assert.ok(!description.includes('/v1/'), 'a tool has a name and no path');
  });
}

/** Any operation may answer these, or they only say that an id is unknown. */
const unsaid = new Set([
  'api_key_not_found',
  'company_share_exceeded',
  'idempotency_key_reused',
  'invalid_param_value',
  'parameter_invalid',
  'precondition_failed',
  'resource_locked',
  'resource_not_found',
]);
/** They work in every state. */
const refusesNothing = /^(duplicate_|unarchive_series$)/;

for (const { name, transaction, deprecated, errors, description = '' } of all) {
  const codes = errors.map(({ code }) => code).filter((code) => !unsaid.has(code));
  if (transaction === 'read' || deprecated || refusesNothing.test(name) || codes.length === 0) continue;
  test(`the text of ${name} says when it is refused`, () => {
    assert.ok(
      codes.some((code) => description.includes(code)) || /rechaz|reglas/.test(description),
      description,
    );
  });
}

test('no operation declares an event twice', () => {
  for (const { name, events } of all) assert.equal(new Set(events).size, events.length, name);
});

test('what only reads has the effect read, and is never irreversible', () => {
  for (const { name, transaction, effects, irreversible } of all) {
    assert.equal(effects === 'read', transaction === 'read', name);
    assert.ok(effects !== 'read' || !irreversible, name);
  }
});

test('operations that delete, remove, annul, void, cancel, revoke, archive, disable, reverse or forget withdraw something', () => {
  const withdrawing = /^(bulk_)?(delete|remove|annul|void|cancel|revoke|archive|disable|reverse|forget)_/;
  for (const { name, effects } of all) {
    assert.equal(effects === 'withdraw', withdrawing.test(name), name);
  }
});

test('what is sent, issued or asked of a receiver reaches somebody outside', () => {
  const outside = catalog.filter((one) => one.reaches_outside).map(({ name }) => name);
  for (const name of [
    'issue_invoice',
    'send_invoice',
    'send_invoice_reminder',
    'ping_webhook_endpoint',
    'annul_invoice',
  ])
    assert.ok(outside.includes(name), name);
});

test('what lets waiting records be sent reaches the tax authority', () => {
  const folder = join(import.meta.dirname, 'verifactu/operations');
  const sending = readdirSync(folder).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      /\/(?:release-records|append-record|resume-work|sender\.store)\.ts'/.test(
        readFileSync(join(folder, file), 'utf8'),
      ),
  );
  const named = sending.map((file) => file.replace('.ts', '').replaceAll('-', '_'));
  assert.ok(named.length >= 5, named.join());
  for (const name of named)
    assert.equal(catalog.find((one) => one.name === name)?.reaches_outside, true, name);
});

test('words of one field are not said of the others that share its form', () => {
  assert.equal((Uuid as Schema).description, 'UUID v7');
  assert.equal((DayText as Schema).description, 'YYYY-MM-DD');
  assert.equal((Timestamp as Schema).description, 'ISO 8601 UTC');
});

test('what an example offers is valid for years, so that it can be sent as it is read', () => {
  const ends = catalog.flatMap(({ name, examples = [] }) =>
    examples.flatMap(({ body }) => {
      const { valid_until } = (body ?? {}) as { valid_until?: unknown };
      return typeof valid_until === 'string' ? [{ name, valid_until }] : [];
    }),
  );
  assert.ok(ends.length >= 7, String(ends.length));
  assert.deepEqual(
    ends.filter(({ valid_until }) => valid_until < '2030-01-01'),
    [],
  );
});
