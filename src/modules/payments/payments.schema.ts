/** A payment as invoices and events embed it. */
import { Described, Money, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import { type PaidRow, paidMembers, presentPaid, ReversalReasonName, reversalReasonText } from './paid.ts';

export type PaymentRow = PaidRow & {
  invoice_id: string;
  /** The invoice's. */
  client_id: string | null;
};

const members = paidMembers('cobro');

export const Payment = Type.Object({
  id: Described(Uuid, 'Id del cobro'),
  object: Type.Literal('payment'),
  invoice_id: Described(Uuid, 'Id de la factura'),
  amount: Described(Money, 'Importe cobrado, en la moneda de la factura; negativo si se devolvió al cliente'),
  ...members,
});

/** The fields of the reversal are never null. */
export const ReversedPayment = Type.Object({
  ...Payment.properties,
  // Receivers of the version before know nothing of these.
  external_id: Type.Optional(members.external_id),
  metadata: Type.Optional(members.metadata),
  is_reversed: Type.Literal(true),
  reversed_at: Timestamp,
  reversal_reason: ReversalReasonName,
  reversal_reason_text: Type.String({ examples: [reversalReasonText('direct_debit_return')] }),
});

export function presentPayment(row: PaymentRow) {
  return {
    id: row.id,
    object: 'payment',
    invoice_id: row.invoice_id,
    amount: Number(row.amount),
    ...presentPaid(row),
  };
}
