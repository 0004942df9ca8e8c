/** What calls on one scan share. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { Described, Shape, Uuid } from '../../kernel/schema.ts';
import type { ScanRow } from './purchase-scans.schema.ts';
import { lockScan, updateScan } from './purchase-scans.store.ts';

export const scanParams = Shape({ purchase_scan: Described(Uuid, 'Id del documento escaneado') });

/** @throws 404 resource_not_found */
export async function lockedScan({ tx, company }: Pick<Ctx, 'tx' | 'company'>, id: string): Promise<ScanRow> {
  const row = await lockScan(tx, company.company_id, id);
  if (!row) throw fail(c.resource_not_found, { param: 'purchase_scan' });
  return row;
}

/** Every change counts in the version, and stands in the audit log. */
export async function changeScan(
  { tx, company, now, audit }: Pick<Ctx, 'tx' | 'company' | 'now' | 'audit'>,
  before: ScanRow,
  move: string,
  changed: Partial<ScanRow>,
  details: Record<string, unknown> = { from: before.status, to: changed.status ?? before.status },
): Promise<ScanRow> {
  const after = { ...before, ...changed, version: before.version + 1, updated_at: now };
  await updateScan(tx, company.company_id, after);
  audit({
    action: `purchase_scan.${move}`,
    object: 'purchase_scan',
    object_id: before.id,
    details,
  });
  return after;
}
