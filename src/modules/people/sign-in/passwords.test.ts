import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import type { Problem } from '../../../kernel/problem.ts';
import { hashPassword, isOutdated, isPassword } from './passwords.ts';

test('given the vector of RFC 9106, section 5.3, then this Node makes its tag', () => {
  const tag = argon2Sync('argon2id', {
    message: Buffer.alloc(32, 1),
    nonce: Buffer.alloc(16, 2),
    secret: Buffer.alloc(8, 3),
    associatedData: Buffer.alloc(12, 4),
    parallelism: 4,
    tagLength: 32,
    memory: 32,
    passes: 3,
  });
  assert.equal(tag.toString('hex'), '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659');
});

// Of the reference implementation's own test (phc-winner-argon2, src/test.c).
const foreign = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

test('given a text that another program made, then it is read, and is outdated', async () => {
  assert.equal(await isPassword('password', foreign), true);
  assert.equal(await isPassword('Password', foreign), false);
  assert.equal(isOutdated(foreign), true);
});

test('given a new password, then its text has the parameters, and only it opens', async () => {
  const stored = await hashPassword('correcto caballo ﬁ');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(isOutdated(stored), false);
  assert.equal(await isPassword('correcto caballo fi', stored), true, 'compared after NFKC');
  assert.equal(await isPassword('correcto caballo f', stored), false);
  assert.notEqual(await hashPassword('correcto caballo ﬁ'), stored, 'each has a salt of its own');
});

test('given nobody, then no password opens', async () => {
  assert.equal(await isPassword('', null), false);
  assert.equal(await isPassword('correcto caballo', null), false);
});

test('given a stored text that asks for too much, or is none, then it is a fault', async () => {
  for (const text of [foreign.replace('65536', '999999'), foreign.replace('t=2', 't=99'), '', 'x'])
    await assert.rejects(async () => isPassword('password', text), /PHC text/);
});

test('given two at work, then a third is told to come back at once', async () => {
  const all = await Promise.allSettled([1, 2, 3, 4].map(() => isPassword('x', null)));
  const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason as Problem);
  assert.deepEqual(
    refused.map(({ def, details }) => [def.code, details.retry_after_seconds]),
    Array(2).fill(['service_unavailable', 1]),
  );
  assert.equal(await isPassword('x', null), false, 'and then there is room again');
});
