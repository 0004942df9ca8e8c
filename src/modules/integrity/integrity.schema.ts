/** The integrity check as the API answers it. */
import { Enum, Nullable, type Static, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import { faultKinds } from '../verifactu/index.ts';
import type { CompanyCheck } from './check-company.ts';

const IntegrityFault = Type.Object({
  kind: Enum(faultKinds),
  anomaly: Type.String({ description: 'Tipo de anomalía, en la numeración de la Agencia Tributaria' }),
  position: Nullable(Type.Integer({ description: 'Lugar en la cadena de registros o de eventos' })),
  record_id: Nullable(Uuid),
  event_id: Nullable(Uuid),
  invoice_id: Nullable(Uuid),
  number: Nullable(Type.String()),
  message: Type.String(),
});

export const IntegrityCheck = Type.Object({
  object: Type.Literal('integrity_check'),
  is_intact: Type.Boolean(),
  is_whole: Type.Boolean({
    description: 'Se ha comprobado todo; solo así termina la alarma si no se encuentra nada',
  }),
  from_position: Type.Integer(),
  to_position: Type.Integer(),
  checked: Type.Object({
    records: Type.Integer(),
    events: Type.Integer(),
    invoices: Type.Integer(),
    signatures: Type.Integer(),
  }),
  fault_count: Type.Integer(),
  fault_counts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Cuántas faltas hay de cada clase',
  }),
  faults: Type.Array(IntegrityFault, { description: 'Las primeras; fault_count dice cuántas hay' }),
  alarm: Nullable(Type.String()),
  checked_at: Timestamp,
});

export type IntegrityCheckBody = Static<typeof IntegrityCheck>;

/** @param alarm the company's alarm once the check is done */
export function presentCheck(check: CompanyCheck, alarm: string | null, now: Date): IntegrityCheckBody {
  const { counts, records, events, range } = check;
  return {
    object: 'integrity_check',
    is_intact: check.fault_count === 0,
    is_whole: check.is_whole,
    from_position: range.from,
    to_position: range.to,
    checked: { ...counts, signatures: (records.signatures ?? 0) + (events?.signatures ?? 0) },
    fault_count: check.fault_count,
    fault_counts: check.by_kind,
    faults: check.faults.map(
      ({ kind, anomaly, position, record_id, event_id, invoice_id, number, what }) => ({
        kind,
        anomaly,
        position,
        record_id,
        event_id,
        invoice_id,
        number,
        message: what,
      }),
    ),
    alarm,
    checked_at: now.toISOString(),
  };
}
