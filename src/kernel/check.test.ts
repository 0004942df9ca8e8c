import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkSchema, findUnstorableText, isStorable } from './check.ts';
import { parseJson } from './json.ts';
import {
  DayText,
  Decimal,
  type DecimalLimits,
  Enum,
  Metadata,
  Name,
  Nullable,
  Shape,
  Tags,
  Text,
  Timestamp,
  Type,
  Uuid,
} from './schema.ts';
import { anyText } from '../../test/support/any-text.ts';

const money: DecimalLimits = { decimals: 2 };

/** Limits, the number as sent, whether it keeps them. */
const decimals: readonly (readonly [DecimalLimits, string, boolean])[] = [
  [money, '0', true],
  [money, '-0', true],
  [money, '-12.34', true],
  [money, '12.340', true],
  [money, '12.345', false],
  [money, '999999999999.99', true],
  [money, '1000000000000', false],
  [money, '1e11', true],
  [money, '1e12', false],
  [money, '1.5e1', true],
  [money, '125e-2', true],
  [money, '125e-3', false],
  [money, '1e400', false],
  [money, '1e-400', false],
  [money, '1e99999999999999999999', false],
  [money, '12345678901234567890', false],
  [money, `0.${'0'.repeat(70)}`, false],
  [{ decimals: 8, significant_digits: 15 }, '1234567.12345678', true],
  [{ decimals: 8, significant_digits: 15 }, '12345678.12345678', false],
  [{ decimals: 8, significant_digits: 15 }, '0.00000001', true],
  [{ decimals: 8, significant_digits: 15 }, '0.000000001', false],
  [{ decimals: 2, minimum: '0', maximum: '100' }, '100.00', true],
  [{ decimals: 2, minimum: '0', maximum: '100' }, '100.01', false],
  [{ decimals: 2, minimum: '0', maximum: '100' }, '-0.01', false],
  [{ decimals: 2, minimum: '-1.5' }, '-1.5', true],
  [{ decimals: 2, minimum: '-1.5' }, '-1.51', false],
  [{ decimals: 2, exclusive_minimum: '0' }, '0.00', false],
  [{ decimals: 2, exclusive_minimum: '0' }, '0.01', true],
];
for (const [limits, source, is_right] of decimals) {
  test(`${source.slice(0, 24)} is ${is_right ? 'a' : 'no'} decimal of ${JSON.stringify(limits)}`, () => {
    const issues = checkSchema(Shape({ amount: Decimal(limits) }), parseJson(`{"amount":${source}}`));
    assert.deepEqual(
      issues.map((i) => i.param),
      is_right ? [] : ['amount'],
    );
  });
}

for (const value of ['1', true, null, [], {}, { toJSON: 1 }]) {
  test(`${JSON.stringify(value)} is no decimal`, () => {
    assert.equal(checkSchema(Shape({ amount: Decimal(money) }), { amount: value }).length, 1);
  });
}

test('null is a decimal only where the schema says so', () => {
  assert.deepEqual(checkSchema(Shape({ a: Nullable(Decimal(money)) }), { a: null }), []);
  assert.equal(checkSchema(Shape({ a: Nullable(Decimal(money)) }), { a: 'x' }).length, 1);
});

test('a decimal is accepted exactly when BigInt arithmetic says that it fits', () => {
  const limits: DecimalLimits = { decimals: 4, integer_digits: 6 };
  const schema = Shape({ a: Decimal(limits) });
  const source = fc.tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 14n }),
    fc.integer({ min: -12, max: 6 }),
  );
  fc.assert(
    fc.property(source, ([is_negative, digits, exponent]) => {
      const text = `${is_negative ? '-' : ''}${digits}e${exponent}`;
      const scaled = digits * 10n ** BigInt(exponent + 16);
      const fits = scaled % 10n ** 12n === 0n && scaled < 10n ** 22n;
      assert.equal(checkSchema(schema, parseJson(`{"a":${text}}`)).length === 0, fits, text);
    }),
  );
});

const Line = Shape({
  description: Text(10, { minLength: 1 }),
  quantity: Type.Integer({ minimum: 1, maximum: 9 }),
});
const Body = Shape({
  name: Text(5),
  kind: Type.Optional(Nullable(Enum(['a', 'b']))),
  client_id: Type.Optional(Nullable(Uuid)),
  on: Type.Optional(DayText),
  at: Type.Optional(Timestamp),
  flag: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(Metadata),
  lines: Type.Optional(Type.Array(Line, { minItems: 1, maxItems: 3 })),
});

