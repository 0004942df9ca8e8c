/**
 * The second computation uses decimal.js and was written from the rules. It shares no code with the first:
 * rows are grouped by text keys, and the library rounds.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Amount } from '../money/amount.ts';
import { computeTotals, type Totals, type TotalsLine } from './totals.ts';
import { reconciliationFault } from './totals-checks.ts';

const D = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });
const runs = { numRuns: 500 };

const decimal = (amount: Amount) => new D(amount.units.toString()).div(new D(10).pow(amount.scale));
const amountAt = (scale: number, min: bigint, max: bigint): fc.Arbitrary<Amount> =>
  fc.bigInt({ min, max }).map((units) => ({ units, scale }));
const percent = (...units: number[]) =>
  fc.constantFrom(...units).map((hundredths) => ({ units: BigInt(hundredths), scale: 2 }));

const taxes = fc.oneof(
  fc.record({
    tax_kind: fc.constantFrom('vat' as const, 'igic' as const, 'ipsi' as const),
    tax_rate: percent(2100, 1000, 400, 700, 0),
    qualification: fc.constant('S1' as const),
    exemption_reason: fc.constant(null),
  }),
  fc.record({
    tax_kind: fc.constant('vat' as const),
    tax_rate: fc.constant(null),
    qualification: fc.constant(null),
    exemption_reason: fc.constantFrom('E1', 'E2'),
  }),
);

const sums = fc.record({
  quantity: fc.oneof(
    fc.integer({ min: -20, max: 20 }).map((n) => ({ units: BigInt(n) * 1_000_000n, scale: 6 })),
    amountAt(6, -(10n ** 10n), 10n ** 10n),
  ),
  unit_price: fc.oneof(
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => ({ units: BigInt(n) * 10n ** 6n, scale: 8 })),
    amountAt(8, -(10n ** 14n), 10n ** 14n),
  ),
  discount_percent: fc.option(amountAt(2, 0n, 10_000n)),
  regime_key: fc.constantFrom('01', '07'),
});

const plainLine: fc.Arbitrary<TotalsLine> = fc
  .tuple(sums, taxes)
  .map(([sum, tax]) => ({ ...sum, ...tax, surcharge_rate: null, retention_rate: null }));
const anyLine: fc.Arbitrary<TotalsLine> = fc
  .tuple(plainLine, fc.option(percent(520, 140, 50, 0)), fc.option(percent(1500, 700, 1900, 0)))
  .map(([line, surcharge_rate, retention_rate]) => ({ ...line, surcharge_rate, retention_rate }));

const documents = (line: fc.Arbitrary<TotalsLine>) => fc.array(line, { maxLength: 12 });
const options = fc.boolean().map((prices_include_tax) => ({ prices_include_tax }));

type Row = { base: Decimal; tax: Decimal; surcharge: Decimal; discount: Decimal };
const cents = (value: Decimal) => value.toDecimalPlaces(2);
const sumOf = (values: Decimal[]) => values.reduce((sum, value) => sum.add(value), new D(0));

const grossOf = (line: TotalsLine) => decimal(line.quantity).mul(decimal(line.unit_price));
function netOf(line: TotalsLine): Decimal {
  const discount = line.discount_percent ? decimal(line.discount_percent) : new D(0);
  return cents(grossOf(line).mul(new D(100).sub(discount)).div(100));
}

function keyOf(line: TotalsLine): string {
  const rate = line.tax_rate ? decimal(line.tax_rate).toString() : 'none';
  const counts = line.tax_rate !== null && line.surcharge_rate !== null && line.surcharge_rate.units !== 0n;
  const surcharge = counts && line.surcharge_rate ? decimal(line.surcharge_rate).toString() : '0';
  return [line.tax_kind, line.regime_key, line.qualification, line.exemption_reason, rate, surcharge].join(
    '|',
  );
}

function oracleRows(lines: TotalsLine[], prices_include_tax: boolean): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const [key, members] of Map.groupBy(lines, keyOf)) {
    const parts = key.split('|');
    const rate = new D(parts[4] === 'none' ? 0 : (parts[4] ?? 0));
    const sum = sumOf(members.map(netOf));
    const before = sumOf(members.map((line) => cents(grossOf(line))));
    const without = (gross: Decimal) => cents(gross.mul(100).div(rate.add(100)));
    const base = prices_include_tax ? without(sum) : sum;
    const tax = prices_include_tax ? sum.sub(base) : cents(base.mul(rate).div(100));
    const discount = (prices_include_tax ? without(before) : before).sub(base);
    rows.set(key, { base, tax, surcharge: cents(base.mul(parts[5] ?? 0).div(100)), discount });
  }
  return rows;
}

const toCents = (value: Decimal) => BigInt(value.mul(100).toFixed(0));
const total = (values: bigint[]) => values.reduce((sum, value) => sum + value, 0n);

test('property: rows and totals are those of the oracle, to the cent', () => {
  fc.assert(
    fc.property(documents(anyLine), options, (lines, option) => {
      const result = computeTotals(lines, option);
      const rows = [...oracleRows(lines, option.prices_include_tax).values()];
      assert.deepEqual(
        result.tax_breakdown.map(({ base, tax, surcharge }) => [base, tax, surcharge]),
        rows.map(({ base, tax, surcharge }) => [toCents(base), toCents(tax), toCents(surcharge)]),
      );
      assert.equal(result.discount_total, toCents(sumOf(rows.map((row) => row.discount))));
      assert.equal(result.subtotal, toCents(sumOf(rows.map((row) => row.base))));
      assert.equal(result.total, toCents(sumOf(rows.flatMap((row) => [row.base, row.tax, row.surcharge]))));
    }),
    runs,
  );
});

const rowKey = (row: Totals['tax_breakdown'][number]) => {
  const rateOf = (rate: Amount | null) => (rate === null ? 'none' : decimal(rate).toString());
  const { tax_kind, regime_key, qualification, exemption_reason, tax_rate, surcharge_rate } = row;
  const rates = [rateOf(tax_rate), rateOf(surcharge_rate)];
  return [tax_kind, regime_key, qualification, exemption_reason, ...rates].join('|');
};
const sumNames = [
  'subtotal',
  'discount_total',
  'taxes_total',
  'surcharge_total',
  'retention_total',
  'total',
  'amount_due',
] as const;

test('property: lines that say with which they are rounded make the sum of the documents that these would be', () => {
  const mark = fc.constantFrom(undefined, 'a', 'b', 'c');
  const marked = fc.tuple(anyLine, mark).map(([line, rounded_with]) => ({ ...line, rounded_with }));
  fc.assert(
    fc.property(documents(marked), options, (lines, option) => {
      const result = computeTotals(lines, option);
      const apart = [...Map.groupBy(lines.keys(), (i) => lines[i]?.rounded_with)].map(([, members]) => ({
        members,
        totals: computeTotals(
          members.map((i) => ({ ...(lines[i] as TotalsLine), rounded_with: undefined })),
          option,
        ),
      }));
      for (const name of sumNames)
        assert.equal(result[name], total(apart.map(({ totals }) => totals[name])), name);
      for (const { members, totals } of apart)
        assert.deepEqual(
          members.map((i) => result.lines[i]),
          totals.lines,
        );
      const rows = Map.groupBy(
        apart.flatMap(({ totals }) => totals.tax_breakdown),
        rowKey,
      );
      assert.equal(result.tax_breakdown.length, rows.size);
      for (const row of result.tax_breakdown)
        for (const name of ['base', 'tax', 'surcharge'] as const)
          assert.equal(row[name], total((rows.get(rowKey(row)) ?? []).map((one) => one[name])), name);
    }),
    runs,
  );
});

test('property: retention is rounded once per rate, on the base of its lines', () => {
  fc.assert(
    fc.property(documents(anyLine), options, (lines, option) => {
      const result = computeTotals(lines, option);
      const indexes = lines.map((_, i) => i).filter((i) => lines[i]?.retention_rate !== null);
      const groups = Map.groupBy(indexes, (i) => lines[i]?.retention_rate?.units ?? 0n);
      let expected = 0n;
      for (const [units, members] of groups) {
        const base = sumOf(members.map((i) => new D(result.lines[i]?.subtotal.toString() ?? 0).div(100)));
        const retention = toCents(cents(base.mul(units.toString()).div(10_000)));
        assert.equal(total(members.map((i) => result.lines[i]?.retention ?? 0n)), retention);
        expected += retention;
      }
      assert.equal(result.retention_total, expected);
      assert.equal(result.amount_due, result.total - expected);
    }),
    runs,
  );
});

test('property: the lines of a row add up to the row, each within a cent of its own exact tax', () => {
  fc.assert(
    fc.property(documents(anyLine), options, (lines, option) => {
      const result = computeTotals(lines, option);
      const keys = [...new Set(lines.map(keyOf))];
      result.tax_breakdown.forEach((row, r) => {
        const members = result.lines.filter((_, i) => keyOf(lines[i] as TotalsLine) === keys[r]);
        assert.equal(total(members.map((line) => line.subtotal)), row.base);
        assert.equal(total(members.map((line) => line.taxes)), row.tax);
        assert.equal(total(members.map((line) => line.surcharge)), row.surcharge);
      });
      result.lines.forEach((own, i) => {
        const line = lines[i] as TotalsLine;
        const rate = line.tax_rate ? decimal(line.tax_rate) : new D(0);
        const net = netOf(line);
        const { prices_include_tax } = option;
        const exact = prices_include_tax ? net.sub(net.mul(100).div(rate.add(100))) : net.mul(rate).div(100);
        assert.ok(new D(own.taxes.toString()).div(100).sub(exact).abs().lt('0.01'));
        assert.equal(own.total, own.subtotal + own.taxes + own.surcharge);
        if (!prices_include_tax) assert.equal(own.subtotal, toCents(net));
      });
    }),
    runs,
  );
});

test('property: prices that include tax keep the sum sent, of each line and of the document', () => {
  fc.assert(
    fc.property(documents(plainLine), (lines) => {
      const option = { prices_include_tax: true };
      const result = computeTotals(lines, option);
      assert.deepEqual(
        result.lines.map((line) => line.total),
        lines.map((line) => toCents(netOf(line))),
      );
      assert.equal(result.total, toCents(sumOf(lines.map(netOf))));
      assert.equal(result.amount_due, result.total);
      assert.equal(reconciliationFault(result, option), undefined);
    }),
    runs,
  );
});

test('property: with tax included there is a fault exactly when a surcharge or retention is not 0.00', () => {
  fc.assert(
    fc.property(documents(anyLine), (lines) => {
      const option = { prices_include_tax: true };
      const result = computeTotals(lines, option);
      const fault = reconciliationFault(result, option);
      const sent = toCents(sumOf(lines.map(netOf)));
      const shifted = result.total !== sent || result.amount_due !== result.total;
      assert.equal(fault !== undefined, shifted);
      if (fault) {
        const counts = (own: (typeof result.lines)[number]) =>
          (result.surcharge_total !== 0n && own.surcharge !== 0n) ||
          (result.retention_total !== 0n && own.retention !== 0n);
        assert.equal(fault.line_index, result.lines.findIndex(counts), 'the first such line');
      }
      assert.equal(reconciliationFault(result, { prices_include_tax: false }), undefined);
    }),
    runs,
  );
});

const figures = ({ lines, tax_breakdown, ...sums }: Totals) => ({
  ...sums,
  rows: tax_breakdown.length,
  lines: lines.length,
});

test('property: the order of the lines changes no total', () => {
  const shuffled = documents(anyLine).chain((lines) =>
    fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
  );
  // Not with tax included: there, the order decides which line's base gets a cent, and so its retention.
  fc.assert(
    fc.property(shuffled, ([lines, other]) => {
      const option = { prices_include_tax: false };
      assert.deepEqual(figures(computeTotals(other, option)), figures(computeTotals(lines, option)));
    }),
    runs,
  );
});

test('property: a document with opposite quantities is the mirror, line by line', () => {
  fc.assert(
    fc.property(documents(anyLine), options, (lines, option) => {
      const opposite = lines.map((line) => ({
        ...line,
        quantity: { units: -line.quantity.units, scale: line.quantity.scale },
      }));
      const result = computeTotals(lines, option);
      const mirrored = computeTotals(opposite, option);
      assert.equal(mirrored.amount_due, -result.amount_due);
      assert.equal(mirrored.discount_total, -result.discount_total);
      assert.deepEqual(
        mirrored.lines.map((line) => [line.subtotal, line.taxes, line.surcharge, line.retention, line.total]),
        result.lines.map((line) => [
          -line.subtotal,
          -line.taxes,
          -line.surcharge,
          -line.retention,
          -line.total,
        ]),
      );
    }),
    runs,
  );
});
