/** An authenticator that answers without a browser. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export type NewPasskeyAnswer = {
  id: string;
  rawId: string;
  type: string;
  clientExtensionResults: object;
  response: { clientDataJSON: string; attestationObject: string };
};

/** What it says of itself: nothing, unless told so. */
type Said = { fmt?: string; attStmt?: unknown; authData?: unknown };

/** @param origin of the page, which the authenticator knows by its host name */
export function makeAuthenticator(origin: string) {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const bytesOf = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'));
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(x)],
      [-3, bytesOf(y)],
    ]),
  );
  const credential_id = randomBytes(16);
  const site = createHash('sha256').update(new URL(origin).hostname).digest();
  // Present and verified, with a credential; no uses; no make.
  const data = Buffer.concat([
    site,
    Buffer.from([0x45]),
    Buffer.alloc(20),
    Buffer.from([0, 16]),
    credential_id,
    key,
  ]);

  return {
    credential_id,

    answer(
      challenge: string,
      { fmt = 'none', attStmt = new Map(), authData = new Uint8Array(data) }: Said = {},
    ): NewPasskeyAnswer {
      const said = JSON.stringify({ type: 'webauthn.create', challenge, origin });
      const whole = isoCBOR.encode(
        new Map([
          ['fmt', fmt],
          ['attStmt', attStmt],
          ['authData', authData],
        ] as never),
      );
      const text = credential_id.toString('base64url');
      const response = {
        clientDataJSON: Buffer.from(said).toString('base64url'),
        attestationObject: Buffer.from(whole).toString('base64url'),
      };
      return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response };
    },
  };
}
