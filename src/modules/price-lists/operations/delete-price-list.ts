import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { clearDefaultPriceList } from '../../../platform/company-row.ts';
import { hasManyItems } from '../price-list-items.store.ts';
import { lockPriceList, removePriceList, updatePriceList } from '../price-lists.store.ts';

export const deletePriceList = defineOperation({
  name: 'delete_price_list',
  method: 'DELETE',
  path: '/v1/price-lists/:price_list',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Elimina una tarifa de precios, o la archiva si algún cliente la lleva.',
  description:
    'Borra para siempre una tarifa, con sus precios. La que lleva algún cliente o proveedor en price_list_id, o tiene más de 10.000 precios, se archiva: deja de valer, se sigue consultando, y se recupera con update_price_list e is_active a true. Si era la predeterminada, la empresa se queda sin ella. Los documentos no cambian.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({ price_list: Described(Uuid, 'Id de la tarifa') }),
  output: Deleted('price_list'),
  errors: [c.resource_not_found],

  async handle({ tx, caller, now, audit }, { params }) {
    const { company_id } = caller;
    const { row, default_id } = await lockPriceList(tx, company_id, params.price_list);
    if (!row) throw fail(c.resource_not_found, { param: 'price_list' });
    const removed =
      !(await hasManyItems(tx, company_id, { price_list_id: row.id })) &&
      (await removePriceList(tx, company_id, row.id));
    const target = { object: 'price_list', object_id: row.id };
    if (removed) audit({ action: 'price_list.delete', ...target, details: { code: row.code } });
    else if (row.is_active) {
      await updatePriceList(tx, company_id, row.id, { ...row, is_active: false, updated_at: now });
      audit({ action: 'price_list.archive', ...target });
    }
    if (row.id === default_id) await clearDefaultPriceList(tx, company_id, row.id);
    return { data: { id: row.id, object: 'price_list', deleted: true } };
  },
});
