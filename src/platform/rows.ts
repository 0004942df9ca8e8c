/**
 * Inserts rows as a set, joined to the company's own row (docs/sql-rules.md, rule 12). One JSON parameter holds them,
 * for one statement text per table.
 */
import type { Tx } from '../kernel/operation.ts';

/** PostgreSQL types by column, without company_id. */
export type Columns = Readonly<Record<string, string>>;

/** `from`: the row's member, where its name differs from the column. */
export type SourcedColumns = Readonly<Record<string, string | { type: string; from: string }>>;

const statements = new WeakMap<SourcedColumns, Map<string, string>>();

function insertText(table: string, columns: SourcedColumns, suffix: string, is_marked: boolean): string {
  let known = statements.get(columns);
  if (!known) {
    known = new Map();
    statements.set(columns, known);
  }
  const name = `${is_marked} ${table} ${suffix}`;
  let text = known.get(name);
  if (text === undefined) {
    const sources = Object.entries(columns).map(([name, column]) =>
      typeof column === 'string' ? { name, type: column } : { name: column.from, type: column.type },
    );
    const [mark, value] = is_marked ? ['is_sandbox, ', `h.environment = 'test', `] : ['', ''];
    text =
      `insert into ${table} as t (company_id, ${mark}${Object.keys(columns).join(', ')}) ` +
      `select h.company_id, ${value}${sources.map(({ name }) => `x.${name}`).join(', ')} ` +
      `from companies h, json_to_recordset($2::text::json) as x(${sources.map(({ name, type }) => `${name} ${type}`).join(', ')}) ` +
      `where h.company_id = $1 ${suffix}`;
    known.set(name, text);
  }
  return text;
}

/**
 * Sent at once, so that callers can pipeline.
 * @param suffix an `on conflict` or `returning` clause, a constant of the calling store
 */
export function insertRows<R extends object>(
  tx: Tx,
  company_id: string,
  table: string,
  columns: SourcedColumns,
  rows: readonly object[],
  suffix = '',
): Promise<R[]> {
  return send(tx, company_id, rows, () => insertText(table, columns, suffix, false));
}

/**
 * For a table whose rows say whether they are a sandbox's, which may forget them. This asks for that once for the set.
 * The column's default, for older versions, asks for each row (ADR 39).
 */
export function insertMarked<R extends object>(
  tx: Tx,
  company_id: string,
  table: string,
  columns: SourcedColumns,
  rows: readonly object[],
  suffix = '',
): Promise<R[]> {
  return send(tx, company_id, rows, () => insertText(table, columns, suffix, true));
}

function send<R extends object>(
  tx: Tx,
  company_id: string,
  rows: readonly object[],
  textOf: () => string,
): Promise<R[]> {
  if (rows.length === 0) return Promise.resolve([]);
  const text = textOf();
  return tx
    .unsafe(text, [company_id, JSON.stringify(rows)], { prepare: true })
    .execute() as unknown as Promise<R[]>;
}
