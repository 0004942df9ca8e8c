import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDefaults } from './line-defaults.ts';
import type { LineClient } from './line-client.ts';
import type { LineKind } from './rows.ts';
import type { LineFacts, LineProduct, LineTax } from './line-facts.ts';
import type { LineInput } from './line-input.ts';

const tax = (id: string, fields: Partial<LineTax>): LineTax => ({
  id,
  name: id,
  kind: 'vat',
  rate: null,
  surcharge_rate: null,
  qualification: null,
  exemption_reason: null,
  regime_key: null,
  valid_from: null,
  valid_to: null,
  is_active: true,
  ...fields,
});
const taxes = new Map(
  [
    tax('21', { rate: '21' }),
    tax('4', { rate: '4' }),
    tax('cash', { rate: '21', regime_key: '07' }),
    tax('used', { rate: '21', regime_key: '03' }),
    tax('E1', { exemption_reason: 'E1' }),
    tax('N1', { qualification: 'N1' }),
    tax('igic', { kind: 'igic', rate: '7' }),
  ].map((one) => [one.id, one]),
);

const noClient: LineClient = {
  regime: null,
  taxes_id: null,
  vat_rate: null,
  retention_rate: null,
  discount_percent: null,
};
const productOf = (taxes_id: string | null, kind: LineKind = 'good'): LineProduct => ({
  id: 'p',
  name: 'Mesa',
  kind,
  unit: null,
  unit_price: '1',
  taxes_id,
  is_active: true,
});

type Case = readonly [
  what: string,
  line: LineInput,
  product: LineProduct | null,
  client: Partial<LineClient>,
  expected: string,
  more?: Partial<LineFacts>,
];

/** The tax that the line takes, or how the regime taxes it. */
function told([, line, product, client, , more = {}]: Case): string {
  const { taxes_id, taxation, kind } = lineDefaults(line, product, {
    products: new Map(),
    taxes,
    default_vat: '21',
    client: { ...noClient, ...client },
    is_surcharge_subject: false,
    on_date: '2026-06-01',
    version: '2026-10-01',
    ...more,
  });
  const by_regime = taxation && (taxation.exemption_reason ?? taxation.qualification);
  return `${kind} ${taxes_id ?? by_regime ?? 'none'}`;
}

