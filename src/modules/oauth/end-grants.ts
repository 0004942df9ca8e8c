import type { Tx } from '../../kernel/operation.ts';
import { type AuditActor, insertAudit } from '../../platform/audit.ts';
import { endGrants, type GrantRow, lockGrantsOfUser } from './grants.store.ts';
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

/** One that the caller has locked. The audit log says by whom and why. */
export async function endGrant(
  tx: Tx,
  { company_id, id }: Pick<GrantRow, 'company_id' | 'id'>,
  actor: AuditActor,
  told: { action: `oauth_grant.${string}`; details: Record<string, unknown> },
  now: Date,
): Promise<void> {
  const entry = { ...told, object: 'oauth_grant', object_id: id };
  await Promise.all([endGrants(tx, company_id, [id], now), insertAudit(tx, company_id, actor, [entry], now)]);
}

/** A person who gives or takes back what applications may do. */
export function consenting(
  user: { id: string; name: string },
  from: { ip: string; request_id: string },
): AuditActor {
  return { kind: 'user', ...user, key_id: null, user_id: user.id, ...from };
}
