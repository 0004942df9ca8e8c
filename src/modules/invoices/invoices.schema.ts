/** The members that only an invoice has on the wire. */
import { centsToNumber } from '../../domain/money/amount.ts';
import { nullableToJson } from '../../domain/money/printed.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Money,
  Nullable,
  Shape,
  type Static,
  Name,
  Text,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { type PaymentRow, Payment, PaymentMethodName, presentPayment } from '../payments/index.ts';
import { Legend, recordBlock, recordStatuses } from '../verifactu/index.ts';
import { issuedBy } from './rules/document-fields.ts';
import { invoiceStatuses } from './rules/states.ts';
import { correctiveTypes, invoiceTypes } from './rules/invoice-types.ts';
import { pendingCents } from './rules/pending.ts';
import type { InvoiceBundle } from './invoices.rows.ts';
import {
  contentInput,
  dryRunInput,
  externalIdInput,
  labels,
  linesMax,
  NewLineInput,
  newLines,
} from '../sales/index.ts';
import type { DocumentNames } from '../../domain/sales/document-kinds.ts';

export const invoiceNames: DocumentNames & { object: 'invoice' } = {
  object: 'invoice',
  one: 'una factura',
  many: 'las facturas',
  the: 'la factura',
};

/** Input of invoices alone, and shared members with other descriptions. */
export const invoiceContent = {
  type: Type.Optional(
    Enum(invoiceTypes, {
      description:
        'F1 completa (si se omite), F2 simplificada, F3 sustitutiva de simplificadas, R1 a R5 rectificativas',
    }),
  ),
  client_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id del cliente, que no puede estar archivado. Hace falta para emitir, salvo en F2; una R5 no lleva',
    ),
  ),
  description: Type.Optional(
    Nullable(
      Text(500, {
        description:
          'Asunto o descripción general: se imprime y va en el registro de facturación; sin ella van allí las de las líneas',
      }),
    ),
  ),
  issued_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Fecha de expedición, YYYY-MM-DD: ni futura ni anterior a la última de su serie; el día en que se emite si no se indica',
    ),
  ),
  operation_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Fecha de la operación, YYYY-MM-DD, cuando es otra que la de expedición; no es posterior a ella salvo con la clave de régimen 14 o 15',
    ),
  ),
  due_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Vencimiento, YYYY-MM-DD, no anterior a la expedición; si no se indica, al emitir se pone el plazo de pago del cliente, si lo tiene',
    ),
  ),
  exchange_rate: Type.Optional(
    Nullable(
      Decimal(
        { decimals: 8, significant_digits: 15, exclusive_minimum: '0' },
        'Euros por unidad de la moneda; obligatorio si no es EUR',
      ),
    ),
  ),
  exchange_rate_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Día del tipo de cambio, YYYY-MM-DD, no posterior a la expedición; al emitir, si no se indica, el de la operación o el de la expedición. Solo con otra moneda que EUR',
    ),
  ),
  issued_by: Type.Optional(
    Enum(issuedBy, {
      description:
        'Quién la expide materialmente: el emisor (si se omite), el destinatario o un tercero. La serie propia que pide la ley para estas facturas se elige con series_id',
    }),
  ),
  third_party: Type.Optional(
    Nullable(
      Shape(
        {
          name: Name(120, { minLength: 1, pattern: '\\S', description: 'Nombre o razón social' }),
          tax_id: Text(30, { minLength: 1, description: 'NIF' }),
        },
        { description: 'El tercero que la expide; obligatorio con issued_by third_party, y solo entonces' },
      ),
    ),
  ),
  no_recipient_art61d: Type.Optional(
    Type.Boolean({
      description:
        'Sin identificación del destinatario (RD 1619/2012, art. 6.1.d); solo F2 y R5, y sin cliente',
    }),
  ),
  print_recipient: Type.Optional(
    Type.Boolean({
      description:
        'true imprime el nombre de un cliente sin identificación fiscal en una simplificada (F2 o R5), que en el registro de facturación va sin destinatario',
    }),
  ),
};

const CorrectionInput = Shape(
  {
    type: Enum(['differences', 'substitution'], {
      description:
        'differences: sus importes se suman a los de la original o se restan; substitution: ocupa el lugar de la original',
    }),
    reason: Type.Optional(
      Nullable(Text(500, { description: 'Motivo, que se imprime; si se omite, el legal de su tipo' })),
    ),
  },
  { description: 'Cómo se rectifica y por qué; lo llevan todas las rectificativas (R1 a R5) y solo ellas' },
);

