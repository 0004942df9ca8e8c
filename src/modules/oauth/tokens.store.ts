/** Codes, refresh tokens and access tokens, by their hashes. */
import type { Sql } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { PlanRow } from '../../platform/company-row.ts';
import { hashSecret } from '../../platform/credentials.ts';
import type { GrantRow } from './grants.store.ts';

/** Of an access token, and of the refresh token that is made beside it. */
export const lifetimes = { access_ms: 3_600_000, refresh_ms: 30 * 24 * 3_600_000 } as const;

/** Where a secret leads. */
export type GrantPlace = { company_id: string; grant_id: string };

export type CodeRow = GrantPlace & {
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  expires_at: Date;
  used_at: Date | null;
};

export type RefreshRow = GrantPlace & {
  client_id: string;
  expires_at: Date;
  first_used_at: Date | null;
  uses: number;
};

/** @returns false when the request was answered before */
export async function insertCode(
  tx: Tx,
  code: string,
  row: Omit<CodeRow, 'used_at'> & { request_id: string },
): Promise<boolean> {
  const added = await tx`
    insert into oauth_codes (code_hash, request_id, company_id, grant_id, client_id, redirect_uri, code_challenge, expires_at)
    values (${hashSecret(code)}, ${row.request_id}, ${row.company_id}, ${row.grant_id}, ${row.client_id},
            ${row.redirect_uri}, ${row.code_challenge}, ${row.expires_at})
    on conflict (request_id) do nothing returning grant_id`;
  return added.length > 0;
}

/** Whose consent a request has made. */
export async function findAnswered(sql: Sql, request_id: string): Promise<GrantPlace | undefined> {
  const [row] = await sql<GrantPlace[]>`
    select company_id, grant_id from oauth_codes where request_id = ${request_id}`;
  return row;
}

/** Whether one of its codes was used: that leaves a refresh token. Lock the grant first. */
export async function isTakenUp(tx: Tx, { company_id, grant_id }: GrantPlace): Promise<boolean> {
  const rows = await tx`
    select 1 from oauth_refresh_tokens where company_id = ${company_id} and grant_id = ${grant_id} limit 1`;
  return rows.length > 0;
}

/** Read it again under the lock of its grant: only then does it decide. */
export async function findCode(sql: Sql, code: string): Promise<CodeRow | undefined> {
  const [row] = await sql<CodeRow[]>`
    select company_id, grant_id, client_id, redirect_uri, code_challenge, expires_at, used_at
      from oauth_codes where code_hash = ${hashSecret(code)}`;
  return row;
}

export async function markCodeUsed(tx: Tx, code: string, now: Date): Promise<void> {
  await tx`update oauth_codes set used_at = ${now} where code_hash = ${hashSecret(code)}`;
}

/** Read it again under the lock of its grant: only then does it decide. */
export async function findRefreshToken(sql: Sql, token: string): Promise<RefreshRow | undefined> {
  const [row] = await sql<RefreshRow[]>`
    select company_id, grant_id, client_id, expires_at, first_used_at, uses
      from oauth_refresh_tokens where token_hash = ${hashSecret(token)}`;
  return row;
}

export async function countRefreshUse(tx: Tx, token: string, now: Date): Promise<void> {
  await tx`
    update oauth_refresh_tokens set first_used_at = coalesce(first_used_at, ${now}), uses = uses + 1
     where token_hash = ${hashSecret(token)}`;
}

export async function insertRefreshToken(
  tx: Tx,
  token: string,
  { company_id, id, client_id }: GrantRow,
  expires_at: Date,
): Promise<void> {
  await tx`
    insert into oauth_refresh_tokens (token_hash, company_id, grant_id, client_id, expires_at)
    values (${hashSecret(token)}, ${company_id}, ${id}, ${client_id}, ${expires_at})`;
}

export async function findAccessToken(sql: Sql, token: string): Promise<GrantPlace | undefined> {
  const [row] = await sql<GrantPlace[]>`
    select key_company_id as company_id, key_id as grant_id
      from credentials where secret_hash = ${hashSecret(token)} and kind = 'oauth'`;
  return row;
}

export async function insertAccessToken(
  tx: Tx,
  token: string,
  grant: GrantRow,
  scopes: readonly string[],
  company: PlanRow,
  expires_at: Date,
): Promise<void> {
  await tx`
    insert into credentials (secret_hash, kind, audience, user_id, key_id, key_company_id, key_name, company_id, environment,
                             scopes, plan, boost_tier, boost_until, allowed_ips, expires_at)
    values (${hashSecret(token)}, 'oauth', ${grant.audience}, ${grant.user_id}, ${grant.id}, ${grant.company_id},
            ${grant.client_name}, ${grant.opens_company_id}, ${grant.environment}, ${scopes as string[]}, ${company.plan},
            ${company.boost_tier}, ${company.boost_until}, '{}', ${expires_at})`;
}

/** Of a grant: they admit nobody. */
export async function deleteExpiredTokens(tx: Tx, { company_id, id }: GrantRow, now: Date): Promise<void> {
  await tx`
    delete from credentials
     where key_company_id = ${company_id} and key_id = ${id} and kind = 'oauth' and expires_at <= ${now}`;
}
