/** Archives one role. The other stays as it is. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, present } from '../contacts.schema.ts';
import { lockContact, updateContact } from '../contacts.store.ts';
import { tellContact } from '../contacts.tell.ts';
import { withState } from '../rules/role-states.ts';

export function archiveContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'POST',
    path: `/v1/${role.collection}/:${role.object}/archive`,
    scope: 'contacts:delete',
    tag: role.collection,
    description: `Retira ${role.one}: no se puede usar en documentos nuevos, los que lo llevan no cambian, y su external_id queda libre. Si es también ${role.other.one}, sigue siéndolo. Se recupera con unarchive_${role.object}. Archivar uno ya archivado no cambia nada.`,
    transaction: 'own',
    mcp: true,
    effects: 'withdraw',
    status: 200,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    output: One(contactOf(role)),
    errors: [c.resource_not_found],
    events: role.has_events ? [`${role.object}.deleted`] : [],

    async handle(ctx, { params }) {
      const { tx, caller, now } = ctx;
      const { object } = role;
      const current = await lockContact(tx, caller.company_id, object, params[object] ?? '');
      if (!current) throw fail(c.resource_not_found, { param: object });
      if (!current.is_active) return { data: present(current) };
      const states = withState(current, object, 'archived');
      const next = { ...current, ...states, is_active: false, updated_at: now };
      await updateContact(tx, caller.company_id, next);
      tellContact(ctx, current, next);
      return { data: present(next) };
    },
  });
}
