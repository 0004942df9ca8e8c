/** Runs everything that locks a company's chain, invoices and sender at once. Nothing may deadlock. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomTaxId, startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { portsTo, startTestAuthority } from '../support/sandbox-authority.ts';
import { until } from '../support/worker-place.ts';

const ticket = {
  type: 'F2',
  lines: [{ description: 'Café', unit_price: 10, tax_rate: 21 }],
  options: { issue: true },
};
const perWriter = 12;

test('given a company that issues, annuls, collects and sends at once, then there is no deadlock and every record is accepted', async (t) => {
  let clock: { now(): Date } | undefined;
  const authority = await startTestAuthority(t, { wait_seconds: 1, now: () => clock!.now() });
  const app = await startApp(t, { fresh: true, wrap_ports: portsTo(authority.connection) });
  clock = app.clock;
  const company = await app.given.company();
  const key = company.test_key;
  const id = company.sandbox_company_id;
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  // A frozen clock skips the waits, so the sender always works.
  await app.put('/v1/sandbox/clock', { key, body: { frozen: true } });

  const post = async (path: string, body: unknown, statuses: readonly number[]): Promise<string> => {
    const answer = await app.post(path, { key, body });
    assert.ok(statuses.includes(answer.status), `${path}: ${answer.text}`);
    return answer.body.data?.id;
  };
  const invoices: string[] = [];
  const writers = [1, 2, 3].map(async () => {
    for (let n = 0; n < perWriter; n++) invoices.push(await post('/v1/invoices', ticket, [201]));
  });
  const bulk = async () => {
    for (let n = 0; n < perWriter / 3; n++) {
      const body = { invoices: Array.from({ length: 10 }, () => ticket) };
      const made = await app.post('/v1/invoices/bulk-create', { key, body });
      assert.equal(made.body.data.successful, 10, made.text);
      invoices.push(...made.body.data.invoices.map((one: { id: string }) => one.id));
    }
  };
  let is_over = false;
  /** Takes the invoices from both ends, so that two calls on one invoice never run in step. */
  const following = async (what: (invoice: string) => Promise<unknown>, from_end: boolean) => {
    const seen = new Set<string>();
    for (;;) {
      const is_last = is_over;
      const next = (from_end ? invoices.toReversed() : invoices).find((one) => !seen.has(one));
      if (next === undefined && is_last) return;
      if (next === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
      else {
        seen.add(next);
        await what(next);
      }
    }
  };
  // A collected invoice cannot be annulled, nor an annulled one collected.
  const pay = (one: string) =>
    post(`/v1/invoices/${one}/payments`, { amount: 5, payment_method: 'cash' }, [201, 409, 422]);
  const annul = (one: string) => post(`/v1/invoices/${one}/annul`, { revert_collections: true }, [200, 409]);
  const send = async () => {
    do await app.service.worker.runDue(id);
    while (!is_over);
  };
  const move = async () => {
    for (let seconds = 1; !is_over; seconds++) {
      const now = new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
      const moved = await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
      assert.ok([200, 202].includes(moved.status), moved.text);
    }
  };
  const writing = Promise.all([...writers, bulk()]).finally(() => {
    is_over = true;
  });
  await Promise.all([writing, following(pay, false), following(annul, true), send(), send(), move()]);
  await app.put('/v1/sandbox/clock', { key, body: { frozen: true } });
  await app.service.worker.runDue(id);

  const records = await app.sql<
    { position: string; status: string; kind: string; huella: string; previous: string | null }[]
  >`
    select r.position, s.status, r.kind, r.huella, r.previous_huella as previous
      from verifactu_records r join verifactu_sendings s on s.company_id = r.company_id and s.record_id = r.id
     where r.company_id = ${id} order by r.position`;
  assert.deepEqual(new Set(records.map((record) => record.status)), new Set(['accepted']));
  assert.equal(records.filter(({ kind }) => kind === 'alta').length, invoices.length);
  assert.ok(records.some(({ kind }) => kind === 'anulacion'));
  for (const [n, record] of records.entries()) {
    assert.equal(Number(record.position), n + 1);
    assert.equal(record.previous, records[n - 1]?.huella ?? null);
  }
  const told = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from events where company_id = ${id} and type = 'invoice.verifactu_submitted'`;
  assert.equal(told[0]?.count, records.length, 'one event for each record');
  // Connections report their counts when they end.
  await app.stop();
  const [found] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`;
  assert.equal(found?.deadlocks, 0);
});

const changes: [what: string, path: string, body: object, status: number][] = [
  ['tax id', '/v1/account/company', { tax_id: randomTaxId() }, 422],
  ['mode', '/v1/verifactu/settings', { enabled: true }, 200],
  ['clock', '/v1/sandbox/clock', { frozen: true }, 200],
];

test('given a sandbox that sends, when its settings or clock change at that moment, then neither waits for the other in a circle', async (t) => {
  const app = await startApp(t, { fresh: true });
  for (const [what, path, body, status] of changes) {
    const { test_key: key, sandbox_company_id: id } = await app.given.company();
    await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
    assert.equal((await app.post('/v1/invoices', { key, body: ticket })).status, 201);
    const head = await holdLock(
      t,
      app,
      (sql) => sql`select 1 from issuing_heads where company_id = ${id} for update`,
    );
    const sending = app.service.worker.runDue(id);
    await until(async () => (await waitersOf(app)) === 1);
    const change = app.put(path, { key, body });
    await until(async () => (await waitersOf(app)) === 2);
    await head.release();
    await sending;
    assert.equal((await change).status, status, what);
  }
  // Connections report their counts when they end.
  await app.stop();
  const [found] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`;
  assert.equal(found?.deadlocks, 0);
});
