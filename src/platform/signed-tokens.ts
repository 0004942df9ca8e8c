/**
 * Short tokens that only this installation can make: a body and what an HMAC makes of it. They are checked without a
 * look at the database, so one that somebody made up costs no query.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** Of HMAC-SHA-256: 128 bits, and every try is a request. */
const macBytes = 16;
/** Stands before each message, so that the key's other uses, should there be any, never sign the same one. */
const domain = 'folio signed token\n';

export type SignedTokens = {
  /** The token of a body, in base64url: 4 characters for each 3 bytes of body and 16 of code, rounded up. */
  sign(body: Buffer): string;
  /**
   * The body, when the token is exactly one that `sign` made for a body of that length.
   * @returns undefined for anything else, whatever its characters
   */
  open(token: string, body_bytes: number): Buffer | undefined;
};

/**
 * @param keys of the installation; the first signs, each of them is believed
 * @param purpose what the tokens are for: one made for another purpose is none
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
      // The decoder overlooks what is no base64url, and bits that nothing fills: each token has one spelling.
      if (bytes.length !== length || bytes.toString('base64url') !== token) return undefined;
      const [body, code] = [bytes.subarray(0, body_bytes), bytes.subarray(body_bytes)];
      return secrets.some((secret) => timingSafeEqual(codeOf(secret, body), code)) ? body : undefined;
    },
  };
}
