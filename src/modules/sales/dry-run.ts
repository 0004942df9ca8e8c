/** A dry run tells every reason at once, with the codes of the real call. */
import { ofThe } from '../../domain/sales/document-kinds.ts';
import { reasonText } from '../../kernel/problem.ts';
import type { Reasons } from '../../kernel/reasons.ts';
import { Described, Nullable, type TObject, type TProperties, Type, Uuid } from '../../kernel/schema.ts';

const Reason = Type.Object({
  code: Type.String({ description: 'Código del error que daría la llamada real' }),
  message: Type.String({ description: 'Por qué, en palabras' }),
  param: Nullable(Type.String({ description: 'Campo que hay que corregir' })),
  subcode: Nullable(Type.String({ description: 'Precisa el código, si tiene varias causas' })),
  line_index: Nullable(Type.Integer({ description: 'Línea en la que está, desde 0' })),
});

/** In the body of an operation on what exists. A creation has it among its options. */
export const dryRunInput = Type.Optional(
  Type.Boolean({ description: 'true: no guarda nada, y dice todo lo que lo impediría' }),
);

/** Also of a body that is not checked yet. */
export const isDryRun = (body: unknown): boolean =>
  (body as { dry_run?: unknown } | null | undefined)?.dry_run === true;

/**
 * @param can the member that says whether the real call would be accepted: `can_issue`
 * @param the the document: `la factura`
 * @param more members that only some dry runs answer
 */
export function dryRunOutput(can: string, the: string, more: TProperties = {}): TObject {
  return Type.Object({
    object: Type.Literal('dry_run'),
    id: Described(Nullable(Uuid), `Id ${ofThe(the)}; null si aún no se ha guardado nada`),
    [can]: Type.Boolean({ description: 'La llamada real se aceptaría' }),
    reasons: Type.Array(Reason),
    ...more,
  });
}

/** @param id null: the document is not stored */
export function presentDryRun(
  can: string,
  id: string | null,
  { problems }: Reasons,
): Record<string, unknown> {
  return {
    object: 'dry_run',
    id,
    [can]: problems.length === 0,
    reasons: problems.map((problem) => ({
      code: problem.def.code,
      message: reasonText(problem),
      param: problem.details.param ?? null,
      subcode: problem.details.subcode ?? null,
      line_index: problem.details.line_index ?? null,
    })),
  };
}
