import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { parseJson } from '../../kernel/json.ts';
import {
  amountLimits,
  amountText,
  amountToJson,
  centsToNumber,
  fixedText,
  parseAmount,
  powerOfTen,
  readAmount,
  roundDiv,
  roundLine,
  roundTotal,
  sameAmount,
} from './amount.ts';

const Exact = Decimal.clone({
  precision: 80,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -200,
  toExpPos: 200,
});
const amount = (text: string, decimals = 6) => {
  const parsed = parseAmount(text, { decimals });
  assert.ok(parsed, text);
  return parsed;
};

const accepted = [
  ['0', 2, 0n],
  ['-0', 2, 0n],
  ['-0.00', 2, 0n],
  ['0e999999999999', 2, 0n],
  ['1', 2, 100n],
  ['-1.5', 2, -150n],
  ['12.30', 2, 1230n],
  ['12.3000000000', 2, 1230n],
  ['1e2', 2, 10000n],
  ['1E+2', 2, 10000n],
  ['1.5E-3', 6, 1500n],
  ['0.000001e6', 0, 1n],
  ['100e-2', 0, 1n],
  ['999999999999.99', 2, 99999999999999n],
  ['0.00000001', 8, 1n],
  ['-1e11', 0, -100000000000n],
] as const;
for (const [text, decimals, units] of accepted) {
  test(`${text} is read at scale ${decimals}`, () => {
    assert.deepEqual(parseAmount(text, { decimals }), { units, scale: decimals });
  });
}

const refused = [
  ['', 2],
  ['-', 2],
  ['+1', 2],
  ['.5', 2],
  ['1.', 2],
  ['01', 2],
  ['1,5', 2],
  [' 1', 2],
  ['1\n', 2],
  ['NaN', 2],
  ['Infinity', 2],
  ['0x10', 2],
  ['1e', 2],
  ['1.234', 2],
  ['1e-3', 2],
  ['1000000000000', 2],
  ['1e12', 2],
  ['1e999999999', 2],
  ['1e-999999999', 2],
  [`1e${'9'.repeat(400)}`, 2],
  [`1${'0'.repeat(100_000)}1`, 2],
  [`0.1${'0'.repeat(100_000)}1`, 2],
] as const;
for (const [text, decimals] of refused) {
  test(`${JSON.stringify(text.slice(0, 20))} (${text.length} characters) is refused at ${decimals} decimals`, () => {
    assert.equal(parseAmount(text, { decimals }), undefined);
  });
}

for (const [text, units] of [
  ['007', 700n],
  ['-00.50', -50n],
  ['000', 0n],
  ['0.05', 5n],
  ['0100.1', 10010n],
  [`${'0'.repeat(100_000)}1`, 100n],
] as const)
  test(`${text.slice(0, 20)} (${text.length} characters) is read where zeros may precede`, () => {
    assert.equal(parseAmount(text, { decimals: 2, leading_zeros: true })?.units, units);
  });

test('where zeros may precede, what is no number is none still', () => {
  for (const text of ['', '-', '00.', '0x1', '--01', '0-1', ' 01', '+01', '00,5'])
    assert.equal(parseAmount(text, { decimals: 2, leading_zeros: true }), undefined, text);
});

test('a unit price has at most fifteen significant digits', () => {
  const limits = amountLimits.unit_price;
  assert.equal(parseAmount('1234567.12345678', limits)?.units, 123456712345678n);
  assert.equal(parseAmount('12345678.12345678', limits), undefined);
  assert.equal(parseAmount('100000000000', limits)?.scale, 8);
});

test('a number of a body is read from its source text', () => {
  const price = parseJson('123456789012.123456') as number;
  assert.deepEqual(readAmount(price, amountLimits.quantity), { units: 123456789012123456n, scale: 6 });
  assert.deepEqual(readAmount(parseJson('1e-7') as number, amountLimits.unit_price), {
    units: 10n,
    scale: 8,
  });
  assert.equal(readAmount(parseJson('1e400') as number, amountLimits.money), undefined);
});

const printed = [
  [0n, 2, '0.00', '0'],
  [5n, 2, '0.05', '0.05'],
  [-5n, 2, '-0.05', '-0.05'],
  [1230n, 2, '12.30', '12.3'],
  [100n, 2, '1.00', '1'],
  [-10000n, 2, '-100.00', '-100'],
  [100n, 0, '100', '100'],
  [1n, 8, '0.00000001', '0.00000001'],
] as const;
for (const [units, scale, fixed, shortest] of printed) {
  test(`${units} at scale ${scale} prints as ${fixed} and ${shortest}`, () => {
    assert.equal(fixedText(units, scale), fixed);
    assert.equal(amountText({ units, scale }), shortest);
  });
}

test('JSON shows an amount exactly, as a number up to fifteen digits and as its text beyond', () => {
  const row = [
    amountToJson(amount('19.99', 8)),
    amountToJson(amount('123456789012.123456')),
    amountToJson(amount('-1234567890.12345')),
    amountToJson(amount('0')),
  ];
  assert.equal(JSON.stringify(row), '[19.99,123456789012.123456,-1234567890.12345,0]');
  assert.equal(typeof row[2], 'number');
});

test('JSON does not trust a double with sixteen digits', () => {
  const amount = { units: 9007199254740993n, scale: 2 };
  assert.equal(JSON.stringify(amountToJson(amount)), '90071992547409.93');
  assert.equal(JSON.stringify(amountToJson({ ...amount, scale: 0 })), '9007199254740993');
});

