import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { answerItem, auditedItem, WarnedItem } from '../price-list-items.answers.ts';
import { CreateItemInput } from '../price-list-items.schema.ts';
import { lockedList } from '../price-lists.checks.ts';
import { applyItemInput, blankItem } from '../rules/item-fields.ts';
import { saveItems } from '../save-items.ts';

export const createPriceListItem = defineOperation({
  name: 'create_price_list_item',
  method: 'POST',
  path: '/v1/price-lists/:price_list/items',
  scope: 'price_lists:write',
  tag: 'price_lists',
  summary: 'Añade un precio a una tarifa.',
  description:
    'Guarda el precio o el descuento de un producto desde una cantidad. No puede haber otro con el mismo producto, variante, presentación, cantidad y primer día, ni más de 100 de un producto, variante y presentación (business_rule_violation). Si el precio es mayor que el del escalón inferior se guarda, y se avisa con break_raises_price. Un producto que se elimina se lleva sus precios. Para varios a la vez está bulk_upsert_price_list_items.',
  transaction: 'own',
  mcp: true,
  params: Shape({ price_list: Described(Uuid, 'Id de la tarifa') }),
  body: CreateItemInput,
  output: WarnedItem,
  errors: [c.resource_not_found, c.missing_required_param, c.business_rule_violation],
  examples: [
    { title: 'Un precio', body: { product_id: '{product}', unit_price: 21.5 } },
    {
      title: 'Un descuento desde 100 unidades',
      body: { product_id: '{product}', min_quantity: 100, discount_percent: 12 },
    },
  ],

  async handle({ tx, caller: { company_id }, now, audit }, { params, body }) {
    const { id: price_list_id } = await lockedList(tx, company_id, params.price_list);
    const fields = applyItemInput({ ...blankItem, product_id: body.product_id }, body);
    const [saved] = await saveItems(tx, company_id, [{ fields }], { now, price_list_id, newId });
    const answer = answerItem(saved);
    audit({ action: 'price_list_item.create', ...auditedItem(answer.data) });
    return answer;
  },
});
