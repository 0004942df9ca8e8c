/** The external id is a third-party system's. The tax id is never compared. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Text } from '../../../kernel/schema.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, present } from '../contacts.schema.ts';
import { findContactByExternalId as findRow } from '../contacts.store.ts';

export function findContactByExternalId(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'POST',
    path: `/v1/${role.collection}/find-by-external-id`,
    scope: 'contacts:read',
    tag: role.collection,
    description: `Busca entre los activos, no entre los archivados, por la clave exacta que tienen en otro programa, y responde el que la tiene. Si no hay ninguno, responde resource_not_found. Para buscar por identificación fiscal está list_${role.collection} con tax_id.`,
    rate: 'read',
    transaction: 'read',
    mcp: true,
    body: Shape({
      external_id: Text(255, { minLength: 1, description: 'Su clave en otro programa, exacta' }),
    }),
    output: One(contactOf(role)),
    errors: [c.resource_not_found],
    examples: [{ title: 'Por la clave de otro programa', body: { external_id: 'ERP-000123' } }],

    async handle({ tx, caller }, { body }) {
      const row = await findRow(tx, caller.company_id, role.object, body.external_id);
      if (!row) throw fail(c.resource_not_found, { param: 'external_id' });
      return { data: present(row) };
    },
  });
}
