import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../../kernel/json.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { requestHash } from './request-hash.ts';

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
      `"product_id":"${product_id}","quantity":2,"tax_rate":21,"discount_percent":null,"retention_rate":null,"unit":null`,
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
  ['a line more', base.replace('"lines":[', '"lines":[{"unit_price":1},')],
];
for (const [name, text] of other)
  test(`given ${name}, then it is another request`, () => assert.notEqual(hashOf(text), hashOf(base)));

test('given no quantity, then it is one', () =>
  assert.equal(hashOf(lineOf('"unit_price":5')), hashOf(lineOf('"unit_price":5.0,"quantity":1'))));
