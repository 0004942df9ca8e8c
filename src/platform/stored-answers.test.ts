import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonErrors as c } from '../kernel/common.errors.ts';
import { fail, Problem } from '../kernel/problem.ts';
import { parseJson } from '../kernel/json.ts';
import type { StoredAnswer } from './idempotency.ts';
import { isRepeated, answerOf, answerOfOrThrow, storedFrom, storedRefusal } from './stored-answers.ts';

/** As the first version of the service stored it. */
const stored = (text: string) => parseJson(text) as StoredAnswer;

test('an answer that an older version stored is given again', () => {
  const text = '{"kind":"answer","status":201,"headers":{"Location":"/x"},"body":{"data":{"id":"1"}}}';
  assert.deepEqual(answerOfOrThrow(stored(text)), {
    status: 201,
    body: { data: { id: '1' } },
    is_repeat: false,
    is_replay: true,
    is_held: false,
  });
});

test('a refusal that an older version stored is given again', () => {
  const text = '{"kind":"problem","code":"resource_not_found","details":{"param":"client_id"}}';
  assert.throws(
    () => answerOfOrThrow(stored(text)),
    (error) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.def.status, error.details], [404, { param: 'client_id', is_replay: true }]);
      return true;
    },
  );
});

test('a refusal whose code is gone is told as a fault', () => {
  const outcome = answerOf({ kind: 'problem', code: 'gone', details: {} });
  assert.ok(outcome instanceof Problem);
  assert.equal(outcome.def.code, 'internal_error');
});

test('what is stored reads back as it was, and says nothing of the replay', () => {
  const answer = { status: 200, body: { data: 1 }, is_repeat: false, is_replay: false, is_held: false };
  assert.deepEqual(storedFrom(answer), { kind: 'answer', status: 200, headers: {}, body: { data: 1 } });
  const refusal = fail(c.resource_not_found, { param: 'invoice' });
  assert.deepEqual(storedRefusal(refusal), {
    kind: 'problem',
    code: 'resource_not_found',
    details: { param: 'invoice' },
  });
});

for (const [def, is_repeated] of [
  [c.resource_not_found, true],
  [c.business_rule_violation, true],
  [c.resource_locked, false],
  [c.idempotency_key_reused, false],
  [c.rate_limit_exceeded, false],
  [c.insufficient_scope, false],
  [c.parameter_invalid_format, false],
  [c.internal_error, false],
  [c.service_unavailable, false],
] as const) {
  test(`${def.code} is ${is_repeated ? '' : 'not '}given again`, () => {
    assert.equal(isRepeated(new Problem(def)), is_repeated);
  });
}
