/**
 * Reverses a payment, so its amount is due again, on the replacement if the invoice has one. A returned payment is no reason for
 * a corrective invoice.
 */
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import {
  findPaymentOf,
  Payment,
  presentPayment,
  ReversalReasonName,
  reversePayments,
} from '../../payments/index.ts';
import { auditMove } from '../audit-move.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import { lockInvoice, updateInvoices } from '../stored-invoices.ts';
import { lockReplacements } from '../issuing/settlement.ts';
import { reversed, withoutPayments } from '../rules/reversal.ts';
import { eventsOfStatus, withLessCarried } from '../rules/settlement.ts';

export const reverseInvoicePayment = defineOperation({
  name: 'reverse_invoice_payment',
  method: 'POST',
  path: '/v1/invoices/:invoice/payments/:payment/reversal',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Anula un cobro de la factura.',
  description:
    'Anula un cobro que se devolvió o se anotó por error: el cobro se conserva, marcado como anulado y con su motivo, y su importe vuelve a quedar por cobrar. La factura que estaba cobrada vuelve a enviada o a vencida; si otra ha ocupado su lugar, es esa la que queda por cobrar. Si lo anulado era una devolución al cliente, la factura puede quedar cobrada. Se rechaza un cobro ya anulado (invalid_status_transition) y el motivo issued_in_error, reservado a annul_invoice (reversal_reason_reserved). No se puede deshacer: si hace falta, se registra el cobro de nuevo. El id del cobro lo da get_invoice o list_payments.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  status: 200,
  params: Shape({ invoice: Described(Uuid, 'Id de la factura'), payment: Described(Uuid, 'Id del cobro') }),
  body: Shape({
    reason: ReversalReasonName,
    note: Type.Optional(Nullable(Text(500, { description: 'Aclaración, para consulta' }))),
  }),
  output: One(Payment),
  errors: [c.resource_not_found, c.invalid_status_transition, e.reversal_reason_reserved],
  events: ['payment.reversed', 'invoice.updated', 'invoice.paid', 'invoice.overdue'],
  examples: [{ title: 'Recibo devuelto', body: { reason: 'direct_debit_return', note: 'Sin fondos' } }],

  async handle(ctx, { params, body }) {
    const { tx, caller, now, today, emit } = ctx;
    if (body.reason === 'issued_in_error') throw fail(e.reversal_reason_reserved, { param: 'reason' });
    const invoice = await lockInvoice(tx, caller.company_id, params.invoice);
    if (!invoice) throw fail(c.resource_not_found, { param: 'invoice' });
    const payment = await findPaymentOf(tx, caller.company_id, invoice.id, params.payment);
    if (!payment) throw fail(c.resource_not_found, { param: 'payment' });
    if (payment.is_reversed) {
      const values = { reason: 'el cobro ya está anulado.' };
      throw fail(c.invalid_status_transition, { param: 'payment', values });
    }
    const [voided] = reversed([payment], { reason: body.reason, note: body.note ?? null, now, today });
    const next = withoutPayments(invoice, [payment], today);
    const replacements = await lockReplacements(tx, caller.company_id, invoice);
    const changes = [
      { before: invoice, after: next },
      ...replacements.map((before) => ({
        before,
        after: withLessCarried(before, printedToCents(payment.amount), today),
      })),
    ];
    await Promise.all([
      reversePayments(tx, caller.company_id, [voided!]),
      updateInvoices(
        tx,
        caller.company_id,
        changes.map(({ after }) => ({ ...after, version: after.version + 1, updated_at: now })),
      ),
    ]);
    const shown = presentPayment(voided!);
    const { reason } = body;
    auditMove(ctx, 'reverse_payment', invoice, next.status, { payment_id: payment.id, reason });
    emit('payment.reversed', payment.id, {
      data: { type: 'payment', object: shown, reversal: { reason: body.reason, origin: 'manual' } },
    });
    for (const { before, after } of changes) {
      if (before !== invoice) emit('invoice.updated', before.id);
      for (const event of eventsOfStatus(before, after)) emit(event, before.id);
    }
    return { data: shown };
  },
});
