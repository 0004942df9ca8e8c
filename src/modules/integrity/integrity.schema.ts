import { Described, Enum, Nullable, type Static, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import { faultKinds } from '../verifactu/index.ts';
import type { CompanyCheck } from './check-company.ts';

const IntegrityFault = Type.Object({
  kind: Enum(faultKinds, { description: 'Clase de falta' }),
  anomaly: Type.String({ description: 'Tipo de anomalía, en la numeración de la Agencia Tributaria' }),
  position: Nullable(Type.Integer({ description: 'Lugar en la cadena de registros o de eventos' })),
  record_id: Described(Nullable(Uuid), 'Id del registro en el que está'),
  event_id: Described(Nullable(Uuid), 'Id del evento en el que está'),
  invoice_id: Described(Nullable(Uuid), 'Id de la factura'),
  number: Nullable(Type.String({ description: 'Número de la factura' })),
  message: Type.String({ description: 'Qué no cuadra' }),
});

export const IntegrityCheck = Type.Object({
  object: Type.Literal('integrity_check'),
  id: Described(Uuid, 'Id de la empresa'),
  is_intact: Type.Boolean({ description: 'No se ha encontrado ninguna falta' }),
  is_whole: Type.Boolean({
    description: 'Se ha comprobado todo; solo así termina la alarma si no se encuentra nada',
  }),
  from_position: Type.Integer({ description: 'Primer registro comprobado, por su lugar en la cadena' }),
  to_position: Type.Integer({ description: 'Último registro comprobado' }),
  checked: Type.Object(
    {
      records: Type.Integer({ description: 'Registros de facturación' }),
      events: Type.Integer({ description: 'Eventos del modo no verificable' }),
      invoices: Type.Integer({ description: 'Facturas' }),
      signatures: Type.Integer({ description: 'Firmas' }),
    },
    { description: 'Cuánto se ha comprobado' },
  ),
  fault_count: Type.Integer({ description: 'Cuántas faltas hay en total' }),
  fault_counts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Cuántas faltas hay de cada clase',
  }),
  faults: Type.Array(IntegrityFault, { description: 'Las primeras; fault_count dice cuántas hay' }),
  alarm: Nullable(
    Type.String({ description: 'La alarma de la empresa tras la comprobación; null si no hay' }),
  ),
  checked_at: Described(Timestamp, 'Cuándo se comprobó (ISO 8601 UTC)'),
});

export type IntegrityCheckBody = Static<typeof IntegrityCheck>;

export function presentCheck(
  company_id: string,
  check: CompanyCheck,
  alarm: string | null,
  now: Date,
): IntegrityCheckBody {
  const { counts, records, events, range } = check;
  return {
    object: 'integrity_check',
    id: company_id,
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
