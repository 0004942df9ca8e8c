import type { Environment, Tx } from '../../kernel/operation.ts';
import { findUser, roleOf, scopesOfRole } from '../people/index.ts';

/**
 * What a person may do in a company now.
 * @param tx of the live company
 * @returns null for who has no role there, or is disabled
 */
export async function scopesOfPerson(
  tx: Tx,
  { user_id, company_id, environment }: { user_id: string; company_id: string; environment: Environment },
): Promise<readonly string[] | null> {
  const [role, user] = await Promise.all([roleOf(tx, user_id, company_id), findUser(tx, user_id)]);
  return role === undefined || !user || user.disabled_at ? null : scopesOfRole(role, environment);
}

/** Whether all that was granted is still theirs to give. */
export function holdsAll(of_person: readonly string[] | null, scopes: readonly string[]): boolean {
  if (of_person === null) return false;
  return of_person.includes('*') || scopes.every((scope) => of_person.includes(scope));
}
