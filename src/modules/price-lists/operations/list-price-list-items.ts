import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Moment, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { PriceListItem, presentItem } from '../price-list-items.schema.ts';
import { listItems } from '../price-list-items.store.ts';
import { findPriceList } from '../price-lists.store.ts';

export const listPriceListItems = defineList({
  name: 'list_price_list_items',
  path: '/v1/price-lists/:price_list/items',
  scope: 'price_lists:read',
  tag: 'price_lists',
  summary: 'Lista los precios de una tarifa.',
  description:
    'Responde una página de los precios de una tarifa, también de los días que no valen; los más recientes primero. Los filtros se suman: solo salen los que los cumplen todos. El precio que tomaría una línea lo dice resolve_prices.',
  mcp: true,
  sorts: ['created'],
  params: Shape({ price_list: Described(Uuid, 'Id de la tarifa') }),
  filters: {
    product_id: Type.Optional(Described(Uuid, 'Id del producto')),
    variant_id: Type.Optional(Described(Uuid, 'Id de la variante')),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: PriceListItem,
  errors: [c.resource_not_found],
  examples: [{ title: 'Los de un producto', query: { product_id: '{product}' } }],

  async list({ tx, caller: { company_id } }, { params, query, page }) {
    const list = await findPriceList(tx, company_id, params.price_list);
    if (!list) throw fail(c.resource_not_found, { param: 'price_list' });
    const rows = await listItems(tx, company_id, list.id, query, page);
    return pageAnswer(rows, page, presentItem);
  },
});
