/** Registers a payment of a purchase. The last one makes it paid. */
import { amountLimits, fixedText, readAmount } from '../../../domain/money/amount.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Decimal, Nullable, One, Shape, Text, Type } from '../../../kernel/schema.ts';
import { checkPaymentReplay, paymentsMax } from '../../payments/index.ts';
import { externalIdInput, idOf, idParams, labels, pathOf } from '../../sales/index.ts';
import { lockPurchase, pay } from '../paying.ts';
import { paymentInput, presentPurchasePayment, PurchasePayment } from '../payments.schema.ts';
import { purchaseInvoices } from '../purchase-invoices.family.ts';
import { findPurchasePaymentByExternalId } from '../purchase-invoices.store.ts';

const { money } = amountLimits;

export const registerPurchaseInvoicePayment = defineOperation({
  name: 'register_purchase_invoice_payment',
  method: 'POST',
  path: `${pathOf(purchaseInvoices)}/payments`,
  scope: 'purchase_invoices:transition',
  tag: 'purchase_invoices',
  summary: 'Registra un pago de una factura recibida.',
  description: `Anota un pago, de todo o de una parte; no mueve dinero. Cuando no queda nada la factura pasa a pagada (paid). Se rechaza si supera lo pendiente, la fecha es futura o la factura ya tiene ${paymentsMax} pagos con los anulados (business_rule_violation), y en un borrador o una cancelada (invalid_status_transition). De una factura en otra moneda se puede decir lo que costó en euros (settled_amount). Un pago mal anotado se anula con reverse_purchase_invoice_payment. Repetir la llamada sin la misma Idempotency-Key anota otro.`,
  transaction: 'own',
  mcp: true,
  params: idParams(purchaseInvoices),
  body: Shape({
    amount: Decimal(
      { decimals: 2 },
      'Importe pagado, con dos decimales como máximo y en la moneda de la factura; negativo si es lo que devuelve el proveedor por una rectificativa',
    ),
    settled_amount: Type.Optional(
      Nullable(
        Decimal(
          { decimals: 2 },
          'Lo que costó en euros, como lo cargó el banco o la tarjeta; solo si la factura es en otra moneda',
        ),
      ),
    ),
    ...paymentInput,
    notes: Type.Optional(Nullable(Text(1000, { description: 'Notas internas' }))),
    external_id: externalIdInput(
      'Clave del pago en su programa, única en la empresa: repetir la llamada con ella responde el pago que ya existe y no anota otro; con otra factura u otro dato del pago se rechaza',
    ),
    metadata: labels.metadata,
  }),
  output: One(PurchasePayment),
  other_statuses: [{ status: 200, when: 'Ya existe un pago con este external_id, y se responde con él.' }],
  errors: [c.resource_not_found, c.invalid_status_transition, c.business_rule_violation],
  events: ['purchase_invoice.payment_registered', 'purchase_invoice.paid'],
  examples: [
    {
      title: 'Transferencia',
      body: { amount: 50, payment_method: 'bank_transfer', reference: 'TRF 2026-12' },
    },
  ],

  external_ids: ({ body }) => (body.external_id ? [body.external_id] : []),

  async handle(ctx, { params, body }) {
    const before = await lockPurchase(ctx, idOf(purchaseInvoices, params));
    const amount = readAmount(body.amount, money)!.units;
    if (amount === 0n) {
      const reason = 'un pago no puede ser de cero.';
      throw fail(c.business_rule_violation, { param: 'amount', values: { reason } });
    }
    const settled = body.settled_amount == null ? null : readAmount(body.settled_amount, money)!.units;
    const known = body.external_id
      ? await findPurchasePaymentByExternalId(ctx.tx, ctx.company.company_id, body.external_id)
      : undefined;
    if (known) {
      checkPaymentReplay(known, body, {
        purchase_invoice_id: before.id,
        amount: fixedText(amount, 2),
        payment_method: body.payment_method,
        ...(body.settled_amount === undefined
          ? {}
          : { settled_amount: settled === null ? null : fixedText(settled, 2) }),
      });
      return { status: 200, is_repeat: true, body: { data: presentPurchasePayment(known) } };
    }
    const { payment } = await pay(ctx, before, { amount, settled }, body, 'register_payment');
    return { data: presentPurchasePayment(payment) };
  },
});
