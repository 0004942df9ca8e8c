/**
 * Two workers make 500 due occurrences and are killed 30 times. Leases run out sixty times as fast, so jobs also change hands while
 * their worker lives. Each occurrence has one invoice, and each invoice its number.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from '../harness.ts';
import { assertNumbers } from '../support/checkouts.ts';
import { given } from '../support/recurrences.ts';
import { startChild } from '../support/service-child.ts';
import { until } from '../support/worker-place.ts';

const recurrences = 25;
const days = 10;
const kills = 30;
const speed = 60;

test('given 500 due occurrences and two workers, when they are killed 30 times, then each occurrence has one invoice', async (t) => {
  const app = await startApp(t);
  const places = [await given(app, '2027-01-15T10:00:00Z'), await given(app, '2027-01-15T10:00:00Z')];
  const body = { frequency: 'daily', starts_on: '2027-01-20', max_occurrences: days, auto_issue: true };
  for (const { create } of places) await Promise.all(Array.from({ length: recurrences }, () => create(body)));
  const company_ids = places.map(({ company_id }) => company_id);
  const made = async (): Promise<number> => {
    const [row] =
      await app.sql`select count(*)::integer as made from invoices where company_id = any(${company_ids})`;
    return row?.made as number;
  };
  const clock = { shows: Date.parse('2027-01-30T08:00:00Z'), when: Date.now(), speed };
  const start = () => startChild(t, app, { clock, only_works: true, writes_request_log: false });
  // So many starts would compile the same modules again.
  process.env.NODE_COMPILE_CACHE = await mkdtemp(join(tmpdir(), 'folio-compiled-'));
  t.after(() => rm(process.env.NODE_COMPILE_CACHE ?? '', { recursive: true }));
  const counts: number[] = [];
  for (let killed = 0; killed < kills; killed += 2) {
    const before = await made();
    const workers = await Promise.all([start(), start()]);
    // Each kill meets workers at work, while there is work.
    await until(async () => (await made()) > before);
    await sleep(Math.random() * 120);
    await Promise.all(workers.map((worker) => worker.kill()));
    counts.push(await made());
  }
  t.diagnostic(JSON.stringify(counts));
  const wanted = 2 * recurrences * days;
  assert.ok(counts.at(-2)! < wanted, 'the last workers were killed at work too');
  const last = await start();
  await until(
    async () => (await app.sql`select 1 from jobs where kind = 'recurring_invoice.run'`).length === 0,
  );
  await last.kill();

  for (const { company, key } of places) {
    assert.equal(await assertNumbers(app, company), recurrences * days);
    const rows = await app.sql<{ occurrences: number; invoices: number; recurrences: number }[]>`
      select count(*)::integer as occurrences, count(distinct o.invoice_id)::integer as invoices,
             count(distinct o.recurring_invoice_id)::integer as recurrences
        from recurring_occurrences o join invoices i on i.company_id = o.company_id and i.id = o.invoice_id
         and coalesce(i.operation_on, i.issued_on) = o.occurrence_on
       where o.company_id = ${company.company_id} and o.status = 'made'`;
    assert.deepEqual(rows[0], { occurrences: recurrences * days, invoices: recurrences * days, recurrences });
    const events = await app.sql<{ type: string; count: number }[]>`
      select type, count(*)::integer as count from events
       where company_id = ${company.company_id} and type like 'recurring_invoice.%' group by type order by type`;
    assert.deepEqual(
      events.map(({ type, count }) => [type, count]),
      [
        ['recurring_invoice.completed', recurrences],
        ['recurring_invoice.created', recurrences],
        ['recurring_invoice.executed', recurrences * days],
      ],
    );
    const completed = await app.get('/v1/recurring_invoices', {
      key,
      query: { status: 'completed', limit: '100' },
    });
    assert.deepEqual(
      new Set(completed.body.data.map((one: { occurrences_count: number }) => one.occurrences_count)),
      new Set([days]),
    );
    assert.equal(completed.body.data.length, recurrences);
  }
});
