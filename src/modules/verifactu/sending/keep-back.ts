/** Keeps back records that break the authority's schema. The company's others go on. */
import type { Tx } from '../../../kernel/operation.ts';
import type { JobCtx } from '../../../platform/job-handler.ts';
import { blockRecords } from './sender.store.ts';

/** Documents are locked before their records' events are emitted. */
export type Documents = { lock(tx: Tx, company_id: string, ids: readonly string[]): Promise<unknown> };

export async function keepBack(
  ctx: JobCtx,
  broken: readonly { record_id: string; invoice_id: string }[],
  documents: Documents,
): Promise<void> {
  const { tx, company } = ctx;
  const ids = broken.map((record) => record.invoice_id);
  await documents.lock(tx, company.company_id, [...new Set(ids)]);
  await blockRecords(
    tx,
    company.company_id,
    broken.map((record) => record.record_id),
  );
  for (const id of ids) ctx.emit('invoice.verifactu_failed', id);
}
