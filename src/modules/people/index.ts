/**
 * Persons: who they are, how they prove it, and what they may do in which company (ADR 55). Owns users, addresses, members, sessions,
 * the links that open once, and the counts of tries.
 */
import type {} from './ports.ts';

export { readAccountMailQueue } from './mail/account-emails.ts';
export { inviteByOperator, resetByOperator } from './members/join.ts';
export { eraseByOperator } from './members/erase.ts';
export { makeSetupLink } from './links.ts';
export { makePeople } from './make-people.ts';
export { roleOf } from './members/members.store.ts';
export { personOperations } from './members/person-operations.ts';
export { findPersonCaller, makeReadInEach } from './members/person-caller.ts';
export { purgePeople } from './purge.ts';
export { hasSession } from './sign-in/sessions.ts';
export { type Role, roles, scopesOfRole } from './rules/roles.ts';
export { findUser, namesOf } from './users.store.ts';
