/** A dry run of an issue: what would refuse it, and what the invoice adds up to. */
import type { Ctx } from '../../../kernel/operation.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { Nullable, type TObject, Type } from '../../../kernel/schema.ts';
import { dryRunOutput, presentDryRun, presentSums, sumsOutput } from '../../sales/index.ts';
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

const amounts = Nullable(
  Type.Object(sumsOutput('la factura'), {
    description:
      'Lo que sumaría la factura; null si no se puede calcular, como cuando se rechaza una de sus líneas',
  }),
);

/** Of a dry run that makes an invoice. @param can the member that says whether the real call would be accepted */
export const invoiceRunOutput = (can: string, the: string): TObject => dryRunOutput(can, the, { amounts });

export const DryRun = invoiceRunOutput('can_issue', 'la factura');

/** Null where the lines were refused. */
export const amountsOf = ({ bundle }: Pick<InvoicePlan, 'bundle'>) =>
  bundle.lines.length === 0 ? null : presentSums(bundle.document);

/** @param id null: the invoice is not stored */
export const presentIssueRun = (id: string | null, plan: Pick<InvoicePlan, 'bundle'>, reasons: Reasons) => ({
  ...presentDryRun('can_issue', id, reasons),
  amounts: amountsOf(plan),
});
