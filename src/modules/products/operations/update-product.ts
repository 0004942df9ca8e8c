/** Lines of documents keep what they copied. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { readProductTax, withFreeCode } from '../products.checks.ts';
import { Product, present, productReadOnly, UpdateProductInput } from '../products.schema.ts';
import { lockProduct, updateProduct as updateRow } from '../products.store.ts';
import { applyProductInput } from '../rules/product-fields.ts';

export const updateProduct = defineOperation({
  name: 'update_product',
  method: 'PUT',
  path: '/v1/products/:product',
  scope: 'products:write',
  tag: 'products',
  summary: 'Modifica un producto.',
  description:
    'Cambia los datos que se envían: lo que no se envía queda como estaba y null lo borra. is_active a false lo archiva, y a true lo recupera. Las líneas de los documentos conservan lo que tomaron de él. Se rechaza si otro producto activo tiene el mismo código (business_rule_violation).',
  transaction: 'own',
  mcp: true,
  params: Shape({ product: Described(Uuid, 'Id del producto') }),
  body: UpdateProductInput,
  output: One(Product),
  errors: [c.resource_not_found, c.business_rule_violation],
  events: ['product.updated'],
  examples: [{ title: 'Cambia el precio', body: { unit_price: 26.5 } }],

  async handle({ tx, caller, now, emit }, { params, body }) {
    const { company_id } = caller;
    const current = await lockProduct(tx, company_id, params.product);
    if (!current) throw fail(c.resource_not_found, { param: 'product' });
    const next = {
      ...current,
      ...applyProductInput(current, writableOf(body, present(current), productReadOnly)),
    };
    const changed = changedKeys(current, next);
    if (changed.length === 0) return { data: present(current) };
    if (changed.includes('taxes_id'))
      Object.assign(next, await readProductTax(tx, company_id, next.taxes_id));

    next.updated_at = now;
    await withFreeCode(() => updateRow(tx, company_id, current.id, next));
    emit('product.updated', current.id);
    return { data: present(next) };
  },
});