/** An invoice that the service does not hold, such as an earlier program's. */
const ReferredInput = Shape({
  number: Text(60, {
    minLength: 1,
    pattern: '^[ -~]+$',
    pattern_message:
      'Lleva solo letras sin tilde ni eñe, cifras, espacios y signos como / o -, y uno como mínimo.',
    description: 'Número completo, con su serie',
  }),
  issued_on: Described(DayText, 'Fecha de expedición, YYYY-MM-DD, no futura'),
  subtotal: Type.Optional(
    Nullable(Decimal({ decimals: 2 }, 'Base imponible; obligatoria al rectificar por sustitución')),
  ),
  taxes_total: Type.Optional(
    Nullable(Decimal({ decimals: 2 }, 'Cuota de impuestos; obligatoria al rectificar por sustitución')),
  ),
  surcharge_total: Type.Optional(
    Nullable(Decimal({ decimals: 2 }, 'Cuota de recargo de equivalencia, si la hubo')),
  ),
});

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const InvoiceInput = Shape({
  ...contentInput(invoiceNames),
  ...invoiceContent,
  lines: newLines,
  external_id: externalIdInput(
    'Clave de la factura en su programa, única en la empresa: repetir la llamada con ella responde la factura que ya existe y no crea otra; con otro tipo u otro total se rechaza',
  ),
  ...labels,
  correction: Type.Optional(CorrectionInput),
  corrected_invoices: Type.Optional(
    Type.Array(ReferredInput, {
      maxItems: 100,
      description:
        'Facturas rectificadas; obligatorias en R1 a R5. Por sustitución, ocupa el lugar de las guardadas',
    }),
  ),
  substituted_invoices: Type.Optional(
    Type.Array(ReferredInput, {
      maxItems: 100,
      description: 'Simplificadas sustituidas; solo en F3: ocupa el lugar de las guardadas',
    }),
  ),
  payment: Type.Optional(
    Shape(
      {
        method: PaymentMethodName,
        paid_at: Type.Optional(
          Nullable(
            Type.String({ format: 'moment', description: 'Instante o día del cobro; ahora si se omite' }),
          ),
        ),
        reference: Type.Optional(
          Nullable(Text(200, { description: 'Referencia del cobro, por ejemplo la de la transferencia' })),
        ),
        notes: Type.Optional(Nullable(Text(1000, { description: 'Notas internas del cobro' }))),
        metadata: labels.metadata,
      },
      { description: 'Registra el cobro de todo lo pendiente, y emite la factura' },
    ),
  ),
  options: Type.Optional(
    Shape(
      {
        issue: flag('Emite la factura en la misma operación'),
        dry_run: flag(
          'No guarda nada: responde todos los motivos por los que la llamada se rechazaría. Cuenta como lectura',
        ),
        register_verifactu: flag('Añade el bloque verifactu a la respuesta, y emite la factura'),
        wait_for_pdf: flag('Espera al PDF hasta unos 15 segundos y añade su bloque, y emite la factura'),
        send_automatically: flag('Envía la factura por correo, y la emite'),
        send_to: Type.Optional(
          Nullable(
            Text(254, {
              description:
                'Dirección a la que se envía con send_automatically; si se omite, los billing_emails del cliente o su email',
            }),
          ),
        ),
      },
      { description: 'Qué se hace además de guardar el borrador' },
    ),
  ),
});

/** What it does not say comes from the line that it stands for. */
const CorrectiveLineInput = Shape({
  ...NewLineInput.properties,
  original_line_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de la línea de la original a la que corresponde, y de la que toma lo que no diga; null, ninguna. Si se omite, la que ocupa su mismo lugar',
    ),
  ),
});

