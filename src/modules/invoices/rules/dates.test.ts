import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOperationDate, issueDay } from './dates.ts';

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
