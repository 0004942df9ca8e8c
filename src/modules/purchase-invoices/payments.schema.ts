/** A payment of a purchase. */
import { nullableToJson } from '../../domain/money/printed.ts';
import { Described, Money, Nullable, Type, Uuid } from '../../kernel/schema.ts';
import { paidInput, paidMembers, presentPaid } from '../payments/index.ts';
import type { PurchasePaymentRow } from './purchase-invoices.rows.ts';

export const PurchasePayment = Type.Object({
  id: Described(Uuid, 'Id del pago'),
  object: Type.Literal('payment'),
  purchase_invoice_id: Described(Uuid, 'Id de la factura recibida'),
  amount: Described(
    Money,
    'Importe pagado, en la moneda de la factura; negativo si lo devolvió el proveedor',
  ),
  settled_amount: Nullable(
    Type.Number({ description: 'Lo que costó en euros, si la factura es en otra moneda' }),
  ),
  ...paidMembers('pago'),
});

export function presentPurchasePayment(row: PurchasePaymentRow) {
  return {
    id: row.id,
    object: 'payment',
    purchase_invoice_id: row.purchase_invoice_id,
    amount: Number(row.amount),
    settled_amount: nullableToJson(row.settled_amount),
    ...presentPaid(row),
  };
}

/** What a call that pays says. */
export const paymentInput = paidInput('pago');
