import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { invalidParam, refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { setDefaultPriceList } from '../../../platform/company-row.ts';
import { checkListsLeft, withFreeCode } from '../price-lists.checks.ts';
import { CreatePriceListInput, PriceListShown, present } from '../price-lists.schema.ts';
import { insertPriceList } from '../price-lists.store.ts';
import { applyListInput, blankPriceList, listIssues } from '../rules/list-fields.ts';

export const createPriceList = defineOperation({
  name: 'create_price_list',
  method: 'POST',
  path: '/v1/price-lists',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Crea una tarifa de precios.',
  description:
    'Guarda una tarifa, todavía sin precios (create_price_list_item). Vale para los clientes que la llevan en price_list_id y, con is_default, para los que no llevan ninguna. Una empresa tiene 1.000 como máximo. Se rechaza si otra tarifa activa tiene el mismo código (business_rule_violation).',
  transaction: 'own',
  mcp: true,
  body: CreatePriceListInput,
  output: One(PriceListShown),
  errors: [c.business_rule_violation],
  examples: [
    { title: 'Lo mínimo', body: { name: 'Mayoristas' } },
    {
      title: 'La de todos los clientes durante un año',
      body: {
        name: 'Tarifa 2027',
        is_default: true,
        valid_from: '2027-01-01',
        valid_to: '2027-12-31',
      },
    },
  ],

  async handle({ tx, caller, now, audit }, { body }) {
    const { company_id } = caller;
    const { is_default, ...fields } = applyListInput({ ...blankPriceList, name: body.name }, body);
    refuseIssues(listIssues({ ...fields, is_default }));
    if (is_default && !fields.is_active)
      throw invalidParam('is_default', 'Una tarifa archivada no puede ser la predeterminada.');
    await checkListsLeft(tx, company_id);
    const row = { ...fields, id: newId(), created_at: now, updated_at: now };
    await withFreeCode(() => insertPriceList(tx, company_id, row));
    if (is_default) await setDefaultPriceList(tx, company_id, row.id);
    audit({ action: 'price_list.create', object: 'price_list', object_id: row.id });
    return { data: present({ ...row, is_default }) };
  },
});
