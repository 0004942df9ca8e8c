import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDayAllowed } from './representation-term.ts';

test('a representation may be granted until the same day five years on', () => {
  assert.equal(lastDayAllowed('2026-11-21'), '2031-11-21');
  assert.equal(lastDayAllowed('2026-12-31'), '2031-12-31');
  assert.equal(lastDayAllowed('2028-02-29'), '2033-02-28');
});
