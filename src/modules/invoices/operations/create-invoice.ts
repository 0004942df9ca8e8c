/**
 * Creates an invoice: a draft, or issued at once with `options.issue`. With `external_id` the same request
 * sent again gets the invoice that exists (specification, section 4). A dry run is of the issue.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { One, Type } from '../../../kernel/schema.ts';
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice, InvoiceInput, type InvoiceInputBody } from '../invoices.schema.ts';
import { findBundle, findByExternalId } from '../invoices.store.ts';
import { commitInvoicePlan, type Replayed } from '../issuing/commit-plans.ts';
import { draftPlan, type InvoicePlan } from '../issuing/plan.ts';
import { prepareDraft, prepareIssue } from '../issuing/prepare.ts';
import { checkReplay, completeReplay } from '../issuing/replay.ts';
import { DryRun, presentDryRun, reasonsOfNumbering } from '../issuing/dry-run.ts';
import { outsideBlocks } from '../issuing/outside.ts';
import { withPayment } from '../issuing/with-payment.ts';
import { requestHash } from '../rules/request-hash.ts';
import { sendTo } from '../rules/send-to.ts';

/** Options that issue the invoice in the same transaction (decisions, section 3). */
const issuingOptions = ['issue', 'register_verifactu', 'send_automatically', 'wait_for_pdf'] as const;

async function replay(ctx: Ctx, id: string, body: InvoiceInputBody, is_issued: boolean): Promise<InvoicePlan | Replayed> {
  const bundle = await findBundle(ctx.tx, ctx.company.company_id, id);
  if (!bundle) throw new Error('The invoice of an external id vanished.');
  return completeReplay(ctx, bundle, body, is_issued);
}

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
  output: One(Type.Union([Invoice, DryRun])),
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
    const { payment, external_id, options = {} } = body;
    const is_dry = options.dry_run === true;
    const is_issued = payment !== undefined || issuingOptions.some((name) => options[name] === true);
    const { company_id } = ctx.company;
    const known = external_id ? await findByExternalId(ctx.tx, company_id, external_id) : undefined;
    // The same request is known by itself: prices and defaults may have changed since.
    if (known && !is_dry && known.external_hash === requestHash(body)) return replay(ctx, known.id, body, is_issued);

    const reasons = new Reasons(is_dry);
    const { bundle, facts } = await prepareDraft(ctx, body, is_issued || is_dry, reasons);
    const { invoice } = bundle;
    if (known) {
      reasons.attempt(() => checkReplay(known, { type: invoice.type, total: invoice.external_total ?? '' }));
      if (!is_dry) return replay(ctx, known.id, body, is_issued);
    }
    if (options.send_automatically) reasons.attempt(() => sendTo(options.send_to, facts.client?.email ?? null));
    ctx.emit('invoice.created', invoice.id);
    let plan = draftPlan(ctx, bundle, external_id ? { external_id, type: invoice.type, total: invoice.external_total ?? '' } : null);
    if (is_issued || is_dry) {
      const regime_keys = body.lines.flatMap((line) => (line.regime_key ? [line.regime_key] : []));
      plan = prepareIssue(ctx, bundle, facts, { stored: false, mark_sent: false, regime_keys, status: 201, reasons });
      if (payment) plan = reasons.attempt(() => withPayment(ctx, plan, payment)) ?? plan;
    }
    if (!is_dry) return { ...plan, blocks: outsideBlocks(options) };
    await reasonsOfNumbering(ctx, plan, reasons);
    return { ready: { status: 200, body: { data: presentDryRun(reasons) } } };
  },
  commit: commitInvoicePlan,
});
