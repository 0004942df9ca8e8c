/** Deliveries are background work of their company: they go before its calls, however many of those wait (ADR 34). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, SetClock, until, WorkerPlace } from '../../../test/support/worker-place.ts';
import { makeSimulatorStore } from '../../integrations/aeat/simulator-store.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { Database } from '../../platform/db.ts';
import type { AttemptResult } from './deliveries.store.ts';
import { fanOut } from './fan-out.ts';
import { makeResultWriter } from './result-writer.ts';
import { makeWorkReader } from './work-reader.ts';

const place = await WorkerPlace.make();
const clock = new SetClock('2026-05-04T10:00:00Z');

/** Of a delivery that has been deleted meanwhile. */
const result: AttemptResult = {
  delivery: {
    id: newId(),
    endpoint_id: newId(),
    event_id: null,
    event_type: 'ping',
    aggregate_id: null,
    attempt: 0,
    next_attempt_at: clock.now(),
    request_body: '{}',
    traceparent: null,
  },
  ended_at: clock.now(),
  is_success: true,
  status: 'delivered',
  attempt: 1,
  next_attempt_at: null,
  response_status: 200,
  duration_ms: 1,
  request_headers: {},
  response_body: null,
  error: null,
};

const works: [what: string, work: (db: Database, company_id: string) => Promise<unknown>][] = [
  ['events become deliveries', (db, company_id) => fanOut({ db, clock }, company_id, undefined)],
  [
    'a lane reads its work',
    (db, company_id) =>
      makeWorkReader({ db, clock }).read(company_id, {
        id: newId(),
        at_hand: [],
        after: null,
        limit: 1,
        bytes: 1,
      }),
  ],
  [
    'a result is stored',
    (db, company_id) =>
      makeResultWriter({ db, log: silentLog, onClosed: assert.fail }).add(company_id, result),
  ],
  ['the simulator answers', (db, company_id) => makeSimulatorStore(db).find(company_id, ['x'])],
];

for (const [what, work] of works)
  test(`given a company with its share lent and a hundred calls waiting, when ${what}, then it goes first`, async () => {
    const db = place.open(2);
    const company_id = await place.company();
    const gate = Promise.withResolvers<void>();
    const held = db.transaction(company_id, () => gate.promise);
    const ended: string[] = [];
    const calls = Array.from({ length: 100 }, () =>
      db.read(company_id, async (tx) => {
        await tx`select 1`;
        ended.push('call');
      }),
    );
    const answered = Promise.allSettled(calls);
    const asked = work(db, company_id).then(() => ended.push('work'));
    // A result gathers for some milliseconds before it is stored.
    await until(() => db.use().awaited === calls.length + 1);
    gate.resolve();
    await Promise.all([held, asked]);
    // On a slow machine the last of them may be told that the share stays spent.
    await answered;
    assert.ok(ended.indexOf('work') < 2, `after ${ended.indexOf('work')} calls`);
  });
