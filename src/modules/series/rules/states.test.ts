import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriesStates, stateOf } from './states.ts';

const cases = [
  ['active', 'archive', 'archived'],
  ['active', 'unarchive', 'active'],
  ['active', 'set_default', 'default'],
  ['active', 'delete', 'deleted'],
  ['default', 'archive', 'invalid_status_transition'],
  ['default', 'unarchive', 'default'],
  ['default', 'set_default', 'default'],
  ['default', 'delete', 'invalid_status_transition'],
  ['archived', 'archive', 'archived'],
  ['archived', 'unarchive', 'active'],
  ['archived', 'set_default', 'invalid_status_transition'],
  ['archived', 'delete', 'deleted'],
] as const;

for (const [from, move, expected] of cases) {
  test(`${move} on ${from} gives ${expected}`, () => {
    const attempt = () => seriesStates.next(from, move);
    if (expected in seriesStates.table) assert.equal(attempt(), expected);
    else assert.throws(attempt, { message: expected });
  });
}

test('a series is in the state that its marks say', () => {
  assert.equal(stateOf({ is_default: true, is_archived: false }), 'default');
  assert.equal(stateOf({ is_default: false, is_archived: false }), 'active');
  assert.equal(stateOf({ is_default: false, is_archived: true }), 'archived');
});

test('a refusal says that the default is active, and what it lacks', () => {
  const reason =
    'está activa como predeterminada, y hace falta que esté activa sin ser la predeterminada o archivada.';
  assert.throws(() => seriesStates.next('default', 'archive'), { details: { values: { reason } } });
});
