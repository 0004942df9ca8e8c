import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Text, Moment, Type } from '../../../kernel/schema.ts';
import { inBothForms, textParameter } from '../../../platform/page-rows.ts';
import { ListedProduct, presentListed } from '../products.schema.ts';
import { plainCode } from '../rules/product-fields.ts';
import { listProducts as listRows } from '../products.store.ts';

const sorts = ['created', 'name'] as const;

export const listProducts = defineList({
  name: 'list_products',
  path: '/v1/products',
  scope: 'products:read',
  tag: 'products',
  summary: 'Lista los productos.',
  description:
    'Responde una página de productos, también los archivados; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. q busca en el nombre, el código y la descripción. De la configuración salen has_variants, has_presentations, has_options e is_pack; get_product la responde entera. El id va en product_id de las líneas.',
  mcp: true,
  sorts,
  filters: {
    ...textParameter,
    code: Type.Optional(Text(60, { description: 'Código exacto' })),
    external_id: Type.Optional(Text(255, { description: 'Su clave en otro programa, exacta' })),
    is_active: Type.Optional(
      Type.Boolean({ description: 'true: solo los activos; false: solo los archivados' }),
    ),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: ListedProduct,
  examples: [{ title: 'Los activos, por nombre', query: { is_active: 'true', sort: 'name' } }],

  async list({ tx, caller }, { query, page }) {
    const rows = await listRows(tx, caller.company_id, inBothForms(query, 'code', plainCode), page);
    return pageAnswer(rows, page, presentListed);
  },
});
