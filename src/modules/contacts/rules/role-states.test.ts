import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type RoleState, rolesOf, stateOf, storedStates, withState } from './role-states.ts';

/** Client, supplier, and how they are stored: role, is_active, also_supplier. */
const rows: readonly (readonly [RoleState | null, RoleState | null, readonly unknown[]])[] = [
  ['active', null, ['client', true, null]],
  ['archived', null, ['client', false, null]],
  [null, 'active', ['supplier', true, null]],
  [null, 'archived', ['supplier', false, null]],
  ['active', 'active', ['client', true, 'active']],
  ['active', 'archived', ['client', true, 'archived']],
  ['archived', 'active', ['client', false, 'active']],
  ['archived', 'archived', ['client', false, 'archived']],
];

for (const [client_state, supplier_state, stored] of rows)
  test(`client ${client_state} and supplier ${supplier_state} are stored as ${stored.join(', ')}`, () => {
    const states = { client_state, supplier_state };
    assert.deepEqual(Object.values(storedStates(states)), stored);
    assert.deepEqual(
      rolesOf(states),
      (['client', 'supplier'] as const).filter((role) => stateOf(states, role) !== null),
    );
  });

const changes = [
  [null, 'active', 'added'],
  [null, 'archived', 'added'],
  ['active', 'archived', 'archived'],
  ['archived', 'active', 'unarchived'],
  ['active', null, 'removed'],
  ['archived', null, 'removed'],
  ['active', 'active', null],
  [null, null, null],
] as const;

for (const [from, to, change] of changes)
  test(`a role that goes from ${from} to ${to} was ${change ?? 'left alone'}, and the other one was left alone`, () => {
    for (const [role, other] of [
      ['client', 'supplier'],
      ['supplier', 'client'],
    ] as const) {
      const before = withState({ client_state: 'active', supplier_state: 'active' }, role, from);
      const after = withState(before, role, to);
      assert.equal(changeOf(before, after, role), change);
      assert.equal(changeOf(before, after, other), null);
    }
  });
