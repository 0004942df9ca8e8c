import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { checkOtherForms, readProductTax, withFreeCode } from '../products.checks.ts';
import { configurationColumns, flagsOf, noConfiguration } from '../configuration.ts';
import { nextParts, splitInput } from '../products.parts.ts';
import { CreateProductInput, Product, present } from '../products.schema.ts';
import { insertProduct } from '../products.store.ts';
import { applyProductInput, blankProduct } from '../rules/product-fields.ts';

export const createProduct = defineOperation({
  name: 'create_product',
  method: 'POST',
  path: '/v1/products',
  scope: 'products:write',
  tag: 'products',
  summary: 'Crea un producto o servicio.',
  description:
    'Guarda un producto o servicio, del que las líneas de las facturas toman la descripción, la unidad, el precio y el impuesto que no digan. Se rechaza si otro producto activo tiene el mismo código (business_rule_violation), o si taxes_id no es un impuesto de la empresa o es una retención (parameter_invalid). taxes_id se busca antes con list_taxes. El precio es en euros y sin impuestos; los de otra moneda, cliente o cantidad van en una tarifa, con create_price_list_item.',
  transaction: 'own',
  mcp: true,
  body_limit: largestBody,
  body: CreateProductInput,
  output: One(Product),
  errors: [c.missing_required_param, c.business_rule_violation],
  events: ['product.created'],
  examples: [
    { title: 'Lo mínimo', body: { name: 'Silla plegable', unit_price: 24.9 } },
    {
      title: 'Un servicio por horas',
      body: {
        name: 'Hora de consultoría',
        code: 'CONS-H',
        kind: 'service',
        unit: 'h',
        unit_price: 60,
        tags: ['servicios'],
      },
    },
  ],

  async handle({ tx, caller, now, emit, ports }, { body }) {
    const { company_id } = caller;
    const { parts, plain } = splitInput(body);
    const id = newId();
    const fields = applyProductInput({ ...blankProduct, name: body.name }, plain);
    const tax = await readProductTax(tx, company_id, fields.taxes_id);
    const of = { company_id, product_id: id, ports };
    const configuration = await nextParts(tx, of, noConfiguration, parts);
    const columns = configurationColumns(configuration);
    const row = { ...fields, id, created_at: now, updated_at: now };
    await checkOtherForms(tx, company_id, row, null);
    await withFreeCode(() => insertProduct(tx, company_id, { ...row, ...columns }, configuration));
    emit('product.created', id);
    return { data: present({ ...row, ...flagsOf(columns), ...tax, configuration }) };
  },
});
