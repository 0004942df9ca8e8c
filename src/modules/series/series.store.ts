/**
 * Only the transaction that issues makes counters, so a series without one has issued nothing. Changes of
 * series lock the company's row, so they run one after the other. They raise its version, so that plans in
 * preparation are made again.
 */
import {
  type DefaultSeries,
  defaultSeries,
  type SeriesKind,
  seriesKinds,
} from '../../domain/sales/default-series.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { newId } from '../../kernel/uuid7.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
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

export type NewSeriesRow = Omit<SeriesRow, 'period_next' | 'has_issued'>;

/** With the counter of the current period. `has_issued`: there is one of some period. */
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

/** @param today YYYY-MM-DD, to find the current period */
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
 * Locks the company for a change of its series, then the series. Counters refer to it, so the row lock also
 * waits for a first counter and prevents one.
 */
export async function lockSeries(
  tx: Tx,
  company_id: string,
  id: string,
  today: string,
): Promise<SeriesRow | undefined> {
  await renewSettings(tx, company_id);
  await tx`select from series t where t.company_id = ${company_id} and t.id = ${id} for update`;
  // A separate query sees a counter committed while this waited for the lock.
  return findSeriesRow(tx, company_id, id, today);
}

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

/** Archived series count, because their numbers stay taken. */
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

/** The unique key on the code serves its order. */
export function listSeries(
  tx: Tx,
  company_id: string,
  today: string,
  filter: SeriesFilter,
  page: PageRequest,
): Promise<SeriesRow[]> {
  const { is_archived } = filter;
  return readPageRows(tx, company_id, page, {
    table: 'series',
    columns: rowOf(tx, company_id, today),
    sorts: { code: 't.code' },
    where: tx`
      ${valueCondition(tx, 't.document_type', filter, 'document_type')}
      ${is_archived === undefined ? tx`` : tx`and t.is_archived = ${is_archived}`}
      ${valueCondition(tx, 't.code', filter, 'code')}
      ${rangeCondition(tx, 't.created_at', filter, 'created')}
      ${rangeCondition(tx, 't.updated_at', filter, 'updated')}`,
  });
}

/** @throws SQLSTATE 23505 when the company has the code */
export async function insertSeries(tx: Tx, company_id: string, rows: readonly NewSeriesRow[]): Promise<void> {
  await insertRows(tx, company_id, 'series', columns, rows);
}

/** Lock the series first. @throws SQLSTATE 23505 when the company has the code */
export async function updateSeries(
  tx: Tx,
  company_id: string,
  id: string,
  row: SeriesFields & Pick<SeriesRow, 'is_default' | 'is_archived' | 'updated_at'>,
): Promise<void> {
  await updateRow(tx, company_id, 'series', writableColumns, id, row);
}

/** @returns false when a document refers to it */
export function removeSeries(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'series', id);
}

/**
 * Makes the default series of a kind that the company lacks, because a process of a version before that kind made the
 * company. Two that add it at once wait for one another.
 */
export async function addMissingSeries(
  tx: Tx,
  company_id: string,
  document_type: SeriesKind,
  now: Date,
): Promise<void> {
  await renewSettings(tx, company_id);
  const [missing] = defaultSeries.filter((one) => one.document_type === document_type);
  if (!missing || (await listSeriesOfKinds(tx, company_id, [document_type])).length > 0) return;
  const taken = new Set((await listSeriesOfKinds(tx, company_id, seriesKinds)).map(({ code }) => code));
  let { code } = missing;
  while (taken.has(code)) code += missing.code;
  await insertSeries(tx, company_id, [{ ...newDefault(missing, now), code }]);
}

function newDefault(series: DefaultSeries, now: Date): NewSeriesRow {
  return {
    ...series,
    id: newId(),
    first_number: 1,
    is_default: true,
    is_archived: false,
    created_at: now,
    updated_at: now,
  };
}

export async function insertDefaultSeries(tx: Tx, company_id: string, now: Date): Promise<void> {
  const rows = defaultSeries.map((series) => newDefault(series, now));
  await insertSeries(tx, company_id, rows);
}
