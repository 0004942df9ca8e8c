/** Issues a corrective of an issued invoice, by differences or by substitution. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { Described, OneWarned, Shape, Uuid } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice } from '../invoices.family.ts';
import { CorrectiveInput } from '../invoices.schema.ts';
import { findBundle } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import type { Replayed } from '../issuing/group.ts';
import type { InvoicePlan } from '../issuing/plan.ts';
import { prepareCorrective } from '../issuing/prepare-corrective.ts';
import { replayCorrective } from '../issuing/replay.ts';
import { correctiveHash } from '../rules/request-hash.ts';
import { refuseLineIds } from '../../sales/index.ts';

export const createCorrectiveInvoice = defineOperation({
  name: 'create_corrective_invoice',
  method: 'POST',
  path: '/v1/invoices/:invoice/corrective',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Rectifica una factura emitida.',
  description:
    'Emite en la misma llamada una factura que rectifica a otra ya emitida: toma número en la serie de rectificativas y, con VeriFactu activado, crea su registro. Por diferencias (differences), sus importes se suman a lo que queda por cobrar de la original o se restan; por sustitución (substitution), ocupa el lugar de la original, que queda rectificada. Sin lines, por diferencias deshace la original entera. Se rechaza si la original es un borrador o está retirada, rectificada por entero o sustituida (invalid_status_transition), o si el tipo no le corresponde o la fecha de expedición es anterior a la suya (business_rule_violation). No se puede borrar: solo anular, con annul_invoice.',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura') }),
  body_limit: largestBody,
  body: CorrectiveInput,
  output: OneWarned(Invoice, addressWarningCodes),
  other_statuses: [
    { status: 200, when: 'Ya existe una rectificativa con este external_id, y se responde con ella.' },
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
    const { original_invoice_id, lines, external_id = null, ...request } = body;
    if (original_invoice_id && original_invoice_id !== original.document.id) {
      refuseIssues([invalidField('original_invoice_id', 'No es la factura de la dirección.')]);
    }
    if (lines) refuseLineIds(lines as LineInput[]);
    const asked = { ...request, ...(lines ? { lines: lines as LineInput[] } : {}) };
    if (external_id === null) return prepareCorrective(ctx, original, asked);
    const external = { id: external_id, hash: correctiveHash(params.invoice, asked) };
    return (
      (await replayCorrective(ctx, external)) ?? prepareCorrective(ctx, original, { ...asked, external })
    );
  },
  commit: commitInvoicePlan,
});
