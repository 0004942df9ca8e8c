import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAmount } from '../money/amount.ts';
import {
  defaultRegimeKey,
  type FiscalFields,
  fiscalRefusal,
  recordRefusal,
  taxRefusals,
} from './fiscal-rules.ts';

const today = '2026-06-01';

type Case = Partial<Record<'kind' | 'key' | 'q' | 'e' | 'rate' | 'surcharge' | 'on', string | null>>;

/** VAT at 21 % under the general regime by default; without rate when exempt or not subject. */
function lineOf({
  kind = 'vat',
  key = '01',
  e = null,
  q = e === null ? 'S1' : null,
  on: _,
  ...rest
}: Case): FiscalFields {
  const { rate = e !== null || q === 'N1' || q === 'N2' ? null : q === 'S2' ? '0' : '21', surcharge = null } =
    rest;
  const amount = (text: string | null) =>
    text === null ? null : (parseAmount(text, { decimals: 2 }) ?? assert.fail(text));
  return {
    tax_kind: kind as FiscalFields['tax_kind'],
    regime_key: key,
    qualification: q as FiscalFields['qualification'],
    exemption_reason: e,
    tax_rate: amount(rate),
    surcharge_rate: amount(surcharge),
  };
}

// The authority's code, a line, and the refused field.
const cases: readonly (readonly [code: string, line: Case, refused: string | null])[] = [
  ['-', {}, null],
  ['-', { rate: '10' }, null],
  ['-', { rate: '0' }, null],
  ['-', { kind: 'igic', rate: '7' }, null],
  ['-', { kind: 'ipsi', rate: '0.5' }, null],
  ['-', { kind: 'other', key: null, rate: '3' }, null],
  // exemption causes by tax
  ['L10', { e: 'E1' }, null],
  ['L10', { e: 'E6' }, null],
  ['L10', { e: 'E7' }, 'exemption_reason'],
  ['L10', { e: 'E8' }, 'exemption_reason'],
  ['L10', { kind: 'igic', e: 'E7' }, null],
  ['L10', { kind: 'igic', e: 'E8' }, null],
  ['L10', { kind: 'ipsi', e: 'E7' }, 'exemption_reason'],
  // regime keys by tax
  ['L8A', { key: '21' }, 'regime_key'],
  ['L8A', { key: '12' }, 'regime_key'],
  ['L8B', { kind: 'igic', key: '21', rate: '7' }, null],
  ['L8', { kind: 'ipsi', key: '02', rate: '1' }, 'regime_key'],
  ['L8', { kind: 'ipsi', key: '11', rate: '1' }, null],
  ['1245', { key: null }, 'regime_key'],
  ['1245', { kind: 'igic', key: null, rate: '7' }, 'regime_key'],
  ['2009', { kind: 'ipsi', key: null, rate: '1' }, 'regime_key'],
  ['1260', { kind: 'other', key: '01', rate: '3' }, 'regime_key'],
  // one of qualification and exemption
  ['1195', { q: null }, 'qualification'],
  ['1196', { e: 'E1', q: 'S1', rate: null }, 'qualification'],
  ['1196', { e: 'E1', q: 'N1', rate: null }, 'qualification'],
  // rate and surcharge by qualification
  ['1208', { rate: null }, 'tax_rate'],
  ['1198', { q: 'S2' }, null],
  ['1198', { q: 'S2', rate: '21' }, 'tax_rate'],
  ['1198', { q: 'S2', rate: null }, 'tax_rate'],
  ['1198', { kind: 'igic', q: 'S2', rate: '7' }, 'tax_rate'],
  ['1281', { q: 'S2', surcharge: '5.2' }, 'surcharge_rate'],
  ['1281', { q: 'S2', surcharge: '0.26' }, 'surcharge_rate'],
  ['1237', { q: 'N1' }, null],
  ['1237', { q: 'N2' }, null],
  ['1237', { q: 'N1', rate: '21' }, 'tax_rate'],
  ['1237', { q: 'N1', rate: '0' }, 'tax_rate'],
  ['1237', { q: 'N2', rate: '21' }, 'tax_rate'],
  ['1237', { q: 'N2', surcharge: '5.2' }, 'surcharge_rate'],
  ['1238', { e: 'E1', rate: '21' }, 'tax_rate'],
  ['1238', { e: 'E1', rate: '0' }, 'tax_rate'],
  ['1238', { e: 'E1', surcharge: '5.2' }, 'surcharge_rate'],
  // VAT rates by day
  ['1124', { rate: '18' }, 'tax_rate'],
  ['1124', { rate: '21.5' }, 'tax_rate'],
  ['1194', { rate: '5' }, 'tax_rate'],
  ['1194', { rate: '5', on: '2024-09-30' }, null],
  ['1235', { rate: '7.5', on: '2024-12-31' }, null],
  ['1235', { rate: '7.5', on: '2025-01-01' }, 'tax_rate'],
  ['1236', { rate: '2', on: '2024-10-01' }, null],
  ['1236', { rate: '2' }, 'tax_rate'],
  ['OSS', { key: '17', rate: '19' }, null],
  ['OSS', { key: '17', rate: '25.5' }, null],
  ['IGIC', { kind: 'igic', key: '17', rate: '7' }, null],
  ['IGIC', { kind: 'igic', key: '17', e: 'E7' }, null],
  // surcharges: only VAT, pairs by day
  ['1162', { surcharge: '5.2' }, null],
  ['1162', { surcharge: '1.75' }, null],
  ['1162', { surcharge: '0' }, null],
  ['1162', { surcharge: '1.4' }, 'surcharge_rate'],
  ['1163', { rate: '10', surcharge: '1.4' }, null],
  ['1164', { rate: '4', surcharge: '0.5' }, null],
  ['1168', { rate: '5', surcharge: '0.62', on: '2024-01-01' }, null],
  ['1167', { rate: '5', surcharge: '0.5', on: '2024-01-01' }, 'surcharge_rate'],
  ['1127', { kind: 'igic', rate: '7', surcharge: '0.5' }, 'surcharge_rate'],
  ['1127', { kind: 'ipsi', rate: '4', surcharge: '0.5' }, 'surcharge_rate'],
  ['1127', { kind: 'other', key: null, rate: '21', surcharge: '5.2' }, 'surcharge_rate'],
  // general regime
  ['1199', { e: 'E2' }, 'regime_key'],
  ['1199', { e: 'E3' }, 'regime_key'],
  ['1199', { kind: 'igic', e: 'E2' }, 'regime_key'],
  ['1199', { e: 'E5' }, null],
  ['1199', { kind: 'ipsi', e: 'E2' }, null],
  // exports
  ['1286', { key: '02', e: 'E2' }, null],
  ['1286', { key: '02', e: 'E5' }, null],
  ['1286', { key: '02' }, 'regime_key'],
  ['1286', { key: '02', q: 'S2' }, 'regime_key'],
  ['1286', { key: '02', q: 'N2' }, 'regime_key'],
  ['1286', { kind: 'igic', key: '02', rate: '7' }, 'regime_key'],
  // second-hand goods
  ['1200', { key: '03' }, null],
  ['1200', { key: '03', e: 'E1' }, null],
  ['1200', { key: '03', q: 'S2' }, 'regime_key'],
  ['1200', { key: '03', q: 'N1' }, 'regime_key'],
  // investment gold
  ['1201', { key: '04', q: 'S2' }, null],
  ['1201', { key: '04', e: 'E1' }, null],
  ['1201', { key: '04' }, 'regime_key'],
  ['1201', { key: '04', q: 'N2' }, 'regime_key'],
  // cash accounting
  ['1203', { key: '07' }, null],
  ['1203', { key: '07', e: 'E1' }, null],
  ['1203', { key: '07', e: 'E6' }, null],
  ['1203', { key: '07', q: 'S2' }, 'regime_key'],
  ['1203', { key: '07', q: 'N1' }, 'regime_key'],
  ['1203', { key: '07', q: 'N2' }, 'regime_key'],
  ['1203', { key: '07', e: 'E2' }, 'regime_key'],
  ['1203', { key: '07', e: 'E3' }, 'regime_key'],
  ['1203', { key: '07', e: 'E4' }, 'regime_key'],
  ['1203', { key: '07', e: 'E5' }, 'regime_key'],
  // subject to another territory's tax
  ['1252', { key: '08', q: 'N2' }, null],
  ['1252', { key: '08', q: 'N1' }, 'regime_key'],
  ['1252', { key: '08' }, 'regime_key'],
  ['1252', { key: '08', e: 'E1' }, 'regime_key'],
  // collections for third parties
  ['1205', { key: '10', q: 'N1' }, null],
  ['1205', { key: '10', q: 'N2' }, 'regime_key'],
  ['1205', { key: '10' }, 'regime_key'],
  ['1205', { key: '10', e: 'E1' }, 'regime_key'],
  // business premises: 21 %, under VAT alone
  ['1206', { key: '11' }, null],
  ['1206', { key: '11', rate: '10' }, 'tax_rate'],
  ['1206', { key: '11', rate: '0' }, 'tax_rate'],
  ['1206', { key: '11', e: 'E1' }, 'tax_rate'],
  ['1206', { key: '11', q: 'S2' }, 'tax_rate'],
  ['1206', { kind: 'igic', key: '11', rate: '7' }, null],
  // IGIC: subject to IPSI
  ['1293', { kind: 'igic', key: '20', q: 'N2' }, null],
  ['1293', { kind: 'igic', key: '20', rate: '7' }, 'regime_key'],
  ['1293', { key: '20' }, null],
  // keys without a rule of the line
  ['-', { key: '05' }, null],
  ['-', { key: '06' }, null],
  ['-', { key: '09' }, null],
  ['-', { key: '14' }, null],
  ['-', { key: '15' }, null],
  ['-', { key: '18', surcharge: '5.2' }, null],
  ['-', { key: '19' }, null],
];

