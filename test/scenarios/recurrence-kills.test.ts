/**
 * Two workers make 500 due occurrences or more and are killed 30 times. Leases run out sixty times as fast, so jobs also change hands
 * while their worker lives. Each occurrence has one invoice, and each invoice its number.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../harness.ts';
import { assertNumbers } from '../support/checkouts.ts';
import { given } from '../support/recurrences.ts';
import { startChild } from '../support/service-child.ts';
import { until, untilDone } from '../support/worker-place.ts';

const startApp = onOwnDatabase();

/** Of each company, in the beginning. */
const recurrencesFirst = 25;
const days = 10;
const kills = 30;
const speed = 60;

/** Where a kill meets the workers: when they have claimed jobs, made some invoices, or ended some jobs. */
const steps = ['claimed', 'made', 'ended'] as const;
/** Less than this may be made before a kill comes. */
const scarce = 100;
/** Added to each company when little is left: workers on a busy machine may make much before a kill. */
const recurrencesMore = 5;

test('given 500 due occurrences and two workers, when they are killed 30 times, then each occurrence has one invoice', async (t) => {
  const app = await startApp(t);
  const places = [await given(app, '2027-01-15T10:00:00Z'), await given(app, '2027-01-15T10:00:00Z')];
  const body = { frequency: 'daily', starts_on: '2027-01-20', max_occurrences: days, auto_issue: true };
  let recurrences = 0;
  const add = async (count: number) => {
    for (const { create } of places) await Promise.all(Array.from({ length: count }, () => create(body)));
    recurrences += count;
  };
  await add(recurrencesFirst);
  const company_ids = places.map(({ company_id }) => company_id);
  const jobsNow = () => app.sql<{ id: string; lease_id: string | null; revision: number }[]>`
    select id, lease_id, revision from due_work
     where company_id = any(${company_ids}) and kind = 'job:recurring_invoice.run'`;
  const madeNow = async () => {
    const [row] = await app.sql<{ made: number }[]>`
      select count(*)::integer as made from invoices where company_id = any(${company_ids})`;
    return row!.made;
  };
  type State = { made: number; jobs: Awaited<ReturnType<typeof jobsNow>> };
  const stateOf = async (): Promise<State> => ({ jobs: await jobsNow(), made: await madeNow() });
  /** Jobs that a worker has claimed or ended since. */
  const countOf = { claimed: 'lease_id', ended: 'revision' } as const;
  const isAt = async (step: (typeof steps)[number], before: State, more: number) => {
    if (step === 'made') return (await madeNow()) >= before.made + more;
    const member = countOf[step];
    const known = new Map(before.jobs.map((job) => [job.id, job[member]]));
    const same = (await jobsNow()).filter((job) => job[member] === null || job[member] === known.get(job.id));
    return before.jobs.length - same.length >= Math.min(more, before.jobs.length);
  };
  const clock = { shows: Date.parse('2027-01-30T08:00:00Z'), when: Date.now(), speed };
  const wish = { clock, only_works: true, writes_request_log: false, pool_size: 4 };
  const load = () => startChild(t, app, { ...wish, is_held: true });
  const counts: number[] = [];
  const leftOf = ({ made }: State) => 2 * recurrences * days - made;
  for (let killed = 0; killed < kills; killed += 2) {
    if (leftOf(await stateOf()) < scarce / 2) await add(recurrencesMore);
    const before = await stateOf();
    // Each round leaves work to those that follow.
    const left = leftOf(before);
    const step = left < scarce ? 'claimed' : steps[Math.floor(Math.random() * steps.length)]!;
    const share = left / ((kills - killed) / 2 + 1);
    const more = step === 'claimed' ? 1 : Math.ceil(Math.random() * 2 * share);
    const workers = await Promise.all([load(), load()]);
    for (const worker of workers) worker.signal('SIGUSR2');
    // Before one of them works, nothing is done that is worth a look.
    await Promise.race(workers.map((worker) => worker.says(/^held\n\S+\n/)));
    await until(() => isAt(step, before, more));
    await Promise.all(workers.map((worker) => worker.kill()));
    counts.push(await madeNow());
  }
  t.diagnostic(JSON.stringify(counts));
  const last = await startChild(t, app, wish);
  await untilDone(
    async () =>
      (
        await app.sql`
          select 1 from jobs where company_id = any(${company_ids}) and kind = 'recurring_invoice.run'`
      ).length === 0,
    madeNow,
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
