import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueDay } from './due-day.ts';

test('the due day is the one asked for, else the terms of the client, never before the issue', () => {
  assert.equal(dueDay(null, '2026-01-31', null), null);
  assert.equal(dueDay(null, '2026-01-31', 30), '2026-03-02');
  assert.equal(dueDay('2026-02-01', '2026-01-31', 30), '2026-02-01');
  assert.throws(() => dueDay('2026-01-30', '2026-01-31', null), { message: 'business_rule_violation' });
});
