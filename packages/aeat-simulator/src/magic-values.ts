/**
 * A recipient's tax id, or the total of an invoice without recipient, chooses the authority's answer.
 * This serves people who only have a sandbox.
 * The tax ids are well formed but belong to nobody: there is no province 00.
 */
import type { Fault } from './faults.ts';
import { huellaOf } from './huella.ts';
import type { Alta, BillingRecord } from './records.ts';

export type RecordOutcome =
  | { kind: 'none' }
  | { kind: 'accepted_with_errors'; code: number }
  /** Without `is_always` a subsanación is accepted. */
  | { kind: 'rejected'; code: number; is_always: boolean }
  /** As if an earlier message had brought the record. */
  | { kind: 'duplicate'; state: 'Correcta' | 'AceptadaConErrores' };

export type MagicValue = {
  outcome: string;
  recipient_nif: string;
  /** ImporteTotal in hundredths. One line at 21, 10 or 4 % reaches each. */
  total: bigint;
} & ({ record: RecordOutcome } | { message: Fault });

const long_wait_seconds = 600;

export const magicValues: readonly MagicValue[] = [
  { outcome: 'accepted', recipient_nif: 'B00000018', total: 2988_10n, record: { kind: 'none' } },
  {
    outcome: 'accepted_with_errors',
    recipient_nif: 'B00000026',
    total: 2988_11n,
    record: { kind: 'accepted_with_errors', code: 2001 },
  },
  {
    outcome: 'rejected',
    recipient_nif: 'B00000034',
    total: 2988_12n,
    record: { kind: 'rejected', code: 1100, is_always: false },
  },
  {
    outcome: 'rejected_always',
    recipient_nif: 'B00000042',
    total: 2988_13n,
    record: { kind: 'rejected', code: 1100, is_always: true },
  },
  {
    outcome: 'duplicate',
    recipient_nif: 'B00000059',
    total: 2988_14n,
    record: { kind: 'duplicate', state: 'Correcta' },
  },
  {
    outcome: 'duplicate_with_errors',
    recipient_nif: 'B00000067',
    total: 2988_16n,
    record: { kind: 'duplicate', state: 'AceptadaConErrores' },
  },
  {
    outcome: 'soap_fault_client',
    recipient_nif: 'B00000075',
    total: 2988_17n,
    message: { kind: 'soap_fault_client', code: 4102 },
  },
  {
    outcome: 'soap_fault_server',
    recipient_nif: 'B00000083',
    total: 2988_18n,
    message: { kind: 'soap_fault_server', code: 4128 },
  },
  {
    outcome: 'unavailable',
    recipient_nif: 'B00000091',
    total: 2988_19n,
    message: { kind: 'unavailable' },
  },
  {
    outcome: 'timeout_before_storing',
    recipient_nif: 'B00000109',
    total: 2988_22n,
    message: { kind: 'timeout_before_storing' },
  },
  {
    outcome: 'timeout_after_storing',
    recipient_nif: 'B00000117',
    total: 2988_23n,
    message: { kind: 'timeout_after_storing' },
  },
  {
    outcome: 'half_answer',
    recipient_nif: 'B00000125',
    total: 2988_24n,
    message: { kind: 'half_answer' },
  },
  {
    outcome: 'malformed_answer',
    recipient_nif: 'B00000133',
    total: 2988_25n,
    message: { kind: 'malformed_answer' },
  },
  {
    outcome: 'slow_answer',
    recipient_nif: 'B00000141',
    total: 2988_26n,
    message: { kind: 'slow_answer', milliseconds: 5000 },
  },
  {
    outcome: 'long_wait',
    recipient_nif: 'B00000158',
    total: 2988_28n,
    message: { kind: 'long_wait', seconds: long_wait_seconds },
  },
];

/** Not in the authority's census: all its messages are refused with 4107. */
export const unknown_taxpayer_nif = 'B00000166';

export function isUnknownTaxpayer(nif: string): boolean {
  return nif === unknown_taxpayer_nif;
}

export function findMagicValue(record: BillingRecord): MagicValue | undefined {
  if (record.operation === 'Anulacion') return undefined;
  return magicValues.find((value) => asksFor(record, value));
}

function asksFor({ recipients, total }: Alta, value: MagicValue): boolean {
  if (!recipients) return total === value.total;
  return recipients.some(({ nif }) => nif === value.recipient_nif);
}

/** A subsanación has no outcome unless the value is for always. */
export function outcomeOf(record: BillingRecord): RecordOutcome {
  const value = findMagicValue(record);
  if (!value || !('record' in value) || record.operation === 'Anulacion') return { kind: 'none' };
  const is_always = value.record.kind === 'rejected' && value.record.is_always;
  return record.subsanacion === 'S' && !is_always ? { kind: 'none' } : value.record;
}

const REMEMBERED_MAX = 10_000;

/** Gives a record's fault once: its next delivery succeeds and blocks nothing behind it. */
export function faultOncePerRecord(): (
  company_id: string,
  records: readonly BillingRecord[],
) => Fault | undefined {
  const seen = new Set<string>();
  return (company_id, records) => {
    for (const record of records) {
      const value = findMagicValue(record);
      if (!value || !('message' in value)) continue;
      const key = `${company_id} ${huellaOf(record)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const oldest = seen.size > REMEMBERED_MAX ? seen.values().next().value : undefined;
      if (oldest !== undefined) seen.delete(oldest);
      return value.message;
    }
    return undefined;
  };
}
