import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultSeries, type SeriesKind, seriesKinds } from '../../../domain/sales/default-series.ts';
import { type FormatParts, formatFits, parseFormat, renderNumber } from '../../../domain/series-format.ts';
import { kindsSharingNumbers, numbersClash } from './number-clash.ts';

function numbering(code: string, format: string) {
  const parts = parseFormat(format);
  assert.ok(!('fault' in parts), format);
  return { code, parts: parts as FormatParts };
}

const cases: readonly (readonly [
  a: readonly [string, string],
  b: readonly [string, string],
  clash: boolean,
])[] = [
  [['F', '{code}{year}-{number:6}'], ['S', '{code}{year}-{number:6}'], false],
  [['R', '{code}{year}-{number:6}'], ['RS', '{code}{year}-{number:6}'], false],
  [['F', '{code}{year}-{number:6}'], ['F2', '{code}{year}-{number:6}'], false],
  [['F', '{code}-{number}'], ['F-1', '{code}{number}'], true],
  [['F', '{code}{number}'], ['F1', '{code}{number}'], true],
  [['F', '{code}{number:3}'], ['F1', '{code}{number:3}'], true],
  [['A', '{number:6}'], ['B', '{number:4}'], true],
  [['A', '{year}/{number}'], ['B', '{number}/{year}'], true],
  [['A', '{yy}/{number:3}'], ['B', '{number:3}/{yy}'], false],
  [['A', '{yy}/{number:2}'], ['B', '{number:2}/{yy}'], true],
  [['A', '{year}/{number:5}'], ['B', '{year}/X{number:5}'], false],
  [['A', '{year}-{number}'], ['B', '20{yy}-{number}'], true],
  [['A', '{year}-{number}'], ['B', '30{yy}-{number}'], false],
  [['A', '{month}-{number}'], ['B', '21-{number}'], false],
  [['A', '{month}-{number}'], ['B', '11-{number}'], true],
  [['A', 'x{number:12}'], ['B', 'x{number:1}'], true],
  [['A', 'x{number}'], ['B', 'x'.concat('1'.repeat(13), '{number}')], false],
];

for (const [a, b, clash] of cases) {
  test(`${a.join(' ')} and ${b.join(' ')} ${clash ? 'share' : 'never share'} a number`, () => {
    assert.equal(numbersClash(numbering(...a), numbering(...b)), clash);
    assert.equal(numbersClash(numbering(...b), numbering(...a)), clash);
  });
}

test('no two series of a new company share a number', () => {
  const all = defaultSeries.map(({ code, format }) => numbering(code, format));
  for (const [i, a] of all.entries())
    for (const b of all.slice(i + 1)) assert.equal(numbersClash(a, b), false);
});

test('invoices of every kind share their numbers, other documents do not', () => {
  const invoices: readonly SeriesKind[] = [
    'invoice',
    'simplified_invoice',
    'corrective_invoice',
    'corrective_simplified_invoice',
  ];
  for (const kind of seriesKinds)
    assert.deepEqual(kindsSharingNumbers(kind), invoices.includes(kind) ? invoices : [kind]);
});

// Few letters and digits, so that equal texts do occur.
const piece = fc.constantFrom(
  '{code}',
  '{year}',
  '{yy}',
  '{month}',
  '{number}',
  '{number:2}',
  '1',
  '2',
  'F',
  '-',
);
const series = fc
  .record({
    code: fc.constantFrom('F', 'F1', '1', '20'),
    format: fc.array(piece, { minLength: 1, maxLength: 4 }),
  })
  .map(({ code, format }) => ({ code, read: parseFormat(format.join('')) }))
  .filter(({ read }) => !('fault' in read) && formatFits(read, 'never'))
  .map(({ code, read }) => ({ code, parts: read as FormatParts }));
const moment = fc.record({
  on: fc.constantFrom('2020-01-01', '2021-12-31', '2022-11-02', '1920-10-01'),
  number: fc.constantFrom(1, 2, 12, 20, 21, 112, 120, 201, 2021),
});

test('two series that gave one number are said to share numbers', () => {
  let equal = 0;
  fc.assert(
    fc.property(
      series,
      series,
      fc.array(fc.tuple(moment, moment), { minLength: 20, maxLength: 20 }),
      (a, b, pairs) => {
        const given = pairs.some(
          ([x, y]) =>
            renderNumber(a.parts, { code: a.code, ...x }) === renderNumber(b.parts, { code: b.code, ...y }),
        );
        if (given) equal++;
        if (given) assert.equal(numbersClash(a, b), true);
      },
    ),
    { numRuns: 500 },
  );
  assert.ok(equal > 0, 'the property was never put to the test');
});
