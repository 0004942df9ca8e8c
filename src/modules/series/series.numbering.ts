import type { SeriesKind } from '../../domain/sales/default-series.ts';
import { type FormatParts, parseFormat } from '../../domain/series-format.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { SeriesFields } from './series.schema.ts';

/** It may be archived: the document refuses that. */
export type SeriesForNumbering = SeriesFields & {
  id: string;
  is_default: boolean;
  is_archived: boolean;
  parts: FormatParts;
};

type FoundSeries = Omit<SeriesForNumbering, 'parts'>;

function withParts(row: FoundSeries): SeriesForNumbering {
  const parts = parseFormat(row.format);
  if ('fault' in parts) throw new Error(`The series ${row.id} was kept with a format that cannot be read.`);
  return { ...row, parts };
}

/** Archived or not, and the defaults of these kinds. */
export async function findSeriesFor(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
  document_types: readonly SeriesKind[],
): Promise<SeriesForNumbering[]> {
  const rows = await tx<FoundSeries[]>`
    select t.id, t.code, t.name, t.document_type, t.format, t.reset, t.first_number, t.is_default, t.is_archived
      from series t
     where t.company_id = ${company_id}
       and (t.id = any(${[...ids]}::uuid[]) or (t.is_default and t.document_type = any(${[...document_types]})))`;
  return rows.map(withParts);
}

/**
 * For a document numbered in its own transaction. Such documents, and changes of the series, wait for one
 * another.
 */
export async function lockSeriesToNumber(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<SeriesForNumbering | undefined> {
  const [row] = await tx<FoundSeries[]>`
    select t.id, t.code, t.name, t.document_type, t.format, t.reset, t.first_number, t.is_default, t.is_archived
      from series t where t.company_id = ${company_id} and t.id = ${id} for no key update`.execute();
  return row && withParts(row);
}
