import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockCompanyRow } from '../../../platform/company-row.ts';
import { dropInvitationsBy } from '../members/invitations.store.ts';
import { memberErrors as e } from '../members/members.errors.ts';
import { Member, presentMember, RoleField } from '../members/members.schema.ts';
import { hasOtherOwner, listMemberRows, onlyOwners, setRole } from '../members/members.store.ts';
import { describeUsers } from '../users.store.ts';

export const updateMemberRole = defineOperation({
  name: 'update_member_role',
  method: 'PUT',
  path: '/members/:member',
  scope: null,
  tag: 'members',
  summary: 'Cambia el papel de una persona.',
  description:
    'El papel nuevo cuenta desde la próxima petición de la persona. Lo que hubiera autorizado a aplicaciones y exceda su papel nuevo acaba al instante. Si deja de ser propietario, acaban también las invitaciones que hubiera enviado y nadie haya aceptado. Solo lo cambia un propietario. Se rechaza si la empresa se quedaría sin propietario (last_owner).',
  transaction: 'own',
  acts_on: 'key_owner',
  callers: ['user'],
  mcp: false,
  params: Shape({ member: Described(Uuid, 'Id de la persona') }),
  body: Shape({ role: RoleField }),
  output: One(Member),
  errors: [c.resource_not_found, e.last_owner],
  examples: [{ title: 'Una persona pasa a llevar la contabilidad', body: { role: 'accountant' } }],

  async handle({ tx, caller, realNow, audit, ports, refuseLost }, { params, body }) {
    const company_id = caller.owner_company_id;
    const user_id = params.member;
    // Before grants are locked, as every consent does.
    await lockCompanyRow(tx, company_id);
    await onlyOwners(tx, caller);
    const row = (await listMemberRows(tx, company_id)).find((one) => one.user_id === user_id);
    if (!row) throw fail(c.resource_not_found, { param: 'member' });
    const { role } = body;
    if (role !== row.role) {
      if (row.role === 'owner' && !(await hasOtherOwner(tx, company_id, user_id))) throw fail(e.last_owner);
      await refuseLost?.();
      const now = realNow();
      await setRole(tx, { company_id, user_id, role }, now);
      const ended_invitations = role === 'owner' ? 0 : await dropInvitationsBy(tx, company_id, user_id);
      const ended = await ports.oauth.endGrantsBeyond(tx, { company_id, user_id }, now);
      const details = { role, before: row.role, ended_grants: ended.length, ended_invitations };
      audit({ action: 'member.role_changed', object: 'user', object_id: user_id, details });
    }
    return { data: presentMember({ ...row, role }, await describeUsers(tx, [user_id])) };
  },
});
