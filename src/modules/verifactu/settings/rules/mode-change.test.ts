/** Every branch of a change of remission mode (RD 1007/2023, art. 16.3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../../kernel/problem.ts';
import { type ModeChange, modeChange, type ModeRequest, type ModeState } from './mode-change.ts';

const today = '2026-06-15';
const off: ModeState = {
  mode: null,
  next_mode: null,
  next_on: null,
  is_bound: false,
  is_end_declared: false,
};
const sends: ModeState = { ...off, mode: 'verifactu' };
const bound: ModeState = { ...sends, is_bound: true };
const keeps: ModeState = { ...off, mode: 'no_verifactu' };
const leaving: ModeState = { ...bound, next_mode: 'no_verifactu', next_on: '2027-01-01' };
const declared: ModeState = { ...leaving, is_end_declared: true };
const starting: ModeState = { ...off, next_mode: 'verifactu', next_on: '2027-01-01' };

const none: ModeChange = { kind: 'none' };
const cancel: ModeChange = { kind: 'cancel' };
const now = (mode: 'verifactu' | 'no_verifactu' | null): ModeChange => ({ kind: 'now', mode });
const later = (mode: 'verifactu' | 'no_verifactu' | 'off', on = '2027-01-01'): ModeChange => ({
  kind: 'later',
  mode,
  on,
});
const moved = (param: string) => `invalid_status_transition ${param}`;
const wrong = (param: string) => `parameter_invalid ${param}`;

const cases: readonly [string, ModeState, ModeRequest, ModeChange | string][] = [
  ['off, nothing asked', off, {}, none],
  ['off, off again', off, { enabled: false }, none],
  ['off, on', off, { enabled: true }, now('verifactu')],
  ['off, on and kept', off, { enabled: true, remission_mode: 'no_verifactu' }, now('no_verifactu')],
  ['off, a mode alone', off, { remission_mode: 'verifactu' }, moved('remission_mode')],
  ['off, a mode and off', off, { enabled: false, remission_mode: 'verifactu' }, moved('remission_mode')],
  ['off, on from New Year', off, { enabled: true, effective_on: '2027-01-01' }, later('verifactu')],
  ['off, off from New Year', off, { enabled: false, effective_on: '2027-01-01' }, wrong('effective_on')],
  ['off, New Year alone', off, { effective_on: '2027-01-01' }, wrong('effective_on')],
  ['to start, off again', starting, { enabled: false }, cancel],
  ['to start, no day', starting, { effective_on: null }, cancel],
  ['to start, nothing asked', starting, {}, none],
  ['to start, at once', starting, { enabled: true }, now('verifactu')],
  ['sends, on again', sends, { enabled: true }, none],
  ['sends, the same mode', sends, { remission_mode: 'verifactu' }, none],
  ['sends, no day to cancel', sends, { effective_on: null }, none],
  ['sends without a record, kept', sends, { remission_mode: 'no_verifactu' }, now('no_verifactu')],
  ['sends without a record, off', sends, { enabled: false }, now(null)],
  ['sends, kept at once', bound, { remission_mode: 'no_verifactu' }, moved('remission_mode')],
  ['sends, off at once', bound, { enabled: false }, moved('enabled')],
  [
    'sends, kept from New Year',
    bound,
    { remission_mode: 'no_verifactu', effective_on: '2027-01-01' },
    later('no_verifactu'),
  ],
  ['sends, off from New Year', bound, { enabled: false, effective_on: '2027-01-01' }, later('off')],
  [
    'sends, off from a New Year far off',
    bound,
    { enabled: false, effective_on: '2029-01-01' },
    later('off', '2029-01-01'),
  ],
  [
    'sends, off from another day',
    bound,
    { enabled: false, effective_on: '2027-01-02' },
    wrong('effective_on'),
  ],
  [
    'sends, off from a past New Year',
    bound,
    { enabled: false, effective_on: '2026-01-01' },
    wrong('effective_on'),
  ],
  [
    'sends, the same from New Year',
    bound,
    { enabled: true, effective_on: '2027-01-01' },
    wrong('effective_on'),
  ],
  ['leaving, nothing asked', leaving, {}, none],
  ['leaving, the same plan', leaving, { remission_mode: 'no_verifactu', effective_on: '2027-01-01' }, none],
  ['leaving, to off instead', leaving, { enabled: false, effective_on: '2027-01-01' }, later('off')],
  [
    'leaving, a year later',
    leaving,
    { remission_mode: 'no_verifactu', effective_on: '2028-01-01' },
    later('no_verifactu', '2028-01-01'),
  ],
  ['leaving, stays by its mode', leaving, { remission_mode: 'verifactu' }, cancel],
  ['leaving, stays by enabled', leaving, { enabled: true }, cancel],
  ['leaving, stays by no day', leaving, { effective_on: null }, cancel],
  ['leaving, at once after all', leaving, { remission_mode: 'no_verifactu' }, moved('remission_mode')],
  ['end told, stays', declared, { remission_mode: 'verifactu' }, moved('remission_mode')],
  [
    'end told, a year later',
    declared,
    { remission_mode: 'no_verifactu', effective_on: '2028-01-01' },
    moved('effective_on'),
  ],
  ['end told, to off instead', declared, { enabled: false, effective_on: '2027-01-01' }, later('off')],
  ['keeps, sends', keeps, { remission_mode: 'verifactu' }, now('verifactu')],
  ['keeps, off', keeps, { enabled: false }, now(null)],
  ['keeps, on again', keeps, { enabled: true }, none],
  [
    'keeps, sends from New Year',
    keeps,
    { remission_mode: 'verifactu', effective_on: '2027-01-01' },
    later('verifactu'),
  ],
];
for (const [name, state, asked, expected] of cases) {
  test(`${name}: ${typeof expected === 'string' ? expected : JSON.stringify(expected)}`, () => {
    let answer: ModeChange | string;
    try {
      answer = modeChange(state, asked, today);
    } catch (error) {
      assert.ok(error instanceof Problem);
      answer = `${error.def.code} ${error.details.param}`;
    }
    assert.deepEqual(answer, expected);
  });
}

test('a refusal to leave at once is true in January too, when all records are of the year before', () => {
  const said = (error: unknown) => String((error as Problem).details.values?.reason);
  assert.throws(
    () => modeChange(bound, { enabled: false }, '2027-01-04'),
    (error) => /31 de diciembre: indique en effective_on/.test(said(error)) && !/este año/.test(said(error)),
  );
});