for (const [code, given, refused] of cases) {
  test(`${code}: ${JSON.stringify(given)} ${refused === null ? 'is accepted' : `is refused in ${refused}`}`, () => {
    const refusal = fiscalRefusal(lineOf(given), given.on ?? today);
    assert.equal(refusal?.field ?? null, refused, refusal?.reason);
    if (refusal) assert.match(refusal.reason, /^\p{Ll}.*\.$/u);
  });
}

const defaults = [
  ['vat', null, '01'],
  ['vat', 'E1', '01'],
  ['vat', 'E2', '02'],
  ['vat', 'E3', '02'],
  ['vat', 'E5', '01'],
  ['igic', 'E2', '02'],
  ['igic', null, '01'],
  ['ipsi', 'E2', '01'],
  ['other', null, null],
  ['other', 'E2', null],
] as const;
for (const [kind, exemption, expected] of defaults) {
  test(`a line of ${kind}, exempt by ${exemption}, has the key ${expected} when none is sent, and it is accepted`, () => {
    assert.equal(defaultRegimeKey(kind, exemption), expected);
    const rate = exemption === null ? (kind === 'vat' ? '21' : '7') : null;
    assert.equal(fiscalRefusal(lineOf({ kind, key: expected, e: exemption, rate }), today), undefined);
  });
}

