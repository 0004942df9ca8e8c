/** What proves a person besides the password. Each statement names one table (docs/sql-rules.md, rule 9). */
import type { Sql } from 'postgres';

export type TotpRow = {
  totp_secret: Buffer | null;
  totp_pending: Buffer | null;
  totp_last_step: string | null;
};

export async function findTotp(sql: Sql, user_id: string): Promise<TotpRow | undefined> {
  const [row] = await sql<TotpRow[]>`
    select totp_secret, totp_pending, totp_last_step from users where id = ${user_id}`;
  return row;
}

/** Of an application that is not used yet. */
export async function keepPending(sql: Sql, user_id: string, pending: Buffer): Promise<void> {
  await sql`update users set totp_pending = ${pending} where id = ${user_id}`;
}

/** @returns false when another application was begun meanwhile */
export async function adoptPending(
  sql: Sql,
  user_id: string,
  pending: Buffer,
  step: number,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update users set totp_secret = totp_pending, totp_pending = null, totp_last_step = ${step}, updated_at = ${now}
     where id = ${user_id} and totp_pending = ${pending} returning id`;
  return rows.length > 0;
}

/**
 * If two use one code at once, only one counts.
 * @param secret as it was read, and sealed with the key of today
 * @returns whether this one counts
 */
export async function useStep(
  sql: Sql,
  user_id: string,
  secret: { was: Buffer; sealed: Buffer },
  step: number,
): Promise<boolean> {
  const rows = await sql`
    update users set totp_last_step = ${step}, totp_secret = ${secret.sealed}
     where id = ${user_id} and totp_secret = ${secret.was} and (totp_last_step is null or totp_last_step < ${step})
    returning id`;
  return rows.length > 0;
}

export async function dropTotp(sql: Sql, user_id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update users set totp_secret = null, totp_pending = null, totp_last_step = null, updated_at = ${now}
     where id = ${user_id} and totp_secret is not null returning id`;
  return rows.length > 0;
}

/** The driver takes no list of bytes. */
const hexOf = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));

export async function countRecoveryCodes(sql: Sql, user_id: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select count(*)::int as left from user_recovery_codes where user_id = ${user_id}`;
  return row?.left ?? 0;
}

/** Replaces all earlier ones. An empty list leaves none. */
export async function replaceRecoveryCodes(
  sql: Sql,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`
    with old as (delete from user_recovery_codes where user_id = ${user_id})
    insert into user_recovery_codes (user_id, code_hash)
    select ${user_id}, decode(hash, 'hex') from unnest(${hexOf(hashes)}::text[]) as hash`;
}

export async function useRecoveryCode(
  sql: Sql,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<boolean> {
  const rows = await sql`
    delete from user_recovery_codes
     where user_id = ${user_id} and code_hash = any (select decode(hash, 'hex') from unnest(${hexOf(hashes)}::text[]) as hash) returning user_id`;
  return rows.length > 0;
}

export type PasskeyRow = {
  id: string;
  credential_id: Buffer;
  user_id: string;
  name: string;
  public_key: Buffer;
  counter: string;
  created_at: Date;
  last_used_at: Date | null;
};

export async function listPasskeys(sql: Sql, user_id: string): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`
    select id, credential_id, user_id, name, public_key, counter, created_at, last_used_at
      from user_passkeys where user_id = ${user_id} order by created_at, id`;
}

export async function findPasskey(sql: Sql, credential_id: Buffer): Promise<PasskeyRow | undefined> {
  const [row] = await sql<PasskeyRow[]>`
    select id, credential_id, user_id, name, public_key, counter, created_at, last_used_at
      from user_passkeys where credential_id = ${credential_id}`;
  return row;
}

/** @returns false when the passkey is known, whoever has it, or the person has `most` */
export async function insertPasskey(
  sql: Sql,
  row: Omit<PasskeyRow, 'counter' | 'last_used_at'> & { counter: number },
  most: number,
): Promise<boolean> {
  const rows = await sql`
    insert into user_passkeys (credential_id, id, user_id, name, public_key, counter, created_at)
    select ${row.credential_id}, ${row.id}, ${row.user_id}, ${row.name}, ${row.public_key}, ${row.counter}, ${row.created_at}
     where (select count(*) from user_passkeys where user_id = ${row.user_id}) < ${most}
    on conflict (credential_id) do nothing returning id`;
  return rows.length > 0;
}

/** A passkey's counter must rise, unless it always stays at 0. */
export async function usePasskey(
  sql: Sql,
  credential_id: Buffer,
  counter: number,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update user_passkeys set counter = ${counter}, last_used_at = ${now}
     where credential_id = ${credential_id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning id`;
  return rows.length > 0;
}

export async function renamePasskey(sql: Sql, user_id: string, id: string, name: string): Promise<boolean> {
  const rows = await sql`
    update user_passkeys set name = ${name} where user_id = ${user_id} and id = ${id} returning id`;
  return rows.length > 0;
}

export async function deletePasskey(sql: Sql, user_id: string, id: string): Promise<boolean> {
  const rows = await sql`delete from user_passkeys where user_id = ${user_id} and id = ${id} returning id`;
  return rows.length > 0;
}

/** All of them. */
export async function dropFactors(sql: Sql, user_id: string, now: Date): Promise<void> {
  await dropTotp(sql, user_id, now);
  await sql`delete from user_passkeys where user_id = ${user_id}`;
  await replaceRecoveryCodes(sql, user_id, []);
}

/** @returns false when it was answered before */
export async function useChallenge(sql: Sql, challenge_hash: Buffer, expires_at: Date): Promise<boolean> {
  const rows = await sql`
    insert into passkey_challenges (challenge_hash, expires_at) values (${challenge_hash}, ${expires_at})
    on conflict (challenge_hash) do nothing returning challenge_hash`;
  return rows.length > 0;
}
