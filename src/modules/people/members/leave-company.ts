/** What goes with somebody who leaves a company. */
import type { Tx } from '../../../kernel/operation.ts';
import { findEmail } from '../users.store.ts';
import { dropInvitationsBy, dropInvitationsOf } from './invitations.store.ts';
import { deleteMember } from './members.store.ts';

type Membership = { company_id: string; user_id: string };

/** Ends what the person granted to applications beyond their rights of now. `endGrantsBeyond` of the module of OAuth. */
export type EndGrants = (tx: Tx, of: Membership, now: Date) => Promise<string[]>;

/**
 * The caller has locked the company's row and looked that it keeps an owner.
 * @returns for the audit log: how many grants and invitations ended
 */
export async function leaveCompany(
  tx: Tx,
  { company_id, user_id }: Membership,
  endGrants: EndGrants,
  now: Date,
): Promise<{ ended_grants: number; ended_invitations: number }> {
  await deleteMember(tx, company_id, user_id);
  await dropInvitationsOf(tx, company_id, await findEmail(tx, user_id));
  const ended_invitations = await dropInvitationsBy(tx, company_id, user_id);
  const ended = await endGrants(tx, { company_id, user_id }, now);
  return { ended_grants: ended.length, ended_invitations };
}
