/** What the authority's answers mean (docs/reliability.md). Codes are listed, not classed by their digits. */
import type { AnswerLine, SendResult } from '../../ports.ts';
import type { RecordKind } from '../../record.ts';
import type { SendingStatus } from '../../records/records.rows.ts';

/** Trouble of the authority's own: the record is sent again. */
const repeatableRecordCodes: ReadonlySet<string> = new Set([
  '1129',
  '1241',
  '1243',
  '1256',
  '1288',
  '3500',
  '3501',
]);
/** The same with a whole message. */
const repeatableFaultCodes: ReadonlySet<string> = new Set([
  '3500',
  '3501',
  '4103',
  '4108',
  '4110',
  '4111',
  '4128',
]);
export const schemaFaultCode = '4102';

const annulledAlreadyCode = '3001';

export type SentRecord = {
  record_id: string;
  invoice_id: string;
  kind: RecordKind;
  tax_id: string;
  number: string;
  issued_on: string;
  /** This time included. */
  attempts: number;
};

export type RecordOutcome = {
  record_id: string;
  invoice_id: string;
  status: Exclude<SendingStatus, 'sending'>;
  aeat_error_code: string | null;
  aeat_error_message: string | null;
  /** The record entered with this message. */
  has_csv: boolean;
};

type Named = Pick<AnswerLine, 'kind' | 'tax_id' | 'number' | 'issued_on'>;
const nameOf = ({ kind, tax_id, number, issued_on }: Named) => [kind, tax_id, number, issued_on].join('\t');

/**
 * In the order of sending. Our reference finds a line.
 * A line without one is found by its invoice: the records of an invoice keep their order.
 */
export function outcomesOf(records: readonly SentRecord[], lines: readonly AnswerLine[]): RecordOutcome[] {
  const by_reference = new Map(lines.map((line) => [`${line.kind} ${line.reference}`, line]));
  const by_name = Map.groupBy(
    lines.filter((line) => line.reference === null),
    nameOf,
  );
  return records.map((record) =>
    outcomeOf(
      record,
      by_reference.get(`${record.kind} ${record.record_id}`) ?? by_name.get(nameOf(record))?.shift(),
    ),
  );
}

function outcomeOf(record: SentRecord, line: AnswerLine | undefined): RecordOutcome {
  const { record_id, invoice_id } = record;
  const none = { record_id, invoice_id, aeat_error_code: null, aeat_error_message: null, has_csv: false };
  if (!line) return { ...none, status: 'pending' };
  const { duplicate } = line;
  if (duplicate && isHeld(record, duplicate.state)) {
    // An answer was lost. Its CSV cannot be had again.
    const status = duplicate.state === 'accepted_with_errors' ? 'accepted_with_errors' : 'accepted';
    return { ...none, status, aeat_error_code: duplicate.code, aeat_error_message: duplicate.message };
  }
  // The message whose answer was lost annulled the invoice. The authority does not call that a duplicate.
  if (record.kind === 'anulacion' && line.code === annulledAlreadyCode && record.attempts > 1)
    return { ...none, status: 'accepted' };
  const told = { ...none, aeat_error_code: line.code, aeat_error_message: line.message };
  if (line.state !== 'rejected') return { ...told, status: line.state, has_csv: true };
  if (line.code !== null && repeatableRecordCodes.has(line.code)) return { ...told, status: 'pending' };
  return { ...told, status: 'rejected' };
}

/**
 * A duplicate names the state of the invoice, not of this record. An annulment is there only when the invoice is annulled: any
 * other state says that the invoice is in force. An alta that is found annulled was there if it was sent before.
 */
function isHeld(
  { kind, attempts }: SentRecord,
  state: NonNullable<AnswerLine['duplicate']>['state'],
): boolean {
  const is_annulled = state === 'annulled';
  return kind === 'anulacion' ? is_annulled : !is_annulled || attempts > 1;
}

export type Obstacle =
  /** The same message goes again. */
  | { kind: 'repeat'; reason: string }
  /** The authority does not say which record breaks the schema. */
  | { kind: 'schema' }
  /** Something has to be mended first. */
  | { kind: 'blocked'; reason: string };

export function obstacleOf(result: Exclude<SendResult, { kind: 'answer' }>): Obstacle {
  if (result.kind === 'no_answer') return { kind: 'repeat', reason: result.message };
  const { code, is_client } = result;
  if (!is_client || (code !== null && repeatableFaultCodes.has(code)))
    return { kind: 'repeat', reason: result.message };
  if (code === schemaFaultCode) return { kind: 'schema' };
  return { kind: 'blocked', reason: code === null ? 'aeat_fault' : `aeat_${code}` };
}

const minuteMs = 60_000;
/** By failures in a row. The law wants an attempt each hour, without end. */
const retryMinutes = [1, 2, 5, 10, 30, 60];

/**
 * The authority's waiting time holds after a failed message too, up to an hour.
 * @param failures in a row: 1 or more
 */
export function retryAfterMs(failures: number, wait_seconds: number): number {
  const minutes = retryMinutes[Math.min(failures, retryMinutes.length) - 1] ?? 1;
  return Math.min(Math.max(minutes * minuteMs, wait_seconds * 1000), 60 * minuteMs);
}