// What may be invoiced but is refused in the record.
const records: readonly (readonly [code: string, line: Case, refused: string | null])[] = [
  ['1257', { key: '06' }, 'regime_key'],
  ['1257', { kind: 'igic', key: '06', rate: '7' }, 'regime_key'],
  ['1124', { key: '17', rate: '19' }, 'tax_rate'],
  ['1194', { key: '17', rate: '5' }, 'tax_rate'],
  ['1194', { key: '17', rate: '5', on: '2024-09-30' }, null],
  ['1124', { key: '17' }, null],
  ['1237', { key: '17', q: 'N2' }, null],
  ['1124', { kind: 'igic', key: '17', rate: '9.5' }, null],
  ['1124', { rate: '10' }, null],
];
for (const [code, given, refused] of records) {
  test(`${code}: ${JSON.stringify(given)} may be a line, and its record ${refused === null ? 'too' : `is refused in ${refused}`}`, () => {
    const on = given.on ?? today;
    assert.equal(fiscalRefusal(lineOf(given), on), undefined);
    assert.equal(recordRefusal(lineOf(given), on)?.field ?? null, refused);
  });
}

test('what refuses a line refuses its record too, and its tax, except for the rate of the day', () => {
  for (const [, given] of cases) {
    const [line, on] = [lineOf(given), given.on ?? today];
    const refusal = fiscalRefusal(line, on);
    if (refusal === undefined) assert.deepEqual(taxRefusals(line, on), []);
    else assert.deepEqual(recordRefusal(line, on), refusal);
    const fields = taxRefusals(line, on).map(({ field }) => field);
    assert.equal(new Set(fields).size, fields.length);
    if (refusal && fields.length === 0)
      assert.match(refusal.reason, /vigente .*: solo 21, 10, .*4 o 0, en porcentaje\.$/);
  }
});
