/**
 * Numbers of documents that are no invoices: many callers, calls that are refused after their number was taken, connections that are
 * cut, a process that is killed. No number is given twice, and none is lost.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { otherNumberedKinds } from '../../src/domain/sales/default-series.ts';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { type Cut, openWire } from '../support/database-wire.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { create } from '../support/resource-checks.ts';
import { startChild } from '../support/service-child.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

type Kind = (typeof otherNumberedKinds)[number];

const lines = [{ description: 'Papel', unit_price: 100, tax_rate: 21 }];

/** @returns a body by which the nth document of a kind takes its number at once */
async function givenBodies(app: App, { live_key: key }: TestCompany) {
  const client = await create(app, '/v1/clients', key, { name: 'Norte', tax_id: 'B00000018' });
  const supplier = await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  return (kind: Kind, n: number): object =>
    kind === 'purchase_invoice'
      ? { supplier_id: supplier.id, number: `A-${n}`, issued_on: '2026-01-12', lines }
      : { client_id: client.id, lines, options: { mark_pending: true } };
}

/** Each number once, without a gap. The counter agrees; the events name these documents only. */
async function assertNumbered(
  app: App,
  { company_id }: TestCompany,
  kind: Kind,
  count: number,
): Promise<void> {
  const rows = await app.sql.unsafe(
    `select id, series_id, series_period, series_number from ${kind}s where company_id = '${company_id}' and number is not null order by series_number`,
  );
  assert.deepEqual(
    rows.map((row) => row.series_number),
    Array.from({ length: count }, (_, i) => i + 1),
    kind,
  );
  const { series_id, series_period } = rows[0]!;
  const [counter] = await app.sql`
    select next_number, issued_by from series_counters
     where company_id = ${company_id} and series_id = ${series_id} and period = ${series_period}`;
  assert.deepEqual({ ...counter }, { next_number: count + 1, issued_by: 'issuer' }, kind);
  const told = await app.sql`
    select sequence, data from events
     where company_id = ${company_id} and aggregate_id = ${series_id} and type = 'series.number_consumed' order by sequence`;
  assert.deepEqual(
    told.map(({ data }) => data[kind].id),
    rows.map(({ id }) => id),
    kind,
  );
}

test('given callers of every family at once, when some are refused after their number was taken, then no number is lost', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key } = acme;
  const bodyOf = await givenBodies(app, acme);
  const each = 10;
  // A paper is registered once: each is sent twice, with and without a key that keeps the refusal.
  const calls = otherNumberedKinds.flatMap((kind) =>
    Array.from({ length: each }, (_, n) => n).flatMap((n) => {
      const send = (headers: Record<string, string>) =>
        app.post(`/v1/${kind}s`, { key, body: bodyOf(kind, n), headers });
      const keyed = { 'idempotency-key': `${kind} ${n}` };
      return kind === 'purchase_invoice' ? [send(keyed), send({})] : [send(n % 2 ? keyed : {})];
    }),
  );
  const answers = await Promise.all(calls);
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([count(201), count(422)], [otherNumberedKinds.length * each, each]);
  for (const kind of otherNumberedKinds) await assertNumbered(app, acme, kind, each);
});

test('given a series that is being archived, when documents that read it before wait for their number, then they are refused and none is taken', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key } = acme;
  const bodyOf = await givenBodies(app, acme);
  for (const kind of otherNumberedKinds) {
    const kept = { code: kind.toUpperCase().slice(0, 8), document_type: kind };
    const { id: series_id } = await create(app, '/v1/series', key, kept);
    await create(app, `/v1/${kind}s`, key, { ...bodyOf(kind, 1), series_id });
    const held = await holdLock(
      t,
      app,
      (sql) =>
        sql`update series set is_archived = true where company_id = ${acme.company_id} and id = ${series_id}`,
    );
    const waiting = [2, 3].map((n) =>
      app.post(`/v1/${kind}s`, { key, body: { ...bodyOf(kind, n), series_id } }),
    );
    await until(async () => (await waitersOf(app)) === 2);
    await held.release('commit');
    for (const { status, body } of await Promise.all(waiting))
      assert.deepEqual([status, body.error?.param], [422, 'series_id'], kind);
    await assertNumbered(app, acme, kind, 1);
  }
});

/** Service and database share a machine that may be busy. */
const patienceMs = 180_000;

/** Where connections are cut: so many times before or after the statement ran. */
const cuts: [text: RegExp, how: Cut['cut'], times: number][] = [
  [/^\s*update series_counters/, 'after', 3],
  [/^\s*update series_counters/, 'before', 3],
  [/^insert into \w+_lines/, 'after', 3],
  [/^commit$/, 'before', 4],
  [/^commit$/, 'after', 4],
];

test('given callers who repeat until they are answered, when connections are cut and the process is killed, then each has one document, and no number is lost', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const bodyOf = await givenBodies(app, acme);
  const wire = await openWire(t, app);
  let child = await startChild(t, app, { target: wire.target, writes_request_log: false });
  const left = cuts.map(([text, cut, times]) => ({ text, cut, times }));
  wire.watch = (text) => {
    const due = left.find((one) => one.times > 0 && one.text.test(text));
    if (due) due.times -= 1;
    return due && { cut: due.cut };
  };
  const each = 8;
  let acknowledged = 0;
  const send = async (kind: Kind, n: number): Promise<number> => {
    const init = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${acme.live_key}`,
        'content-type': 'application/json',
        'idempotency-key': `${kind} ${n}`,
      },
      body: JSON.stringify(bodyOf(kind, n)),
    };
    const answer = await fetch(new URL(`/v1/${kind}s`, child.url), init).catch(() => null);
    const status = answer?.status ?? 0;
    // 429: on a busy machine the calls before hold the company's share of the connections for long.
    assert.ok([0, 201, 409, 429, 500, 503].includes(status), await answer?.text());
    return status;
  };
  let killing: Promise<unknown> | undefined;
  const kill = async () => {
    await child.kill();
    child = await startChild(t, app, { target: wire.target, writes_request_log: false });
  };
  const give_up_at = performance.now() + patienceMs;
  await Promise.all(
    otherNumberedKinds.flatMap((kind) =>
      Array.from({ length: each }, async (_, n) => {
        while ((await send(kind, n)) !== 201) {
          assert.ok(performance.now() < give_up_at, `no answer in ${patienceMs / 60_000} minutes`);
          // While the next process starts, nobody can answer.
          await killing;
          await sleep(20);
        }
        acknowledged += 1;
        if (acknowledged === each) killing = kill();
      }),
    ),
  );
  await killing;
  assert.deepEqual(
    left.filter(({ times }) => times > 0),
    [],
    'all cuts were made',
  );
  for (const kind of otherNumberedKinds) await assertNumbered(app, acme, kind, each);
});
