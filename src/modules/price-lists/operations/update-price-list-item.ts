import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, writableOf } from '../../../kernel/resource-input.ts';
import { Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { answerItem, auditedItem, WarnedItem } from '../price-list-items.answers.ts';
import { itemReadOnly, presentItem, UpdateItemInput } from '../price-list-items.schema.ts';
import { findItem } from '../price-list-items.store.ts';
import { lockedList } from '../price-lists.checks.ts';
import { applyItemInput } from '../rules/item-fields.ts';
import { saveItems } from '../save-items.ts';

export const updatePriceListItem = defineOperation({
  name: 'update_price_list_item',
  method: 'PUT',
  path: '/v1/price-lists/:price_list/items/:price_list_item',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Modifica un precio de una tarifa.',
  description:
    'Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra. Para pasar de precio a descuento envíe los dos, el que se quita con null. Los documentos conservan los precios que tomaron. Se rechaza si queda sin unit_price ni discount_percent (missing_required_param), o si la tarifa ya tiene otro precio con el mismo producto, variante, presentación, cantidad y primer día (business_rule_violation). Las demás reglas y los avisos son los de create_price_list_item.',
  transaction: 'own',
  mcp: true,
  params: Shape({
    price_list: Described(Uuid, 'Id de la tarifa'),
    price_list_item: Described(Uuid, 'Id del precio'),
  }),
  body: UpdateItemInput,
  output: WarnedItem,
  errors: [c.resource_not_found, c.missing_required_param, c.business_rule_violation],
  examples: [{ title: 'Sube el precio', body: { unit_price: 22.9, discount_percent: null } }],

  async handle({ tx, caller: { company_id }, now, audit }, { params, body }) {
    const { id: price_list_id } = await lockedList(tx, company_id, params.price_list);
    const before = await findItem(tx, company_id, price_list_id, params.price_list_item);
    if (!before) throw fail(c.resource_not_found, { param: 'price_list_item' });
    const input = writableOf(body, presentItem(before), itemReadOnly);
    const fields = { ...before, ...applyItemInput(before, input) };
    const keys = changedKeys(before, fields);
    if (keys.length === 0) return { data: presentItem(before) };
    const [saved] = await saveItems(tx, company_id, [{ fields, before }], { now, price_list_id, newId });
    const answer = answerItem(saved);
    audit({ action: 'price_list_item.update', ...auditedItem(answer.data, { keys }) });
    return answer;
  },
});
