/** SQL of the checks of issued invoices. Reads only. */
import type { Tx } from '../../kernel/operation.ts';
import { joinNumbering, numberingColumns, usedInvoiceCounters } from '../series/index.ts';
import { isRecorded } from '../verifactu/index.ts';
import type { NumberedInvoice } from './rules/integrity.ts';

export type NumberedRow = NumberedInvoice & { has_record: boolean; is_recorded: boolean };

/**
 * With series and counter. The index invoices_series_number serves it: by the values of a page in the last series the planner would
 * expect no row after it, and read and sort them all. So it plans without them in this transaction.
 */
export function listNumbered(tx: Tx, company_id: string, after: NumberedRow | null, limit: number) {
  const beyond =
    after === null
      ? tx``
      : tx`and (t.series_id, t.series_period, t.series_number, t.id)
             > (${after.series_id}, ${after.series_period}, ${after.series_number}, ${after.id})`;
  // If it fails, so does the statement after it.
  tx`set local plan_cache_mode = force_generic_plan`.execute();
  return tx<NumberedRow[]>`
    select t.id, t.number, t.series_id, t.series_code, t.series_period, t.series_number, t.issued_on, t.has_record,
           ${numberingColumns(tx)},
           ${isRecorded(tx, company_id, 't.id')} as is_recorded
      from invoices t
      ${joinNumbering(tx, company_id)}
     where t.company_id = ${company_id} and t.series_number is not null and t.series_id is not null
       and t.series_period is not null ${beyond}
     order by t.series_id, t.series_period, t.series_number, t.id
     limit ${limit}`;
}

type Found = { id: string | null; number: string | null; code: string };

export function listUnnumbered(tx: Tx, company_id: string, limit: number) {
  return tx<{ id: string; number: string | null }[]>`
    select t.id, t.number from invoices t
     where t.company_id = ${company_id} and t.status <> 'draft'
       and (t.number is null or t.series_id is null or t.series_period is null or t.series_number is null)
     order by t.id limit ${limit}`;
}

export function listRepeatedNumbers(tx: Tx, company_id: string, limit: number) {
  return tx<{ number: string }[]>`
    select t.number from invoices t where t.company_id = ${company_id} and t.number is not null
     group by t.number having count(*) > 1 order by t.number limit ${limit}`;
}

/** Counters that gave numbers but have no invoice left. */
export function listEmptyCounters(tx: Tx, company_id: string, limit: number) {
  return tx<Pick<Found, 'code'>[]>`
    select n.code from (${usedInvoiceCounters(tx, company_id)}) n
     where not exists (select 1 from invoices t where t.company_id = ${company_id} and t.series_id = n.series_id
                          and t.series_period = n.period and t.series_number is not null)
     order by n.series_id, n.period limit ${limit}`;
}
