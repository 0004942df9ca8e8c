import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { healthChange } from './health.ts';
import { nextDelivery, type Waiting } from './next-delivery.ts';
import { outboxBatch } from './outbox-batch.ts';
import { afterAttempt, attemptsMax, isSuccess, retryDelaysMs, slackMs } from './schedule.ts';
import { deliveryHeaders } from './sign.ts';
import { isSubscribedTo, isSubscribed, turnsAfter } from './subscription.ts';

const at = (ms: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + ms);

for (const [enabled_events, type, wanted] of [
  [['invoice.paid'], 'invoice.paid', true],
  [['invoice.paid'], 'invoice.paid_late', false],
  [['invoice.*'], 'invoice.paid', true],
  [['invoice.*'], 'purchase_invoice.paid', false],
  [['invoice.*'], 'invoices.paid', false],
  [['*'], 'order.refunded', true],
  [['client.created', 'payment.*'], 'payment.received', true],
  [[], 'invoice.paid', false],
] as const) {
  test(`[${enabled_events}] ${wanted ? 'wants' : 'does not want'} ${type}`, () => {
    assert.equal(isSubscribed(enabled_events, type), wanted);
  });
}

const versions = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
for (const [title, status, turns, heard] of [
  ['made at 3', 'enabled', [3], [3, 4, 5, 6, 7, 8, 9]],
  ['disabled at 5', 'disabled', [3, 5], [3, 4]],
  ['disabled at 5 and enabled at 8', 'enabled', [3, 5, 8], [3, 4, 8, 9]],
  ['turned to and fro', 'disabled', [1, 2, 4, 5, 7, 9], [1, 4, 7, 8]],
] as const) {
  test(`an endpoint ${title} is given the events of the settings ${heard}, whatever the clocks say`, () => {
    const endpoint = { enabled_events: ['*'], status, created_at: at(0), disabled_at: at(10), turns };
    for (const event_at of [-1, 5, 15]) {
      const event = { type: 'a.b', created_at: at(event_at) };
      assert.deepEqual(
        versions.filter((settings_version) => isSubscribedTo(endpoint, { ...event, settings_version })),
        heard,
      );
    }
  });
}

for (const [title, turns, before, wanted] of [
  ['enabled', [3], 'enabled', [3, 9]],
  ['disabled', [3, 5], 'disabled', [3, 5, 9]],
  ['enabled before turns were kept', [], 'enabled', [0, 9]],
  ['disabled before turns were kept', [], 'disabled', [9]],
  ['enabled without a turn', [3, 5], 'enabled', [3, 5, 5, 9]],
  ['disabled without a turn', [3], 'disabled', [3, 9, 9]],
] as const) {
  test(`an endpoint ${title}, turned at 9, has the turns ${wanted}`, () => {
    assert.deepEqual(turnsAfter(turns, before, 9), wanted);
  });
}

test('an endpoint that is turned without end keeps its last turns', () => {
  let turns = [1];
  for (let version = 2; version <= 1001; version++)
    turns = turnsAfter(turns, version % 2 === 0 ? 'enabled' : 'disabled', version);
  assert.ok(turns.length <= 128);
  assert.deepEqual(turns.slice(-3), [999, 1000, 1001]);
  assert.equal(turns.length % 2, 1);
});

for (const [title, status, disabled_at, event_at, wanted] of [
  ['enabled, event from before it was made', 'enabled', null, -1, false],
  ['enabled, event of the same instant', 'enabled', null, 0, true],
  ['disabled, event from before', 'disabled', 100, 99, true],
  ['disabled, event of meanwhile', 'disabled', 100, 100, false],
  ['disabled, nobody knows since when', 'disabled', null, 50, false],
] as const) {
  test(`an endpoint that is ${title} is ${wanted ? 'given' : 'not given'} it by the clocks, where the version before wrote either`, () => {
    const since = disabled_at === null ? null : at(disabled_at);
    const endpoint = { enabled_events: ['*'], status, created_at: at(0), disabled_at: since };
    const event = { type: 'a.b', created_at: at(event_at) };
    const turns = status === 'enabled' ? [3] : [3, 5];
    assert.equal(isSubscribedTo({ ...endpoint, turns }, { ...event, settings_version: null }), wanted);
    assert.equal(isSubscribedTo({ ...endpoint, turns: [] }, { ...event, settings_version: 7 }), wanted);
    assert.equal(
      isSubscribedTo({ ...endpoint, turns: turns.slice(1) }, { ...event, settings_version: 4 }),
      wanted,
    );
  });
}

test('the delays are the documented ones, in seconds', () => {
  assert.deepEqual(
    retryDelaysMs.map((ms) => ms / 1000),
    [60, 300, 1800, 7200, 43_200, 86_400, 259_200],
  );
  assert.equal(attemptsMax, 8);
});

test('200, 201, 202 and 204 are successes, and nothing else', () => {
  const all = Array.from({ length: 500 }, (_, n) => n + 100);
  assert.deepEqual(
    all.filter((status) => isSuccess(status)),
    [200, 201, 202, 204],
  );
  assert.equal(isSuccess(null), false);
});

