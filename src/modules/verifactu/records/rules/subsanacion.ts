/**
 * Which record may follow an invoice's last one, and its marks Subsanacion, RechazoPrevio and SinRegistroPrevio.
 * What the authority holds decides; its answers tell it.
 */
import { fail, type Problem } from '../../../../kernel/problem.ts';
import type { PriorRejection, RecordKind, RemissionMode } from '../../record.ts';
import { verifactuErrors as e } from '../../verifactu.errors.ts';
import { schemaInvalid, type SendingStatus } from '../records.rows.ts';

export type PastRecord = {
  id: string;
  kind: RecordKind;
  /** Null in no-verifactu mode. */
  status: SendingStatus | null;
  is_blocked: boolean | null;
  aeat_error_code: string | null;
  /** When its status came; null while it waits. */
  answered_at: Date | null;
};

export type Held = 'nothing' | RecordKind;

/** Rejections that tell what the authority holds. */
const toldBy: Readonly<Record<string, Held>> = {
  '3000': 'alta',
  '3001': 'anulacion',
  '3002': 'nothing',
  '3004': 'anulacion',
};

/**
 * In the order of the answers: a record that met the authority's own trouble is answered after later records.
 * @param records of one invoice, oldest first
 */
export function heldAfter(records: readonly PastRecord[]): Held {
  const answered = records.toSorted((a, b) => whenAnswered(a) - whenAnswered(b));
  return answered.reduce<Held>((held, { kind, status, aeat_error_code: code }) => {
    if (status === 'accepted' || status === 'accepted_with_errors') return kind;
    if (status !== 'rejected' || code === null) return held;
    return toldBy[code] ?? held;
  }, 'nothing');
}

function whenAnswered({ answered_at }: PastRecord): number {
  return answered_at?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

/** Once all that waits is sent and accepted. */
export function heldOnceAccepted(records: readonly PastRecord[]): Held {
  return heldAfter(
    records.map((record) => {
      const goes_out = record.status === 'sending' || (record.status === 'pending' && !record.is_blocked);
      return goes_out ? { ...record, status: 'accepted', answered_at: null } : record;
    }),
  );
}

/** It broke the schema, so the authority has none of it. */
function isNeverSent({ status, aeat_error_code }: Pick<PastRecord, 'status' | 'aeat_error_code'>): boolean {
  return status === 'pending' && aeat_error_code === schemaInvalid.aeat_error_code;
}

/**
 * Rejections of what identifies an invoice: number (1104, 1130, 1287), day of issue (1105, 1133, 1152) or issuer
 * (1108, 1120, 1172, 1219). The authority can never accept that invoice: it is annulled and issued anew.
 * The issuer's name (1215, 1217, 1240) is not here: it is taken anew from the company.
 * Nor is a NIF that the census does not know (1109, 1110): it may be the recipient's.
 */
const identityCodes: ReadonlySet<string> = new Set([
  '1104',
  '1130',
  '1287',
  '1105',
  '1133',
  '1152',
  '1108',
  '1120',
  '1219',
  '1172',
]);
/** Issued after the authority's day: goes again on the day of issue. */
const tooEarlyCode = '1112';

function touchesIdentity(code: string | null, issued_on: string, today: string): boolean {
  if (code === null) return false;
  return identityCodes.has(code) || (code === tooEarlyCode && issued_on > today);
}

/** Annulled at the authority (3001), or in its own form, after which it takes no record (3004). */
const closedCodes: ReadonlySet<string> = new Set(['3001', '3004']);

export type Marks =
  | { kind: 'alta'; is_subsanacion: true; prior_rejection: PriorRejection | null }
  | { kind: 'anulacion'; has_no_prior_record: boolean; is_prior_rejection: boolean };

type Today = { mode: RemissionMode | null; today: string };

export type MendableInput = Today & {
  record: Omit<PastRecord, 'answered_at'> & { issued_on: string };
  is_last: boolean;
};

/**
 * Undefined for a record that can be mended. Else:
 * - 409 record_not_rejected: it has no answer yet, or the invoice has a later record;
 * - 409 requires_annulment: an alta was rejected for its number, day or issuer;
 * - 409 record_not_subsanable: an annulment that was accepted, kept, or rejected for what identifies the invoice;
 * an invoice closed at the authority; or VeriFactu is off.
 */
export function subsanacionFault({ record, is_last, mode, today }: MendableInput): Problem | undefined {
  const { kind, status, issued_on } = record;
  const is_waiting = status === 'pending' || status === 'sending';
  if (!is_last || (is_waiting && !isNeverSent(record)))
    return fail(e.record_not_rejected, { param: 'record' });
  if (mode === null) return unmendable('VeriFactu está desactivado.');
  const code = status === 'rejected' ? record.aeat_error_code : null;
  if (code !== null && closedCodes.has(code))
    return unmendable('la factura ya consta anulada en la Agencia.');
  const is_identity = touchesIdentity(code, issued_on, today);
  if (kind === 'alta') return is_identity ? fail(e.requires_annulment, { param: 'record' }) : undefined;
  if (status !== 'rejected' && !isNeverSent(record))
    return unmendable('una anulación que no se ha rechazado no tiene nada que subsanar.');
  return is_identity ? unmendable('se rechazó lo que identifica la factura.') : undefined;
}

function unmendable(reason: string): Problem {
  return fail(e.record_not_subsanable, { param: 'record', values: { reason } });
}

/**
 * @param records all of the invoice, oldest first
 * @throws Problem as `subsanacionFault` says
 */
export function marksOfSubsanacion(
  records: readonly PastRecord[],
  record: PastRecord & { issued_on: string },
  { mode, today }: Today,
): Marks {
  const is_last = records.at(-1)?.id === record.id;
  const fault = subsanacionFault({ record, is_last, mode, today });
  if (fault) throw fault;
  const { kind } = record;
  const held = heldAfter(records);
  const answered = records
    .filter((one) => one.kind === kind && one.status !== null && !isNeverSent(one))
    .at(-1);
  const was_rejected = answered?.status === 'rejected';
  const is_sent = mode === 'verifactu';
  if (kind === 'anulacion')
    return {
      kind,
      has_no_prior_record: is_sent && held === 'nothing',
      is_prior_rejection: is_sent && was_rejected,
    };
  const prior = held === 'nothing' ? 'X' : was_rejected ? 'S' : null;
  return { kind, is_subsanacion: true, prior_rejection: is_sent ? prior : null };
}
