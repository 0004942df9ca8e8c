/** SQL of what is sent to the authority: when a company's sender runs, which records wait, what was answered. */
import type { Tx } from '../../kernel/operation.ts';
import type { CompanyClock } from '../../platform/clock.ts';
import { bringForward, dueInstant } from '../../platform/due-work.ts';
import { insertRows } from '../../platform/rows.ts';
import type { SpanishParty } from './record.ts';
import type { RecordOutcome, SentRecord } from './rules/answers.ts';
import { schemaInvalid } from './verifactu.rows.ts';

/**
 * Has the company's sender run at a time, unless it is due before. Its job has the company's id: there is one
 * per company, made when VeriFactu is turned on, and it is never removed. The head of the chain is locked, as it is
 * when the sender decides that nothing is left to do.
 * @param at company time
 */
export function wakeSender(
  tx: Tx,
  company_id: string,
  at: Date,
  clock: CompanyClock,
  real_now: Date,
): Promise<unknown>[] {
  const due_at = dueInstant(clock, at, real_now);
  return bringForward(tx, company_id, company_id, at, due_at);
}

/** As `wakeSender`, at once: whatever the clock, the instant has passed. The sender itself keeps the waiting time. */
export function wakeSenderNow(tx: Tx, company_id: string, now: Date, real_now: Date): Promise<unknown>[] {
  return wakeSender(tx, company_id, now, { clock_offset_ms: 0, clock_frozen_at: now }, real_now);
}

export type BatchRow = {
  id: string;
  taxpayer: SpanishParty;
  is_incident: boolean;
  ends_on: string | null;
  records_count: number;
  attempts: number;
};

/** The message that was sent, or was about to be, and has no answer: it goes first, and unchanged. */
export async function findOpenBatch(tx: Tx, company_id: string): Promise<BatchRow | undefined> {
  const [row] = await tx<BatchRow[]>`
    select id, taxpayer, is_incident, ends_on, records_count, attempts from verifactu_batches
     where company_id = ${company_id} and status = 'sending' order by id limit 1`;
  return row;
}

export type WaitingRecord = SentRecord & { position: string; is_incident: boolean; xml: string };

/** The next records to be sent, oldest first. The first condition on the status is that of the partial index verifactu_sendings_open. */
export function listWaiting(tx: Tx, company_id: string, limit: number) {
  return tx<WaitingRecord[]>`
    select s.record_id, r.invoice_id, r.kind, r.tax_id, r.number, r.issued_on, s.attempts, s.position, s.is_incident, r.xml
      from verifactu_sendings s
      join verifactu_records r on r.company_id = ${company_id} and r.id = s.record_id
     where s.company_id = ${company_id} and s.status in ('pending', 'sending') and s.status = 'pending' and not s.is_blocked
     order by s.position limit ${limit}`;
}

/** The texts of the records of a message, in its order. */
export function listOfBatch(tx: Tx, company_id: string, batch_id: string) {
  return tx<{ xml: string }[]>`
    select r.xml
      from verifactu_sendings s
      join verifactu_records r on r.company_id = ${company_id} and r.id = s.record_id
     where s.company_id = ${company_id} and s.batch_id = ${batch_id}
     order by s.position`;
}

