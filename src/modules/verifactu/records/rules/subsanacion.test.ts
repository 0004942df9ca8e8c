import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../../kernel/problem.ts';
import type { RemissionMode } from '../../record.ts';
import { heldAfter, marksOfSubsanacion, type PastRecord, heldOnceAccepted } from './subsanacion.ts';

/** `alta accepted`, `anulacion rejected 3002`, `alta kept`, `alta broken` (breaks the schema). */
function past(text: string, index: number): PastRecord {
  const [kind, status, code = null] = text.split(' ') as [PastRecord['kind'], string, string?];
  const is_broken = status === 'broken';
  return {
    id: String(index),
    kind,
    status: status === 'kept' ? null : is_broken ? 'pending' : (status as PastRecord['status']),
    is_blocked: status === 'kept' ? null : is_broken,
    aeat_error_code: is_broken ? 'SCHEMA_INVALID' : code,
    answered_at: new Date(Date.UTC(2026, 2, 10, 12, index)),
  };
}

const records = (texts: readonly string[]) => texts.map(past);

type Given = { at?: number; issued_on?: string; mode?: RemissionMode | null; today?: string };

function marksOf(texts: readonly string[], given: Given = {}): string {
  const { at = texts.length - 1, issued_on = '2026-03-10', mode = 'verifactu', today = '2026-03-11' } = given;
  const all = records(texts);
  try {
    const marks = marksOfSubsanacion(all, { ...all[at]!, issued_on }, { mode, today });
    if (marks.kind === 'alta') return `alta S ${marks.prior_rejection ?? '-'}`;
    return `anulacion ${marks.is_prior_rejection ? 'S' : '-'} ${marks.has_no_prior_record ? 'S' : '-'}`;
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.def.status, 409);
    return error.def.code;
  }
}

const rejected = 'alta rejected 1100';

/** Marks: Subsanacion and RechazoPrevio for an alta, RechazoPrevio and SinRegistroPrevio for an anulación. */
const matrix: [held: string, records: string[], marks: string][] = [
  // The initial alta was rejected.
  ['nothing', [rejected], 'alta S X'],
  // Accepted, with or without errors.
  ['alta', ['alta accepted'], 'alta S -'],
  ['alta', ['alta accepted_with_errors 2001'], 'alta S -'],
  ['alta', [rejected, 'alta accepted'], 'alta S -'],
  ['alta', ['alta accepted', 'alta accepted'], 'alta S -'],
  // That subsanación was rejected.
  ['alta', ['alta accepted', rejected], 'alta S S'],
  ['alta', ['alta accepted', rejected, rejected], 'alta S S'],
  ['nothing', [rejected, rejected], 'alta S X'],
  // Never sent (no-verifactu mode) and mended now. That was rejected.
  ['nothing', ['alta kept'], 'alta S X'],
  ['nothing', ['alta kept', 'alta kept'], 'alta S X'],
  ['nothing', ['alta kept', rejected], 'alta S X'],
  // Never sent because it broke the schema.
  ['nothing', ['alta broken'], 'alta S X'],
  ['nothing', [rejected, 'alta broken'], 'alta S X'],
  ['alta', ['alta accepted', 'alta broken'], 'alta S -'],
  ['alta', ['alta accepted', rejected, 'alta broken'], 'alta S S'],
  // The anulación of an accepted invoice was rejected.
  ['alta', ['alta accepted', 'anulacion rejected 1100'], 'anulacion S -'],
  ['alta', ['alta accepted', 'anulacion rejected 1100', 'anulacion rejected 1100'], 'anulacion S -'],
  ['alta', ['alta accepted', 'anulacion broken'], 'anulacion - -'],
  // The anulación of an invoice that the authority never got was rejected.
  ['nothing', [rejected, 'anulacion rejected 1100'], 'anulacion S S'],
  ['nothing', ['alta kept', 'anulacion rejected 1100'], 'anulacion S S'],
  ['nothing', [rejected, 'anulacion broken'], 'anulacion - S'],
  // The authority said what it holds: the alta (3000), or nothing (3002).
  ['alta', ['alta rejected 3000'], 'alta S S'],
  ['nothing', ['alta accepted', 'alta rejected 3002'], 'alta S X'],
  ['nothing', ['alta accepted', 'anulacion rejected 3002'], 'anulacion S S'],
  ['alta', [rejected, 'anulacion rejected 3000'], 'anulacion S -'],
];

test('given what the authority holds of an invoice, when its last record is mended, then the marks are those of the matrix', () => {
  for (const [held, texts, marks] of matrix) {
    assert.equal(heldAfter(records(texts)), held, texts.join(', '));
    assert.equal(marksOf(texts), marks, texts.join(', '));
  }
});

