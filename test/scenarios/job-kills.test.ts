/**
 * Kills the process of a job that issues, at each statement that writes and after each commit. Another process finishes
 * the job, with one invoice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { assertNumbers, isWrite } from '../support/checkouts.ts';
import { workUntil } from '../support/dying-worker.ts';
import { auditedAction, issuingJobs } from '../support/issuing-jobs.ts';
import { create } from '../support/resource-checks.ts';
import { enqueue } from '../support/worker-place.ts';

const draft = { type: 'F2', lines: [{ description: 'Cuota', unit_price: 50, tax_rate: 21 }] };
const isLock = (text: string) => /for (no key )?update/.test(text);

const jobs: [kind: string, payload: (app: App, company: TestCompany) => Promise<Record<string, unknown>>][] =
  [
    ['test.create', async () => ({ ...draft, options: { issue: true } })],
    [
      'test.issue',
      async (app, company) => {
        const { id } = await create(app, '/v1/invoices', company.live_key, draft);
        return { invoice: id };
      },
    ],
  ];

async function isLeft(app: App, job_id: string): Promise<boolean> {
  return (await app.sql`select 1 from jobs where id = ${job_id}`).length > 0;
}

async function assertOnce(app: App, company: TestCompany, job: { id: string; kind: string }, issued: number) {
  assert.equal(await assertNumbers(app, company), issued);
  const [invoice] = await app.sql<{ id: string }[]>`
    select id from invoices where company_id = ${company.company_id} order by series_number desc limit 1`;
  const events = await app.eventTypes(company, invoice!.id);
  assert.deepEqual(events, ['invoice.created', 'invoice.number_assigned', 'invoice.simplified_created']);
  const { body } = await app.get('/v1/audit-log', {
    key: company.live_key,
    query: { action: auditedAction, limit: '100' },
  });
  assert.equal(body.data.length, issued);
  const { actor, actor_id, actor_name, request_id } = body.data[0];
  assert.deepEqual([actor, actor_id, actor_name, request_id], ['system', job.id, job.kind, job.id]);
}

for (const [kind, payloadOf] of jobs) {
  test(`given a ${kind} job, when its process dies at any statement of what it writes, then there is one invoice`, async (t) => {
    const app = await startApp(t, { more_jobs: issuingJobs });
    // The clock goes on a minute a round: neither a day nor a year may end meanwhile.
    app.clock.set('2026-05-20T08:00:00Z');
    const company = await app.given.company();
    const { company_id } = company;
    const died_at: string[] = [];
    for (let n = 0, is_over = false; !is_over; n++) {
      const payload = await payloadOf(app, company);
      const [id] = await enqueue(app.db, company_id, app.clock.now(), { kind, payload });
      let left = n;
      const dies = (text: string) => {
        if (!(isWrite(text) || isLock(text) || text === 'commit')) return undefined;
        if (left-- === 0) {
          died_at.push(text.trim().slice(0, 30));
          return 'before';
        }
        return text === 'commit' && left-- === 0 ? 'after' : undefined;
      };
      is_over = !(await workUntil(t, app, {
        more_jobs: issuingJobs,
        dies,
        work: ({ worker }) => worker.runDue(company_id, 1),
      }));
      app.clock.advance(61_000);
      await app.service.worker.runDue(company_id);
      assert.equal(await isLeft(app, id!), false, 'the job is done');
      await assertOnce(app, company, { id: id!, kind }, n + 1);
    }
    t.diagnostic(JSON.stringify(died_at));
    assert.ok(died_at.length > 10, JSON.stringify(died_at));
  });
}
