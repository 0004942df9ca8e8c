/**
 * The table of due work, for whatever is done in the background: ids, due times and leases of all companies
 * (scale rules 6, 9 and 14). A claim is two statements: candidates are read over all companies without a lock,
 * then the update of those still free decides who has them. What the work is, is left to its table.
 */
import type { Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { type CompanyClock, realDueTime } from './clock.ts';
import { sqlState } from './db.ts';

/** One row of due work, by the pair that is its key. */
export type DueRow = { company_id: string; id: string; kind: string };

/** A row that was won. Whoever writes its result does so under this lease: another one's means it was taken over. */
export type Claimed = DueRow & { lease_id: string };

export type CandidateQuery = {
  kinds: readonly string[];
  now: Date;
  limit: number;
  /** Only this company. */
  company_id?: string | undefined;
  /** Companies that have had their turn. */
  excluded?: readonly string[];
  /** Only companies of this share, and what has been due since `late`: the process of its share may be gone. */
  share?: { index: number; count: number; late: Date } | undefined;
};

const deadlockDetected = '40P01';

/**
 * What is due and free, in due order. A row with an order key waits for the earlier rows of its key, due or
 * not, and for one that somebody is at; keys order within the family of a kind, which is what stands before
 * its colon. The indexes by time and by order serve this; the last digits of a company's id are random, so
 * they are its hash.
 */
export function findCandidates(sql: Sql, query: CandidateQuery): Promise<DueRow[]> {
  const { kinds, now, company_id, excluded = [], share, limit } = query;
  return sql<DueRow[]>`
    select d.company_id, d.id, d.kind
      from due_work d
     where d.due_at <= ${now} and (d.lease_until is null or d.lease_until <= ${now})
       and d.kind in ${sql(kinds as string[])}
       ${company_id === undefined ? sql`` : sql`and d.company_id = ${company_id}`}
       ${
         excluded.length === 0
           ? sql``
           : sql`and d.company_id not in (
         select x.v::uuid from json_array_elements_text(${JSON.stringify(excluded)}::text::json) as x(v))`
       }
       ${share === undefined ? sql`` : sql`and (mod(('x' || right(d.company_id::text, 8))::bit(32)::bigint, ${share.count}) = ${share.index} or d.due_at <= ${share.late})`}
       and (d.order_key is null or not exists (
         select 1 from due_work e
          where e.company_id = d.company_id and e.order_key = d.order_key and e.id <> d.id
            and (e.id < d.id or e.lease_until > ${now})
            and split_part(e.kind, ':', 1) = split_part(d.kind, ':', 1)))
     order by d.due_at, d.id
     limit ${limit}`;
}

/**
 * Takes those of the rows that are still due and free, under one lease.
 * @returns the rows won, in the order given; none when two claims got into each other's way
 */
export async function winDue(
  sql: Sql,
  rows: readonly DueRow[],
  lease: { id: string; now: Date; until: Date },
): Promise<Claimed[]> {
  if (rows.length === 0) return [];
  // One order for all who claim, so that two updates rarely wait for each other crosswise.
  const sorted = [...rows].sort((a, b) => (a.company_id + a.id < b.company_id + b.id ? -1 : 1));
  const pairs = JSON.stringify(sorted.map((r) => ({ company_id: r.company_id, id: r.id })));
  try {
    const won = await sql<{ id: string }[]>`
      update due_work as d
         set takeovers = d.takeovers + (case when d.lease_id is null then 0 else 1 end),
             lease_id = ${lease.id}, lease_until = ${lease.until}
        from json_to_recordset(${pairs}::text::json) as c(company_id uuid, id uuid)
       where d.company_id = c.company_id and d.id = c.id
         and d.due_at <= ${lease.now} and (d.lease_until is null or d.lease_until <= ${lease.now})
      returning d.id`;
    const ids = new Set(won.map((r) => r.id));
    return rows.filter((r) => ids.has(r.id)).map((r) => ({ ...r, lease_id: lease.id }));
  } catch (error) {
    if (sqlState(error) === deadlockDetected) return [];
    throw error;
  }
}

const leases = (rows: readonly Claimed[]): string =>
  JSON.stringify(rows.map((r) => ({ company_id: r.company_id, id: r.id, lease_id: r.lease_id })));

/** Keeps what is held; rows that somebody else has taken over meanwhile stay theirs. */
export async function renewLeases(sql: Sql, rows: readonly Claimed[], until: Date): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update due_work as d set lease_until = ${until}
      from json_to_recordset(${leases(rows)}::text::json) as c(company_id uuid, id uuid, lease_id uuid)
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id`;
}

/** Gives back what was claimed and not begun. */
export async function releaseLeases(sql: Sql, rows: readonly Claimed[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update due_work as d set lease_until = null, lease_id = null
      from json_to_recordset(${leases(rows)}::text::json) as c(company_id uuid, id uuid, lease_id uuid)
     where d.company_id = c.company_id and d.id = c.id and d.lease_id = c.lease_id`;
}

/** Whether somebody is at work that was due for the company (or for anyone). */
export async function isBeingDone(
  sql: Sql,
  query: { kinds: readonly string[]; now: Date; company_id?: string | undefined },
): Promise<boolean> {
  const [row] = await sql`
    select 1 from due_work d
     where d.due_at <= ${query.now} and d.lease_until > ${query.now} and d.kind in ${sql(query.kinds as string[])}
       ${query.company_id === undefined ? sql`` : sql`and d.company_id = ${query.company_id}`}
     limit 1`;
  return row !== undefined;
}

/**
 * The real instant that a company time stands for, as a text for the database; infinity while the clock stands
 * still before it. What a standing clock has passed keeps its order: it became due as long ago as it lies back.
 */
export function dueInstant(clock: CompanyClock, company_time: Date, real_now: Date): string {
  const reached = realDueTime(clock, company_time, real_now);
  if (reached === null) return 'infinity';
  if (clock.clock_frozen_at === null) return reached.toISOString();
  return new Date(
    real_now.getTime() - (clock.clock_frozen_at.getTime() - company_time.getTime()),
  ).toISOString();
}

/**
 * Says anew when the company's jobs are due, in the transaction that moved its clock; run them afterwards with
 * the worker's runDue. Jobs on real time and those that wait for another attempt keep their time.
 */
export async function rescheduleCompany(
  tx: Tx,
  company_id: string,
  clock: CompanyClock,
  real_now: Date,
): Promise<void> {
  const { clock_frozen_at: frozen_at, clock_offset_ms } = clock;
  // A standing clock is one that is ahead (or behind) by this much at this moment.
  const offset_ms = frozen_at === null ? clock_offset_ms : frozen_at.getTime() - real_now.getTime();
  await tx`
    update due_work as d
       set due_at = case when j.run_at > ${frozen_at}::timestamptz then 'infinity'
                         else j.run_at - ${offset_ms}::double precision * interval '1 millisecond' end
      from jobs j
     where d.company_id = ${company_id} and j.company_id = ${company_id} and j.id = d.id
       and j.clock = 'company' and j.attempts = 0`;
}
