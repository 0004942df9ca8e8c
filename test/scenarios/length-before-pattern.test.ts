/**
 * No pattern meets a text that is longer than its field allows, at any depth of any operation's input: the length is
 * what bounds its work (ADR 34).
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkSchema } from '../../src/kernel/check.ts';
import { Nullable, Shape, type TSchema, Text, Type } from '../../src/kernel/schema.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { personOperations } from '../../src/modules/people/index.ts';

type Node = { pattern?: string; maxLength?: number; additionalProperties?: unknown } & Record<
  string,
  unknown
>;

type Place = { where: string; pattern: string; max: number; valueWith(text: string): unknown };

/** Where a schema has patterns, with a value that leads to each. */
function* placesIn(
  node: unknown,
  where: string,
  wrap: (inner: unknown) => unknown = (x) => x,
): Generator<Place> {
  if (node === null || typeof node !== 'object') return;
  const { pattern, maxLength, properties, items, anyOf, allOf, patternProperties, additionalProperties } =
    node as Node;
  if (typeof pattern === 'string') yield { where, pattern, max: maxLength!, valueWith: wrap };
  for (const [name, member] of Object.entries((properties ?? {}) as object))
    yield* placesIn(member, `${where}.${name}`, (inner) => wrap({ [name]: inner }));
  yield* placesIn(items, `${where}.0`, (inner) => wrap([inner]));
  for (const one of [anyOf, allOf].flat()) yield* placesIn(one, where, wrap);
  for (const member of Object.values((patternProperties ?? {}) as object))
    yield* placesIn(member, `${where}.*`, (inner) => wrap({ a: inner }));
  yield* placesIn(additionalProperties, `${where}.*`, (inner) => wrap({ a: inner }));
}

/** Hears which texts each pattern is tried on. */
function watchPatterns(t: TestContext) {
  const seen: { pattern: string; length: number }[] = [];
  const { test: original } = RegExp.prototype;
  t.mock.method(RegExp.prototype, 'test', function (this: RegExp, text: string) {
    seen.push({ pattern: this.source, length: [...text].length });
    return original.call(this, text);
  });
  return (work: () => void) => {
    seen.length = 0;
    work();
    return [...seen];
  };
}

function holdPlace(schema: TSchema, coerce: boolean, place: Place, watch: ReturnType<typeof watchPatterns>) {
  const source = new RegExp(place.pattern, 'u').source;
  const triedWith = (text: string) =>
    watch(() => {
      const issues = checkSchema(schema, place.valueWith(text), coerce);
      if ([...text].length > place.max) assert.ok(issues.length > 0, place.where);
    }).filter(({ pattern }) => pattern === source);
  assert.ok(triedWith('x').length > 0, `${place.where} is not reached`);
  const too_long = triedWith('x'.repeat(place.max + 1)).filter(({ length }) => length > place.max);
  assert.deepEqual(too_long, [], place.where);
}

test('given the input of any operation, when a text is too long for its field, then its pattern is not tried', (t) => {
  const watch = watchPatterns(t);
  let count = 0;
  for (const { name, params, query, body } of [...catalog, ...personOperations])
    for (const [part, schema] of Object.entries({ params, query, body }))
      for (const place of placesIn(schema, `${name} ${part}`)) {
        assert.ok(Number.isInteger(place.max), `${place.where} has no maxLength`);
        holdPlace(schema!, part !== 'body', place, watch);
        count += 1;
      }
  assert.ok(count > 20, `${count} places`);
});

test('given a schema of any depth, when a text is too long, then its pattern is not tried', (t) => {
  const watch = watchPatterns(t);
  const field = Text(5, { pattern: '^(a+)+$' });
  const list = Type.Array(Shape({ one: Type.Optional(Nullable(field)) }));
  const schema = Shape({
    a: Type.Optional(field),
    b: Type.Optional(Shape({ c: Shape({ d: list }) })),
    e: Type.Optional(Type.Record(Type.String(), field)),
    f: Type.Optional(Type.Union([Type.Null(), Shape({ g: Type.Array(Type.Array(field)) })])),
  });
  const places = [...placesIn(schema, 'schema')];
  assert.equal(places.length, 4);
  for (const place of places) holdPlace(schema, false, place, watch);
});
