/** What a browser test cannot send: an authenticator that says more of itself than it is asked for. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { makePasskeys } from './passkeys.ts';

const page = { bound_to: 'session 1', host: 'folio.example' };
const person = { id: '01980000-0000-7000-8000-000000000001', name: 'Ana', email: 'ana@example.com' };

test('given statements of makers, then none is read: their certificates name addresses that the service would ask', async () => {
  const passkeys = makePasskeys({
    sql: (() => Promise.resolve([])) as never,
    clock: { now: () => new Date() } as never,
    form_keys: [randomBytes(32)],
    public_url: () => 'https://folio.example',
  });
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
  const id = randomBytes(16);
  const site = createHash('sha256').update('folio.example').digest();
  // Present and verified, with a credential; no uses; no make.
  const data = Buffer.concat([site, Buffer.from([0x45]), Buffer.alloc(20), Buffer.from([0, 16]), id, key]);
  const statement = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array(9), new Uint8Array(9)]],
  ]);
  const read = async (fmt: string, attStmt: unknown, authData: unknown = new Uint8Array(data)) => {
    const { challenge } = await passkeys.creationOptions(person, page);
    const said = JSON.stringify({ type: 'webauthn.create', challenge, origin: 'https://folio.example' });
    const whole = isoCBOR.encode(
      new Map([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ] as never),
    );
    const text = id.toString('base64url');
    const response = {
      clientDataJSON: Buffer.from(said).toString('base64url'),
      attestationObject: Buffer.from(whole).toString('base64url'),
    };
    const answer = { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response };
    return passkeys.readNew(answer as never, page);
  };
  for (const fmt of ['none', 'packed', 'android-key', 'apple', 'tpm', 'fido-u2f', 'of a later day'])
    assert.deepEqual((await read(fmt, statement))?.credential_id, id, fmt);
  assert.equal(await read('none', new Map(), 'no bytes'), undefined);
});
