import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Enum, Text, Moment, Type } from '../../../kernel/schema.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import { allTaxKinds, present, Tax } from '../taxes.schema.ts';
import { listTaxes as listRows } from '../taxes.store.ts';

const sorts = ['created', 'name'] as const;

export const listTaxes = defineList({
  name: 'list_taxes',
  path: '/v1/taxes',
  scope: 'taxes:read',
  tag: 'taxes',
  summary: 'Lista los impuestos.',
  description:
    'Responde una página de los impuestos y retenciones de la empresa, también los desactivados. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre y en la referencia. El id va en taxes_id de un producto o de una línea; el de una retención no, porque la retención va en retention_rate.',
  mcp: true,
  sorts,
  filters: {
    ...textParameter,
    kind: Type.Optional(
      Enum(allTaxKinds, {
        description: 'Clase: vat (IVA), igic, ipsi, other (otro) o retention (retención)',
      }),
    ),
    is_active: Type.Optional(
      Type.Boolean({ description: 'true: solo los activos; false: solo los desactivados' }),
    ),
    external_reference: Type.Optional(Text(255, { description: 'Su clave en otro programa, exacta' })),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: Tax,
  examples: [{ title: 'Los tipos de IVA en vigor', query: { kind: 'vat', is_active: 'true', sort: 'name' } }],

  async list({ tx, caller }, { query, page }) {
    const rows = await listRows(tx, caller.company_id, query, page);
    return pageAnswer(rows, page, present);
  },
});
