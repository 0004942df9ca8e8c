/** Lists clients or suppliers, archived ones included. */
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Operation } from '../../../kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  rangeParameters,
  readPage,
  sortParameter,
} from '../../../kernel/page.ts';
import { Page, Shape, Text, Timestamp, Type } from '../../../kernel/schema.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, present } from '../contacts.schema.ts';
import { listContacts as listRows } from '../contacts.store.ts';

const sorts = ['created', 'name'] as const;

export function listContacts(role: Role, named: Named): Operation {
  return defineOperation({
    ...named,
    method: 'GET',
    path: `/v1/${role.collection}`,
    scope: 'contacts:read',
    tag: role.collection,
    description: `Responde una página con ${role.many}, también los archivados; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre, la identificación fiscal y el correo electrónico.`,
    transaction: 'read',
    mcp: true,
    query: Shape({
      ...pageParameters,
      ...sortParameter(sorts),
      ...textParameter,
      tax_id: Type.Optional(
        Text(30, {
          description:
            'Identificación fiscal exacta; de un NIF español no importan mayúsculas, espacios ni guiones',
        }),
      ),
      external_id: Type.Optional(Text(255, { description: 'Su clave en otro programa, exacta' })),
      email: Type.Optional(
        Text(254, { description: 'Correo electrónico exacto, sin distinguir mayúsculas' }),
      ),
      is_active: Type.Optional(
        Type.Boolean({ description: 'true: solo los activos; false: solo los archivados' }),
      ),
      ...rangeParameters('created', Timestamp),
    }),
    output: Page(contactOf(role)),
    errors: [c.parameter_invalid_cursor],
    examples: [
      { title: 'Los activos, por nombre', query: { is_active: 'true', sort: 'name', limit: '50' } },
      { title: 'Por identificación fiscal', query: { tax_id: 'B12345674' } },
    ],

    async handle({ tx, caller }, { query }) {
      const page = readPage(query, sorts);
      const { tax_id, ...filter } = query;
      const spelled = tax_id === undefined ? undefined : parseSpanishTaxId(tax_id)?.value;
      const tax_ids = tax_id === undefined ? {} : { tax_ids: [tax_id, ...(spelled ? [spelled] : [])] };
      const rows = await listRows(tx, caller.company_id, role.object, { ...filter, ...tax_ids }, page);
      return pageAnswer(rows, page, present);
    },
  });
}
