import type { Ctx } from '../../../kernel/operation.ts';
import {
  DayText,
  Described,
  Enum,
  Money,
  Nullable,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import type { ShownRow } from './records.reads.ts';
import { aeatStatus, recordStatus, recordStatuses } from './rules/record-block.ts';
import { companyBlock, recordBlocking } from '../sending/rules/blocking.ts';
import { modeOn, remissionModes } from '../settings/rules/mode.ts';
import { subsanacionFault } from './rules/subsanacion.ts';

export const recordKinds = ['alta', 'anulacion'] as const;

export const recordFields = {
  id: Described(Uuid, 'Id del registro'),
  object: Type.Literal('verifactu_record'),
  kind: Enum(recordKinds, { description: 'alta de una factura, o su anulación' }),
  mode: Enum(remissionModes, { description: 'verifactu: se envía; no_verifactu: se conserva firmado' }),
  status: Enum(recordStatuses, {
    description:
      'pending: espera su envío; sending: se está enviando; accepted, accepted_with_errors y rejected: la respuesta de la Agencia Tributaria; kept: en modo no verificable el registro se conserva y no se envía',
  }),
  is_blocked: Type.Boolean({ description: 'Espera, y no se enviará hasta que se resuelva block_reason' }),
  block_reason: Nullable(
    Type.String({
      description: 'Por qué no se enviará: por ejemplo schema_invalid o certificate_unavailable',
    }),
  ),
  aeat_error_code: Nullable(
    Type.String({
      description:
        'Código de la Agencia Tributaria, o SCHEMA_INVALID: incumple su esquema y no se ha enviado',
    }),
  ),
  aeat_error_message: Nullable(
    Type.String({ description: 'El error, en palabras de la Agencia Tributaria' }),
  ),
  aeat_status: Nullable(
    Enum(['Correcto', 'AceptadoConErrores', 'Incorrecto'], {
      description: 'La respuesta en palabras de la Agencia; null mientras no la hay',
    }),
  ),
  can_subsanar: Type.Boolean({ description: 'Se puede subsanar ahora' }),
  invoice: Type.Object(
    {
      id: Described(Uuid, 'Id de la factura'),
      number: Type.String({ description: 'Número de la factura' }),
      issued_on: Described(DayText, 'Fecha de expedición, YYYY-MM-DD'),
      type: Nullable(Type.String({ description: 'Tipo de factura en el registro; nulo en una anulación' })),
    },
    { description: 'La factura que registra' },
  ),
  position: Type.Integer({ description: 'Lugar en la cadena: 1, 2, 3 …' }),
  huella: Type.String({ description: 'Huella del registro: 64 cifras hexadecimales' }),
  previous_huella: Nullable(Type.String({ description: 'Huella del registro anterior; null en el primero' })),
  stamped_at: Type.String({ description: 'Fecha, hora y huso del registro, tal como están en él' }),
  recorded_at: Described(Timestamp, 'Cuándo se guardó (ISO 8601 UTC)'),
  is_subsanacion: Type.Boolean({ description: 'Corrige un registro anterior de la factura' }),
  prior_rejection: Nullable(Enum(['S', 'X'], { description: 'RechazoPrevio' })),
  has_no_prior_record: Type.Boolean({ description: 'SinRegistroPrevio' }),
  follows_id: Described(Nullable(Uuid), 'Id del registro de la factura al que sigue'),
  tax_total: Described(Nullable(Money), 'Cuota total del registro, en euros'),
  total: Described(Nullable(Money), 'Importe total del registro, en euros'),
  csv: Nullable(Type.String({ description: 'Código seguro de verificación del envío' })),
  qr_url: Nullable(Type.String({ description: 'Dirección que lleva el QR, donde se coteja la factura' })),
  attempts: Type.Integer({ description: 'Veces que se ha enviado' }),
  is_incident: Type.Boolean({ description: 'Se envía tarde por una incidencia técnica' }),
  sent_at: Described(Nullable(Timestamp), 'Cuándo se envió por última vez'),
  answered_at: Described(Nullable(Timestamp), 'Cuándo respondió la Agencia Tributaria'),
};

export const Legend = Nullable(
  Type.String({
    description:
      'Frase que se imprime bajo el QR; encima va siempre «QR tributario:». Los PDF llevan la otra que admite la ley, «VERI*FACTU»',
  }),
);

export const VerifactuRecord = Type.Object(recordFields);
export type VerifactuRecordBody = Static<typeof VerifactuRecord>;

export type ShowingCtx = Pick<Ctx, 'company' | 'today' | 'ports'>;

const instant = (text: string | null): string | null => text && new Date(text).toISOString();
const amount = (text: string | null): number | null => (text === null ? null : Number(text));

/** @param block_reason undefined where the company has no settings */
export function presentRecord(
  row: ShownRow,
  { company, today, ports }: ShowingCtx,
  block_reason: string | null | undefined,
): VerifactuRecordBody {
  const { sending } = row;
  const status = recordStatus({ status: sending?.status ?? null });
  const record = {
    id: row.id,
    kind: row.kind,
    status: sending?.status ?? null,
    is_blocked: sending?.is_blocked ?? null,
    block_reason: sending?.block_reason ?? null,
    aeat_error_code: sending?.aeat_error_code ?? null,
    issued_on: row.issued_on,
  };
  const is_authority_configured = ports.authority.isConfigured(company.environment);
  const blocked = companyBlock({ is_authority_configured, block_reason: block_reason ?? null });
  const mode = modeOn(company, today);
  return {
    id: row.id,
    object: 'verifactu_record',
    kind: row.kind,
    mode: row.mode,
    status,
    ...recordBlocking(record, blocked),
    aeat_error_code: record.aeat_error_code,
    aeat_error_message: sending?.aeat_error_message ?? null,
    aeat_status: aeatStatus(status),
    can_subsanar: subsanacionFault({ record, is_last: row.is_last, mode, today }) === undefined,
    invoice: { id: row.invoice_id, number: row.number, issued_on: row.issued_on, type: row.invoice_type },
    position: Number(row.position),
    huella: row.huella,
    previous_huella: row.previous_huella,
    stamped_at: row.stamped_at,
    recorded_at: row.recorded_at.toISOString(),
    is_subsanacion: row.is_subsanacion,
    prior_rejection: row.prior_rejection,
    has_no_prior_record: row.has_no_prior_record,
    follows_id: row.follows_id,
    tax_total: amount(row.tax_total),
    total: amount(row.total),
    csv: sending?.csv ?? null,
    qr_url: row.qr_url,
    attempts: sending?.attempts ?? 0,
    is_incident: sending?.is_incident ?? false,
    sent_at: instant(sending?.sent_at ?? null),
    answered_at: instant(sending?.answered_at ?? null),
  };
}
