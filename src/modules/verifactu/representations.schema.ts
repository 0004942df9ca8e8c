/** A representation on the wire. */
import type { Ctx } from '../../kernel/operation.ts';
import { DayText, Enum, Nullable, type Static, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import type { RepresentationRow } from './representations.store.ts';
import { modeOn, remissionModes } from './rules/mode.ts';

export const Representation = Type.Object({
  id: Uuid,
  object: Type.Literal('verifactu_representation'),
  valid_from: DayText,
  valid_until: DayText,
  is_expired: Type.Boolean(),
  remission_mode: Nullable(
    Enum(remissionModes, { description: 'El de la empresa; null si VeriFactu está desactivado' }),
  ),
  representative: Nullable(Type.Object({ name: Type.String(), tax_id: Type.String() })),
  reference: Nullable(Type.String()),
  created_at: Timestamp,
});

export function presentRepresentation(
  row: RepresentationRow,
  { company, today }: Pick<Ctx, 'company' | 'today'>,
): Static<typeof Representation> {
  const { id, valid_from, valid_until, representative_name: name, representative_tax_id: tax_id } = row;
  return {
    id,
    object: 'verifactu_representation',
    valid_from,
    valid_until,
    is_expired: valid_until < today,
    remission_mode: modeOn(company, today),
    representative: name !== null && tax_id !== null ? { name, tax_id } : null,
    reference: row.reference,
    created_at: row.created_at.toISOString(),
  };
}
