import type { Tx } from '../../kernel/operation.ts';
import { endGrants, lockGrantsOfUser } from './grants.store.ts';
import { holdsAll, scopesOfPerson } from './person.ts';

/**
 * Ends what a person granted beyond their rights, in the commit that changes those rights in a company.
 * @param tx of the live company, whose row it has locked, after the change: exchanges lock in this order too
 * @returns the ids of the grants that ended
 */
export async function endGrantsBeyond(
  tx: Tx,
  { company_id, user_id }: { company_id: string; user_id: string },
  now: Date,
): Promise<string[]> {
  const [grants, live, test] = await Promise.all([
    lockGrantsOfUser(tx, company_id, user_id),
    scopesOfPerson(tx, { company_id, user_id, environment: 'live' }),
    scopesOfPerson(tx, { company_id, user_id, environment: 'test' }),
  ]);
  const ids = grants
    .filter(({ environment, scopes }) => !holdsAll(environment === 'live' ? live : test, scopes))
    .map(({ id }) => id);
  await endGrants(tx, company_id, ids, now);
  return ids;
}
