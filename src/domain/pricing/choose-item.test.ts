import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountLimits, parseAmount } from '../money/amount.ts';
import { type Asked, chooseItem, indexItems, itemsFor, type PriceItem } from './choose-item.ts';

const quantity = (text: string) => parseAmount(text, amountLimits.quantity)!;
const price = parseAmount('1', amountLimits.unit_price)!;

const item = (id: string, fields: Partial<PriceItem>): PriceItem => ({
  id,
  product_id: 'p',
  variant_id: null,
  presentation_id: null,
  min_quantity: quantity('1'),
  unit_price: price,
  discount_percent: null,
  valid_from: null,
  valid_to: null,
  ...fields,
});

type Case = readonly [
  what: string,
  items: readonly PriceItem[],
  asked: Partial<Asked>,
  item: string | null,
  next: string | null,
];
const one = item('one', {});
const ten = item('ten', { min_quantity: quantity('10') });
const variant = item('variant', { variant_id: 'v' });
const presentation = item('presentation', { presentation_id: 'b' });
const both = item('both', { variant_id: 'v', presentation_id: 'b', min_quantity: quantity('5') });

const cases: readonly Case[] = [
  ['nothing', [], {}, null, null],
  ['the only one', [one], {}, 'one', null],
  ['one of another product', [one], { product_id: 'q' }, null, null],
  ['just below a break', [one, ten], { quantity: quantity('9.999999') }, 'one', 'ten'],
  ['exactly at a break', [one, ten], { quantity: quantity('10') }, 'ten', null],
  ['a return, by its size', [one, ten], { quantity: quantity('-10') }, 'ten', null],
  ['less than the least', [ten], {}, null, 'ten'],
  ['a quantity of zero', [one], { quantity: quantity('0') }, null, 'one'],
  [
    'a variant before a presentation',
    [presentation, variant, ten],
    { variant_id: 'v', presentation_id: 'b', quantity: quantity('10') },
    'variant',
    null,
  ],
  [
    'both before a variant',
    [variant, both],
    { variant_id: 'v', presentation_id: 'b', quantity: quantity('5') },
    'both',
    null,
  ],
  [
    'both as the next break',
    [variant, both, ten],
    { variant_id: 'v', presentation_id: 'b' },
    'variant',
    'both',
  ],
  [
    'a presentation of another variant',
    [one, both],
    { variant_id: 'w', presentation_id: 'b', quantity: quantity('9') },
    'one',
    null,
  ],
  ['a variant that was not asked for', [one, variant], {}, 'one', null],
  [
    'until yesterday',
    [item('a', { valid_to: '2026-06-14' }), item('b', { valid_from: '2026-06-16' })],
    {},
    null,
    null,
  ],
  [
    'the first and the last day',
    [item('a', { valid_from: '2026-06-15', valid_to: '2026-06-15' })],
    {},
    'a',
    null,
  ],
  [
    'the latest day',
    [item('a', {}), item('b', { valid_from: '2026-01-01' }), item('c', { valid_from: '2025-01-01' })],
    {},
    'b',
    null,
  ],
  [
    'a higher quantity before a later day',
    [item('a', { min_quantity: quantity('2') }), item('b', { valid_from: '2026-01-01' })],
    { quantity: quantity('2') },
    'a',
    null,
  ],
];

const askedOf = (fields: Partial<Asked>): Asked => ({
  product_id: 'p',
  variant_id: null,
  presentation_id: null,
  quantity: quantity('1'),
  on_date: '2026-06-15',
  ...fields,
});

for (const [what, items, asked, expected, next] of cases)
  test(`${what}: ${expected}, then ${next}`, () => {
    const found = chooseItem(items, askedOf(asked));
    assert.deepEqual([found.item?.id ?? null, found.next?.id ?? null], [expected, next]);
  });

const id = (...ids: (string | null)[]) => fc.constantFrom(...ids);
const days = id(null, '2026-06-01', '2026-06-15', '2026-06-30');
const items = fc
  .uniqueArray(
    fc.record({
      product_id: fc.constantFrom('p', 'q'),
      variant_id: id(null, 'v', 'w'),
      presentation_id: id(null, 'b'),
      min_quantity: fc.constantFrom('0.5', '1', '2', '10').map(quantity),
      valid_from: days,
      valid_to: days,
    }),
    {
      maxLength: 25,
      selector: (one) =>
        JSON.stringify({ ...one, valid_to: null, min_quantity: String(one.min_quantity.units) }),
    },
  )
  .map((all) => all.map((fields, at) => item(String(at), fields)));
const asks = fc.record({
  product_id: fc.constantFrom('p', 'q'),
  variant_id: id(null, 'v', 'w'),
  presentation_id: id(null, 'b'),
  quantity: fc.constantFrom('-10', '-1', '0', '0.5', '1.5', '2', '9', '10', '11').map(quantity),
  on_date: fc.constantFrom('2026-05-31', '2026-06-01', '2026-06-15', '2026-07-01'),
});

/** Tries every item by the rule's words: no other one comes before it. */
function oracle(all: readonly PriceItem[], asked: Asked): string | null {
  const size = Math.abs(Number(asked.quantity.units));
  const holding = all.filter(
    (one) =>
      one.product_id === asked.product_id &&
      [null, asked.variant_id].includes(one.variant_id) &&
      [null, asked.presentation_id].includes(one.presentation_id) &&
      (one.valid_from ?? '0') <= asked.on_date &&
      asked.on_date <= (one.valid_to ?? '9') &&
      Number(one.min_quantity.units) <= size,
  );
  const key = (one: PriceItem) =>
    [
      one.variant_id && one.presentation_id ? 3 : one.variant_id ? 2 : one.presentation_id ? 1 : 0,
      String(one.min_quantity.units).padStart(20, '0'),
      one.valid_from ?? '0',
    ].join(' ');
  return holding.sort((a, b) => (key(a) < key(b) ? 1 : -1))[0]?.id ?? null;
}

test('given any items, then the one chosen is the first of all by the rules, and the next one holds from its quantity on', () => {
  fc.assert(
    fc.property(items, asks, (all, asked) => {
      const { item: chosen, next } = chooseItem(itemsFor(indexItems(all), asked), asked);
      assert.equal(chosen?.id ?? null, oracle(all, asked));
      const steps = all
        .map((one) => one.min_quantity)
        .filter(
          (step) => step.units > (asked.quantity.units < 0n ? -asked.quantity.units : asked.quantity.units),
        )
        .sort((a, b) => Number(a.units - b.units));
      const change = steps.find((step) => oracle(all, { ...asked, quantity: step }) !== (chosen?.id ?? null));
      assert.equal(next?.min_quantity.units, change?.units);
      if (next) assert.equal(next.id, oracle(all, { ...asked, quantity: next.min_quantity }));
    }),
    { numRuns: 400 },
  );
});
