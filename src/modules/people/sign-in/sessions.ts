/**
 * Sessions of persons. The cookie holds 32 random bytes, the row their hash. Each proof of who somebody is gives the session
 * another value, so that one which was known before opens nothing.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { PendingQuery, Row, Sql } from 'postgres';
import { newId } from '../../../kernel/uuid7.ts';
import { expiryOf, touchMs } from '../rules/session-life.ts';
import { findUser, type Language, type UserRow } from '../users.store.ts';

export type Session = {
  id: string;
  user_id: string;
  name: string;
  language: Language;
  /** How they proved who they are (RFC 8176). */
  amr: readonly string[];
  created_at: Date;
  /** When it was last proved. A password set after `last_seen_at` ends the session; one set only after this does not. */
  confirmed_at: Date;
  /** Moves on with use. */
  expires_at: Date;
};

type SessionRow = Pick<Session, 'id' | 'user_id' | 'created_at' | 'confirmed_at' | 'expires_at'> & {
  amr: string[];
  last_seen_at: Date;
};

export type Place = { ip: string; user_agent: string | null };

export const newToken = (): string => randomBytes(32).toString('base64url');

/** Null for a text that is no token. */
export function hashToken(token: string): Buffer | null {
  return /^[\w-]{43}$/.test(token) ? createHash('sha256').update(token, 'utf8').digest() : null;
}

/**
 * Waits for a change of the account that is under way: a session that it cannot see yet would outlive it.
 * @param password_set_at of the proved password: another one may have been set meanwhile
 * @param now a time before that password was read
 * @returns the value of the cookie; undefined when the proof holds no more
 */
export async function openSession(
  sql: Sql,
  who: Place & { user_id: string; password_set_at: Date | null; amr: readonly string[] },
  now: Date,
): Promise<string | undefined> {
  const { user_id, password_set_at, amr, ip, user_agent } = who;
  const token = newToken();
  const rows = await sql`
    insert into sessions (token_hash, id, user_id, amr, created_at, last_seen_at, confirmed_at, expires_at, ip, user_agent)
    select ${hashToken(token)!}::bytea, ${newId()}::uuid, u.id, ${amr as string[]}::text[], ${now}::timestamptz, ${now}::timestamptz,
           ${now}::timestamptz, ${expiryOf(now, now)}::timestamptz, ${ip}::text, ${user_agent?.slice(0, 500) ?? null}::text
      from users u
     where u.id = ${user_id} and u.disabled_at is null
       and u.password_set_at is not distinct from ${password_set_at}::timestamptz
       for share of u
    returning id`;
  return rows.length > 0 ? token : undefined;
}

function isGoodFor(
  user: UserRow | undefined,
  { last_seen_at }: Pick<SessionRow, 'last_seen_at'>,
  now: Date,
): user is UserRow {
  return user !== undefined && !user.disabled_at && (user.password_set_at ?? now) <= last_seen_at;
}

/** @param now real time */
export async function sessionOf(sql: Sql, token: string, now: Date): Promise<Session | undefined> {
  const hash = hashToken(token);
  if (!hash) return undefined;
  const [row] = await sql<SessionRow[]>`
    select id, user_id, amr, created_at, last_seen_at, confirmed_at, expires_at
      from sessions where token_hash = ${hash} and expires_at > ${now}`;
  if (!row) return undefined;
  const user = await findUser(sql, row.user_id);
  if (!isGoodFor(user, row, now)) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() >= touchMs) await touch(sql, hash, row.created_at, now);
  const { last_seen_at: _, ...session } = row;
  return { ...session, name: user.name, language: user.language };
}

/** By its id, which it keeps at a proof. */
export async function hasSession(
  sql: Sql,
  { user_id, id }: { user_id: string; id: string },
  now: Date,
): Promise<boolean> {
  const [rows, user] = await Promise.all([
    sql<{ last_seen_at: Date }[]>`
      select last_seen_at from sessions where user_id = ${user_id} and id = ${id} and expires_at > ${now}`,
    findUser(sql, user_id),
  ]);
  return rows.some((row) => isGoodFor(user, row, now));
}

