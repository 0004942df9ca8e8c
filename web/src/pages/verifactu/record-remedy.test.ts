import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remedyOf } from './record-remedy.ts';
import { verifactuWords } from './words.ts';

const record = {
  kind: 'alta',
  status: 'accepted',
  is_blocked: false,
  can_subsanar: true,
  aeat_error_code: null,
} as const;

const cases: [string, object, ReturnType<typeof remedyOf>][] = [
  ['is accepted', {}, null],
  ['waits', { status: 'pending', can_subsanar: false }, null],
  ['is blocked', { status: 'pending', is_blocked: true }, 'block'],
  ['is rejected', { status: 'rejected', aeat_error_code: '1100' }, 'subsanar'],
  [
    'is rejected for its number, or was mended since, or VeriFactu is off',
    { status: 'rejected', can_subsanar: false, aeat_error_code: '1104' },
    'annul',
  ],
  [
    'is an annulment that is rejected for good, or was mended since, or VeriFactu is off',
    { kind: 'anulacion', status: 'rejected', can_subsanar: false, aeat_error_code: '3001' },
    'check_annulled',
  ],
  ['is accepted with errors', { status: 'accepted_with_errors', aeat_error_code: '2001' }, 'with_errors'],
  [
    'was mended since',
    { status: 'accepted_with_errors', can_subsanar: false, aeat_error_code: '2001' },
    null,
  ],
  [
    'is accepted with a stamp that is not of now',
    { status: 'accepted_with_errors', aeat_error_code: '2004' },
    'nothing',
  ],
  [
    'is accepted without a key of IPSI',
    { status: 'accepted_with_errors', aeat_error_code: '2009' },
    'nothing',
  ],
];
for (const [what, change, expected] of cases)
  test(`given a record that ${what}, then its remedy is ${expected}`, () => {
    assert.equal(remedyOf({ ...record, ...change }), expected);
  });

test('given a record that cannot be mended, then what to do is told for VeriFactu that is on: while it is off nothing can be mended', () => {
  for (const { remedies } of [verifactuWords.es, verifactuWords.en])
    for (const text of [remedies.annul, remedies.check_annulled]) assert.match(text, /\bVeriFactu\b/);
});
