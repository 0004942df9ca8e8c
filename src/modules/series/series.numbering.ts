/** What documents read of a series to take a number from it. Counting is the issuing transaction's. */
import type { DocumentKind } from '../../domain/sales/default-series.ts';
import { type FormatParts, parseFormat } from '../../domain/series-format.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { SeriesFields } from './series.schema.ts';

/** A series as documents need it to take a number: its format read. Whether it is archived is theirs to refuse. */
export type SeriesForNumbering = SeriesFields & {
  id: string;
  is_default: boolean;
  is_archived: boolean;
  parts: FormatParts;
};

type FoundSeries = Omit<SeriesForNumbering, 'parts'>;

function withParts(row: FoundSeries | undefined): SeriesForNumbering | undefined {
  if (!row) return undefined;
  const parts = parseFormat(row.format);
  if ('fault' in parts) throw new Error(`The series ${row.id} was kept with a format that cannot be read.`);
  return { ...row, parts };
}

/** A series of the company by its id, archived or not, or undefined. */
export async function findSeries(
  tx: Tx,
  company_id: string,
  id: string,
): Promise<SeriesForNumbering | undefined> {
  const [row] = await tx<FoundSeries[]>`
    select t.id, t.code, t.name, t.document_type, t.format, t.reset, t.first_number, t.is_default, t.is_archived
      from series t where t.company_id = ${company_id} and t.id = ${id}`;
  return withParts(row);
}

/** The default series of a kind of document; every company has exactly one per kind, so undefined is a fault. */
export async function findDefaultSeries(
  tx: Tx,
  company_id: string,
  document_type: DocumentKind,
): Promise<SeriesForNumbering | undefined> {
  const [row] = await tx<FoundSeries[]>`
    select t.id, t.code, t.name, t.document_type, t.format, t.reset, t.first_number, t.is_default, t.is_archived
      from series t
     where t.company_id = ${company_id} and t.document_type = ${document_type} and t.is_default`;
  return withParts(row);
}
