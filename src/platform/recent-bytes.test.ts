import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentBytes } from './recent-bytes.ts';

test('values used lately are kept up to a number of bytes, and none that takes more than half of it', () => {
  const recent = new RecentBytes<string>(100);
  const known = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => recent.get(key) === key).join('');
  for (const key of ['a', 'b', 'c']) recent.set(key, key, 30);
  assert.equal(known(), 'abc');
  recent.get('a');
  recent.set('d', 'd', 30);
  assert.equal(known(), 'acd');
  recent.set('e', 'e', 51);
  assert.equal(known(), 'acd');
  recent.set('c', 'c', 40);
  assert.equal(known(), 'acd');
  recent.set('b', 'b', 50);
  assert.equal(known(), 'bd');
});
