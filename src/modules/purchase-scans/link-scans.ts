/** A purchase names the scans of its paper. A scan belongs to one purchase at most, besides those that are cancelled. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../kernel/resource-input.ts';
import { changeScan } from './moves.ts';
import { lockScans } from './purchase-scans.store.ts';

/** @throws 409 invalid_status_transition for an archived one: what is received keeps its papers at hand */
export async function requireInUse(
  { tx, company }: Pick<Ctx, 'tx' | 'company'>,
  scan_ids: readonly string[],
): Promise<void> {
  if (scan_ids.length === 0) return;
  const rows = await lockScans(tx, company.company_id, scan_ids);
  const archived = rows.find(({ status }) => status === 'archived');
  if (archived) throw notLinkable(scan_ids.indexOf(archived.id), 'el documento escaneado está archivado.');
}

const notLinkable = (at: number, reason: string) =>
  fail(c.invalid_status_transition, { param: `scan_ids.${at}`, values: { reason } });

type Linking = {
  purchase_invoice_id: string;
  before: readonly string[];
  after: readonly string[];
  /** A purchase stays cancelled, and its paper may be booked anew. */
  isCancelled(purchase_invoice_id: string): Promise<boolean>;
};

/**
 * The caller has locked the purchase.
 * @throws 422 parameter_invalid for an unknown or archived scan, 409 invalid_status_transition for one of another purchase
 */
export async function linkScans(
  ctx: Pick<Ctx, 'tx' | 'company' | 'now' | 'audit'>,
  { purchase_invoice_id, before, after, isCancelled }: Linking,
): Promise<void> {
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  if (added.length === 0 && removed.length === 0) return;
  const rows = await lockScans(ctx.tx, ctx.company.company_id, [...added, ...removed]);
  const usable = new Map(rows.filter(({ status }) => status !== 'archived').map((row) => [row.id, row]));
  refuseIssues(
    after.flatMap((id, at) =>
      !added.includes(id) || usable.has(id)
        ? []
        : [invalidField(`scan_ids.${at}`, 'No es un documento escaneado de la empresa, o está archivado.')],
    ),
  );
  for (const id of added) {
    const of = usable.get(id)!.purchase_invoice_id;
    if (of !== null && !(await isCancelled(of)))
      throw notLinkable(after.indexOf(id), 'el documento escaneado está unido a otra factura de compra.');
  }
  for (const row of rows)
    await changeScan(
      ctx,
      row,
      added.includes(row.id) ? 'link' : 'unlink',
      { purchase_invoice_id: added.includes(row.id) ? purchase_invoice_id : null },
      { purchase_invoice_id },
    );
}