const bodies: readonly (readonly [string, readonly string[]])[] = [
  ['{"name":"abc"}', []],
  ['{}', ['name']],
  ['{"name":1}', ['name']],
  ['{"name":null}', ['name']],
  ['{"name":"abcdef"}', ['name']],
  ['{"name":"😀😀😀😀😀"}', []],
  ['{"name":"a","colour":1}', ['colour']],
  ['{"name":"a","__proto__":{"x":1}}', ['__proto__']],
  ['{"name":"a","constructor":1}', ['constructor']],
  ['{"name":"a","toString":1}', ['toString']],
  ['{"__proto__":{"name":"a"}}', ['name', '__proto__']],
  ['{"name":"a","kind":null}', []],
  ['{"name":"a","kind":"c"}', ['kind']],
  ['{"name":"a","client_id":null}', []],
  ['{"name":"a","client_id":"01890a5d-ac96-774b-bcce-b302099a8057"}', []],
  ['{"name":"a","client_id":"01890a5dac96774bbcceb302099a8057"}', ['client_id']],
  ['{"name":"a","client_id":"\\u0000"}', ['client_id']],
  ['{"name":"a","on":"2024-02-29"}', []],
  ['{"name":"a","on":"2023-02-29"}', ['on']],
  ['{"name":"a","at":"2024-02-29"}', ['at']],
  ['{"name":"a","flag":"true"}', ['flag']],
  ['{"name":"a","tags":["x","x"]}', ['tags']],
  ['{"name":"a","tags":[""]}', ['tags.0']],
  ['{"name":"a","metadata":{"k":1}}', ['metadata.k']],
  ['{"name":"a","metadata":{"":"v"}}', ['metadata.']],
  ['{"name":"a","metadata":{"a/b~c":1}}', ['metadata.a/b~c']],
  ['{"name":"a","lines":[]}', ['lines']],
  [
    '{"name":"a","lines":[{"description":"x","quantity":1},{"description":"","quantity":10}]}',
    ['lines.1.description', 'lines.1.quantity'],
  ],
  ['{"name":"a","lines":[{"quantity":1.5}]}', ['lines.0.description', 'lines.0.quantity']],
  ['{"name":"a","lines":[{"description":"x","quantity":1e400}]}', ['lines.0.quantity']],
  ['{"name":"a","lines":{"0":{"description":"x","quantity":1}}}', ['lines']],
  ['[]', ['']],
  ['null', ['']],
  ['"text"', ['']],
  ['1e400', ['']],
  ['12345678901234567890', ['']],
  ['{"name":"a","metadata":12345678901234567890}', ['metadata']],
  ['{"name":"a","metadata":{"k":1e400}}', ['metadata.k']],
  ['{"name":"a","lines":[1e400]}', ['lines.0']],
  ['{"name":1e400,"tags":1e400}', ['name', 'tags']],
];
for (const [text, params] of bodies) {
  test(`${text.slice(0, 70)} is ${params.length === 0 ? 'right' : `wrong in ${params.join(', ')}`}`, () => {
    const issues = checkSchema(Body, parseJson(text));
    assert.deepEqual(issues.map((i) => i.param).sort(), [...params].sort());
    for (const issue of issues) {
      assert.equal(issue.code, 'parameter_invalid');
      assert.match(issue.message, /^[A-ZÁÉÍÓÚ].*\.$/);
    }
  });
}

test('a pattern has words of its own where a schema gives them', () => {
  const pattern_message = 'Debe ser una x.';
  const schema = Shape({
    a: Nullable(Text(1, { pattern: '^x$', pattern_message })),
    b: Text(1, { pattern: '^x$' }),
  });
  const messages = checkSchema(schema, { a: 'y', b: 'y' }).map(({ message }) => message);
  assert.deepEqual(messages, [pattern_message, 'El formato no es válido.']);
});

