import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exemptionFits,
  exemptionReasons,
  isQualification,
  regimeKeyFits,
  regimeKeys,
} from './record-codes.ts';
import type { TaxKind } from './spanish-taxes.ts';

test('the lists are those of the schema', () => {
  assert.deepEqual(Object.keys(exemptionReasons), ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8']);
  const keys = [
    '01',
    '02',
    '03',
    '04',
    '05',
    '06',
    '07',
    '08',
    '09',
    '10',
    '11',
    '14',
    '15',
    '17',
    '18',
    '19',
    '20',
    '21',
  ];
  assert.deepEqual(Object.keys(regimeKeys).sort(), keys);
});

test('qualifications are S1, S2, N1 and N2', () => {
  for (const text of ['S1', 'S2', 'N1', 'N2']) assert.ok(isQualification(text), text);
  for (const text of ['', 's1', 'S3', 'E1', 'toString', '__proto__']) assert.ok(!isQualification(text), text);
});

const exemptions: [TaxKind, string, boolean][] = [
  ['vat', 'E1', true],
  ['vat', 'E6', true],
  ['vat', 'E7', false],
  ['vat', 'E8', false],
  ['igic', 'E7', true],
  ['igic', 'E8', true],
  ['igic', 'E9', false],
  ['vat', 'constructor', false],
];
for (const [kind, reason, expected] of exemptions) {
  test(`${kind} has exemption ${reason}: ${expected}`, () =>
    assert.equal(exemptionFits(kind, reason), expected));
}

const regimes: [TaxKind, string, boolean][] = [
  ['vat', '01', true],
  ['vat', '20', true],
  ['vat', '21', false],
  ['vat', '12', false],
  ['vat', '1', false],
  ['igic', '21', true],
  ['ipsi', '01', true],
  ['ipsi', '02', false],
  ['ipsi', '11', true],
  ['other', '01', false],
  ['vat', 'toString', false],
];
for (const [kind, key, expected] of regimes) {
  test(`${kind} has regime key ${key}: ${expected}`, () => assert.equal(regimeKeyFits(kind, key), expected));
}
