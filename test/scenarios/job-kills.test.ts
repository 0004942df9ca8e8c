/**
 * A job that issues an invoice, whose process is killed at each statement of what it writes, and after each commit before
 * it is heard of: whoever takes the job over ends it, and there is one invoice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { assertNumbers, isWrite } from '../support/checkouts.ts';
import { type Cut, openWire } from '../support/database-wire.ts';
import { auditedAction, issuingJobs } from '../support/issuing-jobs.ts';
import { create } from '../support/resource-checks.ts';
import { startChild } from '../support/service-child.ts';
import { enqueue, until } from '../support/worker-place.ts';

const draft = { type: 'F2', lines: [{ description: 'Cuota', unit_price: 50, tax_rate: 21 }] };
const isLock = (text: string) => /for (no key )?update/.test(text);
const isClaim = (text: string) => /^\s*update due_work as d\s+set takeovers/.test(text);

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

/** What the job left: one invoice, one number, one event of each name, one audit line of the job. */
async function assertOnce(app: App, company: TestCompany, job: { id: string; kind: string }, issued: number) {
  assert.equal(await assertNumbers(app, company), issued);
  const [invoice] = await app.sql<{ id: string }[]>`
    select id from invoices where company_id = ${company.company_id} order by series_number desc limit 1`;
  const events = await app.eventTypes(company, invoice!.id);
  assert.deepEqual(events, ['invoice.created', 'invoice.number_assigned', 'invoice.simplified_created']);
  const { body } = await app.get('/v1/audit-log', {
    key: company.live_key,
    query: { action: auditedAction },
  });
  assert.equal(body.data.length, issued);
  const { actor, actor_id, actor_name, request_id } = body.data[0];
  assert.deepEqual([actor, actor_id, actor_name, request_id], ['system', job.id, job.kind, job.id]);
}

for (const [kind, payloadOf] of jobs) {
  test(`given a ${kind} job, when its process is killed at any statement of what it writes, then there is one invoice`, async (t) => {
    const app = await startApp(t, { more_jobs: issuingJobs });
    const company = await app.given.company();
    const seen: string[] = [];
    for (let n = 0, is_over = false; !is_over; n++) {
      app.clock.set(new Date());
      const payload = await payloadOf(app, company);
      const wire = await openWire(t, app);
      let is_claimed = false;
      let left = n;
      let is_dead = false;
      const [id] = await enqueue(app.db, company.company_id, app.clock.now(), { kind, payload });
      const child = await startChild(t, app, {
        target: wire.target,
        writes_request_log: false,
        issues: true,
      });
      const on_end = () => {
        is_dead = true;
        child.strike();
      };
      wire.watch = (text): Cut | undefined => {
        is_claimed ||= isClaim(text);
        if (!is_claimed || !(isWrite(text) || isLock(text) || text === 'commit')) return undefined;
        if (left-- === 0) {
          seen.push(text.trim().slice(0, 40));
          return { cut: 'before', on_end };
        }
        return text === 'commit' && left-- === 0 ? { cut: 'after', on_end } : undefined;
      };
      await until(async () => is_dead || !(await isLeft(app, id!)));
      is_over = !is_dead;
      await child.kill();
      // Its lease has run out.
      await app.sql`update due_work set lease_until = now() - interval '1 hour' where id = ${id!} and lease_id is not null`;
      app.clock.set(new Date());
      await app.service.worker.runDue(company.company_id);
      assert.equal(await isLeft(app, id!), false, 'the job is done');
      await assertOnce(app, company, { id: id!, kind }, n + 1);
    }
    t.diagnostic(JSON.stringify(seen));
    assert.ok(seen.some((text) => /insert into invoices/.test(text)) || kind === 'test.issue');
    assert.ok(seen.length > 10, JSON.stringify(seen));
  });
}