test('a blank text and codes of capitals are told what they want', () => {
  const schema = Shape({
    name: Name(9, { minLength: 1, pattern: '\\S' }),
    country: Nullable(Text(2, { pattern: '^[A-Z]{2}$' })),
    currency: Text(3, { pattern: '^[A-Z]{3}$' }),
    reason: Text(9, { minLength: 1 }),
  });
  const told = (input: object) => checkSchema(schema, input).map(({ message }) => message);
  const codes = [2, 3].map(
    (letters) => `Debe ser un código de ${letters === 2 ? 'dos' : 'tres'} letras mayúsculas.`,
  );
  for (const name of ['', '   '])
    assert.deepEqual(told({ name, country: 'es', currency: 'eur', reason: '' }), [
      'No puede estar en blanco.',
      ...codes,
      'No puede estar en blanco.',
    ]);
});

test('a text that is too long for a pattern of one length is told the pattern', () => {
  const pattern_message = 'Debe ser un color.';
  const schema = Shape({
    country: Nullable(Text(2, { pattern: '^[A-Z]{2}$' })),
    key: Text(2, { pattern: '^[0-9]{2}$' }),
    colour: Text(7, { pattern: '^#[0-9a-f]{6}$', pattern_message }),
    states: Text(3, { pattern: '^a(,a)*$', pattern_message }),
    other: Text(2, { pattern: '^[x]{2}$' }),
    name: Name(3, { pattern: '\\S' }),
  });
  const input = {
    country: 'ESP',
    key: '001',
    colour: 'rgb(1,2,3)',
    states: 'a,a,a',
    other: 'xxx',
    name: 'Norte',
  };
  const told = checkSchema(schema, input).map(({ message }) => message);
  assert.deepEqual(told, [
    'Debe ser un código de dos letras mayúsculas.',
    'Deben ser dos cifras, por ejemplo 01.',
    pattern_message,
    'Admite 3 caracteres como máximo.',
    'Admite 2 caracteres como máximo.',
    'Admite 3 caracteres como máximo.',
  ]);
});

