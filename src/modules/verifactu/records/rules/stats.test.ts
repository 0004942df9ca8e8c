import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statsOf } from './stats.ts';

const row = {
  made: 100,
  kept: 20,
  pending: 9,
  sending: 3,
  held_back: 2,
  late: 4,
  accepted_with_errors: 5,
  rejected: 6,
  rejected_open: 1,
};

test('given a company that can send, then accepted is the rest, and only what is held back is blocked', () => {
  assert.deepEqual(statsOf(row, null), {
    records_count: 100,
    by_status: { pending: 9, sending: 3, accepted: 57, accepted_with_errors: 5, rejected: 6, kept: 20 },
    pending_incident_count: 4,
    blocked_incident_count: 2,
    rejected_open_count: 1,
  });
});

test('given a company that cannot send, then all that waits is blocked', () => {
  const { pending_incident_count, blocked_incident_count } = statsOf(row, 'authority_not_configured');
  assert.deepEqual([pending_incident_count, blocked_incident_count], [0, 12]);
});