const intra = { regime: 'intra_community' } as const;
const cases: readonly Case[] = [
  ['nothing', {}, null, {}, 'good none'],
  ["the product's tax before the client's", {}, productOf('4'), { taxes_id: '21' }, 'good 4'],
  ["the client's tax where the product has none", {}, productOf(null), { taxes_id: '21' }, 'good 21'],
  [
    "the client's tax, of a version that asks for a tax",
    {},
    null,
    { taxes_id: '21' },
    'good none',
    { version: '2026-06-01' },
  ],
  ['a tax sent', { taxes_id: 'N1' }, productOf('4'), { taxes_id: '21' }, 'good N1'],
  ['no tax, said', { taxes_id: null }, productOf('4'), { taxes_id: '21' }, 'good none'],
  ['a rate sent', { tax_rate: 10 }, productOf('4'), { taxes_id: '21' }, 'good none'],
  ['the rate 0 over a tax with a rate', { tax_rate: 0 }, productOf('4'), {}, 'good none'],
  ['the rate 0 over a tax without', { tax_rate: 0 }, productOf('N1'), {}, 'good N1'],
  [
    "a kind of tax that is not the product's but the client's",
    { tax_kind: 'igic' },
    productOf('4'),
    { taxes_id: 'igic' },
    'good igic',
  ],
  ['a kind of tax that nobody has', { tax_kind: 'ipsi' }, productOf('4'), { taxes_id: 'igic' }, 'good none'],

  ['a kind said over that of the product', { kind: 'service' }, productOf('4'), {}, 'service 4'],
  ['a kind that says nothing', { kind: null }, productOf('4', 'service'), {}, 'service 4'],
  ['a stored kind of a product that is gone', { stored_kind: 'service' }, null, {}, 'service none'],
  [
    'a stored kind of a product that is another now',
    { stored_kind: 'service' },
    productOf('4'),
    {},
    'good 4',
  ],

  ['general', {}, null, { regime: 'general' }, 'good none'],
  ['surcharge', {}, null, { regime: 'surcharge' }, 'good none'],
  ['intra-community goods', {}, null, intra, 'good E5'],
  ['intra-community goods with a tax of the product', {}, productOf('21'), intra, 'good E5'],
  ['intra-community services', {}, productOf('21', 'service'), intra, 'service N2'],
  ['exported goods', {}, null, { regime: 'export' }, 'good E2'],
  ['exported services', { kind: 'service' }, null, { regime: 'export' }, 'service N2'],
  ['reverse charge', {}, productOf('21'), { regime: 'reverse_charge' }, 'good S2'],
  ['reverse charge of a service', { kind: 'service' }, null, { regime: 'reverse_charge' }, 'service S2'],
  ['an exempt client', {}, productOf('21'), { regime: 'exempt' }, 'good E6'],
  [
    'an exempt client whose tax names the cause',
    {},
    productOf('21'),
    { regime: 'exempt', taxes_id: 'E1' },
    'good E1',
  ],
  ['an exempt client whose tax is a rate', {}, null, { regime: 'exempt', taxes_id: '21' }, 'good E6'],
  ["a regime before the client's tax", {}, null, { ...intra, taxes_id: '21' }, 'good E5'],
  ['a regime of a version that asks for a tax', {}, null, intra, 'good E5', { version: '2026-06-01' }],

  ['a regime and a rate sent', { tax_rate: 21 }, null, intra, 'good none'],
  ['a regime and the rate 0', { tax_rate: 0 }, productOf('21'), intra, 'good E5'],
  ['a regime and a null rate', { tax_rate: null }, null, intra, 'good E5'],
  ['a regime and a tax sent', { taxes_id: '21' }, null, intra, 'good 21'],
  ['a regime and no tax, said', { taxes_id: null }, productOf('21'), intra, 'good E5'],
  ['a regime and a qualification', { qualification: 'S1' }, null, intra, 'good none'],
  ['a regime and no qualification, said', { qualification: null }, null, intra, 'good none'],
  ['a regime and a cause', { exemption_reason: 'E6' }, null, intra, 'good none'],
  ['a regime and the general key', { regime_key: '01' }, null, intra, 'good E5'],
  ['a regime and a special key', { regime_key: '03' }, productOf('21'), intra, 'good 21'],
  ['a regime and a product exempt by itself', {}, productOf('E1'), intra, 'good E1'],
  ['a regime and a product that is not subject', {}, productOf('N1'), { regime: 'export' }, 'good N1'],
  ['a regime and used goods', {}, productOf('used'), intra, 'good used'],
  ['a regime and the cash basis', {}, productOf('cash'), intra, 'good E5'],
  ['a regime and a tax of the Canary Islands', {}, productOf('igic'), intra, 'good igic'],
  ['a regime and that kind of tax, sent', { tax_kind: 'igic' }, null, intra, 'good none'],
];
for (const one of cases) test(`${one[0]}: ${one[4]}`, () => assert.equal(told(one), one[4]));

const sums: readonly (readonly [string, LineInput, Partial<LineClient>, unknown[]])[] = [
  ['nothing', {}, {}, ['21', null, null]],
  ['the client', {}, { vat_rate: 10, retention_rate: 15, discount_percent: 5 }, ['10', 15, 5]],
  ['a rate of 0 of the client', {}, { vat_rate: 0 }, ['0', null, null]],
  [
    'what was sent',
    { retention_rate: 7, discount_percent: 0 },
    { retention_rate: 15, discount_percent: 5 },
    ['21', 7, 0],
  ],
  [
    'none, sent',
    { retention_rate: null, discount_percent: null },
    { retention_rate: 15, discount_percent: 5 },
    ['21', null, null],
  ],
];
for (const [what, line, client, expected] of sums)
  test(`rate, retention and discount of ${what}`, () => {
    const facts = {
      products: new Map(),
      taxes,
      default_vat: '21',
      is_surcharge_subject: false,
      on_date: '2026-06-01',
    };
    const of = { ...facts, version: '2026-10-01', client: { ...noClient, ...client } };
    const { vat_rate, retention_rate, discount_percent } = lineDefaults(line, null, of);
    assert.deepEqual([vat_rate, retention_rate, discount_percent], expected);
  });
