/** Pays all that is pending of a purchase. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { One, Shape } from '../../../kernel/schema.ts';
import { documentOutput, idOf, idParams, pathOf, presentDocument, withParts } from '../../sales/index.ts';
import { lockPurchase, pay } from '../paying.ts';
import { paymentInput } from '../payments.schema.ts';
import { purchaseInvoices } from '../purchase-invoices.family.ts';

const { payment_date, payment_method, reference } = paymentInput;

export const markPurchaseInvoicePaid = defineOperation({
  name: 'mark_purchase_invoice_paid',
  method: 'POST',
  path: `${pathOf(purchaseInvoices)}/mark-paid`,
  scope: 'purchase_invoices:transition',
  tag: 'purchase_invoices',
  summary: 'Marca una factura recibida como pagada.',
  description:
    'Registra un pago de todo lo que queda por pagar, y la factura queda pagada; no mueve dinero. Lo que debe el proveedor por una rectificativa se registra como un pago negativo. Un borrador, una cancelada o una en la que no queda nada se rechazan (invalid_status_transition). Para pagar una parte está register_purchase_invoice_payment; un pago mal anotado se anula con reverse_purchase_invoice_payment.',
  transaction: 'own',
  mcp: true,
  status: 200,
  params: idParams(purchaseInvoices),
  body: Shape({ payment_date, payment_method, reference }),
  output: One(documentOutput(purchaseInvoices)),
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
  events: ['purchase_invoice.payment_registered', 'purchase_invoice.paid'],
  examples: [
    { title: 'Por transferencia', body: { payment_method: 'bank_transfer', reference: 'TRF 2026-12' } },
  ],

  async handle(ctx, { params, body }) {
    const before = await lockPurchase(ctx, idOf(purchaseInvoices, params));
    const { purchase } = await pay(ctx, before, { amount: null }, body, 'mark_paid');
    const [bundle] = await withParts(ctx.tx, purchaseInvoices, ctx.company.company_id, [purchase]);
    return { data: presentDocument(purchaseInvoices, bundle!, ctx) };
  },
});
