/** A dry run of an issue: what would refuse it, and what the invoice adds up to. */
import type { Ctx } from '../../../kernel/operation.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { Nullable, type TObject, Type } from '../../../kernel/schema.ts';
import { dryRunOutput, presentDryRun, presentSums, sumsOutput } from '../../sales/index.ts';
import { checkSeriesDay, readLastNumbering } from '../../series/index.ts';
import { checkSeriesIssuer } from '../rules/series-by-issuer.ts';
import { type InvoiceWarning, warningMembers } from '../rules/warnings.ts';
import type { Replayed } from './group.ts';
import type { InvoicePlan } from './plan.ts';
import { checkSigning } from './record-plan.ts';

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

type Answered = Record<string, unknown>;

export const answeredRun = (data: Answered, warnings: readonly InvoiceWarning[] = []): Replayed => ({
  ready: { status: 200, body: { data, ...warningMembers([{ codes: warnings }]) } },
});

/** Of an invoice that is made and issued in one call: it is stored neither before nor after. */
export async function answerIssueRun(ctx: Ctx, plan: InvoicePlan, reasons: Reasons): Promise<Replayed> {
  await checkSigning(ctx, reasons);
  await reasonsOfNumbering(ctx, plan, reasons);
  return answeredRun(presentIssueRun(null, plan, reasons), plan.warnings);
}

/** Where not one of the invoices is there from which it would be made. */
export const answerRefusedRun = (reasons: Reasons): Replayed =>
  answeredRun({ ...presentDryRun('can_issue', null, reasons), amounts: null });
