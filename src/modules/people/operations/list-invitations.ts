import { defineOperation } from '../../../kernel/operation.ts';
import { Shape, Type } from '../../../kernel/schema.ts';
import { listInvitationRows } from '../members/invitations.store.ts';
import { Invitation, presentInvitation } from '../members/members.schema.ts';
import { namesOf } from '../users.store.ts';

export const listInvitations = defineOperation({
  name: 'list_invitations',
  method: 'GET',
  path: '/invitations',
  scope: null,
  tag: 'members',
  summary: 'Lista las invitaciones que nadie ha aceptado todavía.',
  description:
    'Responde las invitaciones abiertas, de la más reciente a la más antigua. Sus enlaces no se muestran otra vez.',
  transaction: 'read',
  acts_on: 'key_owner',
  callers: ['user'],
  mcp: false,
  output: Shape({ object: Type.Literal('list'), data: Type.Array(Invitation) }),
  errors: [],

  async handle({ tx, caller, realNow }) {
    const rows = await listInvitationRows(tx, caller.owner_company_id, realNow());
    const names = await namesOf(
      tx,
      rows.flatMap(({ invited_by }) => invited_by ?? []),
    );
    return { object: 'list' as const, data: rows.map((row) => presentInvitation(row, names)) };
  },
});
