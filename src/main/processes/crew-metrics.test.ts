import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMetrics, type ProcessMetrics } from '../metrics.ts';
import { makeCrewMetrics } from './crew-metrics.ts';
import { answerPage, makePageQuestions, type PageQuestions } from './page-questions.ts';

/** One process with so many requests, which sees the same due jobs as the others. */
function makeProcess(requests: number, jobs: number, use = { lent: 2, free: 8, awaited: 0 }) {
  const now = new Date('2026-11-22T10:00:00Z');
  const metrics = makeMetrics({
    request_log_dropped: () => 0,
    connections: () => use,
    printing: () => ({ running: 1, waiting: 0 }),
    service_certificate_until: null,
    look: async () => ({
      due: { now, kinds: [{ kind: 'email.send', jobs, oldest_at: now }] },
      emails: [],
      waiting: [],
      ends: [{ kind: 'certificate', next_at: new Date(now.getTime() + 60_000), ended: 3 }],
      holds_row_security: true,
    }),
    now: () => now,
  });
  for (let i = 0; i < requests; i++) metrics.observe('list_invoices', 200, 0.003);
  return { metrics: metrics.values };
}

test('given two processes, then requests and connections are added, and what the database says is not', async () => {
  const crew = makeCrewMetrics(() => [makeProcess(3, 7), makeProcess(4, 7)]);
  const { body, type } = await crew.text();
  assert.match(type, /^text\/plain/);
  assert.match(body, /^folio_requests_total\{operation="list_invoices",status="200"\} 7$/m);
  assert.match(body, /^folio_request_seconds_count\{operation="list_invoices"\} 7$/m);
  assert.match(body, /^folio_connections\{state="free"\} 16$/m);
  assert.match(body, /^folio_due_jobs\{kind="email.send"\} 7$/m);
  assert.match(body, /^folio_database_answers 1$/m);
  assert.match(body, /^folio_ended\{of="certificate"\} 3$/m);
  assert.match(body, /^folio_left_seconds\{of="certificate"\} 60$/m);
  assert.match(body, /^folio_row_security_holds 1$/m);
});

test('given one process whose calls wait while the other has free connections, then the page of all says so', async () => {
  const stuck = makeProcess(0, 0, { lent: 10, free: 0, awaited: 3 });
  const isShort = async (...sources: ReturnType<typeof makeProcess>[]) =>
    /^folio_connections_short (\d)$/m.exec((await makeCrewMetrics(() => sources).text()).body)?.[1];
  assert.equal(await isShort(stuck, makeProcess(0, 0)), '1');
  // A wait for an own share, or a last connection that is lent, is no reason to wake anybody.
  const [shared, busy] = [
    makeProcess(0, 0, { lent: 5, free: 5, awaited: 3 }),
    makeProcess(0, 0, { lent: 10, free: 0, awaited: 0 }),
  ];
  assert.equal(await isShort(shared, busy), '0');
});

test('given a process that is gone, then its requests stay counted, and its connections do not', async () => {
  const sources = [makeProcess(3, 0), makeProcess(4, 0)];
  const crew = makeCrewMetrics(() => sources);
  for (let i = 0; i < 2; i++) {
    const gone = sources.pop()!;
    crew.keep(await gone.metrics());
    sources.push(makeProcess(1, 0));
  }
  crew.keep([] satisfies ProcessMetrics);
  const { body } = await crew.text();
  assert.match(body, /^folio_requests_total\{operation="list_invoices",status="200"\} 9$/m);
  assert.match(body, /^folio_request_seconds_bucket\{le="0.005",operation="list_invoices"\} 9$/m);
  assert.match(body, /^folio_connections\{state="free"\} 16$/m);
});

test('given many who ask at once, then the processes are asked once for those who wait', async () => {
  let asked = 0;
  const one = makeProcess(3, 0);
  const metrics = () => {
    asked += 1;
    return one.metrics();
  };
  const crew = makeCrewMetrics(() => [{ metrics }]);
  await crew.text();
  const pages = await Promise.all(Array.from({ length: 50 }, () => crew.text()));
  assert.equal(asked, 2);
  assert.equal(new Set(pages.map(({ body }) => body)).size, 1);
});

/** A process whose supervisor knows these sources. */
function makeAsker(sources: Parameters<typeof makeCrewMetrics>[0]): PageQuestions {
  const crew = makeCrewMetrics(sources);
  const questions: PageQuestions = makePageQuestions(
    (question) => void answerPage(crew, question, questions.take),
  );
  return questions;
}

test('given metrics that cannot be added up, when a process asks for them, then it hears why, and the next who asks gets a page', async () => {
  let is_broken = true;
  const one = makeProcess(3, 0);
  const metrics = () => (is_broken ? Promise.reject(new Error('It is broken.')) : one.metrics());
  const asker = makeAsker(() => [{ metrics }]);
  await assert.rejects(asker.ask(), /No metrics of all: It is broken\./);
  is_broken = false;
  assert.match((await asker.ask()).body, /^folio_requests_total\{.*\} 3$/m);
});

test('given a supervisor that does not answer, when a process asks for metrics, then it waits for ten seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = makePageQuestions(() => undefined).ask();
  t.mock.timers.tick(10_000);
  await assert.rejects(asked, /did not answer with the metrics in time/);
});
