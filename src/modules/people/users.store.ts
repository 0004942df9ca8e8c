/** Persons, found by id or address. The tables are apart, so each statement names one (docs/sql-rules.md, rule 9). */
import type { Sql } from 'postgres';

export type Language = 'es' | 'en';

export type UserRow = {
  id: string;
  name: string;
  language: Language;
  password_hash: string | null;
  password_set_at: Date | null;
  disabled_at: Date | null;
};

/** One spelling of an address. */
export const plainEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** An id that nobody has: an unknown address costs as many statements as a known one. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** @param email as `plainEmail` makes it */
export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | undefined> {
  const [found] = await sql<{ user_id: string }[]>`select user_id from user_emails where email = ${email}`;
  return findUser(sql, found?.user_id ?? nobody);
}

export async function findUser(sql: Sql, id: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select id, name, language, password_hash, password_set_at, disabled_at from users where id = ${id}`;
  return row;
}

/** Changes of one account wait for one another. @returns the name; empty where there is nobody */
export async function lockName(tx: Sql, id: string): Promise<string> {
  const [row] = await tx<{ name: string }[]>`select name from users where id = ${id} for update`;
  return row?.name ?? '';
}

/** As `lockName`. @returns whether there is somebody */
export async function lockUser(tx: Sql, id: string): Promise<boolean> {
  const rows = await tx`select 1 from users where id = ${id} for update`;
  return rows.length > 0;
}

/** By id; without those that nobody has. */
export async function namesOf(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from users where id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What a company sees of its people. Each table is asked for itself. */
export async function describeUsers(sql: Sql, ids: readonly string[]) {
  const list = ids as string[];
  const [names, emails, totp, keys] = await Promise.all([
    namesOf(sql, list),
    sql<{ user_id: string; email: string }[]>`
      select user_id, email from user_emails where user_id = any(${list}::uuid[]) order by email desc`,
    sql<{ id: string }[]>`select id from users where id = any(${list}::uuid[]) and totp_secret is not null`,
    sql<{ user_id: string }[]>`select user_id from user_passkeys where user_id = any(${list}::uuid[])`,
  ]);
  return {
    names,
    emails: new Map(emails.map(({ user_id, email }) => [user_id, email])),
    safe: new Set([...totp.map(({ id }) => id), ...keys.map(({ user_id }) => user_id)]),
  };
}

export async function findEmail(sql: Sql, user_id: string): Promise<string> {
  const [row] = await sql<{ email: string }[]>`
    select email from user_emails where user_id = ${user_id} order by email limit 1`;
  return row?.email ?? '';
}

export async function isAnybodyThere(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`select exists (select from users) as there`;
  return row?.there === true;
}

export type NewUser = { id: string; name: string; language: Language; email: string; password_hash: string };

/** @returns false, and writes nothing, when the address is somebody's */
export async function insertUser(sql: Sql, user: NewUser, now: Date): Promise<boolean> {
  const added = await sql`
    insert into user_emails (email, user_id) values (${user.email}, ${user.id})
    on conflict (email) do nothing returning user_id`;
  if (added.length === 0) return false;
  // The person who opened the link got it by this address, or from the operator of the service.
  await sql`
    insert into users (id, name, language, password_hash, password_set_at, email_confirmed_at, created_at, updated_at)
    values (${user.id}, ${user.name}, ${user.language}, ${user.password_hash}, ${now}, ${now}, ${now}, ${now})`;
  return true;
}

export async function changeProfile(
  sql: Sql,
  id: string,
  { name, language }: { name?: string; language?: Language },
  now: Date,
): Promise<void> {
  await sql`
    update users set name = coalesce(${name ?? null}, name), language = coalesce(${language ?? null}, language),
                     updated_at = ${now} where id = ${id}`;
}

/** Sessions last seen before `now` end with it. */
export async function setPassword(sql: Sql, id: string, password_hash: string, now: Date): Promise<void> {
  await sql`
    update users set password_hash = ${password_hash}, password_set_at = ${now}, updated_at = ${now}
     where id = ${id} and disabled_at is null`;
  // Somebody who reads the mailbox must not set another one.
  await sql`delete from account_links where kind = 'reset' and user_id = ${id} and used_at is null`;
}

/** Sessions end too. The person chooses another password by a link. */
export async function dropPassword(sql: Sql, id: string, now: Date): Promise<void> {
  await sql`
    update users set password_hash = null, password_set_at = ${now}, updated_at = ${now} where id = ${id}`;
  await sql`delete from sessions where user_id = ${id}`;
}

/** The same password, hashed with the parameters of today. */
export async function renewHash(
  sql: Sql,
  user_id: string,
  was: string,
  password_hash: string,
): Promise<void> {
  await sql`update users set password_hash = ${password_hash} where id = ${user_id} and password_hash = ${was}`;
}

/** All that is kept of an account. The caller has locked it. Messages that wait are sealed, and end within a week. */
export async function deleteUser(tx: Sql, id: string): Promise<void> {
  await tx`delete from sessions where user_id = ${id}`;
  await tx`delete from account_links where user_id = ${id}`;
  await tx`delete from account_entries where user_id = ${id}`;
  await tx`delete from user_passkeys where user_id = ${id}`;
  await tx`delete from user_recovery_codes where user_id = ${id}`;
  await tx`delete from user_emails where user_id = ${id}`;
  await tx`delete from users where id = ${id}`;
}
