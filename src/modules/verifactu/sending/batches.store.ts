/** A batch is a message to the authority. */
import type { Tx } from '../../../kernel/operation.ts';
import { insertRows } from '../../../platform/rows.ts';
import type { SpanishParty } from '../record.ts';
import type { RecordOutcome, SentRecord } from './rules/answers.ts';

export type BatchRow = {
  id: string;
  taxpayer: SpanishParty;
  is_incident: boolean;
  ends_on: string | null;
  records_count: number;
  attempts: number;
};

/** It has no answer yet: it goes first, unchanged. */
export async function findOpenBatch(tx: Tx, company_id: string): Promise<BatchRow | undefined> {
  const [row] = await tx<BatchRow[]>`
    select id, taxpayer, is_incident, ends_on, records_count, attempts from verifactu_batches
     where company_id = ${company_id} and status = 'sending' order by id limit 1`;
  return row;
}

export type WaitingRecord = SentRecord & { position: string; is_incident: boolean; xml: string };

/**
 * The record `r` of each sending `s`, by its key. A plain join may read all records of the company for each sending, while
 * PostgreSQL has not counted them yet.
 */
function recordOf(tx: Tx, company_id: string) {
  return tx`cross join lateral (
        select * from verifactu_records where company_id = ${company_id} and id = s.record_id offset 0) r`;
}

/** Oldest first. Both conditions on the status make the partial index verifactu_sendings_open serve it. */
export function listWaiting(tx: Tx, company_id: string, limit: number) {
  return tx<WaitingRecord[]>`
    select s.record_id, r.invoice_id, r.kind, r.tax_id, r.number, r.issued_on, s.attempts, s.position, s.is_incident, r.xml
      from (select record_id, attempts, position, is_incident from verifactu_sendings
             where company_id = ${company_id} and status in ('pending', 'sending') and status = 'pending' and not is_blocked
             order by position limit ${limit}) s
      ${recordOf(tx, company_id)}
     order by s.position`;
}

export function listOfBatch(tx: Tx, company_id: string, batch_id: string) {
  return tx<{ xml: string }[]>`
    select r.xml
      from verifactu_sendings s
      ${recordOf(tx, company_id)}
     where s.company_id = ${company_id} and s.batch_id = ${batch_id}
     order by s.position`;
}