test('a field at fault in several ways is named once, and at most a hundred are named', () => {
  const twice = checkSchema(Shape({ a: Text(1, { pattern: '^x$' }) }), { a: 'yy' });
  assert.equal(twice.length, 1);
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key_${i}`, i]));
  assert.equal(checkSchema(Shape({}), unknown).length, 100);
});

const Query = Shape({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  is_active: Type.Optional(Type.Boolean()),
  q: Type.Optional(Text(5, { minLength: 1 })),
});
/** A query; the values read, or the params at fault. */
const queries = [
  [{ limit: '5' }, { limit: 5 }],
  [{ limit: '0' }, ['limit']],
  [{ limit: '101' }, ['limit']],
  [{ limit: '1.5' }, ['limit']],
  [{ limit: '' }, ['limit']],
  [{ limit: 'x' }, ['limit']],
  [{ limit: '1e999' }, ['limit']],
  [{ limit: '1e1' }, ['limit']],
  [{ limit: '0x5' }, ['limit']],
  [{ limit: ' 10' }, ['limit']],
  [{ limit: '5.0' }, ['limit']],
  [{ limit: ['5', '6'] }, ['limit']],
  [{ is_active: 'true' }, { is_active: true }],
  [{ is_active: 'false' }, { is_active: false }],
  [{ is_active: 'yes' }, ['is_active']],
  [{ is_active: '' }, ['is_active']],
  [{ q: '007' }, { q: '007' }],
  [{ q: '' }, ['q']],
  [{ page: '2' }, ['page']],
] as const;
for (const [query, expected] of queries) {
  test(`the query ${JSON.stringify(query)} is ${Array.isArray(expected) ? 'refused' : 'read'}`, () => {
    const value = { ...query };
    const issues = checkSchema(Query, value, true);
    if (Array.isArray(expected))
      assert.deepEqual(
        issues.map((i) => i.param),
        expected,
      );
    else assert.deepEqual([issues, value], [[], expected]);
  });
}

test('a body is never coerced', () => {
  assert.equal(checkSchema(Shape({ limit: Type.Integer() }), { limit: '5' }).length, 1);
});

const unstorable = [
  [{ a: 'b' }, undefined],
  [{ a: 'b\0' }, 'a'],
  [{ a: ['x', '\ud800'] }, 'a.1'],
  [{ a: { '\udc00': 1 } }, 'a'],
  [{ '\0': 1 }, 'body'],
  [{ a: '😀' }, undefined],
  [null, undefined],
] as const;
for (const [value, path] of unstorable) {
  test(`${JSON.stringify(value)} ${path === undefined ? 'can be stored' : `cannot be stored for ${path}`}`, () => {
    assert.equal(findUnstorableText(value), path);
  });
}

test('a text is storable exactly when UTF-8 carries it unchanged and it has no NUL', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const carried = Buffer.from(text, 'utf8').toString('utf8') === text;
      assert.equal(isStorable(text), carried && !text.includes('\0'));
    }),
  );
});

test('ids are read in any case and go on in lower case, wherever they are', () => {
  const id = '01980000-ABCD-7000-8000-00000000000F';
  const schema = Shape({
    one: Uuid,
    none: Nullable(Uuid),
    many: Type.Array(Shape({ id: Type.Optional(Nullable(Uuid)) })),
    list: Type.Array(Uuid),
  });
  const value = { one: id, none: null, many: [{ id }, { id: null }, {}], list: [id] };
  assert.deepEqual(checkSchema(schema, value), []);
  const low = id.toLowerCase();
  assert.deepEqual(value, { one: low, none: null, many: [{ id: low }, { id: null }, {}], list: [low] });
  const query = { one: id };
  assert.deepEqual(checkSchema(Shape({ one: Uuid }), query, true), []);
  assert.deepEqual(query, { one: low });
});

test('given a long list in a large value, then the faults around it come first and then those of its elements, a hundred at most', () => {
  const Line = Shape({ text: Text(3), number: Type.Integer(), more: Type.Optional(Type.Array(Uuid)) });
  const schema = Shape({ name: Text(5), lines: Type.Array(Line, { maxItems: 400 }) });
  const line = (at: number): unknown => {
    if (at === 7) return { text: 'long', number: 1, other: 1 };
    if (at === 300) return 'x';
    return { text: 'x', number: at, more: ['0190A0B0-0000-7000-8000-00000000000A'] };
  };
  const value = (count: number, of = line) => ({
    name: 'longer',
    lines: Array.from({ length: count }, (_, at) => of(at)),
  });
  const inner = ['name', 'lines.7.other', 'lines.7.text', 'lines.300'];
  const paramsOf = (given: object) => checkSchema(schema, given).map(({ param }) => param);
  const large = value(399);
  assert.deepEqual(paramsOf(large).toSorted(), inner.toSorted());
  assert.equal(paramsOf(large)[0], 'name');
  assert.equal((large.lines[0] as { more: string[] }).more[0], '0190a0b0-0000-7000-8000-00000000000a');
  assert.deepEqual(paramsOf(value(401)).toSorted(), ['lines', ...inner].toSorted());
  const wrong = value(399, () => ({ text: 1, number: 'x' }));
  assert.equal(paramsOf(wrong).length, 100);
  assert.deepEqual(paramsOf({ ...large, name: 'right' }).toSorted(), inner.slice(1).toSorted());
});

test('given the same id twice, in large and in small letters, then its list has equal elements', () => {
  const id = '0190a0b0-0000-7000-8000-00000000000a';
  const schema = Shape({ ids: Type.Array(Uuid, { maxItems: 9, uniqueItems: true }) });
  const told = (ids: string[]) => checkSchema(schema, { ids }).map(({ message }) => message);
  assert.deepEqual(told([id, id.toUpperCase()]), ['Tiene elementos repetidos.']);
  assert.deepEqual(told([id, id.replace('a', 'b')]), []);
});

test('given a list that is too long, then its elements are not compared with one another', () => {
  let looks = 0;
  // Whoever compares two objects asks first what made them.
  const looked = () =>
    Object.defineProperty({}, 'constructor', {
      get: () => {
        looks += 1;
        return Object;
      },
    });
  const unique = { maxItems: 100, uniqueItems: true };
  for (const tags of [Type.Array(Type.Unknown(), unique), Type.Array(Text(40), unique)]) {
    const schema = Shape({ tags, other: Type.Optional(Type.Integer()) });
    // With so many values beside it, the list is looked at apart from its elements.
    const value = { tags: Array.from({ length: 400 }, looked), other: Array.from({ length: 1000 }, () => 1) };
    const [issue] = checkSchema(schema, value);
    assert.deepEqual([issue?.param, issue?.message], ['tags', 'Admite 100 elementos como máximo.']);
  }
  assert.equal(looks, 0);
});