export const CorrectiveInput = Shape({
  correction: CorrectionInput,
  type: Type.Optional(
    Enum(correctiveTypes, {
      description: 'Si se omite, R5 para una simplificada sin destinatario y R1 para las demás',
    }),
  ),
  lines: Type.Optional(
    Type.Array(CorrectiveLineInput, {
      minItems: 1,
      maxItems: linesMax,
      description:
        'Líneas de la rectificativa. Si se omiten, por diferencias deshace lo que queda de la original, contadas sus otras rectificativas por diferencias, y por sustitución la repite. Lo que una línea no diga lo toma de la de la original que ocupa su lugar, o de la que nombre original_line_id',
    }),
  ),
  series_id: Type.Optional(
    Described(Nullable(Uuid), 'Id de una serie de rectificativas; la predeterminada si no se indica'),
  ),
  issued_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Fecha de expedición, YYYY-MM-DD: ni futura ni anterior a la última de su serie o a la factura que rectifica; hoy si no se indica',
    ),
  ),
  notes: Type.Optional(
    Nullable(Text(5000, { description: 'Notas que se imprimen; si se omiten, las de la original' })),
  ),
  external_id: externalIdInput(
    'Clave de la rectificativa en su programa, única en la empresa: repetir la misma llamada con ella responde la rectificativa que ya existe y no crea otra; con otra petición se rechaza',
  ),
  ...labels,
  original_invoice_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'No hace falta; si se envía, tiene que ser el id de la factura que se rectifica',
    ),
  ),
  dry_run: dryRunInput,
});

export const SubstitutionInput = Shape({
  simplified_invoice_uuids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Ids de las simplificadas que se sustituyen, de 1 a 100; sus líneas se copian en este orden',
  }),
  client_id: Described(Uuid, 'Id del cliente a cuyo nombre se emite la completa'),
  series_id: Type.Optional(
    Described(Nullable(Uuid), 'Id de una serie de facturas completas; la predeterminada si no se indica'),
  ),
  issued_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Fecha de expedición, YYYY-MM-DD: ni futura ni anterior a la última de su serie o a una de las que sustituye; hoy si no se indica',
    ),
  ),
  dry_run: dryRunInput,
});

export type InvoiceInputBody = Static<typeof InvoiceInput>;

/** `disabled`: VeriFactu was off at the issue. The picture of the QR is there only if a checkout asked for it. */
const VerifactuBlock = Type.Object({
  status: Enum([...recordStatuses, 'disabled'], {
    description:
      'Estado del registro de facturación: pending espera, sending se está enviando, accepted, accepted_with_errors y rejected es la respuesta de la Agencia Tributaria, kept se conserva sin enviarse, disabled no hay porque VeriFactu estaba desactivado',
  }),
  error_code: Nullable(Type.String({ description: 'Código de error de la Agencia Tributaria' })),
  aeat_status: Nullable(
    Enum(['Correcto', 'AceptadoConErrores', 'Incorrecto'], {
      description: 'La respuesta en palabras de la Agencia; null mientras no la hay',
    }),
  ),
  huella: Nullable(Type.String({ description: 'Huella del registro: 64 cifras hexadecimales' })),
  qr_url: Nullable(Type.String({ description: 'Dirección que lleva el QR, donde se coteja la factura' })),
  qr_png_base64: Nullable(Type.String({ description: 'El QR como imagen PNG en base64, si se pidió' })),
  legend: Legend,
  csv: Nullable(Type.String({ description: 'Código seguro de verificación del envío' })),
});

const Referred = Type.Object({
  id: Described(Nullable(Uuid), 'Id de la factura; null si el servicio no la guarda'),
  number: Type.String({ description: 'Número completo' }),
  issued_on: Described(DayText, 'Fecha de expedición, YYYY-MM-DD'),
  subtotal: Described(Nullable(Money), 'Base imponible'),
  taxes_total: Described(Nullable(Money), 'Cuota de impuestos'),
  surcharge_total: Described(Nullable(Money), 'Cuota de recargo'),
});

