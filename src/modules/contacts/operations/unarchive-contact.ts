import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { withFreeExternalId } from '../contacts.checks.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, present } from '../contacts.schema.ts';
import { lockContact, updateContact } from '../contacts.store.ts';
import { tellContact } from '../contacts.tell.ts';
import { withState } from '../rules/role-states.ts';

export function unarchiveContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'POST',
    path: `/v1/${role.collection}/:${role.object}/unarchive`,
    scope: 'contacts:write',
    tag: role.collection,
    description: `Recupera ${role.one} que estaba archivado, con sus datos. Se rechaza si otro activo tiene ya su external_id (business_rule_violation). Si no estaba archivado, no cambia nada.`,
    transaction: 'own',
    mcp: true,
    status: 200,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    output: One(contactOf(role)),
    errors: [c.resource_not_found, c.business_rule_violation],
    events: role.has_events ? [`${role.object}.updated`] : [],

    async handle(ctx, { params }) {
      const { tx, caller, now } = ctx;
      const { object } = role;
      const current = await lockContact(tx, caller.company_id, object, params[object] ?? '');
      if (!current) throw fail(c.resource_not_found, { param: object });
      if (current.is_active) return { data: present(current) };
      const states = withState(current, object, 'active');
      const next = { ...current, ...states, is_active: true, updated_at: now };
      await withFreeExternalId(() => updateContact(tx, caller.company_id, next));
      tellContact(ctx, current, next);
      return { data: present(next) };
    },
  });
}
