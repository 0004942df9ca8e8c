/** Issues a draft: it takes its number and can no longer be edited. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, OneWarned, Shape, Uuid } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
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
  description:
    'Emite un borrador: toma el siguiente número de su serie, fija los datos de la empresa y del cliente tal como están, y ya no se puede modificar ni borrar. Con VeriFactu activado crea además su registro de facturación, que después se envía a la Agencia Tributaria o, en modo no verificable, se conserva firmado. No envía la factura al cliente. Si a una factura completa le falta el domicilio de la empresa o el del cliente, lo avisa en warnings; con require_addresses en la empresa se rechaza (missing_required_param). Se rechaza sin gastar número si no es un borrador (invalid_status_transition), si falta el cliente o no valen las fechas o la serie (business_rule_violation), o si el registro no se podría hacer (verifactu_not_eligible). can_issue_invoice dice antes todo lo que lo impide.',
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
