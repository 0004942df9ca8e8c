import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { PriceListShown, present } from '../price-lists.schema.ts';
import { findPriceList } from '../price-lists.store.ts';

export const getPriceList = defineOperation({
  name: 'get_price_list',
  method: 'GET',
  path: '/v1/price-lists/:price_list',
  scope: 'price_lists:read',
  tag: 'price_lists',
  summary: 'Consulta una tarifa de precios.',
  description:
    'Responde los datos de una tarifa, también si está archivada; sus precios se piden con list_price_list_items. Si el id no es de ninguna de la empresa, responde resource_not_found.',
  transaction: 'read',
  row: 'price_lists',
  mcp: true,
  params: Shape({ price_list: Described(Uuid, 'Id de la tarifa') }),
  output: One(PriceListShown),
  errors: [c.resource_not_found],

  async handle({ tx, company }, { params }) {
    const row = await findPriceList(tx, company.company_id, params.price_list);
    if (!row) throw fail(c.resource_not_found, { param: 'price_list' });
    return { data: present({ ...row, is_default: row.id === company.default_price_list_id }) };
  },
});
