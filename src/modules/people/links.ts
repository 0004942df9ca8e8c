/** Links that open once: of the first set-up, an invitation, a forgotten password, a new account. Only the hash of their secret is kept. */
import type { Sql } from 'postgres';
import { linkMs } from './rules/session-life.ts';
import type { Role } from './rules/roles.ts';
import { hashToken, newToken } from './sign-in/sessions.ts';
import { isAnybodyThere } from './users.store.ts';

export type LinkKind = keyof typeof linkMs;

export type Link = {
  kind: LinkKind;
  user_id: string | null;
  company_id: string | null;
  email: string | null;
  role: Role | null;
};

/** @returns the secret, which is told nowhere else */
export async function makeLink(
  sql: Sql,
  link: Partial<Link> & Pick<Link, 'kind'>,
  now: Date,
): Promise<string> {
  const token = newToken();
  const { kind, user_id = null, company_id = null, email = null, role = null } = link;
  await sql`
    insert into account_links (token_hash, kind, user_id, company_id, email, role, created_at, expires_at)
    values (${hashToken(token)!}, ${kind}, ${user_id}, ${company_id}, ${email}, ${role}, ${now},
            ${new Date(now.getTime() + linkMs[kind])})`;
  return token;
}

/** @returns undefined once there is a person */
export async function makeSetupLink(sql: Sql, now: Date): Promise<string | undefined> {
  return (await isAnybodyThere(sql)) ? undefined : makeLink(sql, { kind: 'setup' }, now);
}

/** Opening it changes nothing: programs that read mail open links too. */
export async function findLink(
  sql: Sql,
  kind: LinkKind,
  token: string,
  now: Date,
): Promise<Link | undefined> {
  const hash = hashToken(token);
  if (!hash) return undefined;
  const [row] = await sql<Link[]>`
    select kind, user_id, company_id, email, role from account_links
     where token_hash = ${hash} and kind = ${kind} and used_at is null and expires_at > ${now}`;
  if (row?.kind === 'setup' && (await isAnybodyThere(sql))) return undefined;
  return row;
}

/** Whether somebody used it. Used links are kept until they end. */
export async function isUsedLink(sql: Sql, kind: LinkKind, token: string): Promise<boolean> {
  const rows = await sql`
    select 1 from account_links where token_hash = ${hashToken(token)} and kind = ${kind} and used_at is not null`;
  return rows.length > 0;
}

/** If two use it at once, only one succeeds. @returns whether this one */
export async function useLink(sql: Sql, kind: LinkKind, token: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update account_links set used_at = ${now}
     where token_hash = ${hashToken(token)} and kind = ${kind} and used_at is null and expires_at > ${now}
    returning kind`;
  return rows.length > 0;
}

/**
 * For the first person, within a transaction. Each starting process makes a link of its own, so using one locks all.
 * @returns whether there is nobody yet and the link opens
 */
export async function useSetupLink(sql: Sql, token: string, now: Date): Promise<boolean> {
  await sql`select 1 from account_links where kind = 'setup' order by token_hash for update`;
  if (await isAnybodyThere(sql)) return false;
  if (!(await useLink(sql, 'setup', token, now))) return false;
  await sql`delete from account_links where kind = 'setup' and used_at is null`;
  return true;
}

/**
 * Sets the password, and ends all sessions of the person.
 * @returns their id; undefined when the link does not open
 */
export async function resetByLink(
  sql: Sql,
  token: string,
  password_hash: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    with used as (
      update account_links set used_at = ${now}
       where token_hash = ${hashToken(token)} and kind = 'reset' and used_at is null and expires_at > ${now}
      returning user_id
    ), changed as (
      update users set password_hash = ${password_hash}, password_set_at = ${now}, updated_at = ${now}
       where id in (select user_id from used) and disabled_at is null
      returning id
    ), ended as (
      delete from sessions where user_id in (select id from changed)
    ), others as (
      delete from account_links where kind = 'reset' and used_at is null and user_id in (select id from changed)
         and token_hash <> ${hashToken(token)}
    )
    select id from changed`;
  return row?.id;
}
