/** Deletes what has expired, so many rows of each kind at a time; and ends the grants of applications that are gone. */
import type { Sql } from 'postgres';
import type { Database } from '../../platform/db.ts';
import { endGrants, lockGrant } from './grants.store.ts';
import type { GrantPlace } from './tokens.store.ts';

const rowsMax = 1000;
const clientsMax = 10;
const grantsMax = 100;

/** A used code is known for so long. */
const codeMs = 10 * 60_000;

/** @param now real time */
export async function purgeOAuth(db: Database, now: Date): Promise<void> {
  const { index } = db;
  const codes_before = new Date(now.getTime() - codeMs);
  await index`
    delete from oauth_codes where code_hash = any (array(
      select code_hash from oauth_codes where expires_at <= ${codes_before} order by expires_at limit ${rowsMax}))`;
  await index`
    delete from credentials where kind = 'oauth' and secret_hash = any (array(
      select secret_hash from credentials
       where kind = 'oauth' and expires_at <= ${now} order by expires_at limit ${rowsMax}))`;
  await index`
    delete from oauth_refresh_tokens where token_hash = any (array(
      select token_hash from oauth_refresh_tokens where expires_at <= ${now} order by expires_at limit ${rowsMax}))`;
  await index`
    delete from oauth_documents where url = any (array(
      select url from oauth_documents where expires_at <= ${now} order by expires_at limit ${rowsMax}))`;
  await endGrantsOfDeleted(db, now);
}

async function endGrantsOfDeleted(db: Database, now: Date): Promise<void> {
  const clients = await db.index<{ client_id: string }[]>`
    select client_id from oauth_client_index where deleted_at is not null order by deleted_at limit ${clientsMax}`;
  for (const { client_id } of clients) {
    const left = await listGrantPlaces(db.index, client_id);
    for (const { company_id, grant_id } of left) {
      await db.transaction(company_id, async (tx) => {
        await lockGrant(tx, company_id, grant_id);
        await endGrants(tx, company_id, [grant_id], now);
      });
    }
    if (left.length < grantsMax)
      await db.index`delete from oauth_client_index where client_id = ${client_id} and deleted_at is not null`;
  }
}

async function listGrantPlaces(sql: Sql, client_id: string): Promise<GrantPlace[]> {
  return sql<GrantPlace[]>`
    select distinct company_id, grant_id from oauth_refresh_tokens where client_id = ${client_id}
     order by company_id, grant_id limit ${grantsMax}`;
}
