import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresIn } from '../../test/support/metric-page.ts';
import type { DatabaseLook } from './database-metrics.ts';
import { makeMetrics, type MetricSources } from './metrics.ts';

const now = new Date('2026-11-24T10:00:00.000Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

const look: DatabaseLook = {
  due: { now: secondsAgo(-45), kinds: [{ kind: 'event', jobs: 3, oldest_at: secondsAgo(90) }] },
  emails: [{ outbox: 'accounts', queue: { waiting: 2, oldest_at: secondsAgo(60) } }],
  waiting: [],
  ends: [],
  holds_row_security: false,
};

const sources: MetricSources = {
  look: async () => look,
  now: () => now,
  request_log_dropped: () => 4,
  connections: () => ({ lent: 10, free: 0, awaited: 7 }),
  printing: () => ({ running: 2, waiting: 5 }),
  service_certificate_until: secondsAgo(-86_400),
};

test('given what a process and its database tell, then the page has each figure', async () => {
  const { body } = await makeMetrics(sources).text();
  const figures = (name: string) => figuresIn(body, name);
  assert.deepEqual(figures('folio_clock_skew_seconds'), { '': -45 });
  assert.deepEqual(figures('folio_due_jobs'), { 'kind="event"': 3 });
  assert.deepEqual(figures('folio_due_seconds'), { 'kind="event"': 90 });
  assert.deepEqual(figures('folio_emails'), { 'outbox="accounts"': 2 });
  assert.deepEqual(figures('folio_emails_seconds'), { 'outbox="accounts"': 60 });
  assert.deepEqual(figures('folio_row_security_holds'), { '': 0 });
  assert.deepEqual(figures('folio_request_log_dropped'), { '': 4 });
  assert.deepEqual(figures('folio_connections'), { 'state="lent"': 10, 'state="free"': 0 });
  assert.deepEqual(figures('folio_connections_awaited'), { '': 7 });
  assert.deepEqual(figures('folio_connections_short'), { '': 1 });
  assert.deepEqual(figures('folio_printing'), { 'state="running"': 2, 'state="waiting"': 5 });
  assert.deepEqual(figures('folio_service_certificate_left_seconds'), { '': 86_400 });
});

test('given a database that does not answer, then its figures are left out, and the process tells its own', async () => {
  const { body } = await makeMetrics({
    ...sources,
    look: () => Promise.reject(new Error('away')),
  }).text();
  assert.deepEqual(figuresIn(body, 'folio_database_answers'), { '': 0 });
  for (const name of ['folio_due_jobs', 'folio_clock_skew_seconds', 'folio_row_security_holds'])
    assert.deepEqual(figuresIn(body, name), {}, name);
  assert.deepEqual(figuresIn(body, 'folio_printing'), { 'state="running"': 2, 'state="waiting"': 5 });
});
