import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { PriceListItem, presentItem } from '../price-list-items.schema.ts';
import { findItem } from '../price-list-items.store.ts';
import { findPriceList } from '../price-lists.store.ts';

export const getPriceListItem = defineOperation({
  name: 'get_price_list_item',
  method: 'GET',
  path: '/v1/price-lists/:price_list/items/:price_list_item',
  scope: 'price_lists:read',
  tag: 'price_lists',
  summary: 'Consulta un precio de una tarifa.',
  description:
    'Responde un precio de la tarifa. Si la tarifa no es de la empresa o el precio no es de ella, responde resource_not_found. Un precio se cambia con update_price_list_item.',
  transaction: 'read',
  row: 'price_list_items',
  mcp: true,
  params: Shape({
    price_list: Described(Uuid, 'Id de la tarifa'),
    price_list_item: Described(Uuid, 'Id del precio'),
  }),
  output: One(PriceListItem),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const { company_id } = caller;
    const [list, row] = await Promise.all([
      findPriceList(tx, company_id, params.price_list),
      findItem(tx, company_id, params.price_list, params.price_list_item),
    ]);
    if (!list) throw fail(c.resource_not_found, { param: 'price_list' });
    if (!row) throw fail(c.resource_not_found, { param: 'price_list_item' });
    return { data: presentItem(row) };
  },
});
