/**
 * SQL of series and what it reads of their counters. Counters are made and advanced by the transaction that
 * issues; a series with none has issued nothing. Changes of series run one after the other per company,
 * because they hold the company's row, and its version tells plans in preparation to be made again.
 */
import { type SeriesKind, defaultSeries } from '../../domain/sales/default-series.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { newId } from '../../kernel/uuid7.ts';
import { readPageRows } from '../../platform/page-rows.ts';
import { removeRow, updateRow } from '../../platform/row-changes.ts';
import { renewSettings } from '../../platform/company-row.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import { periodsOf, type SeriesFields, type SeriesRow } from './series.schema.ts';

const writableColumns: Columns = {
  code: 'text',
  name: 'text',
  document_type: 'text',
  format: 'text',
  reset: 'text',
  first_number: 'integer',
  is_default: 'boolean',
  is_archived: 'boolean',
  updated_at: 'timestamptz',
};

const columns: Columns = { id: 'uuid', ...writableColumns, created_at: 'timestamptz' };

/** A row of a series without its counters, as it is written. */
export type NewSeriesRow = Omit<SeriesRow, 'period_next' | 'has_issued'>;

/** The series' columns, its counter of the current period and whether it has any. */
function rowOf(tx: Tx, company_id: string, today: string) {
  const periods = periodsOf(today);
  return tx`
    t.id, t.code, t.name, t.document_type, t.format, t.reset, t.first_number, t.is_default, t.is_archived,
    t.created_at, t.updated_at,
    (select n.next_number from series_counters n
      where n.company_id = ${company_id} and n.series_id = t.id
        and n.period = case t.reset when 'never' then ${periods.never} when 'year' then ${periods.year}
                       else ${periods.month} end) as period_next,
    exists (select from series_counters n where n.company_id = ${company_id} and n.series_id = t.id) as has_issued`;
}

/** One series of the company, or undefined. `today` (YYYY-MM-DD) tells the current period. */
export async function findSeriesRow(
  tx: Tx,
  company_id: string,
  id: string,
  today: string,
): Promise<SeriesRow | undefined> {
  const [row] = await tx<SeriesRow[]>`
    select ${rowOf(tx, company_id, today)} from series t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/**
 * Locks the company for a change of its series, then the series itself. The row lock also waits for, and
 * holds off, the first counter of the series: a counter refers to it.
 */
export async function lockSeries(
  tx: Tx,
  company_id: string,
  id: string,
  today: string,
): Promise<SeriesRow | undefined> {
  await renewSettings(tx, company_id);
  await tx`select from series t where t.company_id = ${company_id} and t.id = ${id} for update`;
  // Read apart, so that a counter committed while this waited for the lock is seen.
  return findSeriesRow(tx, company_id, id, today);
}

/** Locks the default series of a kind of document. */
export async function lockDefaultSeries(
  tx: Tx,
  company_id: string,
  document_type: SeriesKind,
  today: string,
): Promise<SeriesRow | undefined> {
  const [row] = await tx<SeriesRow[]>`
    select ${rowOf(tx, company_id, today)} from series t
     where t.company_id = ${company_id} and t.document_type = ${document_type} and t.is_default
       for update of t`;
  return row;
}

/** Every series of the kinds, archived ones included: their numbers stay given. */
export async function listSeriesOfKinds(
  tx: Tx,
  company_id: string,
  document_types: readonly SeriesKind[],
): Promise<Pick<SeriesRow, 'id' | 'code' | 'format'>[]> {
  const rows = await tx<Pick<SeriesRow, 'id' | 'code' | 'format'>[]>`
    select t.id, t.code, t.format from series t
     where t.company_id = ${company_id} and t.document_type = any(${[...document_types]})
     order by t.id`;
  return [...rows];
}

export type SeriesFilter = { document_type?: string; is_archived?: boolean; code?: string };

/** A page of series; the unique key on the code serves its order. */
export function listSeries(
  tx: Tx,
  company_id: string,
  today: string,
  filter: SeriesFilter,
  page: PageRequest,
): Promise<SeriesRow[]> {
  const { document_type, is_archived, code } = filter;
  return readPageRows(tx, company_id, page, {
    table: 'series',
    columns: rowOf(tx, company_id, today),
    sorts: { code: 't.code' },
    where: tx`
      ${document_type === undefined ? tx`` : tx`and t.document_type = ${document_type}`}
      ${is_archived === undefined ? tx`` : tx`and t.is_archived = ${is_archived}`}
      ${code === undefined ? tx`` : tx`and t.code = ${code}`}`,
  });
}

/** Writes new series. SQLSTATE 23505 when the company has the code. */
export async function insertSeries(tx: Tx, company_id: string, rows: readonly NewSeriesRow[]): Promise<void> {
  await insertRows(tx, company_id, 'series', columns, rows);
}

/** Writes the fields and marks of a series that the caller has locked. SQLSTATE 23505 when the company has the code. */
export async function updateSeries(
  tx: Tx,
  company_id: string,
  id: string,
  row: SeriesFields & Pick<SeriesRow, 'is_default' | 'is_archived' | 'updated_at'>,
): Promise<void> {
  await updateRow(tx, company_id, 'series', writableColumns, id, row);
}

/** Deletes a series; false when a document refers to it. */
export function removeSeries(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'series', id);
}

/** The series that every company starts with, one per kind of document, in the transaction that makes it. */
export async function insertDefaultSeries(tx: Tx, company_id: string, now: Date): Promise<void> {
  const rows = defaultSeries.map((series) => ({
    ...series,
    id: newId(),
    first_number: 1,
    is_default: true,
    is_archived: false,
    created_at: now,
    updated_at: now,
  }));
  await insertSeries(tx, company_id, rows);
}