test('given no-verifactu mode, when a record is mended, then only the plain rows apply', () => {
  for (const [, texts, marks] of matrix) {
    const plain = marks.startsWith('alta') ? 'alta S -' : 'anulacion - -';
    assert.equal(marksOf(texts, { mode: 'no_verifactu' }), plain, texts.join(', '));
  }
});

test('given an invoice that is annulled at the authority, then it holds the anulación, and an alta brings it back', () => {
  assert.equal(heldAfter(records(['alta accepted', 'anulacion accepted'])), 'anulacion');
  assert.equal(heldAfter(records(['alta accepted', 'anulacion rejected 3001'])), 'anulacion');
  assert.equal(heldAfter(records(['alta accepted', 'anulacion accepted', 'alta accepted'])), 'alta');
  assert.equal(marksOf(['alta accepted', 'anulacion accepted', rejected]), 'alta S S');
});

test('given an alta that was answered after its annulment, then the later answer tells what the authority holds', () => {
  const [alta, anulacion] = records(['alta accepted', 'anulacion rejected 3002']);
  const later = { ...alta!, answered_at: new Date(Date.UTC(2026, 2, 10, 13)) };
  assert.equal(heldAfter([alta!, anulacion!]), 'nothing');
  assert.equal(heldAfter([later, anulacion!]), 'alta');
  const waiting = { ...alta!, status: 'pending' as const };
  assert.equal(heldOnceAccepted([waiting, anulacion!]), 'alta');
  // One message answers both: the order of the chain counts.
  assert.equal(heldAfter([{ ...alta!, answered_at: anulacion!.answered_at }, anulacion!]), 'nothing');
});

test('given records that wait, then what will be held counts those that go out, and never one that is held back', () => {
  for (const [texts, held] of [
    [[], 'nothing'],
    [['alta pending'], 'alta'],
    [['alta sending'], 'alta'],
    [['alta broken'], 'nothing'],
    [['alta kept'], 'nothing'],
    [[rejected, 'alta pending'], 'alta'],
    [['alta accepted', 'alta broken'], 'alta'],
    [['alta accepted', 'anulacion pending'], 'anulacion'],
  ] as const) {
    assert.equal(heldOnceAccepted(records(texts)), held, texts.join(', '));
  }
});

test('given a record without an answer or with a later one, then it is record_not_rejected', () => {
  for (const texts of [
    ['alta pending'],
    ['alta sending'],
    [rejected, 'alta pending'],
    ['alta accepted', 'anulacion sending'],
  ]) {
    assert.equal(marksOf(texts), 'record_not_rejected', texts.join(', '));
  }
  for (const later of ['alta pending', 'alta accepted', rejected, 'anulacion accepted', 'alta kept']) {
    assert.equal(marksOf([rejected, later], { at: 0 }), 'record_not_rejected', later);
  }
});

test('given an annulment that went through, a closed invoice, or VeriFactu off, then it is record_not_subsanable', () => {
  for (const texts of [
    ['alta accepted', 'anulacion accepted'],
    ['alta accepted', 'anulacion accepted_with_errors 2000'],
    ['alta kept', 'anulacion kept'],
    ['alta accepted', 'anulacion rejected 3001'],
    ['alta accepted', 'anulacion rejected 3004'],
    ['alta accepted', 'alta rejected 3004'],
    ['alta rejected 1104', 'anulacion rejected 1104'],
  ]) {
    assert.equal(marksOf(texts), 'record_not_subsanable', texts.join(', '));
  }
  assert.equal(marksOf([rejected], { mode: null }), 'record_not_subsanable');
});

test('given a rejection of number, day or issuer, then it is requires_annulment; any other code is mended', () => {
  const identity = ['1104', '1105', '1108', '1120', '1130', '1133', '1152', '1172', '1219', '1287'];
  for (let code = 1100; code < 1300; code++) {
    const expected = identity.includes(String(code)) ? 'requires_annulment' : 'alta S X';
    assert.equal(marksOf([`alta rejected ${code}`]), expected, String(code));
  }
  assert.equal(marksOf(['alta accepted_with_errors 1104']), 'alta S -');
});

test('given a day of issue that was still to come (1112), then it is mended from that day on', () => {
  const on = (today: string) => marksOf(['alta rejected 1112'], { issued_on: '2026-03-10', today });
  assert.deepEqual(['2026-03-09', '2026-03-10', '2026-03-11'].map(on), [
    'requires_annulment',
    'alta S X',
    'alta S X',
  ]);
});
