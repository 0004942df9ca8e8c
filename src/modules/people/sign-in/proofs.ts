/** Whether a password, a code or a passkey is somebody's. Tries are counted before they are made. */
import type { Sql } from 'postgres';
import { Problem } from '../../../kernel/problem.ts';
import { type AuthFailures, countAuthFailures } from '../../../platform/auth-failures.ts';
import type { Factors } from '../factors/factors.ts';
import type { PasskeyAnswer, PasskeyPage, Passkeys } from '../factors/passkeys.ts';
import { hashPassword, isOutdated, isPasswordFrom } from './passwords.ts';
import type { Place } from './sessions.ts';
import { returnTry, spendTry } from './tries.ts';
import { renewHash, type UserRow } from '../users.store.ts';

export type Refusal = { wrong: true } | { wait_seconds: number };

/** What somebody shows besides the password. */
export type SecondProof = { code: string } | { passkey: PasskeyAnswer; page: PasskeyPage };

type Claim = Place & { email: string; password: string; user: UserRow | undefined };

export type ProofParts = { sql: Sql; factors: Factors; passkeys: Passkeys };

export function makeProofs({ sql, factors, passkeys }: ProofParts) {
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
      is_right = await isPasswordFrom(ip, password, known);
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

  /** Of a person whose password is known: their tries count on their own. */
  async function proveSecond(
    user_id: string,
    second: SecondProof,
    { ip }: Place,
    now: Date,
  ): Promise<true | Refusal> {
    const here = failures.blockedFor(ip, now);
    if (here > 0) return { wait_seconds: here };
    const tried = { what: 'second factor', email: user_id } as const;
    const there = await spendTry(sql, tried, now);
    if (there > 0) return { wait_seconds: there };
    const is_right =
      'code' in second
        ? await factors.isCode(user_id, second.code)
        : (await passkeys.verify(second.passkey, second.page))?.user_id === user_id;
    if (!is_right) {
      failures.failed(ip, now);
      return { wrong: true };
    }
    await returnTry(sql, tried);
    return true;
  }

  return { failures, prove, proveSecond };
}

/** Skipped while others hash: the next sign-in does it as well. */
async function hashAnew(sql: Sql, user_id: string, was: string, password: string): Promise<void> {
  try {
    await renewHash(sql, user_id, was, await hashPassword(password));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
