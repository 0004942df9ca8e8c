/** What monitors ask, and what they must not be told: a caller's fault is none of ours. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type App, onOwnDatabase } from '../harness.ts';
import { figuresOf, readPage } from '../support/metric-page.ts';
import { answered, firing, type Series, seriesOf } from '../support/prom-engine.ts';
import { readQuery } from '../support/prom-queries.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

async function metricOf(app: App, pattern: RegExp): Promise<string[]> {
  const { text } = await app.get('/metrics');
  return text.split('\n').filter((line) => pattern.test(line));
}

/**
 * Sends part of a request, then ends or resets the connection: after so many milliseconds, or when its body is awaited, as the
 * service says to who expects it.
 */
function drop(app: App, request: string, how: 'end' | 'reset', when: number | 'awaited'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { hostname, port } = new URL(app.url);
  const breakOff = () => void (how === 'end' ? socket.destroy() : socket.resetAndDestroy());
  const socket = connect(Number(port), hostname, () =>
    socket.write(request, () => {
      if (when === 'awaited') socket.once('data', breakOff);
      else setTimeout(breakOff, when);
    }),
  );
  socket.on('error', () => undefined);
  socket.on('close', () => resolve());
  return promise;
}

test('given callers that drop their upload, then no error is logged, counted or answered as ours', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key } = await app.given.company();
  const head = `POST /v1/clients HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${live_key}\r\ncontent-type: application/json\r\n`;
  const awaiting = `${head}expect: 100-continue\r\n`;
  for (const how of ['end', 'reset'] as const) {
    for (const [start, when] of [
      [head, 0],
      [awaiting, 'awaited'],
    ] as const) {
      await drop(app, `${start}content-length: 500\r\n\r\n{"name":"`, how, when);
      await drop(app, `${start}transfer-encoding: chunked\r\n\r\n5\r\n{"nam\r\n`, how, when);
    }
    for (const after_ms of [0, 100]) {
      await drop(app, `${head}content-len`, how, after_ms);
      await drop(app, 'GET /v1/clients HTTP/1.1\r\nho', how, after_ms);
    }
  }
  // Those that reached an operation are reported once their connection has closed: the four whose body was awaited, and others.
  const seen = () => app.log_lines.filter((line) => line.includes('"operation":"create_client"'));
  await until(() => seen().length >= 4);
  for (let i = 0; i < 50 && seen().length < 8; i++) await wait(20);
  for (const line of seen()) {
    assert.match(line, /"status":400,.*"code":"request_aborted"/);
    assert.equal(line.match(/req_[0-9a-f]{32}/g)?.length, 1, 'the id of a request stands once on its line');
  }
  assert.deepEqual(
    app.log_lines.filter((line) => /"level":[56]0/.test(line)),
    [],
  );
  assert.deepEqual(await metricOf(app, /folio_requests_total.*status="5/), []);
});

