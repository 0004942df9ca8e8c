/** SQL of any family's documents and their parts. */
import type { Tx } from '../../kernel/operation.ts';
import {
  type Bundle,
  type DocumentRow,
  lineColumns,
  type LineRow,
  type TaxRow,
  taxRowColumns,
} from '../../domain/sales/rows.ts';
import { clientSnapshot } from '../../domain/sales/client-snapshot.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { ofEach } from '../../platform/of-each.ts';
import { insertMarked, insertRows, type SourcedColumns } from '../../platform/rows.ts';
import { type DocumentClient, findDocumentParties } from '../contacts/index.ts';
import type { BundleOf, Family } from './family.ts';

/** SQL text, constant for a family. */
const textsOf = new WeakMap<
  Family,
  { columns: string; lines: string; taxes: string; assignments: string; recordset: string }
>();

function texts(family: Family) {
  const known = textsOf.get(family);
  if (known) return known;
  const names = (columns: object) => Object.keys(columns).join(', ');
  const owner = `${family.tables.document_id} as document_id`;
  const mutable = family.mutable_columns;
  const made = {
    columns: Object.keys(family.columns)
      .map((name) => `t.${name}`)
      .join(', '),
    lines: `${owner}, ${names({ ...lineColumns, ...family.fields.lines?.columns })}`,
    taxes: `${owner}, ${names({ ...taxRowColumns, ...family.fields.lines?.tax_columns })}`,
    assignments: mutable
      .filter((name) => name !== 'tags')
      .map((name) => `${name} = x.${name}`)
      .join(', '),
    recordset: ['id', ...mutable].map((name) => `${name} ${family.columns[name]}`).join(', '),
  };
  textsOf.set(family, made);
  return made;
}

/** With the columns that the family adds. */
export function documentFields(tx: Tx, family: Family, company_id: string) {
  const more = family.parts?.columns?.(tx, company_id);
  return more === undefined
    ? tx.unsafe(texts(family).columns)
    : tx`${tx.unsafe(texts(family).columns)}, ${more}`;
}

const tableOf = (tx: Tx, family: Family) => tx(family.tables.documents);

export async function findDocument<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  id: string,
): Promise<R | undefined> {
  const [row] = await tx<R[]>`
    select ${documentFields(tx, family, company_id)} from ${tableOf(tx, family)} t
     where t.company_id = ${company_id} and t.id = ${id}`;
  return row as R | undefined;
}

/** In no order. */
export async function findDocuments<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  ids: readonly string[],
): Promise<R[]> {
  const rows = await tx<R[]>`
    select ${documentFields(tx, family, company_id)} from ${tableOf(tx, family)} t
     where t.company_id = ${company_id} and t.id = any(${ids as string[]}::uuid[])`;
  return [...rows] as R[];
}

const lockTriesMax = 100;

/**
 * Makes moves on one document run one after the other. An edit replaces a draft's row under the same id, so a lock that finds
 * nothing looks again.
 */
export async function lockDocument<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  id: string,
): Promise<R | undefined> {
  const table = tableOf(tx, family);
  for (let tries = 0; tries < lockTriesMax; tries++) {
    const [row] = await tx<R[]>`
      select ${documentFields(tx, family, company_id)} from ${table} t
       where t.company_id = ${company_id} and t.id = ${id} for update of t`.execute();
    if (row) return row as R;
    const [seen] = await tx`select 1 from ${table} where company_id = ${company_id} and id = ${id}`;
    if (!seen) return undefined;
  }
  throw new Error('A draft was replaced time and again while it was waited for.');
}

/** As `lockDocument`, a set by id. */
export async function lockDocuments<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  ids: readonly string[],
): Promise<Map<string, R>> {
  const rows = await tx<R[]>`
    select ${documentFields(tx, family, company_id)} from ${tableOf(tx, family)} t
     where t.company_id = ${company_id} and t.id = any(${ids as string[]}::uuid[]) order by t.id for update of t`;
  const locked = new Map(([...rows] as R[]).map((row) => [row.id, row]));
  for (const id of ids) {
    const row = locked.get(id) ?? (await lockDocument(tx, family, company_id, id));
    if (row) locked.set(id, row);
  }
  return locked;
}

