import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountLimits, amountText, parseAmount } from '../money/amount.ts';
import { indexItems, type PriceItem } from './choose-item.ts';
import { listThatHolds, type PriceList, priceOf, type PriceTerms, type Sold } from './list-price.ts';

const list: PriceList = {
  id: 'l',
  name: 'Mayoristas',
  currency: 'EUR',
  prices_include_tax: false,
  valid_from: null,
  valid_to: null,
  is_active: true,
};
const terms: PriceTerms = { currency: 'EUR', prices_include_tax: false, on_date: '2026-06-15' };
const one = parseAmount('1', amountLimits.quantity)!;

const held: readonly (readonly [
  what: string,
  list: Partial<PriceList>,
  terms: Partial<PriceTerms>,
  holds: boolean,
])[] = [
  ['a plain one', {}, {}, true],
  ['an archived one', { is_active: false }, {}, false],
  ['until yesterday', { valid_to: '2026-06-14' }, {}, false],
  ['until today', { valid_to: '2026-06-15' }, {}, true],
  ['from tomorrow', { valid_from: '2026-06-16' }, {}, false],
  ['of another currency', { currency: 'USD' }, {}, false],
  ['of the currency of the document', { currency: 'USD' }, { currency: 'USD' }, true],
];
for (const [what, fields, asked, holds] of held)
  test(`a list ${what} ${holds ? 'holds' : 'does not hold'}`, () =>
    assert.equal(listThatHolds({ ...list, ...fields }, { ...terms, ...asked }) !== null, holds));

type Priced = Partial<Pick<PriceItem, 'variant_id' | 'presentation_id'>> & {
  price?: string;
  discount?: string;
};
type Case = readonly [
  what: string,
  sold: {
    price?: string;
    presentation?: { factor: string; unit_price?: string };
    deltas?: readonly string[];
  },
  item: Priced | null,
  more: { list?: Partial<PriceList>; terms?: Partial<PriceTerms>; rate?: string },
  expected: string,
];

function told([, { price = '100', presentation, deltas = [] }, item, more]: Case): string {
  const sold: Sold = {
    product: { id: 'p', unit_price: price },
    variant: null,
    presentation: presentation ? { id: 'b', unit_price: null, ...presentation } : null,
    options: deltas.map((price_delta) => ({ price_delta })),
    quantity: one,
  };
  const read = (text: string | undefined, limits: Parameters<typeof parseAmount>[1]) =>
    text === undefined ? null : parseAmount(text, limits)!;
  const items: PriceItem[] = item
    ? [
        {
          id: 'i',
          product_id: 'p',
          variant_id: null,
          presentation_id: null,
          ...item,
          min_quantity: one,
          unit_price: read(item.price, amountLimits.unit_price),
          discount_percent: read(item.discount, amountLimits.discount_percent),
          valid_from: null,
          valid_to: null,
        },
      ]
    : [];
  const all = { ...terms, ...more.terms };
  const held = item ? listThatHolds({ ...list, ...more.list }, all) : null;
  const found = priceOf(
    sold,
    { terms: all, list: held, items: indexItems(items) },
    read(more.rate, amountLimits.rate),
  );
  if (typeof found === 'string') return found;
  const discount = found.discount_percent ? ` -${amountText(found.discount_percent)}%` : '';
  return `${amountText(found.unit_price)}${discount}`;
}

const gross = { prices_include_tax: true };
const cases: readonly Case[] = [
  ['the own price', {}, null, {}, '100'],
  ['the own price in a document with tax', {}, null, { terms: gross, rate: '21' }, '121'],
  ['the own price without a rate', {}, null, { terms: gross }, '100'],
  ['the own price in dollars', {}, null, { terms: { currency: 'USD' } }, 'no_price_in_currency'],
  ['a list', {}, { price: '80.12345678' }, {}, '80.12345678'],
  ['a list in dollars', {}, { price: '80' }, { list: { currency: 'USD' }, terms: { currency: 'USD' } }, '80'],
  ['a discount', {}, { discount: '7.5' }, {}, '100 -7.5%'],
  [
    'a discount in dollars',
    {},
    { discount: '5' },
    { list: { currency: 'USD' }, terms: { currency: 'USD' } },
    'no_price_in_currency',
  ],
  ['a discount of a list with tax', {}, { discount: '5' }, { list: gross, rate: '21' }, '100 -5%'],
  ['a list with tax in a document without', {}, { price: '10' }, { list: gross, rate: '21' }, '8.26446281'],
  [
    'a list with tax in a document with it',
    {},
    { price: '10' },
    { list: gross, terms: gross, rate: '21' },
    '10',
  ],
  [
    'a list without tax in a document with it',
    {},
    { price: '8.26446281' },
    { terms: gross, rate: '21' },
    '10',
  ],
  ['half of the last decimal', {}, { price: '-0.00000001' }, { terms: gross, rate: '50' }, '-0.00000002'],
  [
    'a large price of a list, to 15 digits',
    {},
    { price: '10000000.01' },
    { list: gross, rate: '21' },
    '8264462.81818182',
  ],
  [
    'a larger one, to 15 digits',
    {},
    { price: '100000000.01' },
    { list: gross, rate: '21' },
    '82644628.107438',
  ],
  ['one beyond 12 digits', {}, { price: '900000000000' }, { terms: gross, rate: '21' }, 'too_large'],
  ['a box by its units', { presentation: { factor: '12' } }, { price: '2.5' }, {}, '30'],
  [
    'a box by its own item',
    { presentation: { factor: '12' } },
    { price: '25', presentation_id: 'b' },
    {},
    '25',
  ],
  ['a box without a list', { presentation: { factor: '12' } }, null, {}, '1200'],
  [
    'a box with an own price',
    { presentation: { factor: '12', unit_price: '999' } },
    { discount: '10' },
    {},
    '999 -10%',
  ],
  ['options on a list', { deltas: ['1.5', '-0.25'] }, { price: '80' }, {}, '81.25'],
  ['options on a list with tax', { deltas: ['10'] }, { price: '121' }, { list: gross, rate: '21' }, '110'],
  [
    'options in a document with tax',
    { deltas: ['10'] },
    { price: '100' },
    { terms: gross, rate: '21' },
    '133.1',
  ],
  [
    'options on a list in dollars',
    { deltas: ['10'] },
    { price: '80' },
    { list: { currency: 'USD' }, terms: { currency: 'USD' } },
    'no_price_in_currency',
  ],
  [
    'options that add nothing, in dollars',
    { deltas: ['0'] },
    { price: '80' },
    { list: { currency: 'USD' }, terms: { currency: 'USD' } },
    '80',
  ],
];
for (const one of cases) test(`${one[0]}: ${one[4]}`, () => assert.equal(told(one), one[4]));
