/** A contact that documents refer to is archived. Either way its external id is free again. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { lockContact, removeContact, updateContact } from '../contacts.store.ts';

export function deleteContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'DELETE',
    path: `/v1/${role.collection}/:${role.object}`,
    scope: 'contacts:delete',
    tag: role.collection,
    description: `Borra para siempre ${role.one} que no está en ningún documento. Si está en alguno lo archiva: deja de poderse usar en documentos nuevos, se sigue consultando, y se recupera con update_${role.object} e is_active a true. En los dos casos su external_id queda libre.`,
    transaction: 'own',
    mcp: true,
    effects: 'withdraw',
    irreversible: true,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    output: Deleted(role.object),
    errors: [c.resource_not_found],
    events: role.has_events ? [`${role.object}.deleted`] : [],

    async handle({ tx, caller, now, emit }, { params }) {
      const { company_id } = caller;
      const current = await lockContact(tx, company_id, role.object, params[role.object] ?? '');
      if (!current) throw fail(c.resource_not_found, { param: role.object });
      const removed = await removeContact(tx, company_id, current.id);
      if (!removed && current.is_active) {
        await updateContact(tx, company_id, current.id, { ...current, is_active: false, updated_at: now });
      }
      if (role.has_events && (removed || current.is_active)) emit(`${role.object}.deleted`, current.id);
      return { data: { id: current.id, object: role.object, deleted: true } };
    },
  });
}
