/** Daily work of deliveries: their log is kept for 30 days. */
import type { JobCtx } from '../../platform/worker.ts';
import { deleteEndedDeliveries } from './deliveries.store.ts';

const keptMs = 30 * 24 * 3_600_000;
const purgeMax = 5000;
/** Parts per run. The next day's run deletes the rest. */
const partsMax = 20;

/**
 * Daily: deletes deliveries whose last attempt ended more than 30 days ago, in real time. One that still
 * waits stays, however long its endpoint is disabled.
 */
export async function deleteOldDeliveries({ tx, company: { company_id }, realNow }: JobCtx): Promise<void> {
  const before = new Date(realNow().getTime() - keptMs);
  for (let part = 0; part < partsMax; part++) {
    if ((await deleteEndedDeliveries(tx, company_id, before, purgeMax)) < purgeMax) return;
  }
}
