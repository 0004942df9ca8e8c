import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Product, present } from '../products.schema.ts';
import { findProduct } from '../products.store.ts';

export const getProduct = defineOperation({
  name: 'get_product',
  method: 'GET',
  path: '/v1/products/:product',
  scope: 'products:read',
  tag: 'products',
  summary: 'Consulta un producto.',
  description:
    'Responde todos los datos de un producto, también si está archivado. Si el id no es de ninguno de la empresa, responde resource_not_found. Un producto se cambia con update_product; lo que se vendería de él, y a qué precio, lo dice resolve_product_selection.',
  transaction: 'read',
  row: 'products',
  mcp: true,
  params: Shape({ product: Described(Uuid, 'Id del producto') }),
  output: One(Product),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const row = await findProduct(tx, caller.company_id, params.product);
    if (!row) throw fail(c.resource_not_found, { param: 'product' });
    return { data: present(row) };
  },
});
