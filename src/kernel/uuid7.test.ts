import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idAt, isUuid, newId, timeOfId } from './uuid7.ts';

const made = Array.from({ length: 20_000 }, newId);

test('an id is a UUID of version 7 and of the RFC variant', () => {
  for (const id of made)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(made.every(isUuid));
});

test('ids are in the order they were made in, also within one millisecond and beyond its room', () => {
  for (const [i, id] of made.entries())
    assert.ok(i === 0 || made[i - 1]! < id, `${made[i - 1]} before ${id}`);
});

test('an id begins with the millisecond it was made in', () => {
  const before = Date.now();
  const ms = Number.parseInt(newId().replace('-', '').slice(0, 12), 16);
  // A burst of more ids than a millisecond holds runs ahead of the clock.
  assert.ok(ms >= before && ms <= Date.now() + 5, `${ms} against ${before}`);
});

test('the random part differs from id to id', () => {
  assert.equal(new Set(made.map((id) => id.slice(19))).size, made.length);
});

test('texts that are no UUID in the usual form are told apart', () => {
  for (const text of ['', 'x', made[0]!.replaceAll('-', ''), `${made[0]} `, `{${made[0]}}`, `${made[0]}0`])
    assert.equal(isUuid(text), false, text);
  assert.equal(isUuid(made[0]!.toUpperCase()), true);
});

test('given an id, then its time is that of its making, between the first and the last id of that millisecond', () => {
  const before = Date.now();
  const id = newId();
  const ms = timeOfId(id);
  assert.ok(ms >= before && ms <= Date.now() + 1000);
  assert.ok(idAt(ms, 'first') <= id && id <= idAt(ms, 'last'));
  assert.ok(idAt(ms - 1, 'last') < id && id < idAt(ms + 1, 'first'));
  assert.deepEqual([idAt(-1, 'first'), idAt(0, 'first')].map(timeOfId), [0, 0]);
});