/** Locks by id, as every other transaction does. */
export function lockVersions(tx: Tx, family: Family, company_id: string, ids: readonly string[]) {
  return tx<{ id: string; version: number }[]>`
    select id, version from ${tableOf(tx, family)} where company_id = ${company_id} and id = any(${ids as string[]}::uuid[])
     order by id for update`.execute();
}

/** Those that say that their euros are rounded together. */
export function listLinesRoundedInEuros(tx: Tx, family: Family, company_id: string, ids: readonly string[]) {
  const key = tx(family.tables.document_id);
  return tx<LineRow[]>`
    select ${tx.unsafe(texts(family).lines)} from ${tx(family.tables.lines)}
     where company_id = ${company_id} and ${key} = any(${ids as string[]}::uuid[])
       and details->>'is_rounded_in_euros' = 'true'`;
}

/** @param limit of lines; all when left out */
export function listLines(
  tx: Tx,
  family: Family,
  company_id: string,
  ids: readonly string[],
  limit?: number,
) {
  const key = tx(family.tables.document_id);
  return tx<LineRow[]>`
    select ${tx.unsafe(texts(family).lines)} from ${tx(family.tables.lines)}
     where company_id = ${company_id} and ${key} = any(${ids as string[]}::uuid[])
     order by ${key}, position ${limit === undefined ? tx`` : tx`limit ${limit}`}`;
}

/** A page of documents shows this many lines, and at least one document. A document has at most 500. */
const pageLinesMax = 3000;

/**
 * The lines of a page, document by document. A document whose lines do not all fit is left out, and so are those after it.
 * @param ids in the order of the page
 * @returns how many of the documents are whole
 */
export async function listPageLines(
  tx: Tx,
  family: Family,
  company_id: string,
  ids: readonly string[],
): Promise<{ lines: LineRow[]; whole: number }> {
  const rows = tx`
    select ${tx.unsafe(texts(family).lines)} from ${tx(family.tables.lines)}
     where company_id = ${company_id} and ${tx(family.tables.document_id)} = d.id`;
  const lines = await ofEach<LineRow>(tx, ids, { rows, order: 'position', limit: pageLinesMax + 1 });
  if (lines.length <= pageLinesMax) return { lines: [...lines], whole: ids.length };
  return { lines: [...lines], whole: ids.indexOf(lines.at(-1)!.document_id) };
}

export function listTaxRows(tx: Tx, family: Family, company_id: string, ids: readonly string[]) {
  const key = tx(family.tables.document_id);
  return tx<TaxRow[]>`
    select ${tx.unsafe(texts(family).taxes)} from ${tx(family.tables.taxes)}
     where company_id = ${company_id} and ${key} = any(${ids as string[]}::uuid[])
     order by ${key}, position`;
}

async function readParts<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  ids: readonly string[],
): Promise<(id: string) => E> {
  return (await family.parts?.read?.(tx, company_id, ids)) ?? (() => ({}) as E);
}

/** Of the documents of a page, in its order. `whole`: so many of them have all of theirs. */
export async function readPageParts<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  ids: readonly string[],
): Promise<{ of: (id: string) => E; whole: number }> {
  const found = await family.parts?.readPage?.(tx, company_id, ids);
  return found ?? { of: await readParts(tx, family, company_id, ids), whole: ids.length };
}

/** Without a number, it shows the client as the contact is now. */
const shownClientOf = (row: DocumentRow) => (row.number === null ? row.client_id : null);

