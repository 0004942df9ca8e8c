import type { JobCtx } from '../../platform/worker.ts';
import { deleteEndedDeliveries } from './deliveries.store.ts';

const keptMs = 30 * 24 * 3_600_000;
const purgeMax = 5000;
/** Per run. The next day's run deletes the rest. */
const partsMax = 20;

/**
 * Deletes deliveries whose last attempt ended over 30 days ago, in real time. Waiting ones stay, however long
 * their endpoint is disabled.
 */
export async function deleteOldDeliveries({ tx, company: { company_id }, realNow }: JobCtx): Promise<void> {
  const before = new Date(realNow().getTime() - keptMs);
  for (let part = 0; part < partsMax; part++) {
    if ((await deleteEndedDeliveries(tx, company_id, before, purgeMax)) < purgeMax) return;
  }
}
