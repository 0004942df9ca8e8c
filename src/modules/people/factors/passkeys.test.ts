/** What a browser test cannot send: an authenticator that says more of itself than it is asked for. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeAuthenticator } from '../../../../test/support/new-passkey.ts';
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
  const { answer, credential_id } = makeAuthenticator('https://folio.example');
  const statement = new Map<string, unknown>([
    ['alg', -7],
    ['sig', new Uint8Array(70)],
    ['x5c', [new Uint8Array(9), new Uint8Array(9)]],
  ]);
  const read = async (said: Parameters<typeof answer>[1]) => {
    const { challenge } = await passkeys.creationOptions(person, page);
    return passkeys.readNew(answer(challenge, said) as never, page);
  };
  for (const fmt of ['none', 'packed', 'android-key', 'apple', 'tpm', 'fido-u2f', 'of a later day'])
    assert.deepEqual((await read({ fmt, attStmt: statement }))?.credential_id, credential_id, fmt);
  assert.equal(await read({ authData: 'no bytes' }), undefined);
});
