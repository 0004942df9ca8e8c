/**
 * Creates an invoice: a draft, or issued at once with `options.issue`. With `external_id` the same request
 * sent again gets the invoice that exists (specification, section 4).
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice, InvoiceInput } from '../invoices.schema.ts';
import { findBundle, findByExternalId } from '../invoices.store.ts';
import { commitInvoicePlan, type Replayed } from '../issuing/commit-plans.ts';
import { draftPlan, type InvoicePlan } from '../issuing/plan.ts';
import { prepareDraft, prepareIssue } from '../issuing/prepare.ts';
import { checkReplay } from '../issuing/replay.ts';

export const createInvoice = defineOperation({
  name: 'create_invoice',
  method: 'POST',
  path: '/v1/invoices',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Crea una factura, en borrador o emitida.',
  transaction: 'issuing',
  mcp: true,
  body: InvoiceInput,
  output: One(Invoice),
  errors: [c.missing_required_param, c.business_rule_violation, lineErrors.amount_reconciliation_failed, e.operation_date_after_issue_date],
  examples: [
    {
      title: 'Tres líneas y dos tipos de IVA',
      body: {
        type: 'F2',
        lines: [
          { description: 'Consultoría', quantity: 3, unit_price: 80, tax_rate: 21 },
          { description: 'Manual impreso', quantity: 2, unit_price: 15.5, tax_rate: 4 },
          { description: 'Desplazamiento', quantity: 1, unit_price: 24.9, discount_percent: 10, tax_rate: 21 },
        ],
      },
    },
  ],

  async handle(ctx, { body }): Promise<InvoicePlan | Replayed> {
    const is_issued = body.options?.issue === true;
    const { bundle, facts } = await prepareDraft(ctx, body, is_issued);
    const { invoice } = bundle;
    const external = invoice.external_id === null ? null : { external_id: invoice.external_id, type: invoice.type, total: invoice.external_total ?? '' };
    if (external) {
      const known = await findByExternalId(ctx.tx, ctx.company.company_id, external.external_id);
      if (known) {
        checkReplay(known, external);
        const replay = await findBundle(ctx.tx, ctx.company.company_id, known.id);
        if (replay) return { replay };
      }
    }
    ctx.emit('invoice.created', invoice.id);
    if (is_issued) {
      const regime_keys = body.lines.flatMap((line) => (line.regime_key ? [line.regime_key] : []));
      return prepareIssue(ctx, bundle, facts, { stored: false, mark_sent: false, regime_keys, status: 201 });
    }
    return draftPlan(ctx, bundle, external);
  },
  commit: commitInvoicePlan,
});
