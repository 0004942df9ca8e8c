import type { Ctx } from '../../../kernel/operation.ts';
import {
  DayText,
  Described,
  Enum,
  Nullable,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import type { RepresentationRow } from './representations.store.ts';
import { modeOn, remissionModes } from '../settings/rules/mode.ts';

export const Representation = Type.Object({
  id: Described(Uuid, 'Id de la representación'),
  object: Type.Literal('verifactu_representation'),
  valid_from: Described(DayText, 'Primer día en que vale, YYYY-MM-DD'),
  valid_until: Described(DayText, 'Último día en que vale, YYYY-MM-DD'),
  is_expired: Type.Boolean({ description: 'Ya ha acabado' }),
  remission_mode: Nullable(
    Enum(remissionModes, { description: 'El de la empresa; null si VeriFactu está desactivado' }),
  ),
  representative: Nullable(
    Type.Object(
      { name: Type.String({ description: 'Nombre' }), tax_id: Type.String({ description: 'NIF' }) },
      { description: 'Quien la otorgó en nombre de la empresa' },
    ),
  ),
  reference: Nullable(Type.String({ description: 'Referencia del documento en la empresa' })),
  created_at: Described(Timestamp, 'Cuándo se registró (ISO 8601 UTC)'),
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
