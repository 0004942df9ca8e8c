/** A payment of a purchase. */
import { printedWords } from '../../domain/printing/words.ts';
import {
  DayText,
  Described,
  Metadata,
  Money,
  Nullable,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { nullableToJson } from '../../domain/money/printed.ts';
import { PaymentMethodName, reversalReasonText } from '../payments/index.ts';
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
  payment_date: Described(DayText, 'Fecha del pago, YYYY-MM-DD'),
  payment_method: PaymentMethodName,
  payment_method_text: Type.String({ description: 'La forma de pago, en palabras' }),
  reference: Nullable(Type.String({ description: 'Referencia del pago' })),
  notes: Nullable(Type.String({ description: 'Notas internas' })),
  external_id: Nullable(Type.String({ description: 'Clave del pago en su programa' })),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  is_reversed: Type.Boolean({ description: 'El pago está anulado y ya no cuenta' }),
  reversed_at: Described(Nullable(Timestamp), 'Cuándo se anuló'),
  reversal_reason: Nullable(Type.String({ description: 'Por qué se anuló' })),
  reversal_reason_text: Nullable(Type.String({ description: 'Por qué se anuló, en palabras' })),
  reversal_note: Nullable(Text(500, { description: 'Aclaración de quien lo anuló' })),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

const iso = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString());

export function presentPurchasePayment(row: PurchasePaymentRow) {
  return {
    id: row.id,
    object: 'payment',
    purchase_invoice_id: row.purchase_invoice_id,
    amount: Number(row.amount),
    settled_amount: nullableToJson(row.settled_amount),
    payment_date: row.payment_date,
    payment_method: row.payment_method,
    payment_method_text: printedWords.es.payment_methods[row.payment_method],
    reference: row.reference,
    notes: row.notes,
    external_id: row.external_id,
    metadata: row.metadata,
    is_reversed: row.is_reversed,
    reversed_at: iso(row.reversed_at),
    reversal_reason: row.reversal_reason,
    reversal_reason_text: reversalReasonText(row.reversal_reason),
    reversal_note: row.reversal_note,
    created_at: iso(row.created_at) ?? '',
    updated_at: iso(row.updated_at) ?? '',
  };
}

/** What a call that pays says. */
export const paymentInput = {
  payment_date: Type.Optional(
    Described(Nullable(DayText), 'Fecha del pago, YYYY-MM-DD, no futura; hoy si no se indica'),
  ),
  payment_method: PaymentMethodName,
  reference: Type.Optional(
    Nullable(Text(200, { description: 'Referencia del pago, por ejemplo la de la transferencia' })),
  ),
};
