import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Outcome, pauseBefore, retryAfterSeconds } from './retries.ts';

const settings = { retries: 4, wait_max_ms: 60_000 };
const at = { repeated: 0, waited_ms: 0, random: 1 };
const outcome = (
  status: number | null,
  code: string | null = null,
  retry_after_seconds: number | null = null,
) => ({
  status,
  code,
  retry_after_seconds,
});

/** The pause without a key, and with one. */
const cases: [Outcome, bare: number | null, keyed: number | null][] = [
  [outcome(null), null, 250],
  [outcome(500, 'internal_error'), null, 250],
  [outcome(502), null, 250],
  [outcome(503, 'service_unavailable', 5), null, 5062.5],
  [outcome(429, 'rate_limit_exceeded', 7), 7062.5, 7062.5],
  [outcome(429, 'company_share_exceeded', 1), 1062.5, 1062.5],
  [outcome(429), 250, 250],
  [outcome(429, 'email_limit_exceeded', 40_000), null, null],
  // The longest that a limit of so many a minute asks for.
  [outcome(429, 'rate_limit_exceeded', 60), 60_062.5, 60_062.5],
  [outcome(429, 'rate_limit_exceeded', 61), null, null],
  [outcome(409, 'resource_locked'), 250, 250],
  [outcome(409, 'idempotency_key_reused'), null, null],
  [outcome(408, 'request_timeout'), 250, 250],
  [outcome(422, 'parameter_invalid'), null, null],
  [outcome(404), null, null],
];
for (const [came, bare, keyed] of cases) {
  test(`after ${came.status} ${came.code} it waits ${bare} ms, with a key ${keyed}`, () => {
    assert.equal(pauseBefore(came, false, at, settings), bare);
    assert.equal(pauseBefore(came, true, at, settings), keyed);
  });
}

test('pauses double up to eight seconds, are spread, and end with the retries', () => {
  const pause = (repeated: number, random = 1) =>
    pauseBefore(outcome(null), true, { ...at, repeated, random }, { retries: 8, wait_max_ms: 60_000 });
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((repeated) => pause(repeated)),
    [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, null],
  );
  assert.equal(pause(0, 0), 125);
});

test('what was waited counts', () => {
  const pause = (waited_ms: number) =>
    pauseBefore(outcome(429, 'rate_limit_exceeded', 20), true, { ...at, waited_ms }, settings);
  assert.deepEqual([pause(39_000), pause(41_000)], [20_062.5, null]);
});

test('Retry-After is seconds or a date; what is neither counts as absent', () => {
  const now = Date.parse('2026-11-23T12:00:00.500Z');
  const said: [string | null, number | null][] = [
    ['7', 7],
    ['0', 0],
    ['0.5', 0.5],
    ['Mon, 23 Nov 2026 12:00:30 GMT', 30],
    ['Monday, 23-Nov-26 12:00:30 GMT', 30],
    ['Mon, 23 Nov 2026 11:59:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
    ['Mon, 99 Nov 2026 12:00:30 GMT', null],
    [null, null],
  ];
  assert.deepEqual(
    said.map(([value]) => [value, retryAfterSeconds(value, now)]),
    said,
  );
});
