import { createHash, timingSafeEqual } from 'node:crypto';

/** Of S256: 32 bytes in base64url (RFC 7636, 4.2). */
export function isChallenge(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** RFC 7636, 4.1 and 4.6. */
export function answersChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = createHash('sha256').update(verifier, 'ascii').digest('base64url');
  return made.length === challenge.length && timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}
