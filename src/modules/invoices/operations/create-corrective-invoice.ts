/** Issues a corrective of an issued invoice, by differences or by substitution. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation, largestBody } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { Described, OneWarned, Shape, Type, Uuid } from '../../../kernel/schema.ts';
import { correctiveWarningCodes } from '../rules/warnings.ts';
import type { CorrectiveLine } from '../rules/corrective-lines.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice } from '../invoices.family.ts';
import { CorrectiveInput } from '../invoices.schema.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { answeredRun, answerIssueRun, DryRun, presentIssueRun } from '../issuing/dry-run.ts';
import type { Replayed } from '../issuing/group.ts';
import type { InvoicePlan } from '../issuing/plan.ts';
import { type CorrectiveRequest, prepareCorrective } from '../issuing/prepare-corrective.ts';
import { replayCorrective, warningsOfIssued } from '../issuing/replay.ts';
import { correctiveHash } from '../rules/request-hash.ts';
import { isDryRun, refuseLineIds } from '../../sales/index.ts';

/** @throws 422 for another invoice than that of the path */
function checkOriginal(named: string | null | undefined, id: string): void {
  if (named && named !== id)
    refuseIssues([invalidField('original_invoice_id', 'No es la factura de la dirección.')]);
}

/** A repeated call would answer the corrective that is there. */
async function dryRun(
  ctx: Ctx,
  original: InvoiceBundle,
  request: CorrectiveRequest,
  reasons: Reasons,
): Promise<Replayed> {
  const { external } = request;
  const known = external && (await replayCorrective(ctx, external).catch((error) => reasons.refuse(error)));
  if (known) {
    const { replay: bundle } = known;
    const { document: invoice } = bundle;
    return answeredRun(presentIssueRun(invoice.id, { bundle }, reasons), warningsOfIssued(invoice));
  }
  return answerIssueRun(ctx, await prepareCorrective(ctx, original, request, reasons), reasons);
}

export const createCorrectiveInvoice = defineOperation({
  name: 'create_corrective_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/corrective',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Rectifica una factura emitida.',
  description:
    'Emite en la misma llamada una factura que rectifica a otra ya emitida: toma número en la serie de rectificativas y, con VeriFactu activado, crea su registro. Por diferencias, suma su importe (R2 y R3, solo su impuesto) a lo pendiente de la original; por sustitución, ocupa el lugar de la original, que queda rectificada. Sin lines, por diferencias deshace lo que queda de la original: sus líneas y las de sus rectificativas por diferencias, con signo contrario, hasta 500. original_line_id dice a qué línea de la original corresponde cada una; si se deshace más de lo facturado, lo avisa original_overcorrected. dry_run dice todo lo que lo impediría y lo que sumaría, y no guarda nada. Se rechaza si la original es un borrador o está retirada, rectificada por entero o sustituida (invalid_status_transition), o si el tipo no le corresponde o la fecha de expedición es anterior a la suya (business_rule_violation). No se puede borrar: solo anular, con annul_invoice.',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  irreversible_for: ({ body }) => !isDryRun(body),
  reaches_outside: true,
  rate_of: ({ body }) => (isDryRun(body) ? 'read' : 'write'),
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  body_limit: largestBody,
  body: CorrectiveInput,
  output: OneWarned(Invoice, correctiveWarningCodes),
  other_statuses: [
    {
      status: 200,
      when: 'Ya existe una rectificativa con este external_id, y se responde con ella; o la llamada era de prueba (dry_run).',
      output: OneWarned(Type.Union([Invoice, DryRun]), correctiveWarningCodes),
    },
  ],
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
    lineErrors.amount_reconciliation_failed,
    e.operation_date_after_issue_date,
    e.verifactu_not_eligible,
  ],
  events: [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.rectified',
    'invoice.updated',
    'invoice.paid',
    'invoice.overdue',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [
    {
      title: 'Devolución de toda la factura',
      body: { correction: { type: 'differences', reason: 'Devolución' } },
    },
  ],

  external_ids: ({ body }) => (body.external_id ? [body.external_id] : []),

  async handle(ctx, { params, body }): Promise<InvoicePlan | Replayed> {
    const original = await findBundle(ctx.tx, ctx.company.company_id, params.invoice);
    if (!original) throw fail(c.resource_not_found, { param: 'invoice' });
    const { original_invoice_id, lines, external_id = null, dry_run: _, ...request } = body;
    const asked = { ...request, ...(lines ? { lines: lines as CorrectiveLine[] } : {}) };
    const external =
      external_id === null ? undefined : { id: external_id, hash: correctiveHash(params.invoice, asked) };
    const reasons = new Reasons(isDryRun(body));
    reasons.attempt(() => checkOriginal(original_invoice_id, params.invoice));
    reasons.attempt(() => refuseLineIds(asked.lines ?? []));
    const wanted = { ...asked, ...(external ? { external } : {}) };
    if (isDryRun(body)) return dryRun(ctx, original, wanted, reasons);
    return (external && (await replayCorrective(ctx, external))) ?? prepareCorrective(ctx, original, wanted);
  },
  commit: commitInvoicePlan,
});
