/** Issues one full invoice in place of simplified ones. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { OneWarned } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice, invoices } from '../invoices.family.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { SubstitutionInput } from '../invoices.schema.ts';
import { findInvoices, withoutPayments } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { answerIssueRun, answerRefusedRun, DryRun } from '../issuing/dry-run.ts';
import type { Replayed } from '../issuing/group.ts';
import type { InvoicePlan } from '../issuing/plan.ts';
import { prepareSubstitution } from '../issuing/prepare-corrective.ts';
import { isDryRun, listLinesTogether } from '../../sales/index.ts';

/**
 * In the order of their ids.
 * @throws 422 for ids of no invoice of the company, and for more lines than an invoice has
 */
async function readTickets(ctx: Ctx, ids: readonly string[], reasons: Reasons): Promise<InvoiceBundle[]> {
  const { company_id } = ctx.company;
  const rows = await findInvoices(ctx.tx, company_id, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const unknown = ids.flatMap((id, index) =>
    byId.has(id) ? [] : [invalidField(`simplified_invoice_uuids.${index}`, 'La factura no existe.')],
  );
  reasons.attempt(() => refuseIssues(unknown));
  const known = ids.flatMap((id) => byId.get(id) ?? []);
  const lines = await listLinesTogether(
    ctx.tx,
    invoices,
    company_id,
    known.map(({ id }) => id),
    'simplified_invoice_uuids',
  ).catch((error) => {
    reasons.refuse(error);
    return [];
  });
  return withoutPayments(ctx.tx, company_id, known, Promise.resolve(lines));
}

export const substituteSimplifiedInvoices = defineOperation({
  name: 'substitute_simplified_invoices',
  method: 'POST',
  path: '/v1/invoices/substitute-simplified',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Sustituye facturas simplificadas por una completa.',
  description:
    'Emite en la misma llamada una factura completa (F3), a nombre del cliente, en lugar de una o varias simplificadas ya emitidas (F2, o la R5 que sustituyó a una), que quedan sustituidas. Lleva las líneas de todas y suma sus importes al céntimo: el impuesto de cada simplificada sigue redondeado como en ella, así que el del desglose puede diferir en céntimos del de su base por el tipo; solo se redondea de nuevo si, por devoluciones entre ellas, quedara con otro signo que su base. Lo cobrado de ellas cuenta como cobrado de la completa. Se rechaza si alguna no lo es o es posterior a la completa, si suman más de 500 líneas, o si no coinciden en la moneda, en quién las expide o en si los precios llevan impuestos (business_rule_violation), y si alguna no está emitida y vigente (invalid_status_transition). dry_run dice todo lo que lo impediría y lo que sumaría, y no guarda nada. No se puede borrar: solo anular, con annul_invoice.',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  irreversible_for: ({ body }) => !isDryRun(body),
  reaches_outside: true,
  rate_of: ({ body }) => (isDryRun(body) ? 'read' : 'write'),
  body: SubstitutionInput,
  output: OneWarned(Invoice, addressWarningCodes),
  other_statuses: [
    {
      status: 200,
      when: 'La llamada era de prueba (dry_run).',
      output: OneWarned(DryRun, addressWarningCodes),
    },
  ],
  errors: [
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
    'invoice.simplified_substituted',
    'invoice.substituted_by_complete',
    'invoice.paid',
    'invoice.overdue',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [
    {
      title: 'Un ticket con datos del cliente',
      body: { simplified_invoice_uuids: ['{invoice}'], client_id: '{client}' },
    },
  ],

  async handle(ctx, { body }): Promise<InvoicePlan | Replayed> {
    const { simplified_invoice_uuids: ids, dry_run: _, ...request } = body;
    const reasons = new Reasons(isDryRun(body));
    const tickets = await readTickets(ctx, ids, reasons);
    if (tickets.length === 0) return answerRefusedRun(reasons);
    const plan = await prepareSubstitution(ctx, tickets, request, reasons);
    return isDryRun(body) ? answerIssueRun(ctx, plan, reasons) : plan;
  },
  commit: commitInvoicePlan,
});
