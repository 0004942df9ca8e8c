import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonErrors as c } from './common.errors.ts';
import { fail, Problem, problemBody, problemMessage } from './problem.ts';

const call = { request_id: 'req_1', docs_url: 'https://folio.example' };
const headers = {
  idempotency_key: 'Idempotency-Key',
  active_profile: 'X-Active-Profile',
  version: 'Service-Version',
  expected_tags: 'If-Match',
};

function bodyOf(problem: Problem, member_names?: typeof headers) {
  const { type, message, doc_url, request_id, ...rest } = problemBody(problem, {
    ...call,
    ...(member_names ? { member_names } : {}),
  });
  assert.deepEqual([type, request_id], [problem.def.type, 'req_1']);
  assert.equal(doc_url, `https://folio.example/docs/errors/${problem.def.code}`);
  assert.ok(!/[{}]/.test(message), message);
  return rest;
}

test('the body of a refusal has what is known of it and nothing else', () => {
  assert.deepEqual(bodyOf(fail(c.internal_error)), { code: 'internal_error', param: null });
  assert.deepEqual(bodyOf(fail(c.resource_not_found, { param: 'invoice' })), {
    code: 'resource_not_found',
    param: 'invoice',
  });
  const errors = [{ param: 'lines.0.quantity', code: 'parameter_invalid', message: 'No.' }];
  assert.deepEqual(
    bodyOf(fail(c.parameter_invalid, { param: 'lines.0.quantity', subcode: 'x', line_index: 0, errors })),
    { code: 'parameter_invalid', param: 'lines.0.quantity', subcode: 'x', line_index: 0, errors },
  );
});

test('given a refusal that was stored before its message told a reason, then the message ends without one', () => {
  const { def, details } = new Problem(c.invalid_status_transition, { param: 'payment' });
  assert.equal(problemMessage(def, details.values), 'El estado actual no permite esta operación.');
});

test('what concerns the surface alone is not in the body', () => {
  const problem = fail(c.rate_limit_exceeded, {
    retry_after_seconds: 7,
    is_replay: true,
    values: { limit: 5, seconds: 7 },
  });
  assert.deepEqual(bodyOf(problem), { code: 'rate_limit_exceeded', param: null });
});

test('a member of the call has the name that the surface gives it, a field of the input keeps its own', () => {
  const errors = [{ param: 'idempotency_key', code: 'parameter_invalid', message: 'No.' }];
  const of_member = fail(c.parameter_invalid, { member: 'idempotency_key', errors });
  assert.deepEqual(bodyOf(of_member), { code: 'parameter_invalid', param: 'idempotency_key', errors });
  assert.deepEqual(bodyOf(of_member, headers), {
    code: 'parameter_invalid',
    param: 'Idempotency-Key',
    errors: [{ ...errors[0], param: 'Idempotency-Key' }],
  });
  const of_field = fail(c.parameter_invalid, { param: 'idempotency_key', errors });
  assert.deepEqual(bodyOf(of_field, headers), {
    code: 'parameter_invalid',
    param: 'idempotency_key',
    errors,
  });
});
