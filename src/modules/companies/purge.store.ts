/**
 * Deletes expired rows of a company: answers of idempotency keys, and the request log. The ids are collected
 * into an array, because PostgreSQL may run a joined sub-select anew for each row.
 */
import type { Tx } from '../../kernel/operation.ts';

/** Served by the index by age. @returns how many */
export async function deleteExpiredKeys(
  tx: Tx,
  company_id: string,
  real_now: Date,
  rows_max: number,
): Promise<number> {
  const { count } = await tx`
    delete from idempotency_keys as k
     where k.company_id = ${company_id} and k.expires_at <= ${real_now}
       and k.key = any (array(select e.key from idempotency_keys e
                               where e.company_id = ${company_id} and e.expires_at <= ${real_now}
                               order by e.expires_at limit ${rows_max}))`;
  return count;
}

/** Served by the index by time. @returns how many */
export async function deleteOldRequestLogs(
  tx: Tx,
  company_id: string,
  before: Date,
  rows_max: number,
): Promise<number> {
  const { count } = await tx`
    delete from request_logs as l
     where l.company_id = ${company_id}
       and l.id = any (array(select o.id from request_logs o
                              where o.company_id = ${company_id} and o.created_at < ${before}
                              order by o.created_at limit ${rows_max}))`;
  return count;
}
