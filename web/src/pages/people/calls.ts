import type { Invitation, Member } from '../../../../src/modules/people/members/members.schema.ts';
import type { Role } from '../../app/session.tsx';
import { call, type One, type Wire } from '../../app/operation.ts';

export type PersonOfCompany = Wire<typeof Member>;
export type OpenInvitation = Wire<typeof Invitation>;
type All<T> = { data: T[] };
type OfMember = { member: string };

export const listMembers = call<{ answer: All<PersonOfCompany> }>('list_members');
export const listInvitations = call<{ answer: All<OpenInvitation> }>('list_invitations');
export const inviteMember = call<{
  body: { email: string; role: Role };
  answer: One<{ invitation: OpenInvitation; link: string | null }>;
}>('invite_member');
export const updateMemberRole = call<{
  params: OfMember;
  body: { role: Role };
  answer: One<PersonOfCompany>;
}>('update_member_role');
export const removeMember = call<{ params: OfMember; answer: One<{ user_id: string; deleted: true }> }>(
  'remove_member',
);
export const cancelInvitation = call<{
  params: { invitation: string };
  answer: One<{ id: string; deleted: true }>;
}>('cancel_invitation');
