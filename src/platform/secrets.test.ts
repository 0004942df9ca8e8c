import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeSecretBox } from './secrets.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

test('what is sealed opens as it was, whatever it is', () => {
  const box = makeSecretBox(first);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      assert.equal(box.open(box.seal(text)), text);
    }),
  );
});

test('the same text is sealed differently each time, and never shows', () => {
  const box = makeSecretBox(first);
  const sealed = Array.from({ length: 50 }, () => box.seal('svc_live_secret').toString('hex'));
  assert.equal(new Set(sealed).size, 50);
  for (const value of sealed) assert.ok(!Buffer.from(value, 'hex').includes('svc_live'));
});

test('one bit changed anywhere, or a piece missing, opens nothing', () => {
  const box = makeSecretBox(first);
  const sealed = box.seal('a secret');
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed[i] = (changed[i] ?? 0) ^ 1;
    assert.throws(() => box.open(changed), `byte ${i}`);
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length)), `${length} bytes`);
  }
});

test('during a rotation both keys open, the new one seals, and after it the old one is unknown', () => {
  const [before, during, after] = [makeSecretBox(first), makeSecretBox(second, first), makeSecretBox(second)];
  const [old, fresh] = [before.seal('old'), during.seal('new')];
  assert.equal(during.open(old), 'old');
  assert.equal(during.open(fresh), 'new');
  assert.equal(after.open(fresh), 'new');
  assert.throws(() => before.open(fresh), /not configured/);
  assert.throws(() => after.open(old), /not configured/);
  assert.throws(() => makeSecretBox(third, first).open(fresh), /not configured/);
  assert.deepEqual(
    [before.isCurrent(old), during.isCurrent(old), during.isCurrent(fresh)],
    [true, false, true],
  );
});