/** Keeps the order given. */
export async function withParts<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  rows: readonly R[],
  given_lines?: Promise<LineRow[]>,
  given_parts?: Promise<(id: string) => E>,
): Promise<BundleOf<R, E>[]> {
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return [];
  const client_ids = [...new Set(rows.flatMap((row) => shownClientOf(row) ?? []))];
  const [lines, tax_rows, partsOf, clients] = await Promise.all([
    given_lines ?? listLines(tx, family, company_id, ids),
    listTaxRows(tx, family, company_id, ids),
    given_parts ?? readParts(tx, family, company_id, ids),
    findDocumentParties(tx, company_id, family.party, client_ids),
  ]);
  const linesOf = Map.groupBy(lines as Iterable<LineRow>, (row) => row.document_id);
  const taxRowsOf = Map.groupBy(tax_rows as Iterable<TaxRow>, (row) => row.document_id);
  const clientOf = new Map(clients.map((client) => [client.id, client]));
  return rows.map((row) => ({
    document: withClient(row, clientOf.get(shownClientOf(row) ?? '')),
    lines: linesOf.get(row.id) ?? [],
    tax_rows: taxRowsOf.get(row.id) ?? [],
    ...partsOf(row.id),
  }));
}

/** With its client as the contact is now. */
export function withClient<R extends DocumentRow>(row: R, client: DocumentClient | undefined): R {
  if (!client) return row;
  return {
    ...row,
    client_name: client.name,
    client_tax_id: client.tax_id,
    client_snapshot: clientSnapshot(client),
  };
}

/** The contact as it is now. */
export async function findParty(
  tx: Tx,
  { party }: Pick<Family, 'party'>,
  company_id: string,
  { client_id }: Pick<DocumentRow, 'client_id'>,
): Promise<DocumentClient | undefined> {
  if (client_id === null) return undefined;
  const [found] = await findDocumentParties(tx, company_id, party, [client_id]);
  return found;
}

/** One document with its parts, in one pipeline. */
export async function findBundle<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  id: string,
): Promise<BundleOf<R, E> | undefined> {
  const [row, lines, tax_rows, partsOf] = await Promise.all([
    findDocument(tx, family, company_id, id),
    listLines(tx, family, company_id, [id]),
    listTaxRows(tx, family, company_id, [id]),
    readParts(tx, family, company_id, [id]),
  ]);
  if (!row) return undefined;
  const document = row.number === null ? withClient(row, await findParty(tx, family, company_id, row)) : row;
  return { document, lines, tax_rows, ...partsOf(id) };
}

/** Inserts sets, in one pipeline. */
export function insertDocuments(
  tx: Tx,
  family: Family,
  company_id: string,
  bundles: readonly Bundle[],
): Promise<unknown>[] {
  const rows = bundles.map(({ document }) => document);
  // A template is deleted in a live company too, so it bears no mark.
  const insert = family.is_template ? insertRows : insertMarked;
  return [
    insert(tx, company_id, family.tables.documents, family.written_columns, rows),
    insertTags(tx, family, company_id, rows),
    ...insertParts(tx, family, company_id, bundles),
  ];
}

export function insertParts(
  tx: Tx,
  family: Family,
  company_id: string,
  bundles: readonly Pick<Bundle, 'lines' | 'tax_rows'>[],
): Promise<unknown>[] {
  const { lines, taxes } = family.tables;
  return [
    insertInTurns(
      tx,
      company_id,
      lines,
      family.line_columns,
      bundles.flatMap((bundle) => bundle.lines),
    ),
    insertRows(
      tx,
      company_id,
      taxes,
      family.tax_columns,
      bundles.flatMap((bundle) => bundle.tax_rows),
    ),
  ];
}

/** A document has no more. */
const insertedAtOnce = 500;

