import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { auditedItem } from '../price-list-items.answers.ts';
import { findItem, removeItem } from '../price-list-items.store.ts';
import { lockedList } from '../price-lists.checks.ts';

export const deletePriceListItem = defineOperation({
  name: 'delete_price_list_item',
  method: 'DELETE',
  path: '/v1/price-lists/:price_list/items/:price_list_item',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Elimina un precio de una tarifa.',
  description:
    'Borra para siempre un precio de la tarifa. Los documentos conservan los precios que tomaron. Para que deje de valer un día sin borrarlo está valid_to, en update_price_list_item.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({
    price_list: Described(Uuid, 'Id de la tarifa'),
    price_list_item: Described(Uuid, 'Id del precio'),
  }),
  output: Deleted('price_list_item'),
  errors: [c.resource_not_found],

  async handle({ tx, caller: { company_id }, audit }, { params }) {
    const { id } = await lockedList(tx, company_id, params.price_list);
    const row = await findItem(tx, company_id, id, params.price_list_item);
    if (!row) throw fail(c.resource_not_found, { param: 'price_list_item' });
    await removeItem(tx, company_id, row.id);
    audit({ action: 'price_list_item.delete', ...auditedItem(row) });
    return { data: { id: row.id, object: 'price_list_item', deleted: true } };
  },
});
