/** Runs the work in two transactions. The second waits for a lock of the first, which then commits. */
import type { JobCtx } from '../../src/platform/worker.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { loadCompany } from '../../src/platform/company-context.ts';
import { insertJobs, JobBuffer } from '../../src/platform/jobs.ts';
import type { App } from '../harness.ts';
import { waitersOf } from './held-lock.ts';
import { jobCtx } from './job-ctx.ts';
import { until } from './worker-place.ts';

/** @returns both answers, the first transaction's first */
export async function meetInTransactions<R>(
  app: App,
  company_id: string,
  ports: Ports,
  work: (ctx: JobCtx) => Promise<R>,
): Promise<[R, R]> {
  const gate = Promise.withResolvers<void>();
  let has_worked = false;
  const run = (before_end: () => Promise<void>) =>
    app.db.transaction(company_id, async (tx) => {
      const real_now = app.clock.now();
      const loaded = await loadCompany(tx, company_id, real_now);
      const { clock, now } = loaded;
      const jobs = new JobBuffer();
      const enqueue: JobCtx['enqueue'] = (kind, payload, options) => jobs.add(kind, payload, options);
      const answer = await work(jobCtx(tx, loaded, ports, { realNow: () => real_now, enqueue }));
      await insertJobs(tx, jobs.jobs, { company_id, clock, now, real_now });
      await before_end();
      return answer;
    });
  const first = run(async () => {
    has_worked = true;
    await gate.promise;
  });
  await Promise.race([first, until(() => has_worked)]);
  const second = run(async () => undefined);
  await Promise.race([second, until(async () => (await waitersOf(app)) > 0)]);
  gate.resolve();
  return Promise.all([first, second]);
}
