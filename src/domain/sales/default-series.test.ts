import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatFits, isSeriesCode, parseFormat, renderNumber } from '../series-format.ts';
import { defaultSeries, seriesKinds } from './default-series.ts';

test('each kind of document has exactly one series, with a name', () => {
  assert.deepEqual(
    defaultSeries.map((series) => series.document_type),
    [
      'invoice',
      'simplified_invoice',
      'corrective_invoice',
      'corrective_simplified_invoice',
      'quote',
      'proforma',
      'delivery_note',
      'purchase_invoice',
    ],
  );
  assert.deepEqual(
    [...seriesKinds],
    defaultSeries.map((series) => series.document_type),
  );
  assert.equal(new Set(defaultSeries.map((series) => series.name)).size, defaultSeries.length);
});

for (const { code, format, reset, document_type } of defaultSeries) {
  test(`the format of ${document_type} fits its series`, () => {
    const parts = parseFormat(format);
    assert.ok(!('fault' in parts) && formatFits(parts, reset));
    assert.ok(isSeriesCode(code));
  });
}

test('the first invoice of 2026 is F2026-000001', () => {
  const parts = parseFormat(defaultSeries[0]?.format ?? '');
  assert.ok(!('fault' in parts));
  assert.equal(renderNumber(parts, { code: 'F', on: '2026-01-01', number: 1 }), 'F2026-000001');
});

test('two kinds never give one number, not even in another case of letters', () => {
  const drawn = fc.record({
    series: fc.constantFrom(...defaultSeries),
    year: fc.integer({ min: 2024, max: 2099 }),
    number: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 99_999_999 })),
  });
  const text = ({
    series,
    year,
    number,
  }: {
    series: (typeof defaultSeries)[number];
    year: number;
    number: number;
  }) => {
    const parts = parseFormat(series.format);
    assert.ok(!('fault' in parts));
    return renderNumber(parts, { code: series.code, on: `${year}-01-01`, number }).toLowerCase();
  };
  fc.assert(
    fc.property(drawn, drawn, (one, other) => {
      fc.pre(one.series !== other.series);
      assert.notEqual(text(one), text({ ...other, year: one.year, number: one.number }));
      assert.notEqual(text(one), text(other));
    }),
  );
});
