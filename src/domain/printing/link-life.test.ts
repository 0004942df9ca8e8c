import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasDayLinkEnded, hasPageEnded, linkLife } from './link-life.ts';

const at = (text: string) => new Date(`${text}T00:00:00Z`);

for (const [renewed, months, ends] of [
  [null, null, null],
  [null, 1, '2026-02-28'],
  [null, 3, '2026-04-30'],
  [null, 25, '2028-02-29'],
  ['2026-03-15', 1, '2026-04-15'],
  ['2026-03-15', null, null],
] as const) {
  test(`issued on 31 January, renewed ${renewed ?? 'never'}, for ${months ?? 'no'} months: ends ${ends ?? 'never'}`, () => {
    const life = linkLife(renewed === null ? null : at(renewed), at('2026-01-31'), months);
    assert.deepEqual(life.ends_at, ends === null ? null : at(ends));
  });
}

const renewed_at = at('2026-03-15');
for (const [what, life, opened, now, has_ended] of [
  ['an address of before', { renewed_at: null, ends_at: null }, null, '2036-01-01', false],
  ['one that was replaced', { renewed_at, ends_at: null }, null, '2026-03-16', true],
  ['the new one', { renewed_at, ends_at: null }, renewed_at, '2026-03-16', false],
  ['an older new one', { renewed_at, ends_at: null }, at('2026-03-14'), '2026-03-16', true],
  ['one within its months', { renewed_at, ends_at: at('2026-04-15') }, renewed_at, '2026-04-14', false],
  ['one beyond them', { renewed_at, ends_at: at('2026-04-15') }, renewed_at, '2026-04-15', true],
] as const) {
  test(`${what} ${has_ended ? 'has ended' : 'opens'}`, () => {
    assert.equal(hasPageEnded(life, opened, at(now)), has_ended);
  });
}

test('an address of a day ends when it was made before the page got another', () => {
  const life = { renewed_at, ends_at: null };
  assert.equal(hasDayLinkEnded(life, at('2026-03-14')), true);
  assert.equal(hasDayLinkEnded(life, renewed_at), true, 'in the same millisecond: whoever made it first');
  assert.equal(hasDayLinkEnded(life, at('2026-03-16')), false);
  assert.equal(hasDayLinkEnded({ renewed_at: null, ends_at: null }, at('2026-03-14')), false);
});
