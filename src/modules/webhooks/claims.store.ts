/**
 * SQL of the due work of deliveries: one row per endpoint, under a lease of whoever sends for it. Candidates are of all
 * companies and read without a lock (scale rule 14); only ids, times and leases are there.
 */
import type { Sql } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { DueRow } from '../../platform/due-work.ts';

export const endpointKind = 'endpoint';

/** Clocks differ between machines: what one has just written may lie so far ahead of another's. */
export const skewMs = 60_000;

export type Look = {
  now: Date;
  limit: number;
  /** Only this company. */
  company_id: string | undefined;
};

/** Companies that have events in the outbox, the longest waiting first. */
export async function findOutboxes(sql: Sql, { now, limit, company_id }: Look, excluded: readonly string[]) {
  const rows = await sql<{ company_id: string }[]>`
    select w.company_id from (
      select d.company_id, d.due_at from due_work d
       where d.kind = 'event' and d.due_at <= ${new Date(now.getTime() + skewMs)} ${notOf(sql, excluded)} ${only(sql, company_id)}
       order by d.due_at, d.id limit ${limit}) w
     group by w.company_id order by min(w.due_at)`;
  return rows.map((row) => row.company_id);
}

/** Endpoints that have something due and that nobody holds, the longest waiting first. */
export function findDueEndpoints(sql: Sql, { now, limit, company_id }: Look): Promise<DueRow[]> {
  return sql<DueRow[]>`
    select d.company_id, d.id, d.kind from due_work d
     where d.kind = 'endpoint' and d.due_at <= ${now} and (d.lease_until is null or d.lease_until <= ${now})
       ${only(sql, company_id)}
     order by d.due_at, d.id limit ${limit}`;
}

function only(sql: Sql, company_id: string | undefined) {
  return company_id === undefined ? sql`` : sql`and d.company_id = ${company_id}`;
}

function notOf(sql: Sql, company_ids: readonly string[]) {
  if (company_ids.length === 0) return sql``;
  return sql`and d.company_id not in (
    select x.v::uuid from json_array_elements_text(${JSON.stringify(company_ids)}::text::json) as x(v))`;
}

export type Held = { company_id: string; id: string; lease_id: string };

const list = (rows: readonly object[]): string => JSON.stringify(rows);

/** Keeps what is held. @returns the revision of each row that is still ours, by endpoint */
export async function renewHeld(
  sql: Sql,
  rows: readonly Held[],
  lease_until: Date,
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const kept = await sql<{ id: string; revision: number }[]>`
    update due_work as d set lease_until = ${lease_until}
      from json_to_recordset(${list(rows)}::text::json) as c(company_id uuid, id uuid, lease_id uuid)
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id
    returning d.id, d.revision`;
  return new Map(kept.map((row) => [row.id, row.revision]));
}

/** The revision of each row that is held, by endpoint. */
export async function readRevisions(sql: Sql, rows: readonly Held[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const found = await sql<{ id: string; revision: number }[]>`
    select d.id, d.revision
      from due_work d, json_to_recordset(${list(rows)}::text::json) as c(company_id uuid, id uuid, lease_id uuid)
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id`;
  return new Map(found.map((row) => [row.id, row.revision]));
}

/** What is given back: when it is due next (null: nothing waits), provided that nothing was added since the revision. */
export type Release = Held & { revision: number | null; due_at: Date | null };

/** Gives endpoints back. @returns those that were; the others have more to do, or are another's by now */
export async function releaseHeld(sql: Sql, rows: readonly Release[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const given = rows.map((row) => ({ ...row, due_at: row.due_at?.toISOString() ?? 'infinity' }));
  const released = await sql<{ id: string }[]>`
    update due_work as d set lease_id = null, lease_until = null, takeovers = 0, due_at = c.due_at
      from json_to_recordset(${list(given)}::text::json)
             as c(company_id uuid, id uuid, lease_id uuid, revision integer, due_at timestamptz)
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id
       and (c.revision is null or d.revision = c.revision)
    returning d.id`;
  return new Set(released.map((row) => row.id));
}

/** An endpoint that is gone has nothing due. */
export async function forgetEndpoint(sql: Sql, { company_id, id, lease_id }: Held): Promise<void> {
  await sql`
    delete from due_work as d
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id} and d.kind = 'endpoint'`;
}

/** The due row of an endpoint as another transaction left it. */
export type EndpointDue = {
  id: string;
  revision: number;
  /** Null: nothing waits. */
  due_at: Date | null;
  lease_id: string | null;
  lease_until: Date | null;
  /** The stamp of what was added last. */
  added_at: Date | null;
};

/** Holds the company's due rows until the transaction ends: its events become deliveries in one place at a time. */
export function lockEndpointDues(tx: Tx, company_id: string): Promise<EndpointDue[]> {
  return tx<EndpointDue[]>`
    select d.id, d.revision, nullif(d.due_at, 'infinity') as due_at, d.lease_id, d.lease_until, d.added_at
      from due_work d
     where d.company_id = ${company_id} and d.kind = 'endpoint' order by d.id for no key update`.execute();
}

/**
 * Says that deliveries of these endpoints were added, in the transaction that did so. With a lease, those that nobody
 * holds are taken at once.
 * @param given.added_at the stamp of the deliveries
 * @returns their revision and who holds them now
 */
export async function addDue(
  tx: Tx,
  company_id: string,
  endpoint_ids: readonly string[],
  { now, added_at, lease }: { now: Date; added_at: Date; lease?: { id: string; until: Date } | undefined },
): Promise<{ id: string; revision: number; lease_id: string | null }[]> {
  if (endpoint_ids.length === 0) return [];
  const { id: lease_id = null, until = null } = lease ?? {};
  return tx<{ id: string; revision: number; lease_id: string | null }[]>`
    insert into due_work as d (company_id, id, kind, due_at, added_at, lease_id, lease_until)
    select h.company_id, x.id, 'endpoint', ${now}::timestamptz, ${added_at}::timestamptz, ${lease_id}::uuid, ${until}::timestamptz
      from companies h, json_to_recordset(${list(endpoint_ids.map((id) => ({ id })))}::text::json) as x(id uuid)
     where h.company_id = ${company_id} order by x.id
    on conflict (company_id, id) do update
       set revision = d.revision + 1, due_at = least(d.due_at, excluded.due_at),
           added_at = greatest(d.added_at, excluded.added_at),
           lease_id = case when excluded.lease_id is not null and (d.lease_until is null or d.lease_until <= ${now})
                           then excluded.lease_id else d.lease_id end,
           lease_until = case when excluded.lease_id is not null and (d.lease_until is null or d.lease_until <= ${now})
                              then excluded.lease_until else d.lease_until end
    returning d.id, d.revision, d.lease_id`.execute();
}

/** Nothing of the endpoint goes out any more, in the transaction that deletes it. */
export async function dropDue(tx: Tx, company_id: string, endpoint_id: string): Promise<void> {
  await tx`delete from due_work as d
            where d.company_id = ${company_id} and d.id = ${endpoint_id} and d.kind = 'endpoint'`;
}
