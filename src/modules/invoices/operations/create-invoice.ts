/**
 * Creates an invoice: a draft, or issued at once. A repeated request with an `external_id` gets the existing invoice
 * (docs/conventions.md).
 */
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, largestBody } from '../../../kernel/operation.ts';
import { OneWarned, Type } from '../../../kernel/schema.ts';
import { addressWarningCodes } from '../rules/addresses.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { Invoice } from '../invoices.family.ts';
import { InvoiceInput } from '../invoices.schema.ts';
import { commitInvoicePlan } from '../issuing/commit-plans.ts';
import type { Replayed } from '../issuing/group.ts';
import { DryRun } from '../issuing/dry-run.ts';
import { waitForPdfBlocks } from '../issuing/pdf-blocks.ts';
import type { InvoicePlan } from '../issuing/plan.ts';
import { externalIdsOf, isIssued, prepareCreation, readForOne } from '../issuing/prepare-creation.ts';

export const createInvoice = defineOperation({
  name: 'create_invoice',
  method: 'POST',
  path: '/v1/invoices',
  scope: 'invoices:write',
  input_scopes: [{ param: 'options.send_automatically', scope: 'invoices:send' }],
  tag: 'invoices',
  summary: 'Crea una factura, en borrador o emitida.',
  description:
    'Guarda una factura en borrador, sin número, que se puede modificar y borrar hasta que se emite con issue_invoice. Con options.issue, con payment o con otra opción que lo indique se emite en la misma llamada: toma el siguiente número de su serie, ya no se puede modificar ni borrar y, con VeriFactu activado, queda su registro de facturación. Los importes los calcula el servicio a partir de las líneas. Si falta un dato o se incumple una regla se rechaza entera, sin gastar número; options.dry_run dice todos los motivos y no guarda nada. Al emitir, si falta un domicilio lo avisa en warnings, como issue_invoice. Repetida con el mismo external_id responde la factura que ya existe, y completa lo que le falte de lo que se pide; no emite ni cobra un borrador al que otra llamada cambió el tipo o el total (idempotency_key_reused).',
  transaction: 'issuing',
  mcp: true,
  irreversible: true,
  irreversible_for: ({ body }) => isIssued(body) && !isDryRun(body),
  reaches_outside: true,
  other_statuses: [
    {
      status: 200,
      when: 'Ya existe una factura con este external_id, y se responde con ella; o la llamada era de prueba (options.dry_run).',
      output: OneWarned(Type.Union([Invoice, DryRun]), addressWarningCodes),
    },
  ],
  body_limit: largestBody,
  body: InvoiceInput,
  output: OneWarned(Invoice, addressWarningCodes),
  errors: [
    c.missing_required_param,
    c.business_rule_violation,
    c.invalid_status_transition,
    lineErrors.amount_reconciliation_failed,
    e.simplified_invoices_disabled,
    e.operation_date_after_issue_date,
    e.verifactu_not_eligible,
  ],
  events: [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.simplified_substituted',
    'invoice.substituted_by_complete',
    'invoice.rectified',
    'invoice.overdue',
    'payment.received',
    'invoice.paid',
    'series.number_consumed',
    'series.year_reset',
    'series.month_reset',
    'invoice.verifactu_failed',
  ],
  examples: [
    {
      title: 'Tres líneas y dos tipos de IVA',
      body: {
        type: 'F2',
        lines: [
          { description: 'Consultoría', quantity: 3, unit_price: 80, tax_rate: 21 },
          { description: 'Manual impreso', quantity: 2, unit_price: 15.5, tax_rate: 4 },
          {
            description: 'Desplazamiento',
            quantity: 1,
            unit_price: 24.9,
            discount_percent: 10,
            tax_rate: 21,
          },
        ],
      },
    },
  ],

  // A dry run writes nothing, so it counts as a read.
  rate_of: ({ body }) => (isDryRun(body) ? 'read' : 'write'),
  prefetch: (tx, company_id, { body }) => readForOne(tx, company_id, body),
  external_ids: ({ body }) => externalIdsOf([body]),

  async handle(ctx, { body }, reads): Promise<InvoicePlan | Replayed> {
    return prepareCreation(ctx, body, reads);
  },
  commit: commitInvoicePlan,
  after_commit: waitForPdfBlocks,
});

/** @param body as received, before its schema is checked */
function isDryRun(body: unknown): boolean {
  const { options } = (body ?? {}) as { options?: unknown };
  return (options as { dry_run?: unknown } | null | undefined)?.dry_run === true;
}
