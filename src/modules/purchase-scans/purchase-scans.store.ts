import type { Tx } from '../../kernel/operation.ts';
import { pageBytesMax, type PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, readIdsByHalving } from '../../platform/created-ids.ts';
import { hasRange, isAsked, rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import { textCondition, textFinder } from '../../platform/text-search.ts';
import { updateRow } from '../../platform/row-changes.ts';
import { type Columns, insertMarked } from '../../platform/rows.ts';
import type { ScanRow } from './purchase-scans.schema.ts';

/** What of a scan may change: the file never does. */
const changedColumns: Columns = {
  version: 'integer',
  status: 'text',
  status_before: 'text',
  pages: 'integer',
  attempts: 'integer',
  extraction: 'jsonb',
  proposal: 'jsonb',
  supplier_id: 'uuid',
  supplier_candidates: 'jsonb',
  possible_duplicate_ids: 'uuid[]',
  purchase_invoice_id: 'uuid',
  error: 'jsonb',
  processed_at: 'timestamptz',
  archived_at: 'timestamptz',
  updated_at: 'timestamptz',
};

const columns: Columns = {
  id: 'uuid',
  file_name: 'text',
  media_type: 'text',
  size: 'integer',
  sha256: 'text',
  ...changedColumns,
  created_at: 'timestamptz',
};

const rowText = Object.keys(columns)
  .map((name) => `t.${name}`)
  .join(', ');

/** What was read of a file of 500 lines has a megabyte. */
const longColumns = ['extraction', 'proposal'] as const;

type LongColumn = (typeof longColumns)[number];

const shortText = Object.keys(columns)
  .filter((name) => !longColumns.includes(name as LongColumn))
  .map((name) => `t.${name}`)
  .join(', ');

/** Has no foreign key: a scan outlives its supplier. */
export const supplierOfScans = { table: 'purchase_scans', column: 'supplier_id' };

export async function findScan(tx: Tx, company_id: string, id: string): Promise<ScanRow | undefined> {
  const [row] = await tx<ScanRow[]>`
    select ${tx.unsafe(rowText)} from purchase_scans t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

export async function lockScan(tx: Tx, company_id: string, id: string): Promise<ScanRow | undefined> {
  const [row] = await tx<ScanRow[]>`
    select ${tx.unsafe(rowText)} from purchase_scans t
     where t.company_id = ${company_id} and t.id = ${id} for update`;
  return row;
}

export async function listKnownScans(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: string }[]>`
    select t.id from purchase_scans t where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/** In the order of their ids, so that none deadlock. */
export async function lockScans(tx: Tx, company_id: string, ids: readonly string[]): Promise<ScanRow[]> {
  const rows = await tx<ScanRow[]>`
    select ${tx.unsafe(rowText)} from purchase_scans t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[]) order by t.id for update`;
  return [...rows];
}

/** The one of these bytes that is not archived. */
export async function findScanOfContent(
  tx: Tx,
  company_id: string,
  sha256: string,
): Promise<ScanRow | undefined> {
  const [row] = await tx<ScanRow[]>`
    select ${tx.unsafe(rowText)} from purchase_scans t
     where t.company_id = ${company_id} and t.sha256 = ${sha256} and t.status <> 'archived'`;
  return row;
}

/** Sums the newest, `most` at most. The primary key serves it. */
export async function sumScansSince(
  tx: Tx,
  company_id: string,
  since_id: string,
  most: number,
): Promise<{ files: number; bytes: number }> {
  const [row] = await tx<{ files: number; bytes: string }[]>`
    select count(*)::integer as files, coalesce(sum(t.size), 0)::text as bytes
      from (select size from purchase_scans where company_id = ${company_id} and id > ${since_id}
             order by id desc limit ${most}) t`;
  return { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) };
}

/** @returns false when a scan has these bytes and is not archived */
export async function insertScan(tx: Tx, company_id: string, row: ScanRow): Promise<boolean> {
  const made = await insertMarked(
    tx,
    company_id,
    'purchase_scans',
    columns,
    [row],
    `on conflict (company_id, sha256) where status <> 'archived' do nothing returning t.id`,
  );
  return made.length > 0;
}

/** A restored one may violate purchase_scans_content. */
export async function updateScan(tx: Tx, company_id: string, row: ScanRow): Promise<void> {
  await updateRow(tx, company_id, 'purchase_scans', changedColumns, row.id, row);
}

/**
 * In the order of the ids. Ends with the one that is beyond a page: a hundred would bring a hundred megabytes into the process
 * for the 2 MB that it shows.
 */
async function readLongColumns(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<Pick<ScanRow, LongColumn>[]> {
  if (ids.length === 0) return [];
  const rows = await tx<(Pick<ScanRow, LongColumn> & { n: number })[]>`
    with recursive read as (
      select 0 as n, 0::bigint as bytes, null::jsonb as extraction, null::jsonb as proposal
      union all
      select r.n + 1, r.bytes + coalesce(octet_length(t.extraction::text), 0) + coalesce(octet_length(t.proposal::text), 0),
             t.extraction, t.proposal
        from read r
        left join purchase_scans t on t.company_id = ${company_id} and t.id = (${[...ids]}::uuid[])[r.n + 1]
       where r.n < ${ids.length}::integer and r.bytes <= ${pageBytesMax}::bigint)
    select n, extraction, proposal from read where n > 0 order by n`;
  return rows.map(({ extraction, proposal }) => ({ extraction, proposal }));
}

/**
 * purchase_scans_by_* serve the filters, and the primary key the order.
 * @returns `whole`: how many of the rows, from the first on, are there in full
 */
export async function listScans(
  tx: Tx,
  company_id: string,
  filter: Readonly<Record<string, unknown>> & { q?: string },
  page: PageRequest,
): Promise<{ rows: ScanRow[]; whole: number }> {
  const { q } = filter;
  const range = idRange(
    tx,
    await readIdsByHalving(tx, { table: 'purchase_scans', company_id, of: tx`` }, filter),
  );
  const of_company = tx`from purchase_scans t where t.company_id = ${company_id}`;
  const text = q === undefined ? null : textCondition(tx, q);
  const indexed = [
    ...['status', 'sha256', 'supplier_id'].flatMap((field) =>
      isAsked(filter, field) ? [valueCondition(tx, `t.${field}`, filter, field)] : [],
    ),
    ...['created', 'updated'].flatMap((field) =>
      hasRange(filter, field) ? [rangeCondition(tx, `t.${field}_at`, filter, field)] : [],
    ),
  ];
  const where = tx`${range} ${text ?? tx``} ${indexed.reduce((all, one) => tx`${all} ${one}`, tx``)}`;
  const finders: Finders = {
    walk: () => tx`${of_company} ${range}`,
    is_whole: !text && indexed.length === 0,
    matches: indexed.map((condition) => tx`${of_company} ${condition}`),
    text: q === undefined ? null : tx`${of_company} ${textFinder(tx, q)}`,
    bounds: [],
  };
  const found = await readPageRows<Omit<ScanRow, LongColumn>>(tx, company_id, page, {
    table: 'purchase_scans',
    where,
    columns: tx.unsafe(shortText),
    finders,
  });
  const ids = found.slice(0, page.limit).map(({ id }) => id);
  const read = await readLongColumns(tx, company_id, ids);
  const rows = found.map((row, at) => ({ ...row, extraction: null, proposal: null, ...read[at] }));
  return { rows, whole: read.length };
}
