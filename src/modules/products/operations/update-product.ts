/** Lines of documents keep what they copied. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { changedKeys, writableOf } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { checkOtherForms, readProductTax, withFreeCode } from '../products.checks.ts';
import { configurationColumns, flagsOf, noConfiguration } from '../configuration.ts';
import { nextParts, splitInput } from '../products.parts.ts';
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
    'Cambia lo que se envía: lo demás queda como estaba y null lo borra. is_active a false lo archiva, y a true lo recupera. Los documentos no cambian. Con una variante o presentación que se quita se van sus precios de tarifa; si algún documento la nombra o son más de 10.000, queda archivada y los conserva. Se rechaza si otro producto activo tiene el mismo código (business_rule_violation). Una lista que se envía es la entera que queda: léala antes con get_product.',
  transaction: 'own',
  mcp: true,
  body_limit: largestBody,
  params: Shape({ product: Described(Uuid, 'Id del producto') }),
  body: UpdateProductInput,
  output: One(Product),
  errors: [c.resource_not_found, c.missing_required_param, c.business_rule_violation],
  events: ['product.updated'],
  examples: [{ title: 'Cambia el precio', body: { unit_price: 26.5 } }],

  async handle({ tx, caller, now, emit, ports }, { params, body }) {
    const { company_id } = caller;
    const stored = await lockProduct(tx, company_id, params.product);
    if (!stored) throw fail(c.resource_not_found, { param: 'product' });
    const before = stored.configuration ?? noConfiguration;
    const current = { ...stored, configuration: before };
    const { parts, plain } = splitInput(writableOf(body, present(stored), productReadOnly));
    const of = { company_id, product_id: stored.id, ports };
    const configuration = await nextParts(tx, of, before, parts);
    const columns = configurationColumns(configuration);
    const next = { ...current, ...applyProductInput(current, plain), ...flagsOf(columns), configuration };
    const changed = changedKeys(current, next);
    if (changed.length === 0) return { data: present(current) };
    if (changed.includes('taxes_id'))
      Object.assign(next, await readProductTax(tx, company_id, next.taxes_id));

    next.updated_at = now;
    await checkOtherForms(tx, company_id, next, current);
    await withFreeCode(() =>
      updateRow(tx, company_id, current.id, { ...next, ...columns }, { before, after: configuration }),
    );
    emit('product.updated', current.id);
    return { data: present(next) };
  },
});