test('given callers that drop a whole request before its answer, then no error is logged or counted as ours', async (t) => {
  const app = await startApp(t, { fresh: true, env: { FOLIO_POOL_SIZE: '4' } });
  const { company_id, live_key: key } = await app.given.company();
  const body = { name: 'Uno', external_id: 'uno' };
  const { id } = (await app.post('/v1/clients', { key, body })).body.data;
  // From the second time on, a GET begins with its credential (ADR 12).
  for (let i = 0; i < 2; i++) await app.get(`/v1/clients/${id}`, { key });
  const gate = Promise.withResolvers<void>();
  // The company's share: its calls wait for a connection.
  const held = [0, 1].map(() => app.db.transaction(company_id, () => gate.promise));
  const requests = [
    ['GET', `/v1/clients/${id}`],
    ['GET', '/v1/clients'],
    ['GET', '/v1/account/company'],
    ['HEAD', `/v1/clients/${id}`],
    ['POST', '/v1/clients/find-by-external-id', '{"external_id":"uno"}'],
    ['DELETE', `/v1/clients/${id}`],
  ] as const;
  const seen = () => app.log_lines.filter((line) => /"msg":"request"/.test(line));
  const before = seen().length;
  for (const [method, path, sent = ''] of requests) {
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n`;
    const about = sent && `content-type: application/json\r\ncontent-length: ${sent.length}\r\n`;
    for (const how of ['end', 'reset'] as const)
      for (const after_ms of [0, 50]) await drop(app, `${head}${about}\r\n${sent}`, how, after_ms);
  }
  gate.resolve();
  await Promise.all(held);
  // Also those that were not read when their connection closed have ended by then.
  await until(() => seen().length > before);
  for (let i = 0; i < 50 && seen().length < before + 6; i++) await wait(20);
  await wait(200);
  assert.deepEqual(
    app.log_lines.filter((line) => /"level":[56]0/.test(line)),
    [],
  );
  assert.deepEqual(await metricOf(app, /folio_requests_total.*status="5/), []);
  // No connection was kept.
  const answers = await Promise.all([0, 1, 2, 3].map(() => app.get('/v1/clients', { key })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
});

test('given a port and an address of their own, when metrics are asked for, then they are there and no longer beside the API', async (t) => {
  // Other systems have one loopback address alone.
  const host = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  const app = await startApp(t, { env: { FOLIO_METRICS_PORT: '0', FOLIO_METRICS_HOST: host } });
  const url = app.service.metrics_url;
  assert.ok(url && new URL(url).port !== new URL(app.url).port);
  assert.equal(new URL(url).hostname, host);
  const there = await fetch(`${url}/metrics`);
  assert.equal(there.status, 200);
  assert.match(await there.text(), /folio_requests_total/);
  assert.equal((await fetch(`${url}/metrics`, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 405);
  assert.equal((await fetch(`${url}/v1/account`)).status, 404);
  assert.equal((await app.get('/metrics')).status, 404);
  assert.equal((await app.get('/readyz')).status, 200);
});

test('given jobs that are late and calls that wait, when metrics are read, then they say how many and how long', async (t) => {
  const app = await startApp(t, { fresh: true, env: { FOLIO_POOL_SIZE: '4' } });
  const { company_id } = await app.given.company();
  const due = async (kind: string, seconds_ago: number, leased_for: number | null) => {
    const now = app.clock.now().getTime();
    const at = new Date(now - seconds_ago * 1000);
    await app.sql`insert into due_work (company_id, id, kind, due_at, lease_until, lease_id)
      values (${company_id}, ${randomUUID()}, ${kind}, ${at}, ${leased_for === null ? null : new Date(now + leased_for)}, null)`;
  };
  for (const [kind, ago, lease] of [
    ['test.late', 90, null],
    ['test.late', 30, -1],
    ['test.late', 300, 60_000],
    ['test.early', -60, null],
  ] as const)
    await due(kind, ago, lease);
  const gate = Promise.withResolvers<void>();
  const held = [0, 1, 2].map(() => app.db.transaction(company_id, () => gate.promise));
  const jobs = await figuresOf(app, 'folio_due_jobs');
  assert.equal(jobs['kind="test.late"'], 2, 'one is in progress');
  assert.equal(jobs['kind="test.early"'], undefined);
  const seconds = (await figuresOf(app, 'folio_due_seconds'))['kind="test.late"']!;
  assert.ok(seconds >= 90 && seconds < 200, String(seconds));
  assert.deepEqual(await figuresOf(app, 'folio_connections'), { 'state="lent"': 2, 'state="free"': 2 });
  assert.deepEqual(await figuresOf(app, 'folio_connections_awaited'), { '': 1 });
  assert.deepEqual(await figuresOf(app, 'folio_connections_short'), { '': 0 });
  assert.deepEqual(await figuresOf(app, 'folio_database_answers'), { '': 1 });
  assert.ok(Math.abs((await figuresOf(app, 'folio_clock_skew_seconds'))['']!) < 60);
  gate.resolve();
  await Promise.all(held);
  await app.sql`delete from due_work where company_id = ${company_id} and kind like 'test.%'`;
});

const judge = 'promtool';
const hasPromtool = () => spawnSync(judge, ['--version']).status === 0;
const rulesPath = fileURLToPath(new URL('../../docs/monitoring/alerts.yml', import.meta.url));
const docs = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

type Rules = { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] };
type Board = { panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] };

/** Each query of the alerts and of the board, with the labels that its text shows. */
function queriesOfFiles(): { of: string; query: string; shown: string[]; is_alert: boolean }[] {
  const labelsIn = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, label = '']) => label);
  const { groups } = parse(docs('monitoring/alerts.yml')) as Rules;
  const alerts = groups.flatMap(({ rules }) => rules);
  const { panels } = JSON.parse(docs('monitoring/grafana.json')) as Board;
  return [
    ...alerts.map(({ alert, expr, annotations }) => ({
      of: alert,
      is_alert: true,
      query: expr,
      shown: labelsIn(annotations.summary, /\$labels\.(\w+)/g),
    })),
    ...panels.flatMap(({ title, targets }) =>
      targets.map(({ expr, legendFormat }) => ({
        of: title,
        is_alert: false,
        query: expr,
        shown: labelsIn(legendFormat, /\{\{(\w+)\}\}/g),
      })),
    ),
  ];
}

test('the names of metrics follow their convention, each is told on the page, and each that an alert or the board asks is there', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  await app.get('/v1/clients', { key });
  await app.service.worker.runDue(company_id);
  await app.sql`
    insert into due_work (company_id, id, kind, due_at) values (${company_id}, ${randomUUID()}, 'test.kind', ${new Date(0)})`;
  await app.sql`
    insert into watched (company_id, kind, things, at)
    values (${company_id}, 'certificate', 1, '2099-01-01'), (${company_id}, 'representation', 1, '2099-01-01')`;
  // The shared service may have looked a moment ago.
  const fresh = await startApp(t, { fresh: true });
  await fresh.get('/v1/clients', { key });
  const { text } = await fresh.get('/metrics');
  const { types, labels } = readPage(text);
  for (const [name, type] of types)
    assert.equal(/_total$/.test(name), type === 'counter', `${name} is a ${type}`);
  const own = [...types.keys()].filter((name) => name.startsWith('folio_'));
  const told = [...docs('monitoring.md').matchAll(/`(folio_\w+)`/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(told)].sort(), own.sort());
  const queries = queriesOfFiles();
  assert.ok(queries.length > 40, String(queries.length));
  for (const { of, query, shown } of queries) {
    const { metrics, grouped_by } = readQuery(query);
    assert.ok(metrics.length > 0, of);
    // Prometheus adds the instance to each. A process without a run of a job or a certificate of its own shows no series.
    const known = new Set(['instance']);
    for (const { name, labels: asked } of metrics) {
      assert.ok(types.has(name.replace(/_(bucket|count|sum)$/, '')), `${of} asks for ${name}`);
      const its = new Set(name === 'folio_job_runs_total' ? ['kind', 'outcome'] : labels.get(name));
      for (const label of asked) assert.ok(its.has(label), `${of} asks ${name} for ${label}`);
      for (const label of its) known.add(label);
    }
    for (const label of [...grouped_by, ...shown]) assert.ok(known.has(label), `${of} shows ${label}`);
  }
  // Every figure of our own is on the board.
  const board = new Set(queries.flatMap(({ query }) => readQuery(query).metrics.map(({ name }) => name)));
  for (const name of own)
    assert.ok(board.has(name) || board.has(`${name}_bucket`), `${name} is asked by nobody`);
  await app.sql`delete from due_work where company_id = ${company_id}`;
  const skip = hasPromtool() ? false : 'promtool is not installed';
  await t.test('promtool finds nothing', { skip }, () => {
    const rules = spawnSync(judge, ['check', 'rules', rulesPath], { encoding: 'utf8' });
    assert.equal(rules.status, 0, rules.stdout + rules.stderr);
    const page = spawnSync(judge, ['check', 'metrics'], { input: text, encoding: 'utf8' });
    assert.deepEqual([page.status, page.stdout + page.stderr], [0, '']);
  });
  await t.test(
    "Prometheus' engine answers each query of the board from two such pages",
    { skip },
    async () => {
      for (let i = 0; i < 3; i++) await fresh.get('/v1/clients', { key });
      const series = seriesOf(text, (await fresh.get('/metrics')).text);
      const asked = queries.map(({ query }) => query);
      const given = answered(series, asked);
      const of_board = queries.filter(({ is_alert }) => !is_alert).map(({ query }) => query);
      // A service without a certificate of its own, and one whose worker has run no job.
      const may_lack = [
        'sum by (outcome) (rate(folio_job_runs_total[5m]))',
        'min(folio_service_certificate_left_seconds)',
      ];
      assert.ok(may_lack.every((query) => of_board.includes(query)));
      assert.deepEqual(
        of_board.filter((query) => !given.includes(query) && !may_lack.includes(query)),
        [],
      );
    },
  );
});

/** Figures of an installation where everything is wrong that an alert tells of. */
const sick: Series = {
  'folio_requests_total{operation="list_clients",status="200"}': '0+60x30',
  'folio_requests_total{operation="list_clients",status="500"}': '0+6x30',
  'folio_request_seconds_bucket{operation="list_clients",le="1"}': '0x30',
  'folio_request_seconds_bucket{operation="list_clients",le="5"}': '0+60x30',
  'folio_request_seconds_bucket{operation="list_clients",le="+Inf"}': '0+60x30',
  'folio_job_runs_total{kind="email.send",outcome="failed_permanently"}': '0+1x30',
  'folio_due_seconds{kind="event"}': '700x30',
  'folio_due_jobs{kind="event"}': '10000x30',
  folio_connections_short: '1x30',
  folio_clock_skew_seconds: '-40x30',
  folio_database_answers: '0x30',
  folio_request_log_dropped: '0+1x30',
  nodejs_eventloop_lag_p99_seconds: '0.5x30',
  'folio_records{state="blocked"}': '1x30',
  'folio_records_seconds{state="waiting"}': '15000x30',
  'folio_records_seconds{state="held"}': '90000x30',
  'folio_records_seconds{state="rejected"}': '90000x30',
  'folio_endpoints{state="failing"}': '11x30',
  'folio_emails_seconds{outbox="documents"}': '3700x30',
  'folio_printing{state="waiting"}': '51x30',
  folio_service_certificate_left_seconds: '86400x30',
  'folio_left_seconds{of="certificate"}': '86400x30',
  folio_row_security_holds: '0x30',
};

/** The same figures, as they are when nothing is wrong. */
const well: Series = {
  ...Object.fromEntries(Object.keys(sick).map((series) => [series, '0x30'])),
  'folio_requests_total{operation="list_clients",status="200"}': '0+60x30',
  'folio_request_seconds_bucket{operation="list_clients",le="1"}': '0+60x30',
  'folio_request_seconds_bucket{operation="list_clients",le="5"}': '0+60x30',
  'folio_request_seconds_bucket{operation="list_clients",le="+Inf"}': '0+60x30',
  folio_database_answers: '1x30',
  folio_service_certificate_left_seconds: '31536000x30',
  'folio_left_seconds{of="certificate"}': '31536000x30',
  folio_row_security_holds: '1x30',
};

test("given what each alert is for, when Prometheus' engine works the rules out, then each fires; when nothing is wrong, none does", {
  skip: hasPromtool() ? false : 'promtool is not installed',
}, () => {
  const names = queriesOfFiles().flatMap(({ of, is_alert }) => (is_alert ? [of] : []));
  assert.ok(names.length >= 20);
  assert.deepEqual(firing(sick, rulesPath, names), names);
  assert.deepEqual(firing(well, rulesPath, names), []);
});
