/** Somebody says who they are and proves it. Whatever is wrong, the answer and the work are the same. */
import type { Sql } from 'postgres';
import { Problem } from '../../kernel/problem.ts';
import { type AuthFailures, countAuthFailures } from '../../platform/auth-failures.ts';
import { signedTokens } from '../../platform/signed-tokens.ts';
import type { Factors } from './factors.ts';
import type { PasskeyAnswer, PasskeyPage, Passkeys } from './passkeys.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';
import { openSession, type Place, renewSession, type Session } from './sessions.ts';
import { halfMs } from './rules/session-life.ts';
import { returnTry, spendTry } from './tries.ts';
import { findEmail, findUser, findUserByEmail, plainEmail, renewHash, type UserRow } from './users.store.ts';

export type Refusal = { wrong: true } | { wait_seconds: number };

/** `half`: the password was right, and a second proof is needed. */
export type Proof = { token: string } | { half: string } | Refusal;

/** What somebody shows besides the password. */
export type SecondProof = { code: string } | { passkey: PasskeyAnswer; page: PasskeyPage };

type Claim = Place & { email: string; password: string; user: UserRow | undefined };

export type SignInParts = {
  sql: Sql;
  factors: Factors;
  passkeys: Passkeys;
  form_keys: readonly Buffer[];
};

/** A person, when their password was set, and until when the half sign-in is good. */
const halfBytes = 16 + 6 + 6;

export function makeSignIn({ sql, factors, passkeys, form_keys }: SignInParts) {
  const failures: AuthFailures = countAuthFailures();
  const halves = signedTokens(form_keys, 'half sign-in');

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

  function halfOf({ id, password_set_at }: UserRow, now: Date): string {
    const body = Buffer.alloc(halfBytes);
    Buffer.from(id.replaceAll('-', ''), 'hex').copy(body);
    body.writeUIntBE(password_set_at?.getTime() ?? 0, 16, 6);
    body.writeUIntBE(now.getTime() + halfMs, 22, 6);
    return halves.sign(body);
  }

  function readHalf(half: string, now: Date): { user_id: string; password_set_at: Date | null } | undefined {
    const body = halves.open(half, halfBytes);
    if (!body || body.readUIntBE(22, 6) <= now.getTime()) return undefined;
    const hex = body.toString('hex', 0, 16);
    const user_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const set_ms = body.readUIntBE(16, 6);
    return { user_id, password_set_at: set_ms === 0 ? null : new Date(set_ms) };
  }

  return {
    /** @throws 503 service_unavailable */
    async signIn(typed: Place & { email: string; password: string }, now: Date): Promise<Proof> {
      const email = plainEmail(typed.email);
      const user = await findUserByEmail(sql, email);
      const proved = await prove({ ...typed, email, user }, now);
      if (proved === null) return { wrong: true };
      if ('wait_seconds' in proved) return proved;
      if (await factors.hasAny(proved.id)) return { half: halfOf(proved, now) };
      const { id: user_id, password_set_at } = proved;
      const token = await openSession(sql, { ...typed, user_id, password_set_at, amr: ['pwd'] }, now);
      return token === undefined ? { wrong: true } : { token };
    },

    /** Whom a half sign-in is of; undefined when it is over. */
    halfOwner: (half: string, now: Date): string | undefined => readHalf(half, now)?.user_id,

    /** The second half. `over`: it took too long, or the password changed. */
    async finishSignIn(
      half: string,
      second: SecondProof,
      place: Place,
      now: Date,
    ): Promise<Proof | { over: true }> {
      const who = readHalf(half, now);
      if (!who) return { over: true };
      const proved = await proveSecond(who.user_id, second, place, now);
      if (proved !== true) return proved;
      const amr = ['pwd', 'code' in second ? 'otp' : 'hwk', 'mfa'];
      const token = await openSession(sql, { ...place, ...who, amr }, now);
      return token === undefined ? { over: true } : { token };
    },

    /** A passkey with user verification is both proofs. */
    async signInByPasskey(
      answer: PasskeyAnswer,
      page: PasskeyPage,
      place: Place,
      now: Date,
    ): Promise<{ token: string } | Refusal> {
      const here = failures.blockedFor(place.ip, now);
      if (here > 0) return { wait_seconds: here };
      const passkey = await passkeys.verify(answer, page);
      const user = passkey && (await findUser(sql, passkey.user_id));
      if (!user) {
        failures.failed(place.ip, now);
        return { wrong: true };
      }
      const { id: user_id, password_set_at } = user;
      const who = { ...place, user_id, password_set_at, amr: ['hwk', 'user', 'mfa'] };
      const token = await openSession(sql, who, now);
      return token === undefined ? { wrong: true } : { token };
    },

    /**
     * Of somebody in a session. Whoever has a second factor shows it as well.
     * @throws 503 service_unavailable
     */
    async confirm(
      session: Session,
      token: string,
      typed: Place & ({ password: string; code: string } | { passkey: PasskeyAnswer; page: PasskeyPage }),
      now: Date,
    ): Promise<{ token: string } | Refusal> {
      if ('passkey' in typed) {
        const proved = await proveSecond(session.user_id, typed, typed, now);
        if (proved !== true) return proved;
      } else {
        const [user, email] = await Promise.all([
          findUser(sql, session.user_id),
          findEmail(sql, session.user_id),
        ]);
        const proved = await prove({ ...typed, email, user }, now);
        if (proved === null) return { wrong: true };
        if ('wait_seconds' in proved) return proved;
        if (await factors.hasAny(session.user_id)) {
          const second = await proveSecond(session.user_id, { code: typed.code }, typed, now);
          if (second !== true) return second;
        }
      }
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
