import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFollowsReferences, checkOperationDate, issueDay } from './dates.ts';

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

const referenceCases = [
  // issued_on, corrected, substituted, refused
  ['2026-05-10', [], [], false],
  ['2026-05-10', ['2026-05-10'], [], false],
  ['2026-05-10', ['2026-05-09', '2026-05-11'], [], true],
  ['2026-05-10', [], ['2026-05-10', '2026-05-09'], false],
  ['2026-05-10', [], ['2026-05-09', '2026-05-11'], true],
] as const;

for (const [issued_on, corrected, substituted, is_refused] of referenceCases) {
  test(`issued on ${issued_on}, corrects [${corrected}], substitutes [${substituted}]: ${is_refused ? 'refused' : 'accepted'}`, () => {
    const amounts = { subtotal: null, taxes_total: null, surcharge_total: null };
    const named = (days: readonly string[]) =>
      days.map((day) => ({ id: null, number: 'A-1', issued_on: day, ...amounts }));
    const invoice = { corrected_invoices: named(corrected), substituted_invoices: named(substituted) };
    const attempt = () => checkFollowsReferences(invoice, issued_on);
    if (is_refused) assert.throws(attempt, { message: 'business_rule_violation' });
    else attempt();
  });
}
