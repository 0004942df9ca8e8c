import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { present, Tax } from '../taxes.schema.ts';
import { findTax } from '../taxes.store.ts';

export const getTax = defineOperation({
  name: 'get_tax',
  method: 'GET',
  path: '/v1/taxes/:tax',
  scope: 'taxes:read',
  tag: 'taxes',
  summary: 'Consulta un impuesto.',
  description:
    'Responde un impuesto o una retención de la empresa, también si está desactivado. Si el id no es de ninguno, responde resource_not_found. El id de un impuesto va en taxes_id de un producto o de una línea.',
  transaction: 'read',
  row: 'taxes',
  mcp: true,
  params: Shape({ tax: Described(Uuid, 'Id del impuesto') }),
  output: One(Tax),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const row = await findTax(tx, caller.company_id, params.tax);
    if (!row) throw fail(c.resource_not_found, { param: 'tax' });
    return { data: present(row) };
  },
});
