/** The outbox: events that are not deliveries yet. */
import type { Sql } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import { tracing } from '../../kernel/tracing.ts';
import {
  findCompaniesDue,
  firstDueIds,
  readTraces,
  removeDue,
  settingsVersionOf,
} from '../../platform/due-work.ts';
import { type EventRow, readEvents } from '../events/index.ts';
import { endpointColumns, isThere, type Turned } from './endpoints.store.ts';
import type { EndpointRow } from './webhooks.rows.ts';

/** Due work per endpoint, leased by the process that sends to it. */
export const endpointKind = 'endpoint';

/** Due work per event of the outbox, with the event's id. */
const outboxKind = 'event';

/** How far one machine's clock may be ahead of another's. */
export const skewMs = 60_000;

export type OutboxSearch = {
  now: Date;
  limit: number;
  company_id: string | undefined;
};

/** The longest waiting first. */
export function findOutboxes(
  sql: Sql,
  { now, limit, company_id }: OutboxSearch,
  excluded: readonly string[],
): Promise<string[]> {
  const latest = new Date(now.getTime() + skewMs);
  return findCompaniesDue(sql, { kind: outboxKind, latest, limit, company_id }, excluded);
}

export type OutboxEvent = EventRow & {
  /** As the event's transaction read it; null of the version before. */
  settings_version: number | null;
};

/** The oldest, by id. They are due at once. */
export function readOutbox(tx: Tx, company_id: string, limit: number): Promise<OutboxEvent[]> {
  const version = settingsVersionOf(tx, company_id);
  return readEvents(tx, company_id, firstDueIds(tx, company_id, outboxKind, limit), version);
}

/** Of the calls and jobs that the events happened in, by event; read only where traces are kept. */
export async function readOutboxTraces(
  tx: Tx,
  company_id: string,
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  return tracing() === null ? new Map() : readTraces(tx, company_id, outboxKind, limit);
}

export function removeFromOutbox(tx: Tx, company_id: string, event_ids: readonly string[]): Promise<void> {
  return removeDue(tx, company_id, outboxKind, event_ids);
}

export type ListeningEndpoint = EndpointRow & Turned;

/** Locks the endpoints against deletion. */
export function holdEndpoints(tx: Tx, company_id: string): Promise<ListeningEndpoint[]> {
  return tx<ListeningEndpoint[]>`
    select ${endpointColumns(tx)}, t.disabled_at, t.turns from webhook_endpoints t
     where t.company_id = ${company_id} and ${isThere(tx)} order by t.id for key share`.execute();
}
