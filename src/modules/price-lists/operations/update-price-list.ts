/** Documents keep the prices that they took. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, invalidParam, refuseIssues, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { clearDefaultPriceList, setDefaultPriceList } from '../../../platform/company-row.ts';
import { withFreeCode } from '../price-lists.checks.ts';
import { PriceListShown, present, priceListReadOnly, UpdatePriceListInput } from '../price-lists.schema.ts';
import { lockPriceList, updatePriceList as updateRow } from '../price-lists.store.ts';
import { applyListInput, listIssues } from '../rules/list-fields.ts';

export const updatePriceList = defineOperation({
  name: 'update_price_list',
  method: 'PUT',
  path: '/v1/price-lists/:price_list',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Modifica una tarifa de precios.',
  description:
    'Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra. is_active a false la archiva y, si era la predeterminada, la empresa se queda sin ella; a true la recupera. Un cambio de moneda o de prices_include_tax no convierte los precios que ya tiene. Los documentos conservan los precios que tomaron. Se rechaza si otra tarifa activa tiene el mismo código (business_rule_violation). Sus precios se cambian con update_price_list_item.',
  transaction: 'own',
  mcp: true,
  params: Shape({ price_list: Described(Uuid, 'Id de la tarifa') }),
  body: UpdatePriceListInput,
  output: One(PriceListShown),
  errors: [c.resource_not_found, c.business_rule_violation],
  examples: [{ title: 'Deja de valer', body: { valid_to: '2027-06-30' } }],

  async handle({ tx, caller, now, audit }, { params, body }) {
    const { company_id } = caller;
    const { row, default_id } = await lockPriceList(tx, company_id, params.price_list);
    if (!row) throw fail(c.resource_not_found, { param: 'price_list' });
    const current = { ...row, is_default: row.id === default_id };
    const next = {
      ...current,
      ...applyListInput(current, writableOf(body, present(current), priceListReadOnly)),
    };
    if (!next.is_active) {
      if (next.is_default && !current.is_default)
        throw invalidParam('is_default', 'Una tarifa archivada no puede ser la predeterminada.');
      next.is_default = false;
    }
    const keys = changedKeys(current, next);
    if (keys.length === 0) return { data: present(current) };
    refuseIssues(listIssues(next));
    next.updated_at = now;
    const { is_default, ...stored } = next;
    await withFreeCode(() => updateRow(tx, company_id, row.id, stored));
    if (is_default && !current.is_default) await setDefaultPriceList(tx, company_id, row.id);
    if (!is_default && current.is_default) await clearDefaultPriceList(tx, company_id, row.id);
    audit({ action: 'price_list.update', object: 'price_list', object_id: row.id, details: { keys } });
    return { data: present(next) };
  },
});
