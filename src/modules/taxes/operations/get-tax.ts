/** Retrieves one tax. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { present, Tax } from '../taxes.schema.ts';
import { findTax } from '../taxes.store.ts';

export const getTax = defineOperation({
  name: 'get_tax',
  method: 'GET',
  path: '/v1/taxes/:tax',
  scope: 'taxes:read',
  tag: 'taxes',
  summary: 'Consulta un impuesto.',
  transaction: 'read',
  mcp: true,
  params: Shape({ tax: Uuid }),
  output: One(Tax),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const row = await findTax(tx, caller.company_id, params.tax);
    if (!row) throw fail(c.resource_not_found, { param: 'tax' });
    return { data: present(row) };
  },
});
