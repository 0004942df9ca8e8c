import assert from 'node:assert/strict';
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeSecretBox } from './secrets.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

const place = { table: 'webhook_endpoints', company_id: 'acme', id: '1' };

/** As values were sealed before they were bound to their places. */
function sealUnbound(secret: string, text: string): Buffer {
  const key = createHash('sha256').update(`folio secret key\n${secret}`).digest();
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const id = createHash('sha256').update(key).digest().subarray(0, 4);
  return Buffer.concat([Buffer.from([1]), id, iv, cipher.getAuthTag(), body]);
}

test('a value moved to another company, row or table opens nothing', () => {
  const box = makeSecretBox(first);
  const sealed = box.seal('a secret', place);
  for (const other of [
    { company_id: 'other' },
    { company_id: null },
    { id: '2' },
    { table: 'idempotency_keys' },
  ])
    assert.throws(() => box.open(sealed, { ...place, ...other }));
});

test('a value not bound to a place opens, and is to be sealed again', () => {
  const box = makeSecretBox(first);
  const sealed = sealUnbound(first, 'a secret');
  assert.equal(box.open(sealed, place), 'a secret');
  assert.equal(makeSecretBox(second, first).open(sealed, place), 'a secret');
  assert.equal(box.isCurrent(sealed), false);
  const bound = box.seal(box.open(sealed, place), place);
  assert.equal(box.isCurrent(bound), true);
  // Its first byte does not unbind it.
  bound[0] = 1;
  assert.throws(() => box.open(bound, place));
});

test('what is sealed opens as it was, whatever it is', () => {
  const box = makeSecretBox(first);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      assert.equal(box.open(box.seal(text, place), place), text);
    }),
  );
});

test('the same text is sealed differently each time, and never shows', () => {
  const box = makeSecretBox(first);
  const sealed = Array.from({ length: 50 }, () => box.seal('svc_live_secret', place).toString('hex'));
  assert.equal(new Set(sealed).size, 50);
  for (const value of sealed) assert.ok(!Buffer.from(value, 'hex').includes('svc_live'));
});

test('one bit changed anywhere, or a piece missing, opens nothing', () => {
  const box = makeSecretBox(first);
  const sealed = box.seal('a secret', place);
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    assert.throws(() => box.open(changed, place), `byte ${i}`);
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length), place), `${length} bytes`);
  }
});

test('during a rotation both keys open, the new one seals, and after it the old one is unknown', () => {
  const [before, during, after] = [makeSecretBox(first), makeSecretBox(second, first), makeSecretBox(second)];
  const [old, fresh] = [before.seal('old', place), during.seal('new', place)];
  assert.equal(during.open(old, place), 'old');
  assert.equal(during.open(fresh, place), 'new');
  assert.equal(after.open(fresh, place), 'new');
  assert.throws(() => before.open(fresh, place), /not configured/);
  assert.throws(() => after.open(old, place), /not configured/);
  assert.throws(() => makeSecretBox(third, first).open(fresh, place), /not configured/);
  assert.deepEqual(
    [before.isCurrent(old), during.isCurrent(old), during.isCurrent(fresh)],
    [true, false, true],
  );
});
