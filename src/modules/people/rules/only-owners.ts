import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Caller } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';

/** Who belongs to a company is decided by its owners. @throws 403 insufficient_scope */
export function onlyOwners({ role }: Caller): void {
  if (role !== 'owner') throw fail(c.insufficient_scope, { values: { scope: 'de un propietario' } });
}
