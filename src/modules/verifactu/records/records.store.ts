import type { Tx } from '../../../kernel/operation.ts';
import { insertMarked, insertRows } from '../../../platform/rows.ts';
import {
  type ChainHead,
  newSendingColumns,
  type RecordRow,
  recordColumns,
  type SendingRow,
} from './records.rows.ts';

/** The service may never change a record (migration 0007). */
export function insertRecords(
  tx: Tx,
  company_id: string,
  records: readonly RecordRow[],
  sendings: readonly SendingRow[],
): Promise<unknown>[] {
  return [
    insertMarked(tx, company_id, 'verifactu_records', recordColumns, records),
    insertRows(tx, company_id, 'verifactu_sendings', newSendingColumns, sendings),
  ];
}

type HeadRow = Omit<ChainHead, 'record_position' | 'kept_count'> & {
  record_position: string;
  kept_count: string;
  last_issued_at: Date | null;
};

/** Locks the issuing head: a company makes its numbers and records one after the other. */
export async function lockChainHead(
  tx: Tx,
  company_id: string,
): Promise<ChainHead & { last_issued_at: Date | null }> {
  const [row] = await tx<HeadRow[]>`
    select last_issued_at, record_position, record_tax_id, record_number, record_issued_on, record_huella, last_recorded_at,
           kept_count, unsent_count, is_sender_due
      from issuing_heads where company_id = ${company_id} for update`.execute();
  if (!row) throw new Error('The company has no issuing head.');
  return { ...row, record_position: Number(row.record_position), kept_count: Number(row.kept_count) };
}

/**
 * @param head locked
 * @param issued_count how many numbers were taken with it
 */
export function saveChainHead(
  tx: Tx,
  company_id: string,
  head: ChainHead & { last_issued_at: Date | null },
  issued_count: number,
): Promise<unknown> {
  return tx`
    update issuing_heads
       set last_issued_at = ${head.last_issued_at}, issued_count = issued_count + ${issued_count},
           record_position = ${head.record_position}, record_tax_id = ${head.record_tax_id},
           record_number = ${head.record_number}, record_issued_on = ${head.record_issued_on},
           record_huella = ${head.record_huella}, last_recorded_at = ${head.last_recorded_at},
           kept_count = ${head.kept_count}, unsent_count = ${head.unsent_count}, is_sender_due = ${head.is_sender_due}
     where company_id = ${company_id}`.execute();
}

/** For an invoice's `verifactu` member. */
export type RecordSummary = {
  record_id: string;
  kind: RecordRow['kind'];
  mode: RecordRow['mode'];
  status: SendingRow['status'] | null;
  is_blocked: boolean | null;
  aeat_error_code: string | null;
  huella: string;
  qr_url: string | null;
  qr_mode: RecordRow['qr_mode'];
  csv: string | null;
};

/**
 * A fragment that gives JSON.
 * @param invoice_id column of the outer statement
 */
export function summaryOf(tx: Tx, company_id: string, invoice_id: string) {
  return tx`
    (select json_build_object('record_id', r.id, 'kind', r.kind, 'mode', r.mode, 'status', s.status, 'is_blocked', s.is_blocked,
                              'aeat_error_code', s.aeat_error_code, 'huella', r.huella, 'qr_url', r.qr_url, 'qr_mode', r.qr_mode, 'csv', s.csv)
       from verifactu_records r
       left join verifactu_sendings s on s.company_id = ${company_id} and s.record_id = r.id
      where r.company_id = ${company_id} and r.invoice_id = ${tx.unsafe(invoice_id)}
      order by r.position desc limit 1)`;
}

/**
 * A condition on the sending `s`: its invoice has no later record. What was blocked or rejected is done with once there is one.
 * The index verifactu_records_by_invoice serves it.
 */
export function isLastRecord(tx: Tx, company_id: string) {
  return tx`not exists (
    select 1 from verifactu_records r join verifactu_records n
        on n.company_id = ${company_id} and n.invoice_id = r.invoice_id and n.position > r.position
     where r.company_id = ${company_id} and r.id = s.record_id)`;
}

export type LastRecord = {
  id: string;
  kind: RecordRow['kind'];
  mode: RecordRow['mode'];
  status: SendingRow['status'] | null;
  is_blocked: boolean | null;
  aeat_error_code: string | null;
  answered_at: Date | null;
  qr_url: string | null;
  qr_mode: RecordRow['qr_mode'];
};

/** Oldest first. The index verifactu_records_by_invoice serves it. */
export function listRecordsOf(tx: Tx, company_id: string, invoice_id: string) {
  return tx<LastRecord[]>`
    select r.id, r.kind, r.mode, s.status, s.is_blocked, s.aeat_error_code, s.answered_at, r.qr_url, r.qr_mode
      from verifactu_records r
      left join verifactu_sendings s on s.company_id = ${company_id} and s.record_id = r.id
     where r.company_id = ${company_id} and r.invoice_id = ${invoice_id}
     order by r.position`;
}