/** Sends the rows of one document at once, those of many in parts: writing many rows takes long. */
async function insertInTurns(
  tx: Tx,
  company_id: string,
  table: string,
  columns: SourcedColumns,
  rows: readonly object[],
): Promise<unknown> {
  if (rows.length <= insertedAtOnce) return insertRows(tx, company_id, table, columns, rows);
  const giveWay = makeGivingWay();
  const sent: Promise<unknown>[] = [];
  for (let at = 0; at < rows.length; at += insertedAtOnce) {
    const part = insertRows(tx, company_id, table, columns, rows.slice(at, at + insertedAtOnce));
    // It may fail while others have their turn.
    part.catch(() => undefined);
    sent.push(part);
    await giveWay();
  }
  return Promise.all(sent);
}

type Tagged = Pick<DocumentRow, 'id' | 'tags'>;

/** The list finds documents by these rows. Without tags it sends nothing. */
function insertTags(
  tx: Tx,
  family: Family,
  company_id: string,
  documents: readonly Tagged[],
): Promise<unknown> {
  const rows = documents.flatMap(({ id, tags }) =>
    [...new Set(tags)].map((tag) => ({ tag, document_id: id })),
  );
  return insertRows(tx, company_id, family.tables.tags, family.tag_columns, rows);
}

function deleteTags(tx: Tx, family: Family, company_id: string, { id, tags }: Tagged) {
  const { tags: table, document_id } = family.tables;
  return tx`delete from ${tx(table)}
             where company_id = ${company_id} and tag = any(${tags}) and ${tx(document_id)} = ${id}`.execute();
}

/** Replaces the tags of a locked document. Tags change in no other way. */
export function replaceTags(
  tx: Tx,
  family: Family,
  company_id: string,
  stored: Tagged,
  tags: string[],
): Promise<unknown>[] {
  const { id } = stored;
  return [
    deleteTags(tx, family, company_id, stored),
    insertTags(tx, family, company_id, [{ id, tags }]),
    tx`update ${tableOf(tx, family)} set tags = ${tags} where company_id = ${company_id} and id = ${id}`.execute(),
  ];
}

/**
 * Replaces locked documents under their ids. It deletes and inserts rows, because issued content is never updated (migration
 * 0009).
 */
export function replaceDocuments(
  tx: Tx,
  family: Family,
  company_id: string,
  stored: readonly Tagged[],
  bundles: readonly Bundle[],
): Promise<unknown>[] {
  if (stored.length === 0) return [];
  return [
    ...stored.map((document) => deleteDocument(tx, family, company_id, document)),
    ...insertDocuments(tx, family, company_id, bundles),
  ];
}

/** The caller has locked the document. Lines and breakdown go with it. */
export function deleteDocument(
  tx: Tx,
  family: Family,
  company_id: string,
  document: Tagged,
): Promise<unknown> {
  return Promise.all([
    deleteTags(tx, family, company_id, document),
    tx`delete from ${tableOf(tx, family)} where company_id = ${company_id} and id = ${document.id}`.execute(),
  ]);
}

/** Writes the mutable columns of locked documents as a set, except tags. */
export function updateDocuments(
  tx: Tx,
  family: Family,
  company_id: string,
  rows: readonly DocumentRow[],
): Promise<unknown> {
  if (rows.length === 0) return Promise.resolve();
  const { assignments, recordset } = texts(family);
  // Whole rows of a batch would be megabytes of snapshots and notes.
  const names = ['id', ...family.mutable_columns] as (keyof DocumentRow)[];
  const changes = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
  const text = `update ${family.tables.documents} as t set ${assignments} from json_to_recordset($2::text::json) as x(${recordset}) where t.company_id = $1 and t.id = x.id`;
  return tx.unsafe(text, [company_id, JSON.stringify(changes)], { prepare: true }).execute();
}

/** Replays are compared with these documents. */
export async function findByExternalIds<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  external_ids: readonly string[],
): Promise<R[]> {
  if (external_ids.length === 0) return [];
  const rows = await tx<R[]>`
    select ${documentFields(tx, family, company_id)} from ${tableOf(tx, family)} t
     where t.company_id = ${company_id} and t.external_id = any(${external_ids as string[]})`;
  return [...rows] as R[];
}