async function touch(sql: Sql, hash: Buffer, created_at: Date, now: Date): Promise<void> {
  await sql`
    update sessions set last_seen_at = ${now}, expires_at = ${expiryOf(created_at, now)}
     where token_hash = ${hash} and last_seen_at <= ${new Date(now.getTime() - touchMs)}`;
}

/**
 * After another proof. The time of the whole session goes on. It waits as `openSession` does.
 * @param who.password_set_at of the password that was there when the proof began
 * @returns the new value of the cookie; undefined when the session has ended meanwhile, or the password has changed
 */
export function renewSession(
  sql: Sql,
  token: string,
  { user_id, password_set_at }: { user_id: string; password_set_at: Date | null },
  now: Date,
): Promise<string | undefined> {
  const is_its_password = sql`
    user_id = (select id from users
                where id = ${user_id} and password_set_at is not distinct from ${password_set_at}::timestamptz for share)`;
  return moveSession(sql, token, { confirmed_at: sql`${now}::timestamptz`, only: is_its_password }, now);
}

/**
 * After the owner has set a new password. That is no proof, so the last proof goes on ageing.
 * @returns the new value of the cookie; undefined when the session has ended meanwhile
 */
export function keepSession(sql: Sql, token: string, now: Date): Promise<string | undefined> {
  return moveSession(sql, token, { confirmed_at: sql`confirmed_at`, only: sql`true` }, now);
}

type Fragment = PendingQuery<Row[]>;

async function moveSession(
  sql: Sql,
  token: string,
  { confirmed_at, only }: { confirmed_at: Fragment; only: Fragment },
  now: Date,
): Promise<string | undefined> {
  const [old, fresh] = [hashToken(token), newToken()];
  if (!old) return undefined;
  const rows = await sql`
    with ended as (
      delete from sessions where token_hash = ${old} and expires_at > ${now} and ${only}
      returning id, user_id, amr, created_at, ip, user_agent, ${confirmed_at} as confirmed_at
    )
    insert into sessions (token_hash, id, user_id, amr, created_at, last_seen_at, confirmed_at, expires_at, ip, user_agent)
    select ${hashToken(fresh)!}, id, user_id, amr, created_at, ${now}, confirmed_at, least(${expiryOf(now, now)}, created_at + interval '30 days'), ip, user_agent
      from ended
    returning id`;
  return rows.length > 0 ? fresh : undefined;
}

export async function endSession(sql: Sql, token: string): Promise<void> {
  const hash = hashToken(token);
  if (hash) await sql`delete from sessions where token_hash = ${hash}`;
}

export type SessionView = {
  id: string;
  /** The one that asks. */
  is_this: boolean;
  created_at: Date;
  last_seen_at: Date;
  ip: string;
  user_agent: string | null;
};

/** Of one person, last used first. */
const sessionsShown = 100;

export async function listSessions(
  sql: Sql,
  user_id: string,
  this_id: string,
  now: Date,
): Promise<SessionView[]> {
  const rows = await sql<Omit<SessionView, 'is_this'>[]>`
    select id, created_at, last_seen_at, ip, user_agent from sessions
     where user_id = ${user_id} and expires_at > ${now} order by last_seen_at desc, id limit ${sessionsShown}`;
  return rows.map((row) => ({ ...row, is_this: row.id === this_id }));
}

export async function endSessionById(sql: Sql, user_id: string, id: string): Promise<boolean> {
  const rows = await sql`delete from sessions where user_id = ${user_id} and id = ${id} returning id`;
  return rows.length > 0;
}

/** @returns how many ended that were not over yet */
export async function endOtherSessions(
  sql: Sql,
  user_id: string,
  this_id: string,
  now: Date,
): Promise<number> {
  const rows = await sql<{ expires_at: Date }[]>`
    delete from sessions where user_id = ${user_id} and id <> ${this_id} returning expires_at`;
  return rows.filter(({ expires_at }) => expires_at > now).length;
}
