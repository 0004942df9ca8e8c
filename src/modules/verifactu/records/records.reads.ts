import type { Tx } from '../../../kernel/operation.ts';
import type { RecordRow, SendingRow } from './records.rows.ts';

/** The instants are texts: they come out of JSON. */
export type ShownSending = Pick<
  SendingRow,
  | 'status'
  | 'is_blocked'
  | 'block_reason'
  | 'is_incident'
  | 'attempts'
  | 'csv'
  | 'aeat_error_code'
  | 'aeat_error_message'
> & { sent_at: string | null; answered_at: string | null };

export type ShownRow = Omit<RecordRow, 'xml' | 'position' | 'recorded_at'> & {
  position: string;
  recorded_at: Date;
  sending: ShownSending | null;
  is_last: boolean;
};

/** Of alias t, without the text. */
export function shownFields(tx: Tx, company_id: string) {
  return tx`t.id, t.position, t.kind, t.mode, t.invoice_id, t.follows_id, t.tax_id, t.number, t.issued_on, t.invoice_type,
    t.is_subsanacion, t.prior_rejection, t.has_no_prior_record, t.tax_total, t.total, t.huella, t.previous_huella, t.stamped_at,
    t.recorded_at, t.qr_url, t.qr_mode,
    (select json_build_object('status', s.status, 'is_blocked', s.is_blocked, 'block_reason', s.block_reason,
                              'is_incident', s.is_incident, 'attempts', s.attempts, 'csv', s.csv,
                              'aeat_error_code', s.aeat_error_code, 'aeat_error_message', s.aeat_error_message,
                              'sent_at', s.sent_at, 'answered_at', s.answered_at)
       from verifactu_sendings s where s.company_id = ${company_id} and s.record_id = t.id) as sending,
    not exists (select 1 from verifactu_records n
                 where n.company_id = ${company_id} and n.invoice_id = t.invoice_id and n.position > t.position) as is_last`;
}

export async function findRecord(tx: Tx, company_id: string, id: string): Promise<ShownRow | undefined> {
  const [row] = await tx<ShownRow[]>`
    select ${shownFields(tx, company_id)} from verifactu_records t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

export async function findRecordText(tx: Tx, company_id: string, id: string) {
  const [row] = await tx<{ id: string; number: string; kind: RecordRow['kind']; xml: string }[]>`
    select id, number, kind, xml from verifactu_records where company_id = ${company_id} and id = ${id}`;
  return row;
}

export async function findLastByNumber(tx: Tx, company_id: string, number: string) {
  const [row] = await tx<ShownRow[]>`
    select ${shownFields(tx, company_id)} from verifactu_records t
     where t.company_id = ${company_id} and t.number = ${number} order by t.position desc limit 1`;
  return row;
}

export async function findLastOfInvoice(tx: Tx, company_id: string, invoice_id: string) {
  const [row] = await tx<ShownRow[]>`
    select ${shownFields(tx, company_id)} from verifactu_records t
     where t.company_id = ${company_id} and t.invoice_id = ${invoice_id} order by t.position desc limit 1`;
  return row;
}

export async function findByHuella(tx: Tx, company_id: string, huella: string) {
  const [row] = await tx<ShownRow[]>`
    select ${shownFields(tx, company_id)} from verifactu_records t
     where t.company_id = ${company_id} and t.huella = ${huella} order by t.position desc limit 1`;
  return row;
}

/** A CSV belongs to a message: up to 1,000 records share it. */
export async function findLastByCsv(tx: Tx, company_id: string, csv: string) {
  const [row] = await tx<ShownRow[]>`
    select ${shownFields(tx, company_id)}
      from (select s.record_id from verifactu_sendings s
             where s.company_id = ${company_id} and s.csv = ${csv} order by s.position desc limit 1) f
      join verifactu_records t on t.company_id = ${company_id} and t.id = f.record_id`;
  return row;
}
