/** Somebody says who they are and proves it. Whatever is wrong, the answer and the work are the same. */
import type { Sql } from 'postgres';
import { Problem } from '../../kernel/problem.ts';
import { type AuthFailures, countAuthFailures } from '../../platform/auth-failures.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';
import { openSession, type Place, renewSession, type Session } from './sessions.ts';
import { returnTry, spendTry } from './tries.ts';
import { findEmail, findUser, findUserByEmail, plainEmail, renewHash, type UserRow } from './users.store.ts';

export type Proof = { token: string } | { wrong: true } | { wait_seconds: number };

type Claim = Place & { email: string; password: string; user: UserRow | undefined };

export function makeSignIn(sql: Sql) {
  const failures: AuthFailures = countAuthFailures();

  /** @returns the person, when it is them */
  async function prove(
    { email, password, user, ip }: Claim,
    now: Date,
  ): Promise<UserRow | { wait_seconds: number } | null> {
    const here = failures.blockedFor(ip, now);
    if (here > 0) return { wait_seconds: here };
    const tried = { what: 'sign-in', email } as const;
    const there = await spendTry(sql, tried, now);
    if (there > 0) return { wait_seconds: there };
    const known = user && user.disabled_at === null ? user.password_hash : null;
    let is_right: boolean;
    try {
      is_right = await isPassword(password, known);
    } catch (error) {
      await returnTry(sql, tried);
      throw error;
    }
    if (!is_right || !user) {
      failures.failed(ip, now);
      return null;
    }
    await returnTry(sql, tried);
    if (isOutdated(known!)) await hashAnew(sql, user.id, known!, password);
    return user;
  }

  return {
    /** @throws 503 service_unavailable */
    async signIn(typed: Place & { email: string; password: string }, now: Date): Promise<Proof> {
      const email = plainEmail(typed.email);
      const user = await findUserByEmail(sql, email);
      const proved = await prove({ ...typed, email, user }, now);
      if (proved === null) return { wrong: true };
      if ('wait_seconds' in proved) return proved;
      const { id: user_id, password_set_at } = proved;
      const token = await openSession(sql, { ...typed, user_id, password_set_at, amr: ['pwd'] }, now);
      return token === undefined ? { wrong: true } : { token };
    },

    /**
     * Of somebody in a session.
     * @throws 503 service_unavailable
     */
    async confirm(
      session: Session,
      token: string,
      typed: Place & { password: string },
      now: Date,
    ): Promise<Proof> {
      const [user, email] = await Promise.all([
        findUser(sql, session.user_id),
        findEmail(sql, session.user_id),
      ]);
      const proved = await prove({ ...typed, email, user }, now);
      if (proved === null) return { wrong: true };
      if ('wait_seconds' in proved) return proved;
      const renewed = await renewSession(sql, token, now);
      return renewed === undefined ? { wrong: true } : { token: renewed };
    },
  };
}

/** Unless others hash just now: the next sign-in does it as well. */
async function hashAnew(sql: Sql, user_id: string, was: string, password: string): Promise<void> {
  try {
    await renewHash(sql, user_id, was, await hashPassword(password));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
