/** Deletes what has expired, so many rows of each kind at a time; and ends the grants of applications that are gone. */
import type { Database } from '../../platform/db.ts';
import { endGrantsOfDeleted } from './deleted-clients.ts';
import { endGrants, lockGrant } from './grants.store.ts';
import type { GrantPlace } from './tokens.store.ts';

const rowsMax = 1000;

/** A used code is remembered for so long. */
const codeMs = 10 * 60_000;

/** `hash` as hexadecimal: the driver takes no list of bytes. */
type Expired = GrantPlace & { hash: string };

/** @param now real time */
export async function purgeOAuth(db: Database, now: Date): Promise<void> {
  const { index } = db;
  await index`
    delete from credentials where kind = 'oauth' and secret_hash = any (array(
      select secret_hash from credentials
       where kind = 'oauth' and expires_at <= ${now} order by expires_at limit ${rowsMax}))`;
  await index`
    delete from oauth_documents where url = any (array(
      select url from oauth_documents where expires_at <= ${now} order by expires_at limit ${rowsMax}))`;
  await purgeGrantSecrets(db, now);
  await endGrantsOfDeleted(db, now);
}

/** Codes and refresh tokens lead to the grants that end with them, so they go after those have ended. */
async function purgeGrantSecrets(db: Database, now: Date): Promise<void> {
  const { index } = db;
  const codes_before = new Date(now.getTime() - codeMs);
  const codes = await index<(Expired & { used_at: Date | null })[]>`
    select encode(code_hash, 'hex') as hash, company_id, grant_id, used_at
      from oauth_codes where expires_at <= ${codes_before} order by expires_at limit ${rowsMax}`;
  const tokens = await index<Expired[]>`
    select encode(token_hash, 'hex') as hash, company_id, grant_id
      from oauth_refresh_tokens where expires_at <= ${now} order by expires_at limit ${rowsMax}`;
  await endUnused(db, [...codes.filter(({ used_at }) => used_at === null), ...tokens], now);
  await index`
    delete from oauth_codes where code_hash = any (array(
      select decode(hash, 'hex') from unnest(${hashesOf(codes)}::text[]) as hash))`;
  await index`
    delete from oauth_refresh_tokens where token_hash = any (array(
      select decode(hash, 'hex') from unnest(${hashesOf(tokens)}::text[]) as hash))`;
}

const hashesOf = (rows: readonly Expired[]) => rows.map(({ hash }) => hash);

/** Ends grants that nobody took up, or whose last refresh token has expired. A used code has a refresh token beside it. */
async function endUnused(db: Database, places: readonly GrantPlace[], now: Date): Promise<void> {
  const seen = new Map(places.map((place) => [place.grant_id, place]));
  for (const { company_id, grant_id } of seen.values())
    await db.transaction(company_id, async (tx) => {
      const grant = await lockGrant(tx, company_id, grant_id);
      const left = await tx`
        select 1 from oauth_refresh_tokens
         where company_id = ${company_id} and grant_id = ${grant_id} and expires_at > ${now} limit 1`;
      if (grant && !grant.revoked_at && left.length === 0) await endGrants(tx, company_id, [grant_id], now);
    });
}
