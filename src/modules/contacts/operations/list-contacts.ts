import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import type { Operation } from '../../../kernel/operation.ts';
import { askedValues } from '../../../kernel/list-filters.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Text, Moment, Type } from '../../../kernel/schema.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import type { Named, Role } from '../contacts.roles.ts';
import { contactOf, present } from '../contacts.schema.ts';
import { listContacts as listRows } from '../contacts.store.ts';

const sorts = ['created', 'name'] as const;

export function listContacts(role: Role, named: Named): Operation {
  return defineList({
    ...named,
    path: `/v1/${role.collection}`,
    scope: 'contacts:read',
    tag: role.collection,
    description: `Responde una página con ${role.many}, también los archivados; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre, la identificación fiscal y el correo electrónico. El id va en ${role.object}_id de ${role.documents.create}.`,
    mcp: true,
    sorts,
    filters: {
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
      ...rangeParameters('created', Moment),
      ...rangeParameters('updated', Moment),
    },
    item: contactOf(role),
    examples: [
      { title: 'Los activos, por nombre', query: { is_active: 'true', sort: 'name', limit: '50' } },
      { title: 'Por identificación fiscal', query: { tax_id: 'B12345674' } },
    ],

    async list({ tx, caller }, { query, page }) {
      const tax_ids = askedValues(query, 'tax_id')?.flatMap((id) => [id, parseSpanishTaxId(id)?.value ?? id]);
      const emails = askedValues(query, 'email');
      const filter = { ...query, ...(tax_ids ? { tax_ids } : {}), ...(emails ? { emails } : {}) };
      const rows = await listRows(tx, caller.company_id, role.object, filter, page);
      return pageAnswer(rows, page, present);
    },
  });
}
