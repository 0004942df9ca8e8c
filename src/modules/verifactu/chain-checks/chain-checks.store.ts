import type { Tx } from '../../../kernel/operation.ts';
import type { EventRow } from '../event-log/event-log.store.ts';
import type { ChainEnds } from './rules/chain-walk.ts';
import type { RecordRow } from '../records/records.rows.ts';

export type StoredRecord = RecordRow & { is_known_broken: boolean };

/**
 * @param after not included
 * @param to included
 */
export async function listRecordsBetween(
  tx: Tx,
  company_id: string,
  after: number,
  to: number,
  limit: number,
): Promise<StoredRecord[]> {
  const rows = await tx<(Omit<StoredRecord, 'position'> & { position: string })[]>`
    select r.id, r.position, r.kind, r.mode, r.invoice_id, r.follows_id, r.tax_id, r.number, r.issued_on, r.invoice_type,
           r.is_subsanacion, r.prior_rejection, r.has_no_prior_record, r.tax_total, r.total, r.huella, r.previous_huella,
           r.stamped_at, r.recorded_at, r.qr_url, r.xml,
           coalesce(s.aeat_error_code = 'SCHEMA_INVALID', false) as is_known_broken
      from verifactu_records r
      left join verifactu_sendings s on s.company_id = ${company_id} and s.record_id = r.id
     where r.company_id = ${company_id} and r.position > ${after} and r.position <= ${to}
     order by r.position limit ${limit}`;
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

/**
 * @param after not included
 * @param to included
 */
export async function listEventsBetween(
  tx: Tx,
  company_id: string,
  after: number,
  to: number,
  limit: number,
): Promise<EventRow[]> {
  const rows = await tx<(Omit<EventRow, 'position'> & { position: string })[]>`
    select id, position, type, stamped_at, occurred_at, huella, previous_huella, xml
      from verifactu_events
     where company_id = ${company_id} and position > ${after} and position <= ${to}
     order by position limit ${limit}`;
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
}

type EndsRow = {
  installation_number: string | null;
  record_position: string;
  record_number: string | null;
  record_huella: string | null;
  last_recorded_at: Date | null;
  last_record_position: string | null;
  last_record_number: string | null;
  last_record_huella: string | null;
  last_record_at: Date | null;
  event_position: string;
  event_type: string | null;
  event_huella: string | null;
  last_event_at: Date | null;
  last_position_of_events: string | null;
  last_type: string | null;
  last_event_huella: string | null;
  last_occurred_at: Date | null;
};

/** Reads the ends by the issuing head and by what is stored, in one statement. */
export async function readEnds(
  tx: Tx,
  company_id: string,
): Promise<{ installation_number: string | null; records: ChainEnds; events: ChainEnds }> {
  const [row] = await tx<EndsRow[]>`
    select s.installation_number, h.record_position, h.record_number, h.record_huella, h.last_recorded_at,
           r.position as last_record_position, r.number as last_record_number, r.huella as last_record_huella,
           r.recorded_at as last_record_at,
           h.event_position, h.event_type, h.event_huella, h.last_event_at,
           e.position as last_position_of_events, e.type as last_type, e.huella as last_event_huella,
           e.occurred_at as last_occurred_at
      from issuing_heads h
      left join verifactu_settings s on s.company_id = ${company_id}
      left join lateral (select position, number, huella, recorded_at from verifactu_records
                          where company_id = ${company_id} order by position desc limit 1) r on true
      left join lateral (select position, type, huella, occurred_at from verifactu_events
                          where company_id = ${company_id} order by position desc limit 1) e on true
     where h.company_id = ${company_id}`;
  if (!row) throw new Error('The company has no issuing head.');
  const ends = (
    [position, name, huella, at]: readonly [string, string | null, string | null, Date | null],
    last: readonly [string | null, string | null, string | null, Date | null],
  ): ChainEnds => ({
    head: { position: Number(position), name, huella, at },
    last:
      last[0] === null ? null : { position: Number(last[0]), name: last[1], huella: last[2], at: last[3] },
  });
  return {
    installation_number: row.installation_number,
    records: ends(
      [row.record_position, row.record_number, row.record_huella, row.last_recorded_at],
      [row.last_record_position, row.last_record_number, row.last_record_huella, row.last_record_at],
    ),
    events: ends(
      [row.event_position, row.event_type, row.event_huella, row.last_event_at],
      [row.last_position_of_events, row.last_type, row.last_event_huella, row.last_occurred_at],
    ),
  };
}

/** @param invoice_id column of the outer statement */
export function isRecorded(tx: Tx, company_id: string, invoice_id: string) {
  return tx`exists (select 1 from verifactu_records v
                     where v.company_id = ${company_id} and v.invoice_id = ${tx.unsafe(invoice_id)})`;
}
