/** A person says no on a page on which they said yes before: the last word counts. Else nothing is stored. */
import type { Database } from '../../platform/db.ts';
import { consenting, endGrant } from './end-grants.ts';
import { lockGrant } from './grants.store.ts';
import { findAnswered } from './tokens.store.ts';

export type Denial = {
  /** Of the form. */
  request_id: string;
  user: { id: string; name: string };
};

/** @param from of the request */
export async function deny(
  db: Database,
  { request_id, user }: Denial,
  from: { ip: string; request_id: string },
  now: Date,
): Promise<void> {
  const known = await findAnswered(db.index, request_id);
  if (!known) return;
  const { company_id, grant_id } = known;
  await db.transaction(company_id, async (tx) => {
    const grant = await lockGrant(tx, company_id, grant_id);
    if (!grant || grant.revoked_at || grant.user_id !== user.id) return;
    const details = { reason: 'denied', client_id: grant.client_id };
    await endGrant(tx, grant, consenting(user, from), { action: 'oauth_grant.revoked', details }, now);
  });
}
