/**
 * The floor of the database: one invoice per transaction, the whole transaction in one round trip. The number
 * is taken in SQL from the counter that the transaction locked after the issuing head, so that callers of one
 * company queue on that row.
 */
import type { Sql } from 'postgres';
import { type InvoiceBundle, invoiceColumns } from '../src/modules/invoices/invoices.rows.ts';
import { insertInvoices } from '../src/modules/invoices/invoices.store.ts';
import { saveHead } from '../src/modules/invoices/issuing/issuing.store.ts';
import { setCompanyText } from '../src/platform/db.ts';
import { insertRows } from '../src/platform/rows.ts';
import { eventColumns, eventRows, type FloorInvoice, makeBundle } from './fixtures.ts';
import { WrongResult } from './load.ts';

export type RawTarget = FloorInvoice & { company_id: string; model: InvoiceBundle };

const numbered: Record<string, string> = {
  number: `x.series_code || x.series_period || '-' || lpad((n.next_number - 1)::text, 6, '0')`,
  series_number: 'n.next_number - 1',
};
const names = Object.keys(invoiceColumns);
const insertNumbered =
  `insert into invoices as t (company_id, ${names.join(', ')}) ` +
  `select n.company_id, ${names.map((name) => numbered[name] ?? `x.${name}`).join(', ')} ` +
  `from series_counters n, json_to_recordset($2::text::json) as x(${Object.entries(invoiceColumns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')}) ` +
  'where n.company_id = $1 and n.series_id = x.series_id and n.period = x.series_period returning t.number';

const insertSeriesEvent =
  'insert into events as t (company_id, id, type, aggregate_id, sequence, api_version, livemode, data, created_at) ' +
  'select n.company_id, x.id, x.type, x.aggregate_id, n.next_number - 1, x.api_version, x.livemode, x.data, x.created_at ' +
  'from series_counters n, json_to_recordset($2::text::json) as x(id uuid, type text, aggregate_id uuid, api_version text, livemode boolean, data jsonb, created_at timestamptz) ' +
  'where n.company_id = $1 and n.series_id = x.aggregate_id and n.period = $3';

/** Issues one invoice on a connection of its own. @returns its id and the number it took */
export async function issueRaw(sql: Sql, target: RawTarget): Promise<{ id: string; number: string }> {
  const { company_id, series_id, period, issued_on } = target;
  const bundle = makeBundle(target.model, target, null);
  const [of_created, of_number, of_series] = eventRows(bundle) as [object, object, object];
  const sent = [
    sql.unsafe('begin').execute(),
    sql.unsafe(setCompanyText(company_id)).execute(),
    sql`select last_issued_at from issuing_heads where company_id = ${company_id} for update`.execute(),
    sql`update series_counters set next_number = next_number + 1, last_issued_on = ${issued_on}
         where company_id = ${company_id} and series_id = ${series_id} and period = ${period}`.execute(),
    sql
      .unsafe<{ number: string }[]>(insertNumbered, [company_id, JSON.stringify([bundle.invoice])], {
        prepare: true,
      })
      .execute(),
    ...insertInvoices(sql, company_id, [], bundle.lines, bundle.tax_rows),
    insertRows(sql, company_id, 'events', eventColumns, [of_created, of_number]),
    sql
      .unsafe(insertSeriesEvent, [company_id, JSON.stringify([of_series]), period], { prepare: true })
      .execute(),
    saveHead(sql, company_id, new Date(), 1),
    sql.unsafe('commit').execute(),
  ];
  const done = await Promise.all(sent);
  const [row] = done[4] as { number: string }[];
  if (!row || (done.at(-1) as { command: string }).command !== 'COMMIT')
    throw new WrongResult('The raw transaction was rolled back.');
  return { id: bundle.invoice.id, number: row.number };
}
