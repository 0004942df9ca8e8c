/**
 * One process is killed while many callers issue over several series. No number is lost or given twice, and dates keep
 * their order. Then the same with cut connections.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { assertIssuedWhole } from '../support/issued-invoices.ts';
import { create } from '../support/resource-checks.ts';
import { startChild } from '../support/service-child.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

const callers = 32;
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
    // A replay after the crash repeats the acknowledged answer.
    if (wanted.answer) assert.deepEqual({ id, number }, wanted.answer);
    wanted.answer = { id, number };
  } else {
    assert.ok([409, 503].includes(statusCode), `${statusCode}: ${text}`);
  }
  return statusCode;
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

test('given 32 callers over three series, when the process is killed, then no number is lost, doubled or skipped', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const series = await givenSeries(app, acme);
  const agent = new Agent({ connections: callers });
  t.after(() => agent.destroy());
  const all: Wanted[] = [];
  // A kill just after the last answer leaves nobody without one: then one more round follows.
  for (let round = 0; round < 2 || (round < 10 && all.every((w) => w.answer)); round++) {
    const service = await startChild(t, app);
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
    await assertIssuedWhole(app, acme, all);
  }
  assert.ok(
    all.some((w) => !w.answer),
    'some never heard of their invoice',
  );
  // A retry gets its one invoice, made before the crash or now, by a process that knew nothing of it.
  await Promise.all(all.map(async (wanted) => assert.equal(await ask(agent, app.url, acme, wanted), 201)));
  await assertIssuedWhole(app, acme, all);
  const [row] =
    await app.sql`select count(*)::integer as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row?.count, all.length);
});

test('given 32 callers issuing, when connections to the database are cut, then each is answered, and may ask again', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const series = await givenSeries(app, acme);
  const all: Wanted[] = [];
  let is_over = false;
  const statuses: number[] = [];
  let pause = 15;
  const cutting = (async () => {
    while (!is_over) {
      await app.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename = 'folio_service' order by random() limit 2`;
      // Ever more seldom, so that on a busy machine too some calls get through.
      pause += statuses.includes(201) ? 1 : 4;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  })();
  const agent = new Agent({ connections: callers });
  t.after(() => agent.destroy());
  // Where calls are fast, few connections are cut meanwhile: then more calls are made.
  const isEnough = () => all.length >= 192 && statuses.includes(503) && statuses.includes(201);
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (!isEnough() && all.length < 5000) {
        const wanted = wantedOf(series, all.length);
        all.push(wanted);
        statuses.push(await ask(agent, app.url, acme, wanted));
      }
    }),
  );
  is_over = true;
  await cutting;
  assert.ok(statuses.includes(503) && statuses.includes(201), [...new Set(statuses)].join());
  await assertIssuedWhole(app, acme, all);
  // The pool recovers by itself; callers that got 503 retry.
  await until(async () => (await app.get('/v1/products', { key: acme.live_key })).status === 200);
  for (const wanted of all) await until(async () => (await ask(agent, app.url, acme, wanted)) === 201);
  await assertIssuedWhole(app, acme, all);
  const [row] =
    await app.sql`select count(*)::integer as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row?.count, all.length);
});
