/** Goes on with what waited for a signer or sender. */
import type { Ctx } from '../../../kernel/operation.ts';
import { beginPlannedMode } from './change-mode.ts';
import { logPendingEvents } from '../event-log/pending-events.ts';
import { lockChainHead } from '../records/records.store.ts';
import { wakeSenderNow } from '../sending/sender.store.ts';
import { clearCertificateBlock } from './settings.store.ts';

export async function resumeWork(ctx: Ctx): Promise<void> {
  const { tx, company, now, realNow } = ctx;
  const { company_id } = company;
  await lockChainHead(tx, company_id);
  await logPendingEvents(ctx);
  await beginPlannedMode(ctx);
  await clearCertificateBlock(tx, company_id, now);
  await Promise.all(wakeSenderNow(tx, company_id, now, realNow()));
}
