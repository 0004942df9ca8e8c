import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DayText, Decimal, Enum, Nullable, Shape, Text, Timestamp, Type } from '../../kernel/schema.ts';
import { type JsonSchema, toWireSchema } from './wire-schema.ts';

const cases: [name: string, house: unknown, wire: JsonSchema][] = [
  ['a text', Text(20, { minLength: 1 }), { type: 'string', maxLength: 20, minLength: 1 }],
  ['a text or null', Nullable(Text(20)), { type: ['string', 'null'], maxLength: 20 }],
  ['one of, or null', Nullable(Enum(['a', 'b'])), { type: ['string', 'null'], enum: ['a', 'b', null] }],
  [
    'a constant or null',
    Nullable(Type.Literal('a')),
    { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
  ],
  [
    'a union or null',
    Nullable(Type.Union([Type.String(), Type.Number()])),
    { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
  ],
  ['anything or null', Nullable(Type.Unknown()), {}],
  ['a day', DayText, { type: 'string', format: 'date', description: 'YYYY-MM-DD' }],
  ['an instant', Timestamp, { type: 'string', format: 'date-time', description: 'ISO 8601 UTC' }],
  [
    'a decimal',
    Decimal({ decimals: 2 }),
    { type: 'number', description: '2 decimales como máximo, 12 cifras enteras como máximo.' },
  ],
  [
    'a decimal with limits, described, or null',
    Nullable(Decimal({ decimals: 4, integer_digits: 3, minimum: '0', maximum: '100' }, 'Porcentaje')),
    {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 100,
      description: 'Porcentaje. 4 decimales como máximo, 3 cifras enteras como máximo.',
    },
  ],
  [
    'a decimal above zero with significant digits',
    Decimal({ decimals: 8, significant_digits: 15, exclusive_minimum: '0' }),
    {
      type: 'number',
      exclusiveMinimum: 0,
      description: '8 decimales como máximo, 12 cifras enteras como máximo y 15 significativas en total.',
    },
  ],
  [
    'inside objects and lists',
    Shape({ days: Type.Array(Nullable(DayText)) }),
    {
      type: 'object',
      required: ['days'],
      properties: {
        days: {
          type: 'array',
          items: { type: ['string', 'null'], format: 'date', description: 'YYYY-MM-DD' },
        },
      },
      additionalProperties: false,
    },
  ],
];

for (const [name, house, wire] of cases) {
  test(`${name} in JSON Schema`, () => assert.deepEqual(toWireSchema(house as JsonSchema), wire));
}

test('a placed resource may still be null', () => {
  const Thing = Type.Object({ object: Type.Literal('thing') });
  const placed = toWireSchema(Nullable(Thing) as unknown as JsonSchema, () => ({ $ref: '#/x' }));
  assert.deepEqual(placed, { anyOf: [{ $ref: '#/x' }, { type: 'null' }] });
});
