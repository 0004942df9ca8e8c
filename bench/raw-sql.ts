/**
 * The floor of the database: one invoice or a set per transaction, in one round trip. SQL takes the numbers
 * from the counter, locked after the issuing head, so callers of one company queue there.
 */
import type { Sql } from 'postgres';
import type { InvoiceBundle } from '../src/modules/invoices/invoices.rows.ts';
import { invoices as invoiceFamily } from '../src/modules/invoices/invoices.family.ts';
import { insertParts } from '../src/modules/sales/documents.store.ts';
import type { Family } from '../src/modules/sales/family.ts';
import { setCompanyText } from '../src/platform/db.ts';
import { insertRows } from '../src/platform/rows.ts';
import { eventColumns, eventRows, type FloorInvoice, makeBundle } from './fixtures.ts';
import { WrongResult } from './load.ts';

export type RawTarget = FloorInvoice & { company_id: string; model: InvoiceBundle };

/** `series_number` is a row's position in the set; $3 is the size of the set. */
const numbered: Record<string, string> = {
  number: `x.series_code || x.series_period || '-' || lpad((n.next_number - $3::int + x.series_number)::text, 6, '0')`,
  series_number: 'n.next_number - $3::int + x.series_number',
};

/** Inserts documents with the numbers that the counter has just been raised by. */
export function numberedInsert({ tables, columns }: Pick<Family, 'tables' | 'columns'>): string {
  const names = Object.keys(columns);
  return (
    `insert into ${tables.documents} as t (company_id, ${names.join(', ')}) ` +
    `select n.company_id, ${names.map((name) => numbered[name] ?? `x.${name}`).join(', ')} ` +
    `from series_counters n, json_to_recordset($2::text::json) as x(${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')}) ` +
    'where n.company_id = $1 and n.series_id = x.series_id and n.period = x.series_period returning t.id, t.number'
  );
}

const insertNumbered = numberedInsert(invoiceFamily);

export const insertSeriesEvent =
  'insert into events as t (company_id, id, type, aggregate_id, sequence, api_version, livemode, data, created_at) ' +
  'select n.company_id, x.id, x.type, x.aggregate_id, n.next_number - $4::int + x.sequence, x.api_version, x.livemode, x.data, x.created_at ' +
  'from series_counters n, json_to_recordset($2::text::json) as x(id uuid, type text, aggregate_id uuid, sequence integer, api_version text, livemode boolean, data jsonb, created_at timestamptz) ' +
  'where n.company_id = $1 and n.series_id = x.aggregate_id and n.period = $3';

/** One transaction. */
export async function issueRaw(
  sql: Sql,
  target: RawTarget,
  count = 1,
): Promise<{ id: string; number: string }[]> {
  const { company_id, series_id, period, issued_on } = target;
  const bundles = Array.from({ length: count }, (_, place) =>
    makeBundle(target.model, target, { series_number: place, number: '' }),
  );
  const events = bundles.map((bundle) => eventRows(bundle) as [object, object, object]);
  const invoices = JSON.stringify(bundles.map((bundle) => bundle.document));
  const of_series = JSON.stringify(events.map(([, , consumed]) => consumed));
  const sent = [
    sql.unsafe('begin').execute(),
    sql.unsafe(setCompanyText(company_id)).execute(),
    sql`select last_issued_at from issuing_heads where company_id = ${company_id} for update`.execute(),
    sql`update series_counters set next_number = next_number + ${count}, last_issued_on = ${issued_on}
         where company_id = ${company_id} and series_id = ${series_id} and period = ${period}`.execute(),
    sql
      .unsafe<{ id: string; number: string }[]>(insertNumbered, [company_id, invoices, count], {
        prepare: true,
      })
      .execute(),
    ...insertParts(sql, invoiceFamily, company_id, bundles),
    insertRows(
      sql,
      company_id,
      'events',
      eventColumns,
      events.flatMap((of) => of.slice(0, 2)),
    ),
    sql.unsafe(insertSeriesEvent, [company_id, of_series, period, count], { prepare: true }).execute(),
    sql`update issuing_heads set last_issued_at = ${new Date()}, issued_count = issued_count + ${count}
         where company_id = ${company_id}`.execute(),
    sql.unsafe('commit').execute(),
  ];
  const done = await Promise.all(sent);
  const rows = done[4] as { id: string; number: string }[];
  if (rows.length !== count || (done.at(-1) as { command: string }).command !== 'COMMIT')
    throw new WrongResult('The raw transaction was rolled back.');
  return rows.map(({ id, number }) => ({ id, number }));
}
