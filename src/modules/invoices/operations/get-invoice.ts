/** Retrieves an invoice with its lines, breakdown and payments. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Invoice, present } from '../invoices.schema.ts';
import { findBundle } from '../invoices.store.ts';

export const getInvoice = defineOperation({
  name: 'get_invoice',
  method: 'GET',
  path: '/v1/invoices/:invoice',
  scope: 'invoices:read',
  tag: 'invoices',
  summary: 'Consulta una factura.',
  transaction: 'read',
  mcp: true,
  params: Shape({ invoice: Uuid }),
  output: One(Invoice),
  errors: [c.resource_not_found],
  examples: [{ title: 'Una factura' }],

  prefetch: (tx, company_id, { params }) => findBundle(tx, company_id, params.invoice),

  async handle(ctx, _input, bundle) {
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    return { data: present(bundle, ctx) };
  },
});
