/** The price of a pack is kept to the cent, however it is shared among its components. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Amount, amountText, parseAmount, roundLine } from '../money/amount.ts';
import { blendedRate, exactQuantity, nextPacks, sharedPrices, sumPrice } from './packs.ts';

const price = (text: string) => parseAmount(text, { decimals: 8 })!;
const quantity = (text: string) => parseAmount(text, { decimals: 6 })!;
const percent = (text: string) => parseAmount(text, { decimals: 4 })!;

function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

test('given random packs, when their price is shared, then the lines sum up to it, and each has its part to the cent', () => {
  let shared = 0;
  for (let seed = 1; seed <= 5000; seed++) {
    const roll = dice(seed);
    const parts = Array.from({ length: 1 + roll(12) }, () => ({
      unit_price: price(`${roll(500)}.${roll(100_000_000)}`),
      quantity: quantity(`${1 + roll(5)}${roll(3) === 0 ? '.5' : ''}`),
    }));
    const packs = quantity(`${roll(4) === 0 ? '-' : ''}${1 + roll(300)}${roll(4) === 0 ? '.25' : ''}`);
    const discount = roll(3) === 0 ? percent(`${roll(101)}`) : null;
    const unit_price = price(`${roll(2000)}.${roll(100)}`);
    const lines = parts.map((part) => exactQuantity(packs, part.quantity)!);
    const prices = sharedPrices(parts, lines, { quantity: packs, unit_price, discount });
    assert.ok(prices, `seed ${seed}`);
    const amounts = lines.map((line, at) => roundLine(line, prices[at]!, discount));
    const total = roundLine(packs, unit_price, discount);
    assert.equal(
      amounts.reduce((sum, one) => sum + one, 0n),
      total,
      `seed ${seed}`,
    );
    // Each part is less than a cent off its share by own prices.
    const weights = parts.map((part) => part.unit_price.units * part.quantity.units);
    const sum = weights.reduce((all, one) => all + one, 0n);
    if (sum === 0n) continue;
    shared++;
    for (const [at, amount] of amounts.entries()) {
      const off = amount * sum - total * weights[at]!;
      assert.ok((off < 0n ? -off : off) < sum, `seed ${seed}: part ${at}`);
    }
  }
  assert.ok(shared > 4500);
});

test('given a quantity that eight decimals cannot share, when a price is shared, then nothing is made up', () => {
  const one = { unit_price: price('1'), quantity: quantity('1') };
  const lines = [quantity('999999999999'), quantity('999999999999')];
  const pack = { quantity: lines[0]!, unit_price: price('0.01'), discount: null };
  assert.equal(sharedPrices([one, { ...one, unit_price: price('2') }], lines, pack), undefined);
});

const sums: [parts: [price: string, quantity: string][], discount: string | null, total: string][] = [
  [
    [
      ['1.5', '2'],
      ['0.25', '4'],
    ],
    null,
    '4',
  ],
  [[['10', '1']], '12.5', '8.75'],
  [
    [
      ['0.33333333', '3'],
      ['0.00000001', '0.5'],
    ],
    null,
    '1',
  ],
  [
    [
      ['10', '1'],
      ['-4', '1'],
    ],
    '100',
    '0',
  ],
];
for (const [parts, discount, total] of sums)
  test(`given ${JSON.stringify(parts)} less ${discount} %, when they are summed, then once rounded it is ${total}`, () => {
    const of = parts.map(([p, q]) => ({ unit_price: price(p), quantity: quantity(q) }));
    const found: Amount = sumPrice(of, discount === null ? null : percent(discount));
    assert.equal(amountText(found), total);
  });

type Taxed = [price: string, quantity: string, rate: string | null];
const taxed = (parts: readonly Taxed[]) =>
  parts.map(([unit_price, of_one, rate]) => ({
    unit_price: price(unit_price),
    quantity: quantity(of_one),
    rate: rate === null ? null : parseAmount(rate, { decimals: 2 })!,
  }));

/** Percent, to twelve decimals. */
const percentOf = ({ n, d }: { n: bigint; d: bigint }) => Number((n * 10n ** 12n) / d) / 1e12;

const rates: [what: string, parts: Taxed[], of_net: number, of_gross: number][] = [
  ['one', [['7', '3', '21']], 21, 21],
  [
    'of one rate',
    [
      ['7', '3', '4'],
      ['1', '1', '4'],
    ],
    4,
    4,
  ],
  ['none', [['7', '3', null]], 0, 0],
  // 12 at 4 % and 10 at 21 %; as prices with tax they are 11.538461... and 8.264462...
  [
    'of two rates',
    [
      ['12', '1', '4'],
      ['5', '2', '21'],
    ],
    11.727272727272,
    11.094703049759,
  ],
  [
    'of one with none',
    [
      ['10', '1', '21'],
      ['10', '1', null],
    ],
    10.5,
    9.502262443438,
  ],
  [
    'free',
    [
      ['0', '1', '21'],
      ['0', '9', null],
    ],
    10.5,
    9.502262443438,
  ],
];

for (const [what, parts, of_net, of_gross] of rates)
  test(`given components ${what}, when they share one price, then its rate is theirs, weighted by what they are worth`, () => {
    assert.equal(percentOf(blendedRate(taxed(parts), false)), of_net);
    assert.equal(percentOf(blendedRate(taxed(parts), true)), of_gross);
  });

test('given steps of components, when the next of the pack is asked for, then it is the first one reached, never too soon', () => {
  const part = (of_one: string, step: string | null) => ({
    quantity: quantity(of_one),
    next: step === null ? null : { min_quantity: quantity(step) },
  });
  const cases: [parts: ReturnType<typeof part>[], next: string | null][] = [
    [[part('1', null)], null],
    [[part('2', '10'), part('1', '50')], '5'],
    [[part('3', '10')], '3.333334'],
    [[part('0.5', '1')], '2'],
    // No line can say so many packs.
    [[part('0.000001', '999999999999')], null],
    [[part('0.000001', '999999999999'), part('1', '7')], '7'],
  ];
  for (const [parts, next] of cases) {
    const found = nextPacks(parts);
    assert.equal(found && amountText(found), next);
  }
});
