/** What persons alone may do (`callers`): the dashboard serves these, and no other surface. */
import type { Operation } from '../../../kernel/operation.ts';
import { cancelInvitation } from '../operations/cancel-invitation.ts';
import { inviteMember } from '../operations/invite-member.ts';
import { listInvitations } from '../operations/list-invitations.ts';
import { listMembers } from '../operations/list-members.ts';
import { removeMember } from '../operations/remove-member.ts';
import { updateMemberRole } from '../operations/update-member-role.ts';

export const personOperations: readonly Operation[] = [
  listMembers,
  inviteMember,
  updateMemberRole,
  removeMember,
  listInvitations,
  cancelInvitation,
];
