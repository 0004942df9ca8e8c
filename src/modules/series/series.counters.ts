/**
 * A counter is locked before a number is taken and saved with the numbered document, so no number is lost or
 * given twice.
 */
import { invoiceSeriesKinds } from '../../domain/sales/default-series.ts';
import type { Tx } from '../../kernel/operation.ts';

export type CounterRow = {
  series_id: string;
  period: string;
  next_number: number;
  last_issued_on: string | null;
  /** Null before the first number of the series. */
  issued_by: string | null;
  taken: number;
  /** This transaction started the counter. */
  is_started: boolean;
  /** This transaction started it, and the series had an earlier period. */
  is_new_period: boolean;
};

type CounterKey = { series_id: string; period: string };

/**
 * Locks the existing counters, in the order of their series. The last day is that of the whole series. First
 * take the lock that all who number in the series take: the issuing head for invoices, the series for all
 * others.
 */
export async function lockCounters(
  tx: Tx,
  company_id: string,
  keys: readonly CounterKey[],
): Promise<CounterRow[]> {
  if (keys.length === 0) return [];
  const rows = await tx<Omit<CounterRow, 'taken' | 'is_started' | 'is_new_period'>[]>`
    select n.series_id, n.period, n.next_number, n.issued_by,
           (select max(m.last_issued_on) from series_counters m
             where m.company_id = ${company_id} and m.series_id = n.series_id) as last_issued_on
      from series_counters n
      join json_to_recordset(${JSON.stringify(keys)}::text::json) as x(series_id uuid, period text)
        on n.series_id = x.series_id and n.period = x.period
     where n.company_id = ${company_id}
     order by n.series_id, n.period
       for update of n`.execute();
  return rows.map((row) => ({ ...row, taken: 0, is_started: false, is_new_period: false }));
}

/**
 * Takes the next number of an existing counter in one statement. Lock the series first, in a statement of its own, so that this one
 * sees what others have done.
 * @param asked `reset`: as the caller read it, from which the period follows
 * @returns the counter with the number to take, already raised in the table; undefined when there is none, or when the series was
 * archived or counts by another period now: then nothing is raised
 */
export async function raiseCounter(
  tx: Tx,
  company_id: string,
  { series_id, period, reset, issued_on }: CounterKey & { reset: string; issued_on: string },
): Promise<CounterRow | undefined> {
  const [row] = await tx<Omit<CounterRow, 'taken' | 'is_started' | 'is_new_period'>[]>`
    update series_counters n
       set next_number = n.next_number + 1, issued_by = coalesce(n.issued_by, 'issuer'),
           last_issued_on = greatest(${issued_on}::date, (select max(m.last_issued_on) from series_counters m
                                                           where m.company_id = ${company_id} and m.series_id = ${series_id}))
     where n.company_id = ${company_id} and n.series_id = ${series_id} and n.period = ${period}
       and exists (select 1 from series s
                    where s.company_id = ${company_id} and s.id = ${series_id} and s.reset = ${reset} and not s.is_archived)
    returning n.series_id, n.period, n.next_number - 1 as next_number, n.last_issued_on, n.issued_by`.execute();
  return row && { ...row, taken: 0, is_started: false, is_new_period: false };
}

/**
 * The first period begins with the series' first number, later ones with 1. The lock that `lockCounters`
 * names keeps two transactions from starting the same counter.
 */
export async function startCounters(
  tx: Tx,
  company_id: string,
  keys: readonly CounterKey[],
  first_numbers: ReadonlyMap<string, number>,
): Promise<CounterRow[]> {
  const rows: CounterRow[] = [];
  for (const { series_id, period } of keys) {
    const [earlier] = await tx<{ last_issued_on: string | null; issued_by: string; period: string }[]>`
      select max(last_issued_on) as last_issued_on, max(issued_by) as issued_by, max(period) as period from series_counters
       where company_id = ${company_id} and series_id = ${series_id} having count(*) > 0`;
    const next_number = earlier ? 1 : (first_numbers.get(series_id) ?? 1);
    // An invoice's dates never run backwards in a series, so a new period takes over the earlier one's last date.
    const last_issued_on = earlier?.last_issued_on ?? null;
    await tx`insert into series_counters (company_id, series_id, period, next_number, last_issued_on)
             values (${company_id}, ${series_id}, ${period}, ${next_number}, ${last_issued_on})`;
    rows.push({
      series_id,
      period,
      next_number,
      last_issued_on,
      issued_by: earlier?.issued_by ?? null,
      taken: 0,
      is_started: true,
      // A document of an earlier day may start its period late: that is no new period.
      is_new_period: earlier !== undefined && period > earlier.period,
    });
  }
  return rows;
}

export async function saveCounters(tx: Tx, company_id: string, rows: readonly CounterRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update series_counters n set next_number = x.next_number, last_issued_on = x.last_issued_on, issued_by = x.issued_by
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as x(series_id uuid, period text, next_number integer, last_issued_on date, issued_by text)
     where n.company_id = ${company_id} and n.series_id = x.series_id and n.period = x.period`.execute();
}

/**
 * Deletes counters that this transaction started without taking a number: a counter means that the series has
 * issued.
 */
export async function dropCounters(tx: Tx, company_id: string, rows: readonly CounterRow[]): Promise<void> {
  for (const { series_id, period } of rows) {
    await tx`delete from series_counters
              where company_id = ${company_id} and series_id = ${series_id} and period = ${period}`.execute();
  }
}

/** What the last number requires of the next one, without a lock, for a dry run. */
export async function readLastNumbering(
  tx: Tx,
  company_id: string,
  series_id: string,
): Promise<Pick<CounterRow, 'last_issued_on' | 'issued_by'>> {
  const [row] = await tx<Pick<CounterRow, 'last_issued_on' | 'issued_by'>[]>`
    select max(last_issued_on) as last_issued_on, max(issued_by) as issued_by from series_counters
     where company_id = ${company_id} and series_id = ${series_id}`;
  return row ?? { last_issued_on: null, issued_by: null };
}

export function numberingColumns(tx: Tx) {
  return tx`s.code, s.format, s.reset, s.first_number, n.next_number, n.last_issued_on`;
}

/** SQL: the series `s` of a numbered document `t`, and the counter `n` that gave its number. */
export function joinNumbering(tx: Tx, company_id: string) {
  return tx`join series s on s.company_id = ${company_id} and s.id = t.series_id
      left join series_counters n
        on n.company_id = ${company_id} and n.series_id = t.series_id and n.period = t.series_period`;
}

/** SQL: the counters that gave numbers to invoices, with the code of their series. */
export function usedInvoiceCounters(tx: Tx, company_id: string) {
  return tx`select c.series_id, c.period, s.code from series_counters c
              join series s on s.company_id = ${company_id} and s.id = c.series_id
             where c.company_id = ${company_id} and s.document_type = any(${[...invoiceSeriesKinds]})
               and c.last_issued_on is not null`;
}
