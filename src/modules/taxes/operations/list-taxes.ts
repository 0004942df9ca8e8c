/** Lists the company's taxes. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  rangeParameters,
  readPage,
  sortParameter,
} from '../../../kernel/page.ts';
import { Enum, Page, Shape, Text, Timestamp, Type } from '../../../kernel/schema.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import { allTaxKinds, present, Tax } from '../taxes.schema.ts';
import { listTaxes as listRows } from '../taxes.store.ts';

const sorts = ['created', 'name'] as const;

export const listTaxes = defineOperation({
  name: 'list_taxes',
  method: 'GET',
  path: '/v1/taxes',
  scope: 'taxes:read',
  tag: 'taxes',
  summary: 'Lista los impuestos.',
  description:
    'Responde una página de los impuestos y retenciones de la empresa, también los desactivados. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre y en la referencia.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    ...pageParameters,
    ...sortParameter(sorts),
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
    ...rangeParameters('created', Timestamp),
  }),
  output: Page(Tax),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Los tipos de IVA en vigor', query: { kind: 'vat', is_active: 'true', sort: 'name' } }],

  async handle({ tx, caller }, { query }) {
    const page = readPage(query, sorts);
    const rows = await listRows(tx, caller.company_id, query, page);
    return pageAnswer(rows, page, present);
  },
});
