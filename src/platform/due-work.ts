/** Due work of all companies: ids, due times, leases. leases.ts decides who does it. */
import type { Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { type CompanyClock, realDueTime } from './clock.ts';

export type DueRow = { company_id: string; id: string; kind: string };

export type CandidateQuery = {
  kinds: readonly string[];
  now: Date;
  limit: number;
  company_id?: string | undefined;
  excluded?: readonly string[];
  /** Excluded for these kinds alone. */
  held_back?: readonly { kinds: readonly string[]; company_ids: readonly string[] }[];
  /** Also what is due since `late`: the process of its share may be gone. */
  share?: { index: number; count: number; late: Date } | undefined;
};

/**
 * What is due and free, in due order, over all companies. Nothing is locked; the claim decides. A row with an order
 * key waits for earlier rows of that key, due or not, and for one in progress. A key orders kinds that share the word
 * before the colon. Shares go by the random last digits of the company's id.
 *
 * The limit is a constant, so that one plan serves all looks: with a parameter, each look is planned anew as soon as many
 * rows wait, which takes longer than the look.
 */
export function findCandidates(sql: Sql, query: CandidateQuery): Promise<DueRow[]> {
  const { kinds, now, company_id, excluded = [], held_back = [], share, limit } = query;
  const back = held_back.map(
    (one) => sql`and not (d.kind in ${sql(one.kinds as string[])} and d.company_id in (
         select x.v::uuid from json_array_elements_text(${JSON.stringify(one.company_ids)}::text::json) as x(v)))`,
  );
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
       ${back.reduce((all, one) => sql`${all} ${one}`, sql``)}
       ${share === undefined ? sql`` : sql`and (mod(('x' || right(d.company_id::text, 8))::bit(32)::bigint, ${share.count}) = ${share.index} or d.due_at <= ${share.late})`}
       and (d.order_key is null or not exists (
         select 1 from due_work e
          where e.company_id = d.company_id and e.order_key = d.order_key and e.id <> d.id
            and (e.id < d.id or e.lease_until > ${now})
            and split_part(e.kind, ':', 1) = split_part(d.kind, ':', 1)))
     order by d.due_at, d.id
     limit ${sql.unsafe(String(Math.trunc(limit)))}`;
}

/**
 * Other due jobs of a company, none of which failed, for a run of several. It reads no later ones, of which a company may have a
 * hundred thousand: due_work_of_company gives the due ones in order, and the jobs are looked up behind them.
 */
export function findMoreDue(
  tx: Tx,
  company_id: string,
  { kind, now, takeovers_max, limit }: { kind: string; now: Date; takeovers_max: number; limit: number },
): Promise<DueRow[]> {
  return tx<DueRow[]>`
    select d.company_id, d.id, d.kind
      from (select * from due_work d
             where d.company_id = ${company_id} and d.order_key is null and d.due_at <= ${now} and d.kind = ${kind}
               and (d.lease_until is null or d.lease_until <= ${now})
               and d.takeovers + (case when d.lease_id is null then 0 else 1 end) <= ${takeovers_max}
             order by d.company_id, d.due_at, d.id
             limit ${limit}) d
     cross join lateral (select 1 from jobs j
                          where j.company_id = ${company_id} and j.id = d.id and j.attempts = 0 offset 0) j
     order by d.due_at, d.id`;
}

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
 * `infinity` while a frozen clock stands before the company time. Times that a frozen clock has passed keep their
 * order.
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
 * Belongs in the transaction that moves the clock. Jobs on real time, and jobs that wait for another attempt, keep
 * their due time.
 */
export async function rescheduleCompany(
  tx: Tx,
  company_id: string,
  clock: CompanyClock,
  real_now: Date,
): Promise<void> {
  const { clock_frozen_at: frozen_at, clock_offset_ms } = clock;
  // By how much a frozen clock is now ahead or behind.
  const offset_ms = frozen_at === null ? clock_offset_ms : frozen_at.getTime() - real_now.getTime();
  await tx`
    update due_work as d
       set due_at = case when j.run_at > ${frozen_at}::timestamptz then 'infinity'
                         else j.run_at - ${offset_ms}::double precision * interval '1 millisecond' end
      from jobs j
     where d.company_id = ${company_id} and j.company_id = ${company_id} and j.id = d.id
       and j.clock = 'company' and j.attempts = 0`;
}

export async function listCompaniesWith(sql: Sql, kind: string, limit: number): Promise<string[]> {
  const rows = await sql<{ company_id: string }[]>`
    select distinct company_id from due_work where kind = ${kind} limit ${limit}`;
  return rows.map((row) => row.company_id);
}

/** The longest waiting first. */
export async function findCompaniesDue(
  sql: Sql,
  wanted: { kind: string; latest: Date; limit: number; company_id: string | undefined },
  excluded: readonly string[],
): Promise<string[]> {
  const { kind, latest, limit, company_id } = wanted;
  const only = company_id === undefined ? sql`` : sql`and d.company_id = ${company_id}`;
  const others =
    excluded.length === 0
      ? sql``
      : sql`and d.company_id not in (
    select x.v::uuid from json_array_elements_text(${JSON.stringify(excluded)}::text::json) as x(v))`;
  const rows = await sql<{ company_id: string }[]>`
    select w.company_id from (
      select d.company_id, d.due_at from due_work d
       where d.kind = ${kind} and d.due_at <= ${latest} ${others} ${only}
       order by d.due_at, d.id limit ${limit}) w
     group by w.company_id order by min(w.due_at)`;
  return rows.map((row) => row.company_id);
}

export function firstDueIds(tx: Tx, company_id: string, kind: string, limit: number) {
  return tx`select d.id from due_work d where d.company_id = ${company_id} and d.kind = ${kind} order by d.id limit ${limit}`;
}

/** As the transaction that made the due work read it; null in rows of the version before. Of the row `e` with the same id. */
export function settingsVersionOf(tx: Tx, company_id: string) {
  return tx`(select d.settings_version from due_work d where d.company_id = ${company_id} and d.id = e.id)`;
}

/** By id, where there is one. */
export async function readTraces(
  tx: Tx,
  company_id: string,
  kind: string,
  limit: number,
): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; traceparent: string }[]>`
    select d.id, d.traceparent from due_work d
     where d.company_id = ${company_id} and d.id = any(array(${firstDueIds(tx, company_id, kind, limit)}))
       and d.traceparent is not null`.execute();
  return new Map(rows.map(({ id, traceparent }) => [id, traceparent]));
}

/** An addition to a row raises its revision. */
export function readRevisions(tx: Tx, company_id: string, ids: readonly string[]) {
  return tx<{ id: string; revision: number }[]>`
    select d.id, d.revision from due_work d
     where d.company_id = ${company_id} and d.id = any(${ids as string[]}::uuid[])`.execute();
}

export async function removeDue(
  tx: Tx,
  company_id: string,
  kind: string,
  ids: readonly string[],
): Promise<void> {
  await tx`
    delete from due_work as d
     where d.company_id = ${company_id} and d.kind = ${kind} and d.id = any(${ids as string[]}::uuid[])`.execute();
}

/**
 * Of work that is due within a day or so by any clock that is right. What waits for a clock that stands still has no day.
 * @returns the first day, by the database's clock, more than two days from now
 */
export async function findDayTooFarAhead(sql: Sql, kind: string): Promise<string | null> {
  const [row] = await sql<{ day: string }[]>`
    select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD') as day from due_work
     where kind = ${kind} and due_at > now() + interval '2 days' and due_at < 'infinity'
     order by due_at limit 1`;
  return row?.day ?? null;
}

/**
 * Does nothing for a job that is due earlier. The keys of a job's calls hold its `run_at`, so a job that may be brought forward
 * between two attempts finds by itself what the first one did.
 * @param due_at `at` in real time
 */
export function bringForward(
  tx: Tx,
  company_id: string,
  job_id: string,
  at: Date,
  due_at: string,
): Promise<unknown>[] {
  return [
    tx`update jobs set run_at = ${at} where company_id = ${company_id} and id = ${job_id} and run_at > ${at}`.execute(),
    tx`update due_work set due_at = ${due_at} where company_id = ${company_id} and id = ${job_id} and due_at > ${due_at}`.execute(),
  ];
}

/** Brings jobs' due times forward by as much as their `run_at`. A frozen clock's moves set the due times anew. */
export async function bringAllForward(
  tx: Tx,
  company_id: string,
  jobs: readonly { id: string; run_at: Date }[],
): Promise<void> {
  const json = JSON.stringify(jobs);
  await tx`
    update due_work as d set due_at = d.due_at - (j.run_at - x.run_at)
      from json_to_recordset(${json}::text::json) as x(id uuid, run_at timestamptz)
      join jobs j on j.company_id = ${company_id} and j.id = x.id
     where d.company_id = ${company_id} and d.id = x.id and j.run_at > x.run_at`;
  await tx`
    update jobs as j set run_at = x.run_at
      from json_to_recordset(${json}::text::json) as x(id uuid, run_at timestamptz)
     where j.company_id = ${company_id} and j.id = x.id and j.run_at > x.run_at`;
}
