import type { Tx } from '../../src/kernel/operation.ts';
import type { Ports } from '../../src/kernel/ports.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { latestVersion } from '../../src/kernel/versions.ts';
import type { LoadedCompany } from '../../src/platform/company-context.ts';
import type { JobCtx } from '../../src/platform/job-handler.ts';
import { systemCaller } from '../../src/platform/system-caller.ts';

type Given = Partial<Omit<JobCtx, 'job'>> & { job?: Partial<JobCtx['job']> };

/** By default the first attempt of a job due now, which may gather and enqueues nothing. */
export function jobCtx(
  tx: Tx,
  { company, clock, now, today }: LoadedCompany,
  ports: Ports,
  { job, ...given }: Given = {},
): JobCtx {
  const id = job?.id ?? newId();
  const kind = job?.kind ?? 'test';
  return {
    tx,
    caller: systemCaller(company, { id, kind }),
    company,
    now,
    today,
    realNow: () => now,
    version: latestVersion,
    request_id: id,
    ports,
    emit: () => undefined,
    enqueue: () => undefined,
    audit: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...given,
    job: {
      id,
      kind,
      payload: {},
      attempt: 1,
      run_at: now,
      clock_now: now,
      is_clock_frozen: clock.clock_frozen_at !== null,
      ...job,
    },
  };
}
