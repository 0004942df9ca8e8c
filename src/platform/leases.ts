/**
 * The one lease protocol on due work (ADR 7). Whoever claims a row's lease renews it, and releases or ends the row
 * under it. Anybody may take an expired lease; its last holder's writes then change nothing.
 */
import type { Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { sqlState } from './db.ts';
import type { DueRow } from './due-work.ts';

export type Held = { company_id: string; id: string; lease_id: string };
export type Claimed = DueRow & Held & { traceparent: string | null };

/** Nothing waits until something is added. */
export const neverDue = 'infinity';

const fewRows = 10;
const heldColumns = 'company_id uuid, id uuid, lease_id uuid';

/**
 * The rows as a table. Without a limit the planner takes a list in JSON for a hundred rows, and reads a table of some
 * thousands whole to find one (docs/sql-rules.md).
 */
const listOf = (sql: Sql, rows: readonly object[], columns: string) =>
  sql`(select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(${sql.unsafe(columns)})
       ${rows.length > fewRows ? sql`` : sql`limit ${sql.unsafe(String(fewRows))}`})`;

const heldOf = (sql: Sql, rows: readonly Held[]) => {
  const held = rows.map(({ company_id, id, lease_id }) => ({ company_id, id, lease_id }));
  return listOf(sql, held, heldColumns);
};

/** @returns the rows won, in the order given; none when two claims deadlocked */
export async function winDue(
  sql: Sql,
  rows: readonly DueRow[],
  lease: { id: string; now: Date; until: Date },
): Promise<Claimed[]> {
  if (rows.length === 0) return [];
  // In one order, so that two updates rarely deadlock.
  const sorted = [...rows].sort((a, b) => (a.company_id + a.id < b.company_id + b.id ? -1 : 1));
  const pairs = sorted.map(({ company_id, id }) => ({ company_id, id }));
  try {
    const won = await sql<{ id: string; traceparent: string | null }[]>`
      update due_work as d
         set takeovers = d.takeovers + (case when d.lease_id is null then 0 else 1 end),
             lease_id = ${lease.id}, lease_until = ${lease.until}
        from ${listOf(sql, pairs, 'company_id uuid, id uuid')} as c
       where d.company_id = c.company_id and d.id = c.id
         and d.due_at <= ${lease.now} and (d.lease_until is null or d.lease_until <= ${lease.now})
      returning d.id, d.traceparent`;
    const traces = new Map(won.map((r) => [r.id, r.traceparent]));
    return rows.flatMap((row) => {
      const traceparent = traces.get(row.id);
      return traceparent === undefined ? [] : [{ ...row, lease_id: lease.id, traceparent }];
    });
  } catch (error) {
    if (sqlState(error) === sqlStates.deadlock) return [];
    throw error;
  }
}

/** @returns by id, the revision of each row still ours */
export async function renewLeases(
  sql: Sql,
  rows: readonly Held[],
  until: Date,
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const kept = await sql<{ id: string; revision: number }[]>`
    update due_work as d set lease_until = ${until}
      from ${heldOf(sql, rows)} as c
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id
    returning d.id, d.revision`;
  return new Map(kept.map((row) => [row.id, row.revision]));
}

/** As renewLeases, without renewing. */
export async function readRevisions(sql: Sql, rows: readonly Held[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const found = await sql<{ id: string; revision: number }[]>`
    select d.id, d.revision
      from due_work d, ${heldOf(sql, rows)} as c
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id`;
  return new Map(found.map((row) => [row.id, row.revision]));
}

export type Release = Held & {
  /** Left out: the row was not begun, and stays due. */
  due_at?: string;
  /** Releases only a row that still has this revision. */
  revision?: number | null;
  /** Another run follows: raises the revision. */
  is_next_run?: boolean;
};

/** @returns the ids released; the others have more to do, or are no longer ours */
export async function releaseLeases(sql: Sql, rows: readonly Release[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const given = rows.map(({ company_id, id, lease_id, due_at, revision, is_next_run }) => ({
    company_id,
    id,
    lease_id,
    due_at,
    revision,
    runs: is_next_run ? 1 : 0,
  }));
  const released = await sql<{ id: string }[]>`
    update due_work as d
       set lease_id = null, lease_until = null, due_at = coalesce(c.due_at, d.due_at), revision = d.revision + c.runs,
           takeovers = case when c.due_at is null then d.takeovers else 0 end
      from ${listOf(sql, given, `${heldColumns}, due_at timestamptz, revision integer, runs integer`)} as c
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id
       and (c.revision is null or d.revision = c.revision)
    returning d.id`.execute();
  return new Set(released.map((row) => row.id));
}

/** @returns whether the row was still ours */
export async function endDue(sql: Sql, { company_id, id, lease_id }: Held): Promise<boolean> {
  const removed = await sql`
    delete from due_work as d
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id} returning d.id`.execute();
  return removed.length > 0;
}

export type SharedDue = {
  id: string;
  revision: number;
  /** Null: nothing waits. */
  due_at: Date | null;
  lease_id: string | null;
  lease_until: Date | null;
  added_at: Date | null;
};

export function lockDueRows(tx: Tx, company_id: string, kind: string): Promise<SharedDue[]> {
  return tx<SharedDue[]>`
    select d.id, d.revision, nullif(d.due_at, 'infinity') as due_at, d.lease_id, d.lease_until, d.added_at
      from due_work d
     where d.company_id = ${company_id} and d.kind = ${kind} order by d.id for no key update`.execute();
}

export type Added = {
  now: Date;
  added_at: Date;
  lease?: { id: string; until: Date } | undefined;
};

/**
 * Notes an addition to rows, and makes missing ones.
 * @param lease also claims the rows that nobody holds
 */
export async function addDue(
  tx: Tx,
  company_id: string,
  kind: string,
  ids: readonly string[],
  { now, added_at, lease }: Added,
): Promise<{ id: string; revision: number; lease_id: string | null }[]> {
  if (ids.length === 0) return [];
  const { id: lease_id = null, until = null } = lease ?? {};
  return tx<{ id: string; revision: number; lease_id: string | null }[]>`
    insert into due_work as d (company_id, id, kind, due_at, added_at, lease_id, lease_until)
    select h.company_id, x.id, ${kind}, ${now}::timestamptz, ${added_at}::timestamptz, ${lease_id}::uuid, ${until}::timestamptz
      from companies h, json_to_recordset(${JSON.stringify(ids.map((id) => ({ id })))}::text::json) as x(id uuid)
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

/** The row's subject is deleted, so its holder does not matter. */
export async function dropDue(tx: Tx, company_id: string, kind: string, id: string): Promise<void> {
  await tx`delete from due_work as d where d.company_id = ${company_id} and d.id = ${id} and d.kind = ${kind}`;
}
