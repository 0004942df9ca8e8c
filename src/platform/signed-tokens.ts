/** Short tokens that only this installation can make: a body and its HMAC. An invented one costs no query. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** 128 bits of HMAC-SHA-256 suffice, since every try is a request. */
const macBytes = 16;
/** Keeps another use of the key from signing the same message. */
const domain = 'folio signed token\n';

export type SignedTokens = {
  /** The base64url of the body and 16 bytes. */
  sign(body: Buffer): string;
  /** @returns undefined unless `sign` made the token for a body of that length */
  open(token: string, body_bytes: number): Buffer | undefined;
};

/**
 * @param keys the first signs, any verifies
 * @param purpose a token for another purpose is refused
 */
export function signedTokens(keys: readonly Buffer[], purpose: string): SignedTokens {
  const secrets = keys.map((key) => createSecretKey(key));
  const prefix = `${domain}${purpose}\n`;
  const codeOf = (secret: (typeof secrets)[number], body: Buffer) =>
    createHmac('sha256', secret).update(prefix).update(body).digest().subarray(0, macBytes);
  return {
    sign: (body) => Buffer.concat([body, codeOf(secrets[0]!, body)]).toString('base64url'),
    open(token, body_bytes) {
      const length = body_bytes + macBytes;
      if (token.length !== Math.ceil((length * 4) / 3)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // The decoder ignores stray characters and unused bits; a token may have one spelling only.
      if (bytes.length !== length || bytes.toString('base64url') !== token) return undefined;
      const [body, code] = [bytes.subarray(0, body_bytes), bytes.subarray(body_bytes)];
      return secrets.some((secret) => timingSafeEqual(codeOf(secret, body), code)) ? body : undefined;
    },
  };
}
