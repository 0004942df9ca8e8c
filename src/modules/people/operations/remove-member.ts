import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { lockCompanyRow } from '../../../platform/company-row.ts';
import { memberErrors as e } from '../members/members.errors.ts';
import { leaveCompany } from '../members/leave-company.ts';
import { hasOtherOwner, onlyOwners, roleOf } from '../members/members.store.ts';

export const removeMember = defineOperation({
  name: 'remove_member',
  method: 'DELETE',
  path: '/members/:member',
  scope: null,
  tag: 'members',
  summary: 'Quita a una persona de la empresa.',
  description:
    'Cuenta desde su próxima petición, y acaba al instante con lo que hubiera autorizado a aplicaciones y con las invitaciones que hubiera enviado y nadie haya aceptado. Cada persona puede quitarse a sí misma; a las demás las quita un propietario. Su cuenta sigue existiendo. Se rechaza si la empresa se quedaría sin propietario (last_owner).',
  transaction: 'own',
  acts_on: 'key_owner',
  callers: ['user'],
  mcp: false,
  effects: 'withdraw',
  params: Shape({ member: Described(Uuid, 'Id de la persona') }),
  output: Shape({ data: Shape({ user_id: Uuid, deleted: Type.Literal(true) }) }),
  errors: [c.resource_not_found, e.last_owner],

  async handle({ tx, caller, realNow, audit, ports, refuseLost }, { params }) {
    const user_id = params.member;
    const company_id = caller.owner_company_id;
    await lockCompanyRow(tx, company_id);
    if (user_id !== caller.user_id) await onlyOwners(tx, caller);
    const role = await roleOf(tx, user_id, company_id);
    if (!role) throw fail(c.resource_not_found, { param: 'member' });
    if (role === 'owner' && !(await hasOtherOwner(tx, company_id, user_id))) throw fail(e.last_owner);
    await refuseLost?.();
    const ended = await leaveCompany(tx, { company_id, user_id }, ports.oauth.endGrantsBeyond, realNow());
    const details = { role, ...ended };
    audit({ action: 'member.removed', object: 'user', object_id: user_id, details });
    return { data: { user_id, deleted: true as const } };
  },
});
