/** What is due and not in progress, for monitors. */
import type { Sql } from 'postgres';
import { timeOfId } from '../kernel/uuid7.ts';

export type DueDepth = {
  /** By kind of job. Of more than `rowsMax` rows the oldest are counted. */
  kinds: readonly { kind: string; jobs: number; oldest_at: Date }[];
  /** The database's clock. */
  now: Date;
};

const rowsMax = 10_000;

/** @param now of this process */
export async function readDueDepth(sql: Sql, now: Date): Promise<DueDepth> {
  const rows = await sql<{ kind: string | null; jobs: number; oldest_at: Date; now: Date }[]>`
    with due as (
      select kind, due_at from due_work
       where due_at <= ${now} and (lease_until is null or lease_until <= ${now})
       order by due_at, id limit ${sql.unsafe(String(rowsMax))})
    select null as kind, 0 as jobs, clock_timestamp() as oldest_at, clock_timestamp() as now
    union all
    select kind, count(*)::integer, min(due_at), clock_timestamp() from due group by kind`;
  const kinds = rows.flatMap(({ kind, jobs, oldest_at }) =>
    kind === null ? [] : [{ kind, jobs, oldest_at }],
  );
  return { kinds, now: rows[0]!.now };
}

/** Of a queue whose work is done once and then gone. */
export type QueueDepth = {
  /** `rowsMax` at most are counted. */
  waiting: number;
  /** Null when nothing waits. */
  oldest_at: Date | null;
};

/** E-mails of documents that wait, for their next attempt too. */
export async function readEmailQueue(sql: Sql): Promise<QueueDepth> {
  const [row] = await sql<{ waiting: number; first: string | null }[]>`
    select count(*)::integer as waiting, (array_agg(w.id order by w.id))[1] as first
      from (select id from due_work where kind = 'job:email.send' order by id limit ${sql.unsafe(String(rowsMax))}) w`;
  const { waiting = 0, first = null } = row ?? {};
  return { waiting, oldest_at: first === null ? null : new Date(timeOfId(first)) };
}
