/** Lists products, archived ones included. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import {
  pageAnswer,
  pageParameters,
  rangeParameters,
  readPage,
  sortParameter,
} from '../../../kernel/page.ts';
import { Page, Shape, Text, Timestamp, Type } from '../../../kernel/schema.ts';
import { textParameter } from '../../../platform/page-rows.ts';
import { Product, present } from '../products.schema.ts';
import { listProducts as listRows } from '../products.store.ts';

const sorts = ['created', 'name'] as const;

export const listProducts = defineOperation({
  name: 'list_products',
  method: 'GET',
  path: '/v1/products',
  scope: 'products:read',
  tag: 'products',
  summary: 'Lista los productos.',
  description:
    'Responde una página de productos, también los archivados; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre, el código y la descripción.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    ...pageParameters,
    ...sortParameter(sorts),
    ...textParameter,
    code: Type.Optional(Text(60, { description: 'Código exacto' })),
    external_id: Type.Optional(Text(255, { description: 'Su clave en otro programa, exacta' })),
    is_active: Type.Optional(
      Type.Boolean({ description: 'true: solo los activos; false: solo los archivados' }),
    ),
    ...rangeParameters('created', Timestamp),
  }),
  output: Page(Product),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Los activos, por nombre', query: { is_active: 'true', sort: 'name' } }],

  async handle({ tx, caller }, { query }) {
    const page = readPage(query, sorts);
    const rows = await listRows(tx, caller.company_id, query, page);
    return pageAnswer(rows, page, present);
  },
});
