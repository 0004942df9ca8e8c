/** The floor of a quote's first number: the writes of the service as one transaction in one round trip. */
import type { Sql } from 'postgres';
import { newId } from '../src/kernel/uuid7.ts';
import { quotes } from '../src/modules/quotes/index.ts';
import {
  deleteDocument,
  findDocuments,
  insertParts,
  withParts,
} from '../src/modules/sales/documents.store.ts';
import { auditColumns } from '../src/platform/audit.ts';
import { setCompanyText } from '../src/platform/db.ts';
import { insertRows } from '../src/platform/rows.ts';
import { eventColumns } from './fixtures.ts';
import { WrongResult } from './load.ts';
import { insertSeriesEvent, numberedInsert } from './raw-sql.ts';

export type QuoteBundle = Awaited<ReturnType<typeof findQuotes>>[number];

/** What the service wrote for one quote, and its series. */
export type NumberedQuote = {
  company_id: string;
  model: QuoteBundle;
  audit: Record<string, unknown>;
  events: Record<string, unknown>[];
};

export async function findQuotes(owner: Sql, company_id: string, ids: readonly string[]) {
  return withParts(owner, quotes, company_id, await findDocuments(owner, quotes, company_id, ids));
}

export async function readNumbered(owner: Sql, company_id: string, id: string): Promise<NumberedQuote> {
  const [model] = await findQuotes(owner, company_id, [id]);
  const [audit] = await owner<Record<string, unknown>[]>`
    select id, actor, actor_id, actor_name, actor_key_id, action, object, object_id, details, ip, request_id, created_at
      from audit_log where company_id = ${company_id} and object_id = ${id}`;
  const events = await owner<Record<string, unknown>[]>`
    select id, type, aggregate_id, sequence, api_version, livemode, data, correlation_id, created_at
      from events where company_id = ${company_id} and correlation_id = ${String(audit?.request_id)}`;
  if (!model || !audit || events.length !== 3)
    throw new WrongResult(`The first quote of a company left ${events.length} events.`);
  return { company_id, model, audit, events: [...events] };
}

const insertNumbered = numberedInsert(quotes);

/** One transaction, which gives a stored draft its number. */
export async function numberRaw(sql: Sql, of: NumberedQuote, draft: QuoteBundle): Promise<void> {
  const { company_id, model, audit, events } = of;
  const { series_id, series_period, issued_on } = model.document;
  const { id, created_at } = draft.document;
  const document = { ...model.document, id, created_at, version: 2, series_number: 0 };
  const anew = (event: Record<string, unknown>): Record<string, unknown> =>
    event.aggregate_id === series_id
      ? { ...event, id: newId(), sequence: 0 }
      : { ...event, id: newId(), aggregate_id: id };
  const all = events.map(anew);
  const of_series = all.filter(({ aggregate_id }) => aggregate_id === series_id);
  const sent = [
    sql.unsafe('begin').execute(),
    sql.unsafe(setCompanyText(company_id)).execute(),
    sql`update series_counters set next_number = next_number + 1, last_issued_on = ${issued_on}
         where company_id = ${company_id} and series_id = ${series_id} and period = ${series_period}`.execute(),
    deleteDocument(sql, quotes, company_id, draft.document),
    sql.unsafe(insertNumbered, [company_id, JSON.stringify([document]), 1], { prepare: true }).execute(),
    ...insertParts(sql, quotes, company_id, [draft]),
    insertRows(
      sql,
      company_id,
      'events',
      eventColumns,
      all.filter(({ aggregate_id }) => aggregate_id === id),
    ),
    sql
      .unsafe(insertSeriesEvent, [company_id, JSON.stringify(of_series), series_period, 1], { prepare: true })
      .execute(),
    insertRows(sql, company_id, 'audit_log', auditColumns, [{ ...audit, id: newId(), object_id: id }]),
    sql.unsafe('commit').execute(),
  ];
  const done = await Promise.all(sent);
  if ((done.at(-1) as { command: string }).command !== 'COMMIT')
    throw new WrongResult('The raw transaction was rolled back.');
}
