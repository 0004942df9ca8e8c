/** Somebody says who they are and proves it. Whatever is wrong, the answer and the work are the same. */
import type { Sql } from 'postgres';
import type { Factors } from '../factors/factors.ts';
import { makeHalves } from './half-sign-in.ts';
import type { PasskeyAnswer, PasskeyPage, Passkeys } from '../factors/passkeys.ts';
import { makeProofs, type Refusal, type SecondProof } from './proofs.ts';
import { openSession, type Place, renewSession, type Session } from './sessions.ts';
import { findEmail, findUser, findUserByEmail, plainEmail } from '../users.store.ts';

export type { Refusal, SecondProof };

/** `half`: the password was right, and a second proof is needed. */
export type Proof = { token: string } | { half: string } | Refusal;

export type SignInParts = {
  sql: Sql;
  factors: Factors;
  passkeys: Passkeys;
  form_keys: readonly Buffer[];
};

export function makeSignIn({ sql, factors, passkeys, form_keys }: SignInParts) {
  const { failures, prove, proveSecond } = makeProofs({ sql, factors, passkeys });
  const { halfOf, readHalf } = makeHalves(form_keys);

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
     * For somebody in a session. A person with a second factor shows it as well.
     * @throws 503 service_unavailable
     */
    async confirm(
      session: Session,
      token: string,
      typed: Place & ({ password: string; code: string } | { passkey: PasskeyAnswer; page: PasskeyPage }),
      now: Date,
    ): Promise<{ token: string } | Refusal> {
      const { user_id } = session;
      const user = await findUser(sql, user_id);
      if ('passkey' in typed) {
        const proved = await proveSecond(user_id, typed, typed, now);
        if (proved !== true) return proved;
      } else {
        const email = await findEmail(sql, user_id);
        const proved = await prove({ ...typed, email, user }, now);
        if (proved === null) return { wrong: true };
        if ('wait_seconds' in proved) return proved;
        if (await factors.hasAny(user_id)) {
          const second = await proveSecond(user_id, { code: typed.code }, typed, now);
          if (second !== true) return second;
        }
      }
      const who = { user_id, password_set_at: user?.password_set_at ?? null };
      const renewed = await renewSession(sql, token, who, now);
      return renewed === undefined ? { wrong: true } : { token: renewed };
    },
  };
}
