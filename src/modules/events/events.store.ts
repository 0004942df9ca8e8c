/** SQL of the event log. platform/events.ts writes all rows but test events. */
import type { Fragment } from 'postgres';
import type { Environment, Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { idRange, loggedRange, readLoggedIds } from '../../platform/created-ids.ts';
import { readPageRows, valueCondition } from '../../platform/page-rows.ts';
import type { EventRow } from './events.schema.ts';

export type EventFilter = { types?: string[]; aggregate_id?: string; test?: boolean } & Record<
  string,
  unknown
>;

/**
 * The index events_by_type serves a filter by type, events_of_test one for tests, the primary key all others.
 * @param environment a sandbox job that runs late stamps its events with its own due time, so there the times run back
 */
export async function listEvents(
  tx: Tx,
  company_id: string,
  environment: Environment,
  page: PageRequest,
  filter: EventFilter,
): Promise<EventRow[]> {
  const { types, test: is_test } = filter;
  const [only] = types ?? [];
  const byType =
    types === undefined
      ? tx``
      : types.length === 1
        ? tx`and t.type = ${only!}`
        : tx`and t.type = any(${types})`;
  const ids =
    environment === 'test' ? { from: null, to: null } : await readLoggedIds(tx, company_id, 'events', filter);
  return readPageRows(tx, company_id, page, {
    table: 'events',
    columns: tx`t.id, t.type, t.aggregate_id, t.sequence, t.api_version, t.livemode, t.is_test, t.data, t.correlation_id, t.created_at`,
    where: tx`${byType} ${valueCondition(tx, 't.aggregate_id', filter, 'aggregate_id')}
              ${is_test === undefined ? tx`` : is_test ? tx`and t.is_test` : tx`and not t.is_test`}
              ${loggedRange(tx, filter)} ${idRange(tx, ids)}`,
  });
}

export async function findEvent(tx: Tx, company_id: string, id: string) {
  const [row] = await tx<EventRow[]>`
    select id, type, aggregate_id, sequence, api_version, livemode, is_test, data, correlation_id, created_at
      from events where company_id = ${company_id} and id = ${id}`;
  return row;
}

/**
 * Writes an event that no change caused. Without an outbox row no other endpoint gets it. The endpoint must
 * be locked.
 */
export function insertTestEvent(tx: Tx, company_id: string, row: EventRow) {
  return tx`
    insert into events (company_id, id, type, aggregate_id, sequence, api_version, livemode, is_test, data, correlation_id,
                        created_at)
    values (${company_id}, ${row.id}, ${row.type}, ${row.aggregate_id}, ${row.sequence}, ${row.api_version}, ${row.livemode},
            ${row.is_test}, ${row.data as never}::jsonb, ${row.correlation_id}, ${row.created_at})`;
}

/**
 * Oldest first.
 * @param ids SQL, compared as an array: a join might read all events of the company
 * @param settings_version SQL, of the event `e`
 */
export function readEvents(
  tx: Tx,
  company_id: string,
  ids: Fragment,
  settings_version: Fragment,
): Promise<(EventRow & { settings_version: number | null })[]> {
  return tx<(EventRow & { settings_version: number | null })[]>`
    select e.id, e.type, e.aggregate_id, e.sequence, e.api_version, e.livemode, e.is_test, e.data, e.correlation_id, e.created_at,
           ${settings_version} as settings_version
      from events e
     where e.company_id = ${company_id} and e.id = any(array(${ids}))
     order by e.id`.execute();
}