for (const [before, status, expected] of [
  [0, 200, { status: 'delivered', attempt: 1, next_attempt_at: null }],
  [7, 204, { status: 'delivered', attempt: 8, next_attempt_at: null }],
  [0, 500, { status: 'failed', attempt: 1, next_attempt_at: at(60_000) }],
  [0, null, { status: 'failed', attempt: 1, next_attempt_at: at(60_000) }],
  [6, 301, { status: 'failed', attempt: 7, next_attempt_at: at(259_200_000) }],
  [7, 500, { status: 'failed_permanently', attempt: 8, next_attempt_at: null }],
] as const) {
  test(`after ${before} attempts and ${status} comes ${expected.status}`, () => {
    assert.deepEqual(afterAttempt(before, status, at(0)), expected);
  });
}

test('a retry may be five per cent late; a first attempt is owed at once', () => {
  assert.equal(slackMs(1), 3000);
  assert.equal(slackMs(7), 12_960_000);
  assert.equal(slackMs(0), Number.POSITIVE_INFINITY);
});

const waiting = (aggregate_id: string | null, attempt = 0, due = 0): Waiting => ({
  aggregate_id,
  attempt,
  next_attempt_at: at(due),
});
const well = { running: 0, firsts: new Set<string>(), is_failing: false, concurrency: 8 };
for (const [title, queue, state, now, expected] of [
  ['nothing waits', [], well, 0, -1],
  ['all is free', [waiting('a'), waiting('b')], well, 0, 0],
  [
    'its aggregate is in flight',
    [waiting('a'), waiting('a'), waiting('b')],
    { ...well, firsts: new Set('a') },
    0,
    2,
  ],
  ['a retry of an aggregate in flight', [waiting('a', 1)], { ...well, firsts: new Set('a') }, 0, 0],
  ['a ping', [waiting('a'), waiting(null)], { ...well, firsts: new Set('a') }, 0, 1],
  ['all places are taken', [waiting('a')], { ...well, running: 8 }, 0, -1],
  ['it fails and nothing is in flight', [waiting('a')], { ...well, is_failing: true }, 0, 0],
  ['it fails and one is in flight', [waiting('a')], { ...well, is_failing: true, running: 1 }, 0, -1],
  ['it fails, a retry is due', [waiting('a', 1)], { ...well, is_failing: true, running: 1 }, 1000, -1],
  [
    'it fails, a retry is getting late',
    [waiting('b'), waiting('a', 1)],
    { ...well, is_failing: true, running: 1 },
    2000,
    1,
  ],
  [
    'late retries have taken all places',
    [waiting('a', 1)],
    { ...well, is_failing: true, running: 8 },
    9000,
    -1,
  ],
] as const) {
  test(`when ${title}, ${expected === -1 ? 'nothing goes' : `number ${expected} goes`}`, () => {
    assert.equal(nextDelivery(queue as readonly Waiting[], state, at(now)), expected);
  });
}

const rows = (...texts: string[]) =>
  texts.map((text) => ({ aggregate_id: text[0]!, sequence: Number(text.slice(1)) }));
const shown = (those: readonly { aggregate_id: string; sequence: number }[]) =>
  those.map((row) => row.aggregate_id + row.sequence);
for (const [given, size, expected] of [
  [['a1', 'b1', 'a2'], 9, ['a1', 'b1', 'a2']],
  [['a2', 'b1', 'a1'], 9, ['a1', 'b1', 'a2']],
  [['a1', 'a3', 'b1', 'a2', 'a4'], 3, ['a1', 'a2', 'b1', 'a3']],
  [['a1', 'b1', 'c1'], 1, ['a1']],
  [[], 3, []],
] as const) {
  test(`of ${given.join(' ') || 'nothing'} by ${size} are taken ${expected.join(' ') || 'none'}`, () => {
    assert.deepEqual(shown(outboxBatch(rows(...given), size)), expected);
  });
}

for (const [ends, expected] of [
  ['', [null, 0, null]],
  ['+', [0, 0, null]],
  ['-', [null, 1, 0]],
  ['--+', [2, 0, null]],
  ['-+--', [1, 2, 2]],
] as const) {
  test(`attempts ${ends || 'none'} leave their endpoint ${JSON.stringify(expected)}`, () => {
    const change = healthChange([...ends].map((sign, n) => ({ is_success: sign === '+', ended_at: at(n) })));
    const ms = (date: Date | null) => date && date.getTime() - at(0).getTime();
    assert.deepEqual([ms(change.last_success_at), change.failures, ms(change.first_failure_at)], expected);
  });
}

test('the signature is over time and body, under the whole secret, the current one first', () => {
  const secrets = [
    `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
  ];
  const headers = deliveryHeaders({
    delivery_id: 'd',
    event_id: 'e',
    event_type: 'a.b',
    body: '{"ñ":1}',
    sent_at: at(1999),
    secrets,
  });
  const t = at(0).getTime() / 1000 + 1;
  const expected = secrets.map(
    (key) => `v1=${createHmac('sha256', key).update(`${t}.{"ñ":1}`).digest('hex')}`,
  );
  assert.equal(headers['Service-Signature'], `t=${t},${expected.join(',')}`);
  assert.equal(headers['webhook-timestamp'], String(t));
  assert.equal(headers['webhook-signature']?.split(' ').length, 2);
});
