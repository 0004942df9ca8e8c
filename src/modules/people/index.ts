/**
 * Persons: who they are, how they prove it, and what they may do in which company (ADR 55). Owns users, addresses, members, sessions,
 * the links that open once, and the counts of tries.
 */
import type {} from './ports.ts';

export { readAccountMailQueue } from './account-emails.ts';
export { inviteByOperator, resetByOperator } from './join.ts';
export { makeSetupLink } from './links.ts';
export { makePeople } from './make-people.ts';
export { roleOf } from './members.store.ts';
export { personOperations } from './person-operations.ts';
export { findPersonCaller } from './person-caller.ts';
export { purgePeople } from './purge.ts';
export { type Role, roles, scopesOfRole } from './rules/roles.ts';
export { findUser, namesOf } from './users.store.ts';
