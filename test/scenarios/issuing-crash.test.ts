/**
 * Numbers after a crash (decisions, section 3: never given twice, no gap, dates in order). A process of the service
 * is killed while many callers issue over several series; another one goes on. And the same with the database's
 * connections cut under it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { create } from '../support/resource-checks.ts';
import { until } from '../support/worker-place.ts';

const callers = 32;
const script = fileURLToPath(new URL('../support/child-service.ts', import.meta.url));

type Running = { url: string; kill(): Promise<void> };

/** Starts a process of the service on the database of the test's app. */
async function startProcess(t: TestContext, app: App): Promise<Running> {
  const [row] = await app.sql<{ database: string }[]>`select current_database() as database`;
  const { superuser: _, ...server } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}') as {
    superuser: string;
  };
  const target = { ...server, user: 'folio_service', database: row?.database };
  const child: ChildProcess = spawn(process.execPath, [script], {
    env: { ...process.env, FOLIO_TEST_TARGET: JSON.stringify(target) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
    // PostgreSQL ends what the process had open when it notices.
    await until(async () => {
      const rows = await app.sql`
        select 1 from pg_stat_activity where datname = current_database() and application_name = 'folio child'`;
      return rows.length === 0;
    });
  };
  t.after(() => kill());
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { url: String(line).trim(), kill };
}

/** One invoice that a caller wants, and what it heard of it. */
type Wanted = { key: string; body: Record<string, unknown>; answer?: { id: string; number: string } };

async function ask(agent: Agent, url: string, acme: TestCompany, wanted: Wanted): Promise<number> {
  const { statusCode, body } = await request(`${url}/v1/invoices`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${acme.live_key}`,
      'content-type': 'application/json',
      'idempotency-key': wanted.key,
    },
    body: JSON.stringify(wanted.body),
  });
  const text = await body.text();
  if (statusCode === 201) {
    const { id, number } = JSON.parse(text).data;
    // A replay after the crash gives what was acknowledged before it.
    if (wanted.answer) assert.deepEqual({ id, number }, wanted.answer);
    wanted.answer = { id, number };
  } else {
    assert.ok([409, 503].includes(statusCode), `${statusCode}: ${text}`);
  }
  return statusCode;
}

type Issued = {
  id: string;
  number: string;
  series_id: string;
  series_number: number;
  issued_on: string;
  issued_at: Date;
};

async function assertWhole(app: App, acme: TestCompany, all: readonly Wanted[]): Promise<void> {
  const issued = await app.sql<Issued[]>`
    select id, number, series_id, series_number, issued_on, issued_at from invoices
     where company_id = ${acme.company_id} order by series_id, series_number`;
  const stored = new Map(issued.map((row) => [row.id, row.number]));
  for (const { answer } of all) if (answer) assert.equal(stored.get(answer.id), answer.number);
  for (const [series_id, rows] of Map.groupBy(issued, (row) => row.series_id)) {
    assert.deepEqual(
      rows.map((r) => r.series_number),
      rows.map((_, i) => i + 1),
      'no gap and no duplicate',
    );
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1];
      assert.ok(
        !before || (before.issued_on <= row.issued_on && before.issued_at <= row.issued_at),
        'dates in order',
      );
    }
    const [counter] = await app.sql`select next_number from series_counters where series_id = ${series_id}`;
    assert.equal(counter?.next_number, rows.length + 1);
  }
  const [head] = await app.sql`select issued_count from issuing_heads where company_id = ${acme.company_id}`;
  assert.equal(Number(head?.issued_count), issued.length);
  const events = await app.sql<{ aggregate_id: string; sequences: number[]; types: string[] }[]>`
    select aggregate_id, array_agg(sequence order by sequence) as sequences, array_agg(type order by sequence) as types
      from events where company_id = ${acme.company_id} group by 1`;
  for (const { sequences } of events)
    assert.deepEqual(
      sequences,
      sequences.map((_, i) => i + 1),
    );
  const of = new Map(events.map((e) => [e.aggregate_id, e.types]));
  for (const { id } of issued) {
    assert.deepEqual(of.get(id), [
      'invoice.created',
      'invoice.number_assigned',
      'invoice.simplified_created',
    ]);
  }
  // Lines and breakdown are there for each, and for nothing else.
  const [parts] = await app.sql`
    select (select count(distinct invoice_id)::integer from invoice_lines where company_id = ${acme.company_id}) as lines,
           (select count(distinct invoice_id)::integer from invoice_tax_rows where company_id = ${acme.company_id}) as rows`;
  assert.deepEqual({ ...parts }, { lines: issued.length, rows: issued.length });
}

async function givenSeries(app: App, acme: TestCompany): Promise<string[]> {
  const ids: string[] = [];
  for (const code of ['T1', 'T2', 'T3']) {
    const { id } = await create(app, '/v1/series', acme.live_key, {
      code,
      document_type: 'simplified_invoice',
    });
    ids.push(id);
  }
  return ids;
}

const wantedOf = (series: readonly string[], n: number): Wanted => ({
  key: `caller ${n}`,
  body: {
    type: 'F2',
    series_id: series[n % series.length],
    lines: [{ description: `Pedido ${n}`, unit_price: n, tax_rate: 21 }],
    options: { issue: true },
  },
});

test('given 32 callers issuing over three series, when the process is killed in the middle, then nothing is lost, doubled or skipped', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const series = await givenSeries(app, acme);
  const agent = new Agent({ connections: callers });
  t.after(() => agent.destroy());
  const all: Wanted[] = [];
  for (let round = 0; round < 2; round++) {
    const service = await startProcess(t, app);
    const acknowledged = () => all.filter((w) => w.answer).length;
    const goal = acknowledged() + 80;
    let is_dead = false;
    const issueOnAndOn = async () => {
      while (!is_dead) {
        const wanted = wantedOf(series, all.length);
        all.push(wanted);
        await ask(agent, service.url, acme, wanted).catch((error: unknown) => {
          assert.ok(is_dead, String(error));
        });
        if (acknowledged() >= goal) is_dead = true;
        if (is_dead) await service.kill();
      }
    };
    await Promise.all(Array.from({ length: callers }, issueOnAndOn));
    assert.ok(
      all.some((w) => !w.answer),
      'some never heard of their invoice',
    );
    await assertWhole(app, acme, all);
  }
  // Whoever asks again with the same key gets the one invoice, made before the crash or now.
  const service = await startProcess(t, app);
  await Promise.all(
    all.map(async (wanted) => assert.equal(await ask(agent, service.url, acme, wanted), 201)),
  );
  await assertWhole(app, acme, all);
  const [row] =
    await app.sql`select count(*)::integer as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row?.count, all.length);
  await service.kill();
});

test('given 32 callers issuing, when the connections to the database are cut again and again, then each is answered, and asking again makes it right', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const series = await givenSeries(app, acme);
  const all = Array.from({ length: 192 }, (_, n) => wantedOf(series, n));
  let is_over = false;
  const cutting = (async () => {
    while (!is_over) {
      await app.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = 'folio_service' order by random() limit 2`;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  const agent = new Agent({ connections: callers });
  t.after(() => agent.destroy());
  const statuses: number[] = [];
  const queue = all.values();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const wanted of queue) statuses.push(await ask(agent, app.url, acme, wanted));
    }),
  );
  is_over = true;
  await cutting;
  assert.ok(statuses.includes(503) && statuses.includes(201), [...new Set(statuses)].join());
  await assertWhole(app, acme, all);
  // The pool recovers by itself; who was told 503 asks again.
  await until(async () => (await app.get('/v1/products', { key: acme.live_key })).status === 200);
  for (const wanted of all) await until(async () => (await ask(agent, app.url, acme, wanted)) === 201);
  await assertWhole(app, acme, all);
  const [row] =
    await app.sql`select count(*)::integer as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row?.count, all.length);
});
