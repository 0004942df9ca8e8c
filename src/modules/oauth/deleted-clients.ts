/** Removes what a deleted application leaves, in all companies whose people granted it something. */
import type { Sql } from 'postgres';
import type { Database } from '../../platform/db.ts';
import { endGrants, lockGrant } from './grants.store.ts';
import { type GrantPlace, lifetimes } from './tokens.store.ts';

const clientsMax = 10;
const grantsMax = 100;
const rowsMax = 1000;

export type DeletionBounds = {
  /** Refresh tokens that are read at a time. */
  rows: number;
  times: number;
};

const atOnce: DeletionBounds = { rows: 1000, times: 50 };
const aMinute: DeletionBounds = { rows: 1000, times: 500 };

/**
 * Deletes the access tokens of an application, the newest first. A refresh token was made beside each, so those of the last
 * two hours lead to all that are in force. Run it after the application cannot be presented any more: nothing is added then.
 */
export async function deleteTokensOfClient(
  sql: Sql,
  client_id: string,
  now: Date,
  { rows, times }: DeletionBounds = atOnce,
): Promise<void> {
  const since = new Date(now.getTime() + lifetimes.refresh_ms - 2 * lifetimes.access_ms);
  let before: Date | null = null;
  for (let i = 0; i < times; i++) {
    // Two statements: the tables are apart on a distributed database.
    const newest: (GrantPlace & { expires_at: Date })[] = await sql`
      select company_id, grant_id, expires_at from oauth_refresh_tokens
       where client_id = ${client_id} and expires_at > ${since}
         and (${before}::timestamptz is null or expires_at <= ${before})
       order by expires_at desc limit ${rows}`;
    const places = distinct(newest);
    await sql`
      delete from credentials c
       using unnest(${places.map((one) => one.company_id)}::uuid[], ${places.map((one) => one.grant_id)}::uuid[])
             as g (company_id, grant_id)
       where c.key_company_id = g.company_id and c.key_id = g.grant_id and c.kind = 'oauth'`;
    if (newest.length < rows) return;
    before = newest.at(-1)!.expires_at;
  }
}

function distinct(places: readonly GrantPlace[]): GrantPlace[] {
  return [...new Map(places.map((place) => [place.grant_id, place])).values()];
}

/** Marks grants of applications that are gone as ended, so many a minute, each in a transaction of its company. */
export async function endGrantsOfDeleted(db: Database, now: Date): Promise<void> {
  const clients = await db.index<{ client_id: string }[]>`
    select client_id from oauth_client_index where deleted_at is not null order by deleted_at limit ${clientsMax}`;
  for (const { client_id } of clients) {
    await deleteTokensOfClient(db.index, client_id, now, aMinute);
    const rows = await listGrantPlaces(db.index, client_id);
    const places = distinct(rows);
    for (const { company_id, grant_id } of places.slice(0, grantsMax)) {
      await db.transaction(company_id, async (tx) => {
        await lockGrant(tx, company_id, grant_id);
        await endGrants(tx, company_id, [grant_id], now);
      });
    }
    if (rows.length < rowsMax && places.length <= grantsMax)
      await db.index`delete from oauth_client_index where client_id = ${client_id} and deleted_at is not null`;
  }
}

/** One grant may have many. */
async function listGrantPlaces(sql: Sql, client_id: string): Promise<GrantPlace[]> {
  return sql<GrantPlace[]>`
    (select company_id, grant_id from oauth_refresh_tokens where client_id = ${client_id}
      order by expires_at desc limit ${rowsMax})
    union all
    (select company_id, grant_id from oauth_codes where client_id = ${client_id} and used_at is null limit ${rowsMax})`;
}
