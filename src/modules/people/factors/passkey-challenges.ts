/** Challenges for passkeys: stateless until they are answered rightly, so that a stranger who opens a page writes no row. */
import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Clock } from '../../../platform/clock.ts';
import { signedTokens } from '../../../platform/signed-tokens.ts';
import { useChallenge } from './factors.store.ts';

export const challengeMs = 5 * 60_000;

/** Its end, randomness, and a code of the person or visitor that it was made for. */
const challengeBytes = 24;

export type ChallengeParts = { clock: Clock; form_keys: readonly Buffer[] };

export function makeChallenges({ clock, form_keys }: ChallengeParts) {
  const tokens = signedTokens(form_keys, 'passkey challenge');

  const codeOf = (bound_to: string) => createHash('sha256').update(bound_to).digest().subarray(0, 8);

  function challenge(bound_to: string): Uint8Array<ArrayBuffer> {
    const body = Buffer.alloc(challengeBytes);
    body.writeUIntBE(clock.now().getTime() + challengeMs, 0, 6);
    randomBytes(10).copy(body, 6);
    codeOf(bound_to).copy(body, 16);
    return Uint8Array.from(Buffer.from(tokens.sign(body), 'base64url'));
  }

  /** @returns until when it is good; undefined for one that was made for somebody else, or is over */
  function readChallenge(text: string, bound_to: string): Date | undefined {
    const body = tokens.open(text, challengeBytes);
    if (!body?.subarray(16).equals(codeOf(bound_to))) return undefined;
    const expires_at = new Date(body.readUIntBE(0, 6));
    return expires_at > clock.now() ? expires_at : undefined;
  }

  /** @returns whether the challenge was ours and is answered for the first time */
  async function spend(sql: Sql, challenge_text: string | undefined, bound_to: string): Promise<boolean> {
    const expires_at = challenge_text === undefined ? undefined : readChallenge(challenge_text, bound_to);
    if (!expires_at) return false;
    return useChallenge(sql, createHash('sha256').update(challenge_text!).digest(), expires_at);
  }

  return { challenge, readChallenge, spend };
}
