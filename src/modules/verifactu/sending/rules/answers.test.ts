import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerLine, SendResult } from '../../ports.ts';
import { type Obstacle, obstacleOf, outcomesOf, retryAfterMs, type SentRecord } from './answers.ts';

const record: SentRecord = {
  record_id: 'r1',
  invoice_id: 'i1',
  kind: 'alta',
  tax_id: 'B12345674',
  number: 'F-1',
  issued_on: '2026-03-10',
  attempts: 1,
};
const line: AnswerLine = {
  kind: 'alta',
  tax_id: 'B12345674',
  number: 'F-1',
  issued_on: '2026-03-10',
  reference: 'r1',
  state: 'accepted',
  code: null,
  message: null,
  duplicate: null,
};
const rejected = (code: string | null) => ({ state: 'rejected', code, message: code && 'texto' }) as const;
const duplicate = (state: 'accepted' | 'accepted_with_errors' | 'annulled', code: string | null = null) => ({
  ...rejected('3000'),
  duplicate: { state, code, message: code && 'el otro' },
});

/** What differs from an accepted alta; its status, its code, and whether it takes the message's CSV. */
const cases: [
  name: string,
  Partial<SentRecord>,
  Partial<AnswerLine> | null,
  [status: string, code: string | null, has_csv: boolean],
][] = [
  ['accepted', {}, {}, ['accepted', null, true]],
  [
    'accepted with errors',
    {},
    { state: 'accepted_with_errors', code: '2001', message: 'texto' },
    ['accepted_with_errors', '2001', true],
  ],
  ['rejected', {}, rejected('1100'), ['rejected', '1100', false]],
  ['rejected without a code', {}, rejected(null), ['rejected', null, false]],
  ['not named in the answer', {}, null, ['pending', null, false]],
  ...['1129', '1241', '1243', '1256', '1288', '3500', '3501'].map((code): (typeof cases)[number] => [
    `the authority's own trouble ${code}`,
    {},
    rejected(code),
    ['pending', code, false],
  ]),
  ['held already', {}, duplicate('accepted'), ['accepted', null, false]],
  [
    'held with errors',
    { attempts: 2 },
    duplicate('accepted_with_errors', '2001'),
    ['accepted_with_errors', '2001', false],
  ],
  [
    'held, and annulled since by a later record',
    { attempts: 2 },
    duplicate('annulled'),
    ['accepted', null, false],
  ],
  ['held annulled, when it is sent first', {}, duplicate('annulled'), ['rejected', '3000', false]],
  [
    'an annulment of an invoice that is annulled',
    { kind: 'anulacion' },
    { kind: 'anulacion', ...duplicate('annulled') },
    ['accepted', null, false],
  ],
  ...([1, 2] as const).flatMap((attempts) =>
    (['accepted', 'accepted_with_errors'] as const).map((state): (typeof cases)[number] => [
      `an annulment of an invoice that is ${state}, attempt ${attempts}`,
      { kind: 'anulacion', attempts },
      { kind: 'anulacion', ...duplicate(state) },
      ['rejected', '3000', false],
    ]),
  ),
  ['a duplicate that does not say of what', {}, rejected('3000'), ['rejected', '3000', false]],
  [
    'annulled already, when it is sent again',
    { kind: 'anulacion', attempts: 2 },
    { kind: 'anulacion', ...rejected('3001') },
    ['accepted', null, false],
  ],
  [
    'annulled already by somebody else',
    { kind: 'anulacion' },
    { kind: 'anulacion', ...rejected('3001') },
    ['rejected', '3001', false],
  ],
  ['3001 of an alta', { attempts: 2 }, rejected('3001'), ['rejected', '3001', false]],
  ['without our reference', {}, { reference: null }, ['accepted', null, true]],
  ['the reference of another', {}, { reference: 'r2' }, ['pending', null, false]],
  ['the other operation', {}, { kind: 'anulacion' }, ['pending', null, false]],
  ['another number, without reference', {}, { reference: null, number: 'F-2' }, ['pending', null, false]],
  [
    'another day, without reference',
    {},
    { reference: null, issued_on: '2026-03-11' },
    ['pending', null, false],
  ],
];

for (const [name, sent, said, [status, code, has_csv]] of cases) {
  test(`a record ${name}: ${status}`, () => {
    const [outcome] = outcomesOf([{ ...record, ...sent }], said === null ? [] : [{ ...line, ...said }]);
    assert.deepEqual([outcome?.status, outcome?.aeat_error_code, outcome?.has_csv], [status, code, has_csv]);
    assert.deepEqual([outcome?.record_id, outcome?.invoice_id], ['r1', 'i1']);
    assert.equal(outcome?.aeat_error_message === null, code === null);
  });
}

test('lines in another order find their records; two of one invoice without references keep theirs', () => {
  const records = [
    record,
    { ...record, record_id: 'r2' },
    { ...record, record_id: 'r3', kind: 'anulacion' as const },
  ];
  const shuffled: AnswerLine[] = [
    { ...line, reference: 'r3', kind: 'anulacion' },
    { ...line, reference: 'r2', state: 'accepted_with_errors', code: '2001' },
    { ...line, ...rejected('1100') },
  ];
  assert.deepEqual(
    outcomesOf(records, shuffled).map((one) => one.status),
    ['rejected', 'accepted_with_errors', 'accepted'],
  );
  const nameless: AnswerLine[] = [
    { ...line, reference: null, ...rejected('1100') },
    { ...line, reference: null },
  ];
  assert.deepEqual(
    outcomesOf(records.slice(0, 2), nameless).map((one) => one.status),
    ['rejected', 'accepted'],
  );
});

const fault = (code: string | null, is_client = true): Exclude<SendResult, { kind: 'answer' }> => ({
  kind: 'fault',
  is_client,
  code,
  message: 'texto',
  raw: '<Fault/>',
});
const repeat: Obstacle = { kind: 'repeat', reason: 'texto' };

const obstacles: [name: string, Exclude<SendResult, { kind: 'answer' }>, Obstacle][] = [
  ['no answer', { kind: 'no_answer', message: 'texto' }, repeat],
  ['a fault of the server', fault('4104', false), repeat],
  ...['3500', '3501', '4103', '4108', '4110', '4111', '4128'].map((code): (typeof obstacles)[number] => [
    `the technical code ${code}`,
    fault(code),
    repeat,
  ]),
  ['a broken schema', fault('4102'), { kind: 'schema' }],
  ['data of the company', fault('4104'), { kind: 'blocked', reason: 'aeat_4104' }],
  ['suspended access', fault('4141'), { kind: 'blocked', reason: 'aeat_4141' }],
  ['a fault without a code', fault(null), { kind: 'blocked', reason: 'aeat_fault' }],
];

for (const [name, result, expected] of obstacles) {
  test(`a message with ${name}: ${expected.kind}`, () => {
    assert.deepEqual(obstacleOf(result), expected);
  });
}

test('attempts come further apart, never more than an hour, and never end', () => {
  const minutes = (failures: number, wait_seconds = 60) => retryAfterMs(failures, wait_seconds) / 60_000;
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 1000].map((failures) => minutes(failures)),
    [1, 2, 5, 10, 30, 60, 60, 60],
  );
  assert.deepEqual([minutes(1, 600), minutes(5, 600), minutes(1, 9999)], [10, 30, 60]);
});
