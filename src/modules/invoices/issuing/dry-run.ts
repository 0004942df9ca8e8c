/** A dry run tells every reason at once, with the codes of the real call. */
import type { Ctx } from '../../../kernel/operation.ts';
import { problemMessage } from '../../../kernel/problem.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { Nullable, Type } from '../../../kernel/schema.ts';
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

const Reason = Type.Object({
  code: Type.String(),
  message: Type.String(),
  param: Nullable(Type.String()),
  subcode: Nullable(Type.String()),
  line_index: Nullable(Type.Integer()),
});

export const DryRun = Type.Object({
  object: Type.Literal('dry_run'),
  can_issue: Type.Boolean({ description: 'La llamada real se aceptaría' }),
  reasons: Type.Array(Reason),
});

export function presentDryRun(reasons: Reasons) {
  return {
    object: 'dry_run',
    can_issue: reasons.problems.length === 0,
    reasons: reasons.problems.map(({ def, details }) => ({
      code: def.code,
      message: problemMessage(def, details.values),
      param: details.param ?? null,
      subcode: details.subcode ?? null,
      line_index: details.line_index ?? null,
    })),
  };
}
