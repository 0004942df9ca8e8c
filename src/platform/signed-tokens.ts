/** Short tokens that only this installation can make: a body and its HMAC. An invented token costs no query. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** 128 bits of HMAC-SHA-256 suffice, since every try is a request. */
const macBytes = 16;
/** So that another use of the key never signs the same message. */
const domain = 'folio signed token\n';

export type SignedTokens = {
  /** The token in base64url: 4 characters for each 3 of the body's bytes plus 16, rounded up. */
  sign(body: Buffer): string;
  /**
   * Opens exactly the tokens that `sign` made for a body of that length.
   * @returns undefined for anything else
   */
  open(token: string, body_bytes: number): Buffer | undefined;
};

/**
 * @param keys of the installation: the first signs, any of them verifies
 * @param purpose a token made for another purpose is refused
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
