/** Makes a new draft with the lines, client and texts of an invoice; dates, number and external id are its own. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { Invoice } from '../invoices.schema.ts';
import { isCorrective } from '../rules/invoice-types.ts';
import { findBundle, withCurrentClient } from '../invoices.store.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { draftPlan } from '../issuing/plan.ts';
import { noReferences } from '../rules/references.ts';

export const duplicateInvoice = defineOperation({
  name: 'duplicate_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/duplicate',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Copia una factura en un borrador nuevo.',
  transaction: 'issuing',
  mcp: true,
  params: Shape({ invoice: Uuid }),
  output: One(Invoice),
  errors: [c.resource_not_found, c.business_rule_violation, lineErrors.amount_reconciliation_failed],
  events: ['invoice.created'],

  async handle(ctx, { params }) {
    const bundle = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    if (isCorrective(bundle.invoice.type)) {
      const reason = 'una rectificativa no se duplica: rectifique la factura original.';
      throw fail(c.business_rule_violation, { param: 'invoice', values: { reason } });
    }
    const id = newId();
    const type = bundle.invoice.type === 'F3' ? 'F1' : bundle.invoice.type;
    const now = ctx.now.toISOString();
    const invoice = await withCurrentClient(ctx.tx, ctx.company.company_id, {
      ...bundle.invoice,
      id,
      type,
      version: 1,
      status: 'draft',
      number: null,
      series_period: null,
      series_number: null,
      issuer_snapshot: null,
      issued_on: null,
      operation_on: null,
      due_on: null,
      paid_amount: '0.00',
      ...noReferences,
      external_id: null,
      external_type: null,
      external_total: null,
      external_hash: null,
      issued_at: null,
      sent_at: null,
      created_at: now,
      updated_at: now,
    });
    ctx.emit('invoice.created', id);
    return draftPlan(ctx, {
      invoice,
      lines: bundle.lines.map((line) => ({ ...line, id: newId(), invoice_id: id })),
      tax_rows: bundle.tax_rows.map((row) => ({ ...row, invoice_id: id })),
      payments: [],
    });
  },
  commit: commitInvoicePlan,
});
