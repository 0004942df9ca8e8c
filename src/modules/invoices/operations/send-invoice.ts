/**
 * Sends an invoice by e-mail; a draft is issued first, in the same transaction that queues the message. What becomes of
 * it is told by its events and by GET /v1/emails/{email}; the invoice is marked as sent when the mail server took it.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { getIssuer } from '../../companies/index.ts';
import { findDocumentClient } from '../../contacts/index.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice } from '../invoices.schema.ts';
import { findBundle } from '../invoices.store.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { planEmail, plannedEmailBlock } from '../issuing/email-plan.ts';
import { draftPlan, type InvoicePlan } from '../issuing/plan.ts';
import { prepareStoredIssue } from '../issuing/prepare.ts';
import { MessageInput } from '../message-input.ts';
import { recipientsOf } from '../rules/send-to.ts';
import { invoiceStates } from '../rules/states.ts';

export const sendInvoice = defineOperation({
  name: 'send_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/send',
  scope: 'invoices:send',
  tag: 'invoices',
  summary: 'Envía la factura por correo; si es un borrador, la emite.',
  transaction: 'issuing',
  mcp: true,
  status: 200,
  params: Shape({ invoice: Uuid }),
  body: MessageInput,
  body_optional: true,
  output: One(Invoice),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
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
  examples: [{ title: 'A una dirección', body: { to: ['compras@example.com'] } }],

  async handle(ctx, { params, body }): Promise<InvoicePlan> {
    const { company_id } = ctx.company;
    const bundle = await findBundle(ctx.tx, company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    const { invoice } = bundle;
    invoiceStates.next(invoice.status, 'mark_sent');
    const [client, issuer] = await Promise.all([
      invoice.client_id === null ? undefined : findDocumentClient(ctx.tx, company_id, invoice.client_id),
      getIssuer(ctx.tx, company_id),
    ]);
    const email = planEmail(recipientsOf(body ?? {}, client), issuer, body);
    const plan =
      invoice.status === 'draft'
        ? await prepareStoredIssue(ctx, bundle, { mark_sent: false })
        : // Locked as it was read: one that is withdrawn meanwhile is not sent.
          {
            ...draftPlan(ctx, bundle),
            stored: { id: invoice.id, version: invoice.version },
            status: 200 as const,
          };
    return { ...plan, email, blocks: plannedEmailBlock(ctx, email) };
  },
  commit: commitInvoicePlan,
});
