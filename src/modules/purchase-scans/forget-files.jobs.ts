/** Deletes the files of scans that left with their sandbox's data. The transaction that deletes the data only asks for it. */
import type { Ctx } from '../../kernel/operation.ts';
import type { OutsideCtx } from '../../platform/job-handler.ts';
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

type Intent = { company_id: string; ids: readonly string[] };

export const forgetFiles: JobHandler = {
  kind,
  // A store that is down for a day is waited for. A file that is gone already is deleted again.
  retry: [5, 30, 300, 1800, 3600, 21_600, 43_200, 86_400],
  outside: { lane: scanLane, begin, call },
  async run() {},
};

/** A file whose scan is there stays, whatever the job says; so does that of a live company. */
async function begin({ tx, company, job }: JobCtx): Promise<Intent | undefined> {
  if (company.environment !== 'test') return undefined;
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
