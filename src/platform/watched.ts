/**
 * What waits for somebody in the companies, for monitors (docs/monitoring.md). The module that finds it writes it, in the same
 * transaction; reading asks no company and is bounded.
 */
import type { Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** Things that wait, and since when. */
export const waitingKinds = [
  'records_waiting',
  'records_held',
  'records_blocked',
  'records_rejected',
  'endpoints_failing',
  'endpoints_disabled',
] as const;
/** Things that end, and when. */
export const endingKinds = ['certificate', 'representation'] as const;

export type WaitingKind = (typeof waitingKinds)[number];
export type EndingKind = (typeof endingKinds)[number];

/** `at`: since when the oldest waits, or when it ends. */
export type Watched = { kind: WaitingKind | EndingKind; things: number; at: Date };

/** Replaces what the company has of these kinds. */
export async function setWatched(
  tx: Tx,
  company_id: string,
  kinds: readonly Watched['kind'][],
  found: readonly Watched[],
): Promise<void> {
  const json = JSON.stringify(found);
  await Promise.all([
    tx`
      delete from watched
       where company_id = ${company_id} and kind = any(${kinds as string[]}::text[])
         and kind not in (select x.kind from json_to_recordset(${json}::text::json) as x(kind text))`.execute(),
    found.length === 0
      ? undefined
      : tx`
      insert into watched as w (company_id, kind, things, at)
      select ${company_id}::uuid, x.kind, x.things, x.at
        from json_to_recordset(${json}::text::json) as x(kind text, things integer, at timestamptz)
      on conflict (company_id, kind) do update set things = excluded.things, at = excluded.at
       where (w.things, w.at) is distinct from (excluded.things, excluded.at)`.execute(),
  ]);
}

export type WatchedSum = {
  kind: WaitingKind;
  /** Of more than `rowsMax` companies, those that have waited longest. */
  things: number;
  /** Null when nothing waits. */
  oldest_at: Date | null;
};

export type EndSum = {
  kind: EndingKind;
  /** The next end; null when nothing is left to end. */
  next_at: Date | null;
  /** Companies whose own has ended; `rowsMax` at most are counted. */
  ended: number;
};

const rowsMax = 10_000;

/** @param now of this process */
export async function readWatched(sql: Sql, now: Date): Promise<{ waiting: WatchedSum[]; ends: EndSum[] }> {
  const max = sql.unsafe(String(rowsMax));
  const [waiting, ends] = await Promise.all([
    sql<WatchedSum[]>`
      select k.kind, coalesce(f.things, 0)::float8 as things, f.oldest_at
        from unnest(${waitingKinds as unknown as string[]}::text[]) as k(kind)
       cross join lateral (
         select sum(o.things) as things, min(o.at) as oldest_at
           from (select w.things, w.at from watched w where w.kind = k.kind order by w.at limit ${max}) o) f`.execute(),
    sql<EndSum[]>`
      select k.kind, (select min(w.at) from watched w where w.kind = k.kind and w.at > ${now}) as next_at,
             (select count(*)::integer
                from (select 1 from watched w where w.kind = k.kind and w.at <= ${now} limit ${max}) o) as ended
        from unnest(${endingKinds as unknown as string[]}::text[]) as k(kind)`.execute(),
  ]);
  return { waiting: [...waiting], ends: [...ends] };
}