/** What was said of the records of a message is matched by these; their texts are not read again. */
export function listSent(tx: Tx, company_id: string, batch_id: string) {
  return tx<SentRecord[]>`
    select s.record_id, r.invoice_id, r.kind, r.tax_id, r.number, r.issued_on, s.attempts
      from verifactu_sendings s
      join verifactu_records r on r.company_id = ${company_id} and r.id = s.record_id
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

/** Marks records as part of a message that is about to go out: its first attempt is counted with it. */
export function assignBatch(tx: Tx, company_id: string, batch_id: string, record_ids: readonly string[]) {
  return tx`
    update verifactu_sendings s
       set status = 'sending', batch_id = b.id, attempts = s.attempts + 1, sent_at = b.created_at
      from verifactu_batches b
     where b.company_id = ${company_id} and b.id = ${batch_id}
       and s.company_id = ${company_id} and s.record_id = any(${record_ids as string[]}::uuid[])`;
}

/**
 * Counts an attempt to send the message. Its records had their first with `assignBatch`: to write them all a second time in
 * one transaction takes as long as the first, with their indexes and keys.
 */
export function countAttempt(tx: Tx, company_id: string, batch_id: string, now: Date): Promise<unknown>[] {
  return [
    tx`update verifactu_batches set attempts = attempts + 1, sent_at = ${now}
        where company_id = ${company_id} and id = ${batch_id}`.execute(),
    tx`update verifactu_sendings set attempts = attempts + 1, sent_at = ${now}
        where company_id = ${company_id} and batch_id = ${batch_id}
          and (select b.attempts > 1 from verifactu_batches b where b.company_id = ${company_id} and b.id = ${batch_id})`.execute(),
  ];
}

/** Keeps a record back: it never goes out as it is, and the others go on without it. */
export function blockRecords(tx: Tx, company_id: string, record_ids: readonly string[]) {
  return tx`
    update verifactu_sendings
       set status = 'pending', batch_id = null, is_blocked = true,
           block_reason = ${schemaInvalid.block_reason}, aeat_error_code = ${schemaInvalid.aeat_error_code}
     where company_id = ${company_id} and record_id = any(${record_ids as string[]}::uuid[])`;
}

/** What broke the schema, a page at a time; a record whose place a later one of its invoice took is left out. */
export function listBroken(tx: Tx, company_id: string, after_id: string, limit: number) {
  return tx<{ record_id: string; xml: string }[]>`
    select s.record_id, r.xml
      from verifactu_sendings s
      join verifactu_records r on r.company_id = ${company_id} and r.id = s.record_id
     where s.company_id = ${company_id} and s.is_blocked and s.record_id > ${after_id}
       and not exists (select 1 from verifactu_records n
                        where n.company_id = ${company_id} and n.invoice_id = r.invoice_id and n.position > r.position)
     order by s.record_id limit ${limit}`;
}

/** Lets records go out again. The head of the chain is locked: none of them gets a later record meanwhile. */
export async function unblockRecords(
  tx: Tx,
  company_id: string,
  record_ids: readonly string[],
): Promise<number> {
  const { count } = await tx`
    update verifactu_sendings as s set is_blocked = false, block_reason = null, aeat_error_code = null
      from verifactu_records r
     where s.company_id = ${company_id} and s.record_id = any(${record_ids as string[]}::uuid[]) and s.is_blocked
       and r.company_id = ${company_id} and r.id = s.record_id
       and not exists (select 1 from verifactu_records n
                        where n.company_id = ${company_id} and n.invoice_id = r.invoice_id and n.position > r.position)`;
  return count;
}

/** Writes what became of the records of a message, as a set. */
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

/** Records that wait while the way to the authority is broken are late: they travel as an incident. */
export function markIncident(tx: Tx, company_id: string) {
  return tx`
    update verifactu_sendings set is_incident = true
     where company_id = ${company_id} and status = 'pending' and not is_incident`;
}

export async function countWaiting(tx: Tx, company_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from verifactu_sendings
     where company_id = ${company_id} and status in ('pending', 'sending') and not is_blocked`;
  return row?.count ?? 0;
}

export type SenderState = {
  send_after: Date | null;
  wait_seconds: number;
  batch_max: number;
  failures: number;
  failing_since: Date | null;
  block_reason: string | null;
};

export async function findSenderState(
  tx: Tx,
  company_id: string,
): Promise<SenderState & { ends_on: string | null }> {
  const [row] = await tx<(SenderState & { ends_on: string | null })[]>`
    select send_after, wait_seconds, batch_max, failures, failing_since, block_reason, ends_on
      from verifactu_settings where company_id = ${company_id}`;
  if (!row) throw new Error('A company that never turned VeriFactu on has nothing to send.');
  return row;
}

export function saveSenderState(tx: Tx, company_id: string, state: SenderState, now: Date) {
  return tx`
    update verifactu_settings
       set send_after = ${state.send_after}, wait_seconds = ${state.wait_seconds}, batch_max = ${state.batch_max},
           failures = ${state.failures}, failing_since = ${state.failing_since}, block_reason = ${state.block_reason},
           updated_at = ${now}
     where company_id = ${company_id}`;
}
