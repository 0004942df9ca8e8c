import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../../kernel/json.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { correctiveHash, requestHash } from './request-hash.ts';

const product_id = '01980000-0000-7000-8000-00000000000a';
const client_id = '01980000-0000-7000-8000-00000000000b';
const base = `{"type":"F2","client_id":"${client_id}","lines":[{"product_id":"${product_id}","quantity":2,"tax_rate":21}]}`;
const hashOf = (text: string) => requestHash(parseJson(text) as InvoiceInputBody);
const lineOf = (line: string, rest = '') =>
  `{"type":"F2","client_id":"${client_id}",${rest}"lines":[{${line}}]}`;

const same: [string, string][] = [
  [
    'keys in another order',
    `{"lines":[{"tax_rate":21,"quantity":2,"product_id":"${product_id}"}],"client_id":"${client_id}","type":"F2"}`,
  ],
  [
    'nulls that say nothing',
    lineOf(
      `"product_id":"${product_id}","quantity":2,"tax_rate":21,"kind":null,"unit":null`,
      '"issued_on":null,"notes":null,"external_id":"x",',
    ),
  ],
  [
    'defaults said',
    lineOf(
      `"product_id":"${product_id}","quantity":2,"tax_rate":21`,
      '"prices_include_tax":false,"currency":"EUR",',
    ),
  ],
  [
    'other spellings of numbers and ids',
    lineOf(`"product_id":"${product_id.toUpperCase()}","quantity":2.000,"tax_rate":2.1e1`),
  ],
  [
    'another text',
    lineOf(
      `"product_id":"${product_id}","quantity":2,"tax_rate":21,"description":"Otra"`,
      '"notes":"n","metadata":{"a":"b"},',
    ),
  ],
];
for (const [name, text] of same)
  test(`given ${name}, then it is the same request`, () => assert.equal(hashOf(text), hashOf(base)));

const other: [string, string][] = [
  ['another type', base.replace('F2', 'F1')],
  ['another client', base.replace(client_id, product_id)],
  ['no client', base.replace(`"client_id":"${client_id}",`, '')],
  ['another quantity', base.replace('"quantity":2', '"quantity":3')],
  ['another rate', base.replace('21', '10')],
  ['prices with tax', base.replace('{"type"', '{"prices_include_tax":true,"type"')],
  ['another day', base.replace('{"type"', '{"operation_on":"2024-11-01","type"')],
  ['no surcharge, said', base.replace('"tax_rate"', '"surcharge_rate":null,"tax_rate"')],
  ['no tax of the product, said', base.replace('"tax_rate"', '"taxes_id":null,"tax_rate"')],
  // Absent, the client's defaults are taken.
  ['no discount, said', base.replace('"tax_rate"', '"discount_percent":null,"tax_rate"')],
  ['no retention, said', base.replace('"tax_rate"', '"retention_rate":null,"tax_rate"')],
  ['a line more', base.replace('"lines":[', '"lines":[{"unit_price":1},')],
];
for (const [name, text] of other)
  test(`given ${name}, then it is another request`, () => assert.notEqual(hashOf(text), hashOf(base)));

test('given no client, then a discount of null says nothing', () =>
  assert.equal(
    hashOf('{"lines":[{"unit_price":5,"discount_percent":null,"retention_rate":null}]}'),
    hashOf('{"lines":[{"unit_price":5}]}'),
  ));

test('given no quantity, then it is one', () =>
  assert.equal(hashOf(lineOf('"unit_price":5')), hashOf(lineOf('"unit_price":5.0,"quantity":1'))));

test('given an earlier request, then its stored hash still holds', () => {
  const line =
    '"kind":"good","retention_rate":15,"tax_rate":21,"discount_percent":5,"unit_price":2,"surcharge_rate":null';
  assert.equal(hashOf(lineOf(line)), '3EdJ6m7qWAloatXhDbxGMq6IaFAmd7S34LykCZdi+Gg=');
  assert.equal(hashOf(base), 'qEoAFzKSSb6m5EDlajPSqZHIxzACYA+9DUgyLuI+NaU=');
});

const corrective = (lines: string | null, type = 'differences') =>
  correctiveHash(
    product_id,
    parseJson(`{"correction":{"type":"${type}"}${lines === null ? '' : `,"lines":[{${lines}}]`}}`) as never,
  );

const correctives: [string, string | null, string | null][] = [
  ['no lines', null, ''],
  ["no quantity, which is the original's", '"unit_price":5', '"unit_price":5,"quantity":1'],
  ...['product_id', 'tax_rate', 'kind', 'discount_percent', 'retention_rate', 'surcharge_rate'].map(
    (key): [string, string, string] => [`${key} null`, '"unit_price":5', `"unit_price":5,"${key}":null`],
  ),
];
for (const [name, one, another] of correctives)
  test(`given a corrective with ${name}, then it is another than the one that inherits or says otherwise`, () =>
    assert.notEqual(corrective(one), corrective(another)));

test('given a corrective in other spellings, then it is the same', () => {
  assert.equal(corrective('"quantity":1,"unit_price":5'), corrective('"unit_price":5.00,"quantity":1.0'));
  assert.notEqual(corrective(null), corrective(null, 'substitution'));
});
