import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastRefused } from './refused.ts';

const calls = (...statuses: number[]) => statuses.map((status, id) => ({ id, status }));

test('given all calls of the day, then the newest five refused ones are shown, and all were looked at', () => {
  const data = calls(200, 422, 404, 201, 500, 429, 401, 409);
  const { refused, looked_at } = lastRefused({ data, has_more: false });
  assert.deepEqual(
    refused.map(({ status }) => status),
    [422, 404, 500, 429, 401],
  );
  assert.equal(looked_at, null);
});

test('given more calls than were read, all of them good, then it is told how many were looked at', () => {
  const data = calls(...Array.from({ length: 100 }, () => 200));
  assert.deepEqual(lastRefused({ data, has_more: true }), { refused: [], looked_at: 100 });
});
