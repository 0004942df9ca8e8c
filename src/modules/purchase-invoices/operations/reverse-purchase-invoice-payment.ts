/** Reverses a payment of a purchase, so its amount is due again. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { ReversalReasonName } from '../../payments/index.ts';
import { idOf, idParams, pathOf } from '../../sales/index.ts';
import { lockPurchase, reverse } from '../paying.ts';
import { presentPurchasePayment, PurchasePayment } from '../payments.schema.ts';
import { purchaseInvoices } from '../purchase-invoices.family.ts';
import { findPurchasePayment } from '../purchase-invoices.store.ts';

export const reversePurchaseInvoicePayment = defineOperation({
  name: 'reverse_purchase_invoice_payment',
  method: 'POST',
  path: `${pathOf(purchaseInvoices)}/payments/:payment/reversal`,
  scope: 'purchase_invoices:transition',
  tag: 'purchase_invoices',
  summary: 'Anula un pago de una factura recibida.',
  description:
    'Anula un pago que se devolvió o se anotó por error: se conserva, marcado como anulado y con su motivo, y su importe vuelve a quedar por pagar; la factura vuelve a recibida o a contabilizada. Se rechaza un pago ya anulado (invalid_status_transition) y el motivo issued_in_error (business_rule_violation), que es de facturas emitidas. No se puede deshacer: si hace falta, se registra el pago de nuevo. El id del pago lo da get_purchase_invoice.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  status: 200,
  params: Shape({ ...idParams(purchaseInvoices).properties, payment: Described(Uuid, 'Id del pago') }),
  body: Shape({
    reason: ReversalReasonName,
    note: Type.Optional(Nullable(Text(500, { description: 'Aclaración, para consulta' }))),
  }),
  output: One(PurchasePayment),
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
  events: ['purchase_invoice.updated'],
  examples: [{ title: 'Recibo devuelto', body: { reason: 'direct_debit_return', note: 'Sin fondos' } }],

  async handle(ctx, { params, body }) {
    if (body.reason === 'issued_in_error') {
      const reason = 'una factura recibida no se anula por haberse emitido por error.';
      throw fail(c.business_rule_violation, { param: 'reason', values: { reason } });
    }
    const before = await lockPurchase(ctx, idOf(purchaseInvoices, params));
    const payment = await findPurchasePayment(ctx.tx, ctx.company.company_id, before.id, params.payment);
    if (!payment) throw fail(c.resource_not_found, { param: 'payment' });
    const reversed = await reverse(ctx, before, payment, { reason: body.reason, note: body.note ?? null });
    return { data: presentPurchasePayment(reversed) };
  },
});