export const invoiceShown = {
  series: {
    type: Enum(invoiceTypes, {
      description: 'F1 completa, F2 simplificada, F3 sustitutiva de simplificadas, R1 a R5 rectificativas',
    }),
  },
  status: {
    status: Enum(invoiceStatuses, {
      description:
        'draft borrador, issued emitida, sent enviada, paid cobrada, overdue vencida, rectified rectificada por entero, substituted sustituida por una completa, voided invalidada, annulled anulada',
    }),
  },
  issued_on: {
    operation_on: Described(Nullable(DayText), 'Fecha de la operación, YYYY-MM-DD, si se indicó'),
    due_on: Described(Nullable(DayText), 'Vencimiento, YYYY-MM-DD'),
  },
  currency: {
    exchange_rate: Nullable(Type.Number({ description: 'Euros por unidad de la moneda; null en euros' })),
    exchange_rate_on: Described(Nullable(DayText), 'Día del tipo de cambio, YYYY-MM-DD; null en euros'),
  },
  amount_due: {
    paid_amount: Described(Money, 'Lo cobrado de esta factura, sin los cobros anulados'),
    pending_amount: Described(
      Money,
      'Lo que queda por cobrar, contadas sus rectificativas; negativo si se debe al cliente',
    ),
  },
  tax_breakdown: {
    payments: Type.Object(
      {
        total: Described(Money, 'Suma de los cobros que no se han anulado'),
        detail: Type.Array(Payment, { description: 'Todos los cobros, también los anulados' }),
      },
      { description: 'Cobros de la factura' },
    ),
    issued_by: Enum(issuedBy, { description: 'Quién la expide: el emisor, el destinatario o un tercero' }),
    third_party: Described(
      Nullable(Type.Object({ name: Type.String(), tax_id: Type.String() })),
      'El tercero que la expide',
    ),
    no_recipient_art61d: Type.Boolean({
      description: 'Va sin identificación del destinatario (RD 1619/2012, art. 6.1.d)',
    }),
    print_recipient: Type.Boolean({
      description: 'El cliente solo se imprime: no es destinatario en el registro de facturación',
    }),
    corrected_invoices: Type.Array(Referred, {
      description:
        'Facturas que esta rectifica, con sus importes; por sustitución, con los que estaban en vigor, que incluyen los de sus rectificativas por diferencias',
    }),
    corrective_ids: Type.Array(Uuid, { description: 'Ids de las rectificativas que se han emitido de esta' }),
    correction: Nullable(
      Type.Object(
        {
          type: Enum(['differences', 'substitution'], { description: 'Por diferencias o por sustitución' }),
          reason: Nullable(Type.String({ description: 'Motivo' })),
        },
        { description: 'Cómo rectifica; null si no es rectificativa' },
      ),
    ),
    substituted_invoices: Type.Array(Referred, { description: 'Simplificadas que esta sustituye' }),
    substituted_by_id: Described(Nullable(Uuid), 'Id de la completa que la sustituye'),
    sources: Type.Array(
      Type.Object({
        object: Type.String({ description: 'Clase de documento' }),
        id: Uuid,
        number: Nullable(Type.String()),
      }),
      { description: 'Documentos de los que se convirtió' },
    ),
  },
  custom_fields: {
    verifactu: Described(Nullable(VerifactuBlock), 'Su último registro de facturación; null si no tiene'),
  },
};

export const invoiceReadOnly = [
  'paid_amount',
  'pending_amount',
  'payments',
  'corrected_invoices',
  'corrective_ids',
  'correction',
  'substituted_invoices',
  'substituted_by_id',
  'sources',
  'verifactu',
] as const;

export function presentOwn({ document: row, payments }: InvoiceBundle): Record<string, unknown> {
  return {
    type: row.type,
    operation_on: row.operation_on,
    due_on: row.due_on,
    exchange_rate: nullableToJson(row.exchange_rate),
    exchange_rate_on: row.exchange_rate_on,
    paid_amount: Number(row.paid_amount),
    pending_amount: centsToNumber(pendingCents(row)),
    payments: { total: Number(row.paid_amount), detail: payments.map((p: PaymentRow) => presentPayment(p)) },
    issued_by: row.issued_by,
    third_party: row.third_party,
    no_recipient_art61d: row.no_recipient_art61d,
    print_recipient: row.print_recipient,
    corrected_invoices: row.corrected_invoices.map(
      ({ euros: _, debt: __, is_paid_above: ___, ...one }) => one,
    ),
    corrective_ids: row.corrective_ids,
    correction:
      row.correction_type === null ? null : { type: row.correction_type, reason: row.correction_reason },
    substituted_invoices: row.substituted_invoices,
    substituted_by_id: row.substituted_by_id,
    sources: row.sources,
    verifactu: row.record ? recordBlock(row.record) : null,
  };
}

/** What the authority says of a record moves while its invoice stays as it was. */
const answered = ['status', 'error_code', 'aeat_status', 'csv'] as const;

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A read has neither the picture of the QR nor the block of an invoice without record. What the authority has answered
 * since the client read is no change of the client's.
 */
export function recordAsRead(
  sent: Record<string, unknown>,
  shown: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { verifactu } = sent;
  if (!isBlock(verifactu)) return sent;
  if (verifactu.status === 'disabled') return { ...sent, verifactu: null };
  const now = shown.verifactu;
  const moved = isBlock(now) ? Object.fromEntries(answered.map((name) => [name, now[name]])) : {};
  return { ...sent, verifactu: { ...verifactu, qr_png_base64: null, ...moved } };
}