const divisions = [
  [5n, 2n, 3n],
  [-5n, 2n, -3n],
  [5n, -2n, -3n],
  [-5n, -2n, 3n],
  [4n, 3n, 1n],
  [5n, 3n, 2n],
  [-4n, 3n, -1n],
  [-5n, 3n, -2n],
  [0n, 7n, 0n],
  [49n, 100n, 0n],
  [50n, 100n, 1n],
  [-50n, 100n, -1n],
] as const;
for (const [n, d, expected] of divisions) {
  test(`${n} / ${d} rounds to ${expected}`, () => assert.equal(roundDiv(n, d), expected));
}

test('a division by zero is refused', () => assert.throws(() => roundDiv(1n, 0n), RangeError));

const lineCases = [
  ['1', '0.005', null, 1n],
  ['-1', '0.005', null, -1n],
  ['1', '0.00499999', null, 0n],
  ['3', '19.99', '10', 5397n],
  ['1', '100', '100', 0n],
  ['0.333333', '3', null, 100n],
  ['2.5', '-7.35', null, -1838n],
  ['1', '0.01', '50', 1n],
] as const;
for (const [quantity, price, discount, cents] of lineCases) {
  test(`${quantity} x ${price} less ${discount ?? 0} % is ${cents} cents`, () => {
    const percent = discount === null ? null : amount(discount, 2);
    assert.equal(roundLine(amount(quantity), amount(price, 8), percent), cents);
  });
}

test('amounts without decimals are rounded to cents too', () => {
  assert.equal(roundLine({ units: 3n, scale: 0 }, { units: 25n, scale: 1 }, null), 750n);
});

test('a tax is a percentage of the whole base', () => {
  assert.equal(roundTotal(45n, amount('10', 2)), 5n);
  assert.equal(roundTotal(-45n, amount('10', 2)), -5n);
  assert.equal(roundTotal(10000n, amount('5.2', 2)), 520n);
});

test('the same number at two scales is the same amount', () => {
  assert.ok(sameAmount(amount('21', 2), amount('21.0', 4)));
  assert.ok(!sameAmount(amount('21', 2), amount('2100', 0)));
});

const anyAmount = fc.record({
  units: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  scale: fc.integer({ min: 0, max: 8 }),
});

test('property: what is printed is read back as the same amount', () => {
  fc.assert(
    fc.property(anyAmount, ({ units, scale }) => {
      const limits = { decimals: scale, integer_digits: 21 };
      assert.deepEqual(parseAmount(fixedText(units, scale), limits), { units, scale });
      assert.deepEqual(parseAmount(amountText({ units, scale }), limits), { units, scale });
      const expected = new Exact(units.toString()).div(new Exact(10).pow(scale)).toFixed();
      assert.equal(amountText({ units, scale }), expected.replace(/^-0$/, '0'));
    }),
  );
});

test('property: JSON text keeps every digit through the printer and the parser', () => {
  fc.assert(
    fc.property(anyAmount, ({ units, scale }) => {
      const limits = { decimals: scale, integer_digits: 21 };
      const [back] = parseJson(JSON.stringify([amountToJson({ units, scale })])) as [number];
      assert.deepEqual(readAmount(back, limits), { units, scale });
    }),
  );
});

test('property: an integer is read as its text is', () => {
  const anyInteger = fc.oneof(
    fc.integer({ min: -2000, max: 2000 }),
    fc.maxSafeInteger(),
    fc.constantFrom(-0, 999, 1000, 1e12 - 1, 1e12, -1e12, 1e15, 1e21, 0.5),
  );
  fc.assert(
    fc.property(anyInteger, fc.constantFrom(...Object.values(amountLimits)), (value, limits) => {
      assert.deepEqual(readAmount(value, limits), parseAmount(String(value), limits));
    }),
  );
});

test('property: JSON shows the number that the text is read as', () => {
  const few = fc.record({
    units: fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
    scale: fc.integer({ min: 0, max: 22 }),
  });
  fc.assert(
    fc.property(few, (one) => {
      assert.equal(amountToJson(one), Number(amountText(one)));
    }),
  );
});

test('property: a text is accepted exactly when its value fits, and its value is kept', () => {
  const text = fc
    .tuple(
      fc.boolean(),
      fc.nat({ max: 10 ** 9 }),
      fc.stringMatching(/^\d{0,10}$/),
      fc.integer({ min: -25, max: 25 }),
    )
    .map(([minus, integer, fraction, exponent]) => {
      const point = fraction === '' ? '' : `.${fraction}`;
      return `${minus ? '-' : ''}${integer}${point}${exponent === 0 ? '' : `e${exponent}`}`;
    });
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 8 }), (source, decimals) => {
      const value = new Exact(source);
      const fits = value.decimalPlaces() <= decimals && value.abs().lt('1e12');
      const parsed = parseAmount(source, { decimals });
      assert.equal(parsed !== undefined, fits);
      if (parsed) assert.ok(new Exact(parsed.units.toString()).div(new Exact(10).pow(decimals)).eq(value));
    }),
  );
});

test('property: roundDiv agrees with the oracle', () => {
  const integer = fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n });
  fc.assert(
    fc.property(integer, fc.oneof(integer, fc.bigInt({ min: -10n, max: 10n })), (n, d) => {
      fc.pre(d !== 0n);
      const expected = new Exact(n.toString()).div(d.toString()).toDecimalPlaces(0).toFixed();
      assert.equal(roundDiv(n, d), BigInt(expected));
    }),
  );
});

test('property: cents within the limit survive as a JSON number', () => {
  const max = 10n ** 14n - 1n;
  fc.assert(
    fc.property(fc.bigInt({ min: -max, max }), (cents) => {
      const text = JSON.stringify(centsToNumber(cents));
      assert.equal(parseAmount(text, amountLimits.money)?.units, cents);
    }),
  );
});

test('a power of ten is exact beyond the ones that are kept', () => {
  assert.equal(powerOfTen(60), BigInt(`1${'0'.repeat(60)}`));
});
