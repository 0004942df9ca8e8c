/**
 * Deletes files that no scan names: those of scans that left with their sandbox's data, and those of uploads that ended
 * between their file and its row.
 */
import type { Ctx, Preparing, Tx } from '../../kernel/operation.ts';
import type { OutsideCtx } from '../../platform/job-handler.ts';
import { callOffJob } from '../../platform/jobs.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { scanKey } from './files.ts';
import { scanLane } from './purchase-scans.jobs.ts';
import { listKnownScans } from './purchase-scans.store.ts';

const kind = 'purchase_scan.forget_files';
/** Of one job. */
const filesMax = 500;
const atOnce = 8;

/** @param ids of scans that this transaction deletes */
export function forgetScanFiles({ enqueue }: Pick<Ctx, 'enqueue'>, ids: readonly string[]): void {
  for (let at = 0; at < ids.length; at += filesMax)
    enqueue(kind, { purchase_scan_ids: ids.slice(at, at + filesMax) }, { clock: 'real' });
}

/** Far longer than an upload takes. */
const abandonedMs = 3_600_000;

/** Before the file is stored: its process may be killed at any moment after that. @returns for `isNotForgotten` */
export function forgetLater({ enqueue, realNow }: Preparing, id: string): Promise<string> {
  const run_at = new Date(realNow().getTime() + abandonedMs);
  return enqueue(kind, { purchase_scan_ids: [id] }, run_at);
}

/**
 * In the transaction that names the file, since a process may sleep for longer than any upload takes.
 * @returns false when the file may be gone
 */
export const isNotForgotten = (tx: Tx, company_id: string, job_id: string): Promise<boolean> =>
  callOffJob(tx, company_id, job_id);

type Intent = { company_id: string; ids: readonly string[] };

export const forgetFiles: JobHandler = {
  kind,
  // A store that is down for a day is waited for. A file that is gone already is deleted again.
  retry: [5, 30, 300, 1800, 3600, 21_600, 43_200, 86_400],
  outside: { lane: scanLane, begin, call },
  async run() {},
};

/** A file whose scan is there stays, whatever the job says. A live company's scans are never deleted. */
async function begin({ tx, company, job }: JobCtx): Promise<Intent> {
  const { company_id } = company;
  const asked = job.payload.purchase_scan_ids as readonly string[];
  const known = await listKnownScans(tx, company_id, asked);
  return { company_id, ids: asked.filter((id) => !known.has(id)) };
}

async function call({ company_id, ids }: Intent, { ports }: OutsideCtx): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce)
    await Promise.all(
      ids.slice(at, at + atOnce).map((id) => ports.blobs.delete(scanKey({ company_id, id }))),
    );
}
