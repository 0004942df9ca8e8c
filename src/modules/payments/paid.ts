/** What payments of invoices and of purchases share. */
import { printedWords } from '../../domain/printing/words.ts';
import { DayText, Described, Enum, Metadata, Nullable, Text, Timestamp, Type } from '../../kernel/schema.ts';
import { newId } from '../../kernel/uuid7.ts';

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

/** A payment, in force or taken back. */
export type PaidRow = {
  id: string;
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

/** What callers call it. */
type Noun = 'cobro' | 'pago';

/** Members that follow the amount and what is paid. */
export function paidMembers(noun: Noun) {
  return {
    payment_date: Described(DayText, `Fecha del ${noun}, YYYY-MM-DD`),
    payment_method: PaymentMethodName,
    payment_method_text: Type.String({
      description: 'La forma de pago, en palabras',
      examples: Object.values(paymentMethods).slice(0, 1),
    }),
    reference: Nullable(Type.String({ description: `Referencia del ${noun}` })),
    notes: Nullable(Type.String({ description: 'Notas internas' })),
    external_id: Nullable(Type.String({ description: `Clave del ${noun} en su programa` })),
    metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
    is_reversed: Type.Boolean({ description: `El ${noun} está anulado y ya no cuenta` }),
    reversed_at: Described(Nullable(Timestamp), 'Cuándo se anuló'),
    reversal_reason: Nullable(Type.String({ description: 'Por qué se anuló' })),
    reversal_reason_text: Nullable(Type.String({ description: 'Por qué se anuló, en palabras' })),
    reversal_note: Nullable(Text(500, { description: 'Aclaración de quien lo anuló' })),
    created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
    updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
  };
}

/** Of a call that pays. */
export function paidInput(noun: Noun) {
  return {
    payment_date: Type.Optional(
      Described(Nullable(DayText), `Fecha del ${noun}, YYYY-MM-DD, no futura; hoy si no se indica`),
    ),
    payment_method: PaymentMethodName,
    reference: Type.Optional(
      Nullable(Text(200, { description: `Referencia del ${noun}, por ejemplo la de la transferencia` })),
    ),
  };
}

const iso = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString());

/** As `paidMembers` says. */
export function presentPaid(row: PaidRow) {
  return {
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

type Said = {
  payment_method: PaymentMethod;
  reference?: string | null | undefined;
  notes?: string | null | undefined;
  external_id?: string | null | undefined;
  metadata?: Record<string, string> | null | undefined;
};

/** @param said by the call; keys that it does not know are left out */
export function newPaid(
  { payment_method, reference, notes, external_id, metadata }: Said,
  { amount, payment_date, now }: { amount: string; payment_date: string; now: Date },
): PaidRow {
  const at = now.toISOString();
  return {
    id: newId(),
    amount,
    payment_date,
    payment_method,
    reference: reference ?? null,
    notes: notes ?? null,
    external_id: external_id ?? null,
    metadata: metadata ?? {},
    is_reversed: false,
    reversed_at: null,
    reversal_reason: null,
    reversal_note: null,
    created_at: at,
    updated_at: at,
  };
}
