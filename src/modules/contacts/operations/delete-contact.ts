/** A role that documents refer to is archived. Either way its external id is free again. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { lockContact, removeContact, updateContact } from '../contacts.store.ts';
import { tellContact } from '../contacts.tell.ts';
import { rolesOf, withState } from '../rules/role-states.ts';

export function deleteContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'DELETE',
    path: `/v1/${role.collection}/:${role.object}`,
    scope: 'contacts:delete',
    tag: role.collection,
    description: `Borra para siempre ${role.one} que no está en ningún documento; si es también ${role.other.one}, solo deja de ser ${role.one}. Si está en alguno lo archiva: deja de poderse usar en documentos nuevos, se sigue consultando, y se recupera con unarchive_${role.object}. En los dos casos su external_id queda libre. Para retirarlo sin borrarlo está archive_${role.object}.`,
    transaction: 'own',
    mcp: true,
    effects: 'withdraw',
    irreversible: true,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    output: Deleted(role.object),
    errors: [c.resource_not_found],
    events: role.has_events ? [`${role.object}.deleted`] : [],

    async handle(ctx, { params }) {
      const { tx, caller, now, ports } = ctx;
      const { company_id } = caller;
      const { object } = role;
      const current = await lockContact(tx, company_id, object, params[object] ?? '');
      if (!current) throw fail(c.resource_not_found, { param: object });
      const without = { ...current, ...withState(current, object, null), updated_at: now };
      const is_last = rolesOf(without).length === 0;
      let next = without;
      // Foreign keys hold a contact that is named, but not one of its roles.
      const is_held =
        (await ports.contact_uses.isNamed(tx, company_id, object, current.id)) ||
        (is_last && !(await removeContact(tx, company_id, current.id)));
      if (is_held) {
        if (!current.is_active) return { data: { id: current.id, object, deleted: true } };
        next = { ...current, ...withState(current, object, 'archived'), updated_at: now };
      }
      if (is_held || !is_last) await updateContact(tx, company_id, next);
      tellContact(ctx, current, next);
      return { data: { id: current.id, object, deleted: true } };
    },
  });
}
