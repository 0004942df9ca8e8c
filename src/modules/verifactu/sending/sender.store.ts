import type { Tx } from '../../../kernel/operation.ts';
import type { CompanyClock } from '../../../platform/clock.ts';
import { bringForward, dueInstant } from '../../../platform/due-work.ts';
import { schemaInvalid } from '../records/records.rows.ts';

/**
 * Has the sender run at a time, unless it is due earlier.
 * Its job has the company's id, and exists from when VeriFactu is first turned on.
 * The caller holds the head of the chain. The sender holds it too when it decides that nothing is left to do.
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

/** Whatever the clock says. The sender itself keeps the authority's waiting time. */
export function wakeSenderNow(tx: Tx, company_id: string, now: Date, real_now: Date): Promise<unknown>[] {
  return wakeSender(tx, company_id, now, { clock_offset_ms: 0, clock_frozen_at: now }, real_now);
}

export function blockRecords(tx: Tx, company_id: string, record_ids: readonly string[]) {
  return tx`
    update verifactu_sendings
       set status = 'pending', batch_id = null, is_blocked = true,
           block_reason = ${schemaInvalid.block_reason}, aeat_error_code = ${schemaInvalid.aeat_error_code}
     where company_id = ${company_id} and record_id = any(${record_ids as string[]}::uuid[])`;
}

/** Leaves out those whose invoice has a later record. */
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

/** The caller locks the head of the chain: no invoice gets a later record meanwhile. */
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

/**
 * Late records travel as an incident.
 * @param before of those that were made before; else of all that wait
 */
export function markIncident(tx: Tx, company_id: string, before: Date | null = null) {
  return tx`
    update verifactu_sendings set is_incident = true
     where company_id = ${company_id} and status = 'pending' and not is_incident
       and (${before}::timestamptz is null or created_at < ${before}::timestamptz)`;
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
