/** A dry run of an issue. */
import type { Ctx } from '../../../kernel/operation.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { dryRunOutput, presentDryRun } from '../../sales/index.ts';
import { checkSeriesDay, readLastNumbering } from '../../series/index.ts';
import { checkSeriesIssuer } from '../rules/series-by-issuer.ts';
import type { InvoicePlan } from './plan.ts';

/** Adds the refusals that the real call finds under its locks. */
export async function reasonsOfNumbering(ctx: Ctx, plan: InvoicePlan, reasons: Reasons): Promise<void> {
  const { numbering } = plan;
  if (!numbering) return;
  const bonds = await readLastNumbering(ctx.tx, ctx.company.company_id, numbering.series.id);
  reasons.attempt(() => checkSeriesIssuer(numbering, bonds.issued_by));
  reasons.attempt(() => checkSeriesDay(numbering, bonds.last_issued_on));
}

export const DryRun = dryRunOutput('can_issue', 'la factura');

/** @param id null: the invoice is not stored */
export const presentIssueRun = (id: string | null, reasons: Reasons) =>
  presentDryRun('can_issue', id, reasons);
