/** Issues a draft: it takes the next number of its series and can no longer be edited. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice } from '../invoices.family.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { prepareStoredIssue } from '../issuing/prepare.ts';
import { invoiceStates } from '../rules/states.ts';

export const issueInvoice = defineOperation({
  name: 'issue_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/issue',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Emite una factura en borrador.',
  transaction: 'issuing',
  mcp: true,
  status: 200,
  params: Shape({ invoice: Uuid }),
  output: One(Invoice),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.business_rule_violation,
    e.operation_date_after_issue_date,
    e.verifactu_not_eligible,
  ],
  events: [
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.overdue',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [{ title: 'Emitir un borrador' }],

  async handle(ctx, { params }) {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    invoiceStates.next(bundle.document.status, 'issue');
    return prepareStoredIssue(ctx, bundle, { mark_sent: false });
  },
  commit: commitInvoicePlan,
});
