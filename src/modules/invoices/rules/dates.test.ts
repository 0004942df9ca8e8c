import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOperationDate, dueDay, issueDay } from './dates.ts';

const operationCases = [
  // operation_on, issued_on, regime keys, refused
  [null, '2026-05-10', [], false],
  ['2026-05-10', '2026-05-10', [], false],
  ['2026-05-09', '2026-05-10', [], false],
  ['2026-05-11', '2026-05-10', [], true],
  ['2026-05-11', '2026-05-10', ['14'], false],
  ['2026-05-11', '2026-05-10', ['15'], false],
  ['2026-05-11', '2026-05-10', ['01', '14'], true],
  ['2026-05-11', '2026-05-10', ['14', '01'], false],
] as const;

for (const [operation_on, issued_on, keys, is_refused] of operationCases) {
  test(`operation on ${operation_on}, issued on ${issued_on}, keys [${keys}]: ${is_refused ? 'refused' : 'accepted'}`, () => {
    const attempt = () => checkOperationDate(operation_on, issued_on, keys);
    if (is_refused) assert.throws(attempt, { message: 'operation_date_after_issue_date' });
    else attempt();
  });
}

test('the day of issue is the one asked for, else today, never in the future', () => {
  assert.equal(issueDay(null, '2026-05-10'), '2026-05-10');
  assert.equal(issueDay('2026-05-01', '2026-05-10'), '2026-05-01');
  assert.throws(() => issueDay('2026-05-11', '2026-05-10'), { message: 'business_rule_violation' });
});

test('the due day is the one asked for, else the terms of the client, never before the issue', () => {
  assert.equal(dueDay(null, '2026-01-31', null), null);
  assert.equal(dueDay(null, '2026-01-31', 30), '2026-03-02');
  assert.equal(dueDay('2026-02-01', '2026-01-31', 30), '2026-02-01');
  assert.throws(() => dueDay('2026-01-30', '2026-01-31', null), { message: 'business_rule_violation' });
});
