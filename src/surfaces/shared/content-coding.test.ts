import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseCoding } from './content-coding.ts';

const cases: [accepted: string | undefined, chosen: string | null][] = [
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.000', null],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', null],
  ['gzip;q=0.5, identity', null],
  ['gzip;q=1, identity;q=0.5', 'gzip'],
  ['deflate, identity;q=0', null],
  ['gzip;q=nonsense', null],
  ['bringzip', null],
];
for (const [accepted, chosen] of cases) {
  test(`Accept-Encoding ${accepted} takes ${chosen}`, () => assert.equal(chooseCoding(accepted), chosen));
}

test('what is not offered is not chosen', () => {
  assert.equal(chooseCoding('br, gzip;q=0.1', ['gzip']), 'gzip');
  assert.equal(chooseCoding('br', ['gzip']), null);
});
