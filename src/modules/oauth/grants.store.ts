/**
 * What persons granted, and the secrets that follow from it. Each exchange, refresh and ending of a family locks the
 * row of its grant, so they run one after another.
 */
import type { Environment, Audience, Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';

export type GrantRow = {
  company_id: string;
  id: string;
  opens_company_id: string;
  environment: Environment;
  audience: Audience;
  client_id: string;
  client_name: string;
  client_host: string | null;
  user_id: string;
  /** With a colon. */
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

/** In force, of one person in one company. */
export const grantsMax = 200;

export async function insertGrant(tx: Tx, row: GrantRow): Promise<void> {
  await tx`
    insert into oauth_grants (company_id, id, opens_company_id, environment, audience, client_id, client_name, client_host,
                              user_id, scopes, created_at)
    values (${row.company_id}, ${row.id}, ${row.opens_company_id}, ${row.environment}, ${row.audience}, ${row.client_id},
            ${row.client_name}, ${row.client_host}, ${row.user_id}, ${row.scopes}, ${row.created_at})`;
}

export async function lockGrant(tx: Tx, company_id: string, id: string): Promise<GrantRow | undefined> {
  const [row] = await tx<GrantRow[]>`
    select * from oauth_grants where company_id = ${company_id} and id = ${id} for update`;
  return row;
}

/** @param user_id of whose grants; null: of all */
export async function findGrant(
  tx: Tx,
  company_id: string,
  id: string,
  user_id: string | null = null,
): Promise<GrantRow | undefined> {
  const [row] = await tx<GrantRow[]>`
    select * from oauth_grants
     where company_id = ${company_id} and id = ${id} and (${user_id}::uuid is null or user_id = ${user_id})`;
  return row;
}

/** oauth_grants_by_user serves the list of one person, the primary key that of all. */
export function listGrants(
  tx: Tx,
  company_id: string,
  user_id: string | null,
  page: PageRequest,
  filter: Readonly<Record<string, unknown>>,
) {
  const of = user_id === null ? tx`` : tx`and t.user_id = ${user_id}`;
  return readPageRows<GrantRow>(tx, company_id, page, {
    table: 'oauth_grants',
    of,
    where: tx`${of} ${valueCondition(tx, 't.client_id', filter, 'client_id')}
              ${rangeCondition(tx, 't.created_at', filter, 'created')}
              ${rangeCondition(tx, 'coalesce(t.revoked_at, t.created_at)', filter, 'updated')}`,
  });
}

/** In force, the newest first. Sent at once, for `readAsEach`. */
export function findGrantsOfUser(tx: Tx, company_id: string, user_id: string) {
  return tx<GrantRow[]>`
    select * from oauth_grants
     where company_id = ${company_id} and user_id = ${user_id} and revoked_at is null
     order by id desc limit ${grantsMax}`.execute();
}

export async function countGrantsInForce(tx: Tx, company_id: string, user_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from oauth_grants
     where company_id = ${company_id} and user_id = ${user_id} and revoked_at is null`;
  return row?.count ?? 0;
}

/** A grant that is refreshed each second for a month leaves millions of used tokens. */
const deletedMax = 1000;

/**
 * Ends all that follows from the grants, at once: their access tokens are deleted. Lock the grants first. Codes stay,
 * and refresh tokens beyond a thousand: they lead to an ended grant.
 */
export async function endGrants(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const those = ids as string[];
  await Promise.all([
    tx`update oauth_grants set revoked_at = ${now}
        where company_id = ${company_id} and id = any(${those}::uuid[]) and revoked_at is null`.execute(),
    tx`delete from credentials
        where key_company_id = ${company_id} and key_id = any(${those}::uuid[]) and kind = 'oauth'`.execute(),
    tx`delete from oauth_refresh_tokens where token_hash in (
         select token_hash from oauth_refresh_tokens
          where company_id = ${company_id} and grant_id = any(${those}::uuid[]) limit ${deletedMax})`.execute(),
  ]);
}

export function lockGrantsOfUser(tx: Tx, company_id: string, user_id: string) {
  return tx<GrantRow[]>`
    select * from oauth_grants
     where company_id = ${company_id} and user_id = ${user_id} and revoked_at is null order by id for update`;
}

export function lockGrantsOfClient(tx: Tx, company_id: string, client_id: string) {
  return tx<GrantRow[]>`
    select * from oauth_grants
     where company_id = ${company_id} and client_id = ${client_id} and revoked_at is null order by id for update`;
}
