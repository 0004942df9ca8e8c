/** Voids an invoice: fiscally the same as annulling it, refused while a payment of it is in force. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { Invoice } from '../invoices.family.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { prepareWithdrawal } from '../issuing/prepare-withdrawal.ts';

export const voidInvoice = defineOperation({
  name: 'void_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/void',
  scope: 'invoices:void',
  tag: 'invoices',
  summary: 'Invalida una factura sin cobros.',
  transaction: 'issuing',
  mcp: true,
  status: 200,
  params: Shape({ invoice: Uuid }),
  output: One(Invoice),
  errors: [c.resource_not_found, c.invalid_status_transition, e.verifactu_not_eligible],
  events: [
    'invoice.cancelled',
    'invoice.updated',
    'invoice.paid',
    'invoice.overdue',
    'invoice.verifactu_failed',
  ],

  async handle(ctx, { params }) {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    return prepareWithdrawal(ctx, bundle, 'void', false);
  },
  commit: commitInvoicePlan,
});
