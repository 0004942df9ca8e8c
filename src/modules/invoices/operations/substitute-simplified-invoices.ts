/** Issues one full invoice in place of simplified ones. */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { OneWarned } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice, invoices } from '../invoices.family.ts';
import { SubstitutionInput } from '../invoices.schema.ts';
import { findInvoices, withParts } from '../stored-invoices.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import { prepareSubstitution } from '../issuing/prepare-corrective.ts';
import { listLinesTogether } from '../../sales/index.ts';

export const substituteSimplifiedInvoices = defineOperation({
  name: 'substitute_simplified_invoices',
  method: 'POST',
  path: '/v1/invoices/substitute-simplified',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Sustituye facturas simplificadas por una completa.',
  description:
    'Emite en la misma llamada una factura completa (F3), a nombre del cliente, en lugar de una o varias simplificadas (F2) ya emitidas, que quedan sustituidas. Lleva las líneas de todas y suma sus importes al céntimo: el impuesto de cada simplificada sigue redondeado como en ella, así que el del desglose puede diferir en céntimos del de su base por el tipo; solo se redondea de nuevo si, por devoluciones entre ellas, quedara con otro signo que su base. Lo cobrado de ellas cuenta como cobrado de la completa. Se rechaza si alguna no es F2 o es posterior a la completa, si suman más de 500 líneas, o si no coinciden en la moneda, en quién las expide o en si los precios llevan impuestos (business_rule_violation), y si alguna no está emitida y vigente (invalid_status_transition). No se puede borrar: solo anular, con annul_invoice.',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  reaches_outside: true,
  body: SubstitutionInput,
  output: OneWarned(Invoice, addressWarningCodes),
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

  async handle(ctx, { body }) {
    const { simplified_invoice_uuids: ids } = body;
    const rows = await findInvoices(ctx.tx, ctx.company.company_id, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const unknown = ids.flatMap((id, index) =>
      byId.has(id) ? [] : [invalidField(`simplified_invoice_uuids.${index}`, 'La factura no existe.')],
    );
    refuseIssues(unknown);
    const { company_id } = ctx.company;
    const lines = await listLinesTogether(ctx.tx, invoices, company_id, ids, 'simplified_invoice_uuids');
    const tickets = await withParts(
      ctx.tx,
      company_id,
      ids.map((id) => byId.get(id)!),
      Promise.resolve(lines),
    );
    return prepareSubstitution(ctx, tickets, { ...body });
  },
  commit: commitInvoicePlan,
});
