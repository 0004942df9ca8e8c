/** A dry run tells every reason at once, with the codes of the real call. */
import type { Ctx } from '../../../kernel/operation.ts';
import { problemMessage } from '../../../kernel/problem.ts';
import type { Reasons } from '../../../kernel/reasons.ts';
import { Described, Nullable, Type, Uuid } from '../../../kernel/schema.ts';
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
  code: Type.String({ description: 'Código del error que daría la llamada real' }),
  message: Type.String({ description: 'Por qué, en palabras' }),
  param: Nullable(Type.String({ description: 'Campo que hay que corregir' })),
  subcode: Nullable(Type.String({ description: 'Precisa el código, si tiene varias causas' })),
  line_index: Nullable(Type.Integer({ description: 'Línea en la que está, desde 0' })),
});

export const DryRun = Type.Object({
  object: Type.Literal('dry_run'),
  id: Described(Nullable(Uuid), 'Id de la factura; null si no está guardada'),
  can_issue: Type.Boolean({ description: 'La llamada real se aceptaría' }),
  reasons: Type.Array(Reason),
});

/** @param id null: the invoice is not stored */
export function presentDryRun(id: string | null, reasons: Reasons) {
  return {
    object: 'dry_run',
    id,
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
