import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { lockCompanyRow } from '../../../platform/company-row.ts';
import { onlyOwners } from '../members/members.store.ts';
import { takeInvitation } from '../members/invitations.store.ts';

export const cancelInvitation = defineOperation({
  name: 'cancel_invitation',
  method: 'DELETE',
  path: '/invitations/:invitation',
  scope: null,
  tag: 'members',
  summary: 'Cancela una invitación.',
  description:
    'Borra una invitación que nadie ha aceptado, y su enlace deja de servir al instante. Solo la cancela un propietario. Si ya se aceptó o se canceló, responde resource_not_found.',
  transaction: 'own',
  acts_on: 'key_owner',
  callers: ['user'],
  mcp: false,
  effects: 'withdraw',
  params: Shape({ invitation: Described(Uuid, 'Id de la invitación') }),
  output: Shape({ data: Shape({ id: Uuid, deleted: Type.Literal(true) }) }),
  errors: [c.resource_not_found],

  async handle({ tx, caller, audit }, { params }) {
    await lockCompanyRow(tx, caller.owner_company_id);
    await onlyOwners(tx, caller);
    const taken = await takeInvitation(tx, caller.owner_company_id, { id: params.invitation });
    if (!taken) throw fail(c.resource_not_found, { param: 'invitation' });
    const { id: object_id, role } = taken;
    audit({ action: 'member.invitation_cancelled', object: 'invitation', object_id, details: { role } });
    return { data: { id: taken.id, deleted: true as const } };
  },
});
