import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, present } from '../contacts.schema.ts';
import { findContact } from '../contacts.store.ts';

export function getContact(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'GET',
    path: `/v1/${role.collection}/:${role.object}`,
    scope: 'contacts:read',
    tag: role.collection,
    description: `Responde todos los datos de ${role.one}, también si está archivado. Si el id no es de ninguno de los de la empresa, responde resource_not_found. Sus facturas las da ${role.documents.list} con ${role.object}_id.`,
    transaction: 'read',
    row: 'contacts',
    mcp: true,
    params: Shape({ [role.object]: Described(Uuid, `Id de ${role.one}`) }),
    output: One(contactOf(role)),
    errors: [c.resource_not_found],

    async handle({ tx, caller }, { params }) {
      const row = await findContact(tx, caller.company_id, role.object, params[role.object] ?? '');
      if (!row) throw fail(c.resource_not_found, { param: role.object });
      return { data: present(row) };
    },
  });
}
