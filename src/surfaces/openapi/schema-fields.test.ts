import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DayText,
  Decimal,
  Enum,
  Money,
  Nullable,
  Shape,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { fieldList, limitsText, typeText } from './schema-fields.ts';
import type { JsonSchema } from '../shared/wire-schema.ts';

const types: [schema: unknown, text: string][] = [
  [Text(10), 'texto'],
  [Nullable(Uuid), 'UUID o null'],
  [DayText, 'fecha'],
  [Nullable(Timestamp), 'fecha y hora o null'],
  [Money, 'importe'],
  [Nullable(Decimal({ decimals: 2 })), 'número decimal o null'],
  [Type.Array(Uuid), 'lista de UUID'],
  [Type.Union([Type.String(), Type.Null()]), 'texto o null'],
  [Nullable(Type.Union([Type.String(), Type.Integer()])), 'texto o número entero o null'],
  [Type.Literal('client'), '"client"'],
  [Type.Literal(true), 'true'],
  [Enum(['a', 'b']), 'texto'],
  [Type.Unknown(), 'cualquier valor'],
];

for (const [schema, text] of types) {
  test(`${JSON.stringify(schema)} is ${text}`, () => assert.equal(typeText(schema as JsonSchema), text));
}

const limits: [schema: unknown, texts: string[]][] = [
  [Text(10), ['10 caracteres como máximo']],
  [Text(10, { minLength: 1 }), ['de 1 a 10 caracteres']],
  [Text(5, { minLength: 5, pattern: '^[0-9]+$' }), ['5 caracteres', 'patrón `^[0-9]+$`']],
  [
    Type.Array(Text(40), { maxItems: 50, uniqueItems: true }),
    ['50 elementos como máximo', 'sin repetir', 'cada uno: 40 caracteres como máximo'],
  ],
  [Type.Integer({ minimum: 1, maximum: 100 }), ['de 1 a 100']],
  [Type.Integer({ minimum: 0 }), ['0 como mínimo']],
  [
    Decimal({ decimals: 2, exclusive_minimum: '0' }),
    ['mayor que 0', '2 decimales como máximo, 12 cifras enteras como máximo'],
  ],
];

for (const [schema, texts] of limits) {
  test(`${JSON.stringify(schema)} is limited to: ${texts.join('; ')}`, () =>
    assert.deepEqual(limitsText(schema as JsonSchema), texts));
}

test('fields are told to the depth they have, and what must be sent is marked', () => {
  const schema = Shape({
    lines: Type.Array(Shape({ title: Text(5), note: Type.Optional(Text(9)) })),
  }) as unknown as JsonSchema;
  const sent = fieldList(schema, true)?.text ?? '';
  assert.equal(sent.match(/obligatorio/g)?.length, 2);
  assert.match(sent, /lines<\/code> <span class="type">lista de objeto/);
  assert.match(sent, /9 caracteres como máximo/);
  const answered = fieldList(schema, false)?.text ?? '';
  assert.doesNotMatch(answered, /obligatorio|caracteres/);
  assert.match(answered, /no siempre/);
});

test('of several objects each has its fields, under its own name', () => {
  const schema = Type.Union([
    Type.Object({ object: Type.Literal('sheet'), price: Money }),
    Type.Object({ object: Type.Literal('dry_run'), can_issue: Type.Boolean() }),
    Type.Null(),
  ]) as unknown as JsonSchema;
  const told = fieldList(schema, false)?.text ?? '';
  assert.match(told, /<code>sheet<\/code>.*>price<.*<code>dry_run<\/code>.*>can_issue</s);
  assert.equal(told.match(/<ul class="fields">/g)?.length, 2);
});

test('a schema without fields has no list', () => {
  assert.equal(fieldList({ type: 'string', maxLength: 5 }, true), undefined);
  assert.equal(fieldList({ type: 'object' }, true), undefined);
});
