/** A contact has one or two roles, each with a state of its own (ADR 50). */

export const contactRoles = ['client', 'supplier'] as const;
export type ContactRole = (typeof contactRoles)[number];

export type RoleState = 'active' | 'archived';

/** Null: it does not have the role. */
export type RoleStates = { client_state: RoleState | null; supplier_state: RoleState | null };

export const noRole: RoleStates = { client_state: null, supplier_state: null };

export function rolesOf({ client_state, supplier_state }: RoleStates): ContactRole[] {
  const has = { client: client_state !== null, supplier: supplier_state !== null };
  return contactRoles.filter((role) => has[role]);
}

export function stateOf(states: RoleStates, role: ContactRole): RoleState | null {
  return role === 'client' ? states.client_state : states.supplier_state;
}

export function withState(
  { client_state, supplier_state }: RoleStates,
  role: ContactRole,
  state: RoleState | null,
): RoleStates {
  return role === 'client'
    ? { client_state: state, supplier_state }
    : { client_state, supplier_state: state };
}

/**
 * The columns from which the database makes the states. The previous version reads and writes only the first two. It
 * knows clients, which documents refer to, and suppliers that are no clients.
 */
export function storedStates(states: RoleStates): {
  role: ContactRole;
  is_active: boolean;
  also_supplier: RoleState | null;
} {
  const { client_state, supplier_state } = states;
  if (client_state !== null)
    return { role: 'client', is_active: client_state === 'active', also_supplier: supplier_state };
  return { role: 'supplier', is_active: supplier_state === 'active', also_supplier: null };
}

/** What became of a role. */
export type RoleChange = 'added' | 'archived' | 'unarchived' | 'removed';

export function changeOf(before: RoleStates, after: RoleStates, role: ContactRole): RoleChange | null {
  const [from, to] = [stateOf(before, role), stateOf(after, role)];
  if (from === to) return null;
  if (from === null) return 'added';
  if (to === null) return 'removed';
  return to === 'archived' ? 'archived' : 'unarchived';
}
