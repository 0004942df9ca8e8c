/** Marks an invoice as sent by other means; issues a draft first. Marking again changes nothing. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, OneWarned, Shape, Uuid } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { auditMove } from '../audit-move.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice, present } from '../invoices.family.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import type { Replayed } from '../issuing/group.ts';
import { changePlan, type InvoicePlan } from '../issuing/plan.ts';
import { prepareStoredIssue } from '../issuing/prepare.ts';
import { invoiceStates } from '../rules/states.ts';

export const markInvoiceSent = defineOperation({
  name: 'mark_invoice_sent',
  method: 'POST',
  path: '/v1/invoices/:invoice/mark-sent',
  scope: 'invoices:send',
  tag: 'invoices',
  summary: 'Marca una factura como enviada; si es un borrador, la emite.',
  description:
    'Anota que la factura se ha enviado por otro medio; no envía nada al cliente: para eso está send_invoice. Un borrador se emite antes, como con issue_invoice: toma número y ya no se puede modificar ni borrar. Marcarla otra vez no cambia nada. Se rechaza si está rectificada por entero, sustituida, invalidada o anulada (invalid_status_transition).',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  status: 200,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  output: OneWarned(Invoice, addressWarningCodes),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
    e.simplified_invoices_disabled,
    e.operation_date_after_issue_date,
    e.verifactu_not_eligible,
  ],
  events: [
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.simplified_substituted',
    'invoice.substituted_by_complete',
    'invoice.rectified',
    'invoice.paid',
    'invoice.sent',
    'invoice.overdue',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [{ title: 'Marcar como enviada' }],

  async handle(ctx, { params }): Promise<InvoicePlan | Replayed> {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    const { document: invoice } = bundle;
    const status = invoiceStates.next(invoice.status, 'send');
    if (invoice.status !== 'draft' && invoice.sent_at !== null)
      return { ready: { status: 200, body: { data: present(bundle, ctx) } } };
    auditMove(ctx, 'mark_sent', invoice, status);
    if (invoice.status === 'draft') return prepareStoredIssue(ctx, bundle, { mark_sent: true });
    ctx.emit('invoice.sent', invoice.id);
    return changePlan(ctx, invoice, {
      ...bundle,
      document: { ...invoice, status, sent_at: ctx.now.toISOString() },
    });
  },
  commit: commitInvoicePlan,
});
