import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RetryInput, retryFault } from './retry.ts';

const [first, latest] = ['2026-06-01', '2026-10-01'];
const waiting: RetryInput = {
  status: 'pending',
  is_blocked: false,
  attempts: 0,
  is_last: true,
  version: latest,
};

test('given a record, then it can be tried again while it waits and nothing took its place', () => {
  for (const [given, code] of [
    [{}, undefined],
    [{ status: 'sending' }, undefined],
    [{ is_blocked: true }, undefined],
    // It goes out before the later one.
    [{ is_last: false }, undefined],
    [{ is_blocked: true, is_last: false }, 'invalid_status_transition'],
    [{ status: 'accepted' }, 'invalid_status_transition'],
    [{ status: 'accepted_with_errors' }, 'invalid_status_transition'],
    [{ status: 'rejected' }, 'invalid_status_transition'],
    [{ status: null }, 'invalid_status_transition'],
    [{ attempts: 1_000_000 }, undefined],
    [{ attempts: 9, version: first }, undefined],
    [{ attempts: 10, version: first }, 'max_retries_exceeded'],
    [{ attempts: 11, version: first }, 'max_retries_exceeded'],
    [{ attempts: 10, version: first, status: 'accepted' }, 'invalid_status_transition'],
  ] as const) {
    assert.equal(retryFault({ ...waiting, ...given })?.def.code, code, JSON.stringify(given));
  }
});
