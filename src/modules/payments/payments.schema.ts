/** A payment as invoices and events embed it. */
import { printedWords } from '../../domain/printing/words.ts';
import {
  DayText,
  Described,
  Enum,
  Metadata,
  Money,
  Nullable,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

/** The Spanish words of printed documents. */
const paymentMethods = printedWords.es.payment_methods;

export type PaymentMethod = keyof typeof paymentMethods;

function Labelled<K extends string>(labels: Record<K, string>, note = '') {
  const names = Object.keys(labels) as K[];
  return Enum(names, { description: names.map((name) => `${name}: ${labels[name]}`).join('; ') + note });
}

export const PaymentMethodName = Labelled(paymentMethods);

/** Only the annulment of an invoice sets `issued_in_error`. */
const reversalReasons = {
  direct_debit_return: 'Devolución de recibo domiciliado',
  card_dispute: 'Disputa o contracargo de tarjeta',
  misapplied_payment: 'Cobro aplicado a otra factura',
  bounced_effect: 'Efecto impagado',
  recording_error: 'Error de registro',
  issued_in_error: 'Factura emitida por error',
} as const;

export type ReversalReason = keyof typeof reversalReasons;

export function reversalReasonText(reason: ReversalReason | null): string | null {
  return reason === null ? null : reversalReasons[reason];
}

export const ReversalReasonName = Labelled(reversalReasons, ', reservado a la anulación');

export type PaymentRow = {
  id: string;
  invoice_id: string;
  /** The invoice's. */
  client_id: string | null;
  amount: string;
  payment_date: string;
  payment_method: PaymentMethod;
  reference: string | null;
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
  is_reversed: boolean;
  reversed_at: Date | string | null;
  reversal_reason: ReversalReason | null;
  reversal_note: string | null;
  created_at: Date | string;
  updated_at: Date | string;
};

export const Payment = Type.Object({
  id: Described(Uuid, 'Id del cobro'),
  object: Type.Literal('payment'),
  invoice_id: Described(Uuid, 'Id de la factura'),
  amount: Described(Money, 'Importe cobrado, en la moneda de la factura'),
  payment_date: Described(DayText, 'Fecha del cobro, YYYY-MM-DD'),
  payment_method: PaymentMethodName,
  payment_method_text: Type.String({ description: 'La forma de pago, en palabras' }),
  reference: Nullable(Type.String({ description: 'Referencia del cobro' })),
  notes: Nullable(Type.String({ description: 'Notas internas' })),
  external_id: Nullable(Type.String({ description: 'Clave del cobro en su programa' })),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  is_reversed: Type.Boolean({ description: 'El cobro está anulado y ya no cuenta' }),
  reversed_at: Described(Nullable(Timestamp), 'Cuándo se anuló'),
  reversal_reason: Nullable(Type.String({ description: 'Por qué se anuló' })),
  reversal_reason_text: Nullable(Type.String({ description: 'Por qué se anuló, en palabras' })),
  reversal_note: Nullable(Text(500, { description: 'Aclaración de quien lo anuló' })),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

/** The fields of the reversal are never null. */
export const ReversedPayment = Type.Object({
  ...Payment.properties,
  // Receivers of the version before know nothing of these.
  external_id: Type.Optional(Payment.properties.external_id),
  metadata: Type.Optional(Payment.properties.metadata),
  is_reversed: Type.Literal(true),
  reversed_at: Timestamp,
  reversal_reason: ReversalReasonName,
  reversal_reason_text: Type.String(),
});

const iso = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString());

export function presentPayment(row: PaymentRow) {
  return {
    id: row.id,
    object: 'payment',
    invoice_id: row.invoice_id,
    amount: Number(row.amount),
    payment_date: row.payment_date,
    payment_method: row.payment_method,
    payment_method_text: paymentMethods[row.payment_method],
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
