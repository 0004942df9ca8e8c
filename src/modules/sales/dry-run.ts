/** A dry run tells every reason at once, with the codes of the real call. */
import { problemMessage } from '../../kernel/problem.ts';
import type { Reasons } from '../../kernel/reasons.ts';
import { Nullable, type TObject, Type } from '../../kernel/schema.ts';

const Reason = Type.Object({
  code: Type.String(),
  message: Type.String(),
  param: Nullable(Type.String()),
  subcode: Nullable(Type.String()),
  line_index: Nullable(Type.Integer()),
});

/** @param can the member that says whether the real call would be accepted: `can_issue` */
export function dryRunOutput(can: string): TObject {
  return Type.Object({
    object: Type.Literal('dry_run'),
    [can]: Type.Boolean({ description: 'La llamada real se aceptaría' }),
    reasons: Type.Array(Reason),
  });
}

export function presentDryRun(can: string, { problems }: Reasons): Record<string, unknown> {
  return {
    object: 'dry_run',
    [can]: problems.length === 0,
    reasons: problems.map(({ def, details }) => ({
      code: def.code,
      message: problemMessage(def, details.values),
      param: details.param ?? null,
      subcode: details.subcode ?? null,
      line_index: details.line_index ?? null,
    })),
  };
}