export async function isOpenBatch(tx: Tx, company_id: string, batch_id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from verifactu_batches where company_id = ${company_id} and id = ${batch_id} and status = 'sending'`;
  return rows.length > 0;
}

/** Records without a CSV: another answer to their message said that the authority holds them. */
export function listWithoutCsv(tx: Tx, company_id: string, batch_id: string) {
  return tx<SentRecord[]>`
    select s.record_id, r.invoice_id, r.kind, r.tax_id, r.number, r.issued_on, s.attempts
      from verifactu_sendings s
      ${recordOf(tx, company_id)}
     where s.company_id = ${company_id} and s.batch_id = ${batch_id}
       and s.status in ('accepted', 'accepted_with_errors') and s.csv is null
     order by s.position`;
}

/** The CSV of a late answer, for the records that entered with it. */
export function addCsv(
  tx: Tx,
  company_id: string,
  batch_id: string,
  record_ids: readonly string[],
  csv: string,
): Promise<unknown>[] {
  return [
    tx`update verifactu_batches set csv = ${csv} where company_id = ${company_id} and id = ${batch_id} and csv is null`.execute(),
    tx`update verifactu_sendings set csv = ${csv}
        where company_id = ${company_id} and record_id = any(${record_ids as string[]}::uuid[]) and csv is null`.execute(),
  ];
}

/** For matching with the answer. */
export function listSent(tx: Tx, company_id: string, batch_id: string) {
  return tx<SentRecord[]>`
    select s.record_id, r.invoice_id, r.kind, r.tax_id, r.number, r.issued_on, s.attempts
      from verifactu_sendings s
      ${recordOf(tx, company_id)}
     where s.company_id = ${company_id} and s.batch_id = ${batch_id} and s.status = 'sending'
     order by s.position`;
}

export type NewBatch = {
  id: string;
  records_count: number;
  first_position: string;
  last_position: string;
  taxpayer: SpanishParty;
  is_incident: boolean;
  ends_on: string | null;
};

export function insertBatch(tx: Tx, company_id: string, batch: NewBatch, now: Date) {
  return insertRows(
    tx,
    company_id,
    'verifactu_batches',
    {
      id: 'uuid',
      status: 'text',
      records_count: 'integer',
      first_position: 'bigint',
      last_position: 'bigint',
      taxpayer: 'jsonb',
      is_incident: 'boolean',
      ends_on: 'date',
      created_at: 'timestamptz',
    },
    [{ ...batch, status: 'sending', created_at: now.toISOString() }],
  );
}

/** Counts the records' first attempt. */
export function assignBatch(tx: Tx, company_id: string, batch_id: string, record_ids: readonly string[]) {
  return tx`
    update verifactu_sendings s
       set status = 'sending', batch_id = b.id, attempts = s.attempts + 1, sent_at = b.created_at
      from verifactu_batches b
     where b.company_id = ${company_id} and b.id = ${batch_id}
       and s.company_id = ${company_id} and s.record_id = any(${record_ids as string[]}::uuid[])`;
}

/** `assignBatch` counts the records' first attempt: writing all of them twice takes twice as long. */
export function countAttempt(tx: Tx, company_id: string, batch_id: string, now: Date): Promise<unknown>[] {
  return [
    tx`update verifactu_batches set attempts = attempts + 1, sent_at = ${now}
        where company_id = ${company_id} and id = ${batch_id}`.execute(),
    tx`update verifactu_sendings set attempts = attempts + 1, sent_at = ${now}
        where company_id = ${company_id} and batch_id = ${batch_id}
          and (select b.attempts > 1 from verifactu_batches b where b.company_id = ${company_id} and b.id = ${batch_id})`.execute(),
  ];
}

export async function saveOutcomes(
  tx: Tx,
  company_id: string,
  outcomes: readonly RecordOutcome[],
  csv: string | null,
  now: Date,
): Promise<void> {
  const rows = outcomes.map(({ has_csv, invoice_id: _invoice, ...one }) => ({
    ...one,
    csv: has_csv ? csv : null,
  }));
  const text = `update verifactu_sendings as t
       set status = x.status, aeat_error_code = x.aeat_error_code, aeat_error_message = x.aeat_error_message,
           csv = x.csv, answered_at = $3, batch_id = case when x.status = 'pending' then null else t.batch_id end,
           is_incident = t.is_incident or x.status = 'pending'
      from json_to_recordset($2::text::json)
        as x(record_id uuid, status text, aeat_error_code text, aeat_error_message text, csv text)
     where t.company_id = $1 and t.record_id = x.record_id`;
  await tx.unsafe(text, [company_id, JSON.stringify(rows), now], { prepare: true }).execute();
}

export function closeBatch(
  tx: Tx,
  company_id: string,
  batch_id: string,
  answer: { csv: string | null; wait_seconds: number; raw: string },
  now: Date,
) {
  return tx`
    update verifactu_batches
       set status = 'answered', csv = ${answer.csv}, wait_seconds = ${answer.wait_seconds}, answer = ${answer.raw},
           answered_at = ${now}
     where company_id = ${company_id} and id = ${batch_id}`;
}

/** Nothing of the message was stored: its records wait again. */
export function refuseBatch(
  tx: Tx,
  company_id: string,
  batch_id: string,
  fault: { code: string | null; message: string; raw: string },
  now: Date,
): Promise<unknown>[] {
  return [
    tx`update verifactu_batches
          set status = 'refused', fault_code = ${fault.code}, fault_message = ${fault.message}, answer = ${fault.raw},
              answered_at = ${now}
        where company_id = ${company_id} and id = ${batch_id}`.execute(),
    tx`update verifactu_sendings set status = 'pending', batch_id = null
        where company_id = ${company_id} and batch_id = ${batch_id} and status = 'sending'`.execute(),
  ];
}
