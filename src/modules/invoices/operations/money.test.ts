import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { type App, startApp } from '../../../../test/harness.ts';

const D = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

const pairs = [
  { tax_rate: 21, surcharge_rate: 5.2 },
  { tax_rate: 21, surcharge_rate: 1.75 },
  { tax_rate: 10, surcharge_rate: 1.4 },
  { tax_rate: 4, surcharge_rate: 0.5 },
];
const plainTax = fc.constantFrom(
  ...[21, 10, 4, 0].map((tax_rate) => ({ tax_rate })),
  { tax_kind: 'igic', tax_rate: 7 },
  { tax_kind: 'ipsi', tax_rate: 0.5 },
  { tax_kind: 'other', tax_rate: 3 },
  { qualification: 'S2' },
  { qualification: 'N2' },
  { exemption_reason: 'E1' },
  { exemption_reason: 'E2' },
);
const anyLine = fc
  .tuple(
    fc.record({
      quantity: fc.oneof(
        fc.integer({ min: -20, max: 20 }),
        fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 1e6),
      ),
      unit_price: fc.oneof(
        fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 100),
        fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 1e6),
      ),
      discount_percent: fc.constantFrom(null, null, 5, 12.5, 33.33, 100),
    }),
    fc.oneof({ weight: 4, arbitrary: plainTax }, { weight: 1, arbitrary: fc.constantFrom(...pairs) }),
    fc.constantFrom({}, {}, {}, { retention_rate: 15 }, { retention_rate: 7 }),
  )
  .map(([sums, tax, retention]) => ({ description: 'Línea', ...sums, ...tax, ...retention }));
type Line = {
  quantity: number;
  unit_price: number;
  discount_percent: number | null;
  retention_rate?: number;
  surcharge_rate?: number;
};
const anyDocument = fc.record({
  type: fc.constant('F2'),
  prices_include_tax: fc.boolean(),
  lines: fc.array(anyLine as fc.Arbitrary<Line>, { minLength: 1, maxLength: 8 }),
});
type Document = { prices_include_tax: boolean; lines: Line[] };

type Answered = Record<
  'subtotal' | 'taxes_total' | 'surcharge_total' | 'retention_total' | 'total' | 'amount_due',
  number
> & {
  lines: Record<'subtotal' | 'taxes' | 'total', number>[];
  tax_breakdown: Record<'base' | 'tax' | 'surcharge', number>[];
};

const sum = (values: readonly (number | Decimal)[]) =>
  values.reduce<Decimal>((total, value) => total.add(value), new D(0)).toNumber();
const minus = (a: number, b: number) => new D(a).sub(b).toNumber();

function lineSum({ quantity, unit_price, discount_percent }: Line): Decimal {
  return new D(quantity)
    .mul(unit_price)
    .mul(new D(100).sub(discount_percent ?? 0))
    .div(100)
    .toDecimalPlaces(2);
}

function assertAgrees(data: Answered, { lines, prices_include_tax }: Document): void {
  const rows = data.tax_breakdown;
  assert.equal(sum(data.lines.map((l) => l.subtotal)), data.subtotal);
  assert.equal(sum(rows.map((r) => r.base)), data.subtotal);
  assert.equal(sum(data.lines.map((l) => l.taxes)), data.taxes_total);
  assert.equal(sum(rows.map((r) => r.tax)), data.taxes_total);
  assert.equal(sum(rows.map((r) => r.surcharge)), data.surcharge_total);
  assert.equal(sum(data.lines.map((l) => l.total)), data.total);
  assert.equal(sum([data.subtotal, data.taxes_total, data.surcharge_total]), data.total);
  assert.equal(minus(data.total, data.retention_total), data.amount_due);
  const sent = sum(lines.map(lineSum));
  if (!prices_include_tax) assert.equal(data.subtotal, sent);
  else assert.deepEqual([data.total, data.amount_due], [sent, sent], 'the sum sent is kept');
}

async function bulk(app: App, key: string, invoices: readonly Document[]) {
  const answer = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data as {
    invoices: Answered[];
    failures: { index: number; error_code: string; param: string; line_index: number }[];
  };
}

/** Surcharge and retention are not part of a price. */
const netOf = (document: Document): Document => ({
  ...document,
  lines: document.lines.map(({ retention_rate: _, surcharge_rate: __, ...line }) => line),
});

test('property: answers to random documents add up, and tax-inclusive sums are kept or refused by the line that shifts them', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const seed = randomInt(2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const documents = fc.sample(anyDocument, { numRuns: 300, seed }) as Document[];
  let [kept, refused] = [0, 0];
  for (let at = 0; at < documents.length; at += 100) {
    const some = documents.slice(at, at + 100);
    const { invoices, failures } = await bulk(app, key, some);
    const is_refused = new Set(failures.map(({ index }) => index));
    const accepted = some.filter((_, index) => !is_refused.has(index));
    assert.equal(invoices.length, accepted.length);
    for (const [n, invoice] of invoices.entries()) assertAgrees(invoice, accepted[n] as Document);
    // The same document without tax in its prices shows whether a surcharge or retention could shift anything.
    const refusedOnes = failures.map(({ index }) => some[index] as Document);
    for (const [n, { error_code, line_index, param }] of failures.entries()) {
      const document = refusedOnes[n] as Document;
      assert.equal(error_code, 'amount_reconciliation_failed');
      assert.equal(document.prices_include_tax, true);
      const field = param.split('.')[2] as 'retention_rate' | 'surcharge_rate';
      assert.equal(param, `lines.${line_index}.${field}`);
      assert.ok(document.lines[line_index]?.[field], `${param} is not what was sent`);
    }
    if (refusedOnes.length > 0) {
      const plain = await bulk(app, key, refusedOnes.map(netOf));
      assert.deepEqual(plain.failures, [], 'without retention and surcharge nothing shifts');
      for (const [n, invoice] of plain.invoices.entries())
        assertAgrees(invoice, netOf(refusedOnes[n] as Document));
    }
    kept += invoices.length;
    refused += failures.length;
  }
  assert.ok(kept > 100 && refused > 20, `${kept} kept, ${refused} refused`);
});
