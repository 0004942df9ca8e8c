/** The invoice on the wire (decisions, section 3): what is sent, what is answered, and how a stored one is presented. */
import { centsToNumber } from '../../domain/money/amount.ts';
import { nullableToJson, printedToJson } from '../../domain/money/printed.ts';
import type { Ports } from '../../kernel/ports.ts';
import { readOnlyKeys } from '../../kernel/read-only.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Metadata,
  Money,
  Nullable,
  PercentInput,
  RateInput,
  Shape,
  type Static,
  Tags,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { EmailBlock } from '../emails/index.ts';
import { type PaymentRow, Payment, PaymentMethodName, presentPayment } from '../payments/index.ts';
import { PdfBlock } from '../pdfs/index.ts';
import { recordBlock, recordStatuses } from '../verifactu/index.ts';
import { issuedBy } from './rules/document-fields.ts';
import { invoiceStatuses } from './rules/states.ts';
import { correctiveTypes, invoiceTypes } from './rules/invoice-types.ts';
import { pendingCents } from './rules/pending.ts';
import type { InvoiceBundle, LineRow, TaxRow } from './invoices.rows.ts';

const UnitPrice = Decimal(
  { decimals: 8, significant_digits: 15 },
  'Precio unitario en la moneda de la factura, hasta 8 decimales y 15 cifras; si se omite, el del producto',
);
const Quantity = Decimal(
  { decimals: 6 },
  'Cantidad, hasta 6 decimales; 1 si se omite, y negativa en lo que se descuenta o se devuelve',
);
const qualifications = ['S1', 'S2', 'N1', 'N2'] as const;
const taxKinds = ['vat', 'igic', 'ipsi', 'other'] as const;

const lineReadOnly = ['object', 'product', 'subtotal', 'taxes', 'total', 'tax_name'] as const;

const lineFields = {
  id: Type.Optional(
    Described(
      Uuid,
      'Id de una línea que el borrador ya tiene, para modificarla; una línea nueva no lo lleva',
    ),
  ),
  description: Type.Optional(
    Text(1000, { minLength: 1, description: 'Qué se factura; si se omite, el nombre del producto' }),
  ),
  product_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de un producto activo: da la descripción, la unidad, el precio y el impuesto que la línea no diga',
    ),
  ),
  quantity: Type.Optional(Quantity),
  unit: Type.Optional(
    Nullable(
      Text(40, { description: 'Unidad de la cantidad, por ejemplo h o kg; si se omite, la del producto' }),
    ),
  ),
  unit_price: Type.Optional(UnitPrice),
  discount_percent: Type.Optional(
    Described(Nullable(PercentInput), 'Descuento de la línea en porcentaje, de 0 a 100; ninguno si se omite'),
  ),
  taxes_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de un impuesto de la empresa, que da lo que la línea no diga de él; si no se envían ni taxes_id ni tax_rate, el del producto. null, ninguno',
    ),
  ),
  tax_kind: Type.Optional(
    Enum(taxKinds, {
      description:
        'Clase de impuesto: vat (IVA), igic, ipsi u other; si se omite, la del impuesto de taxes_id, o vat',
    }),
  ),
  tax_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Tipo del impuesto en porcentaje. Si se omite, el de taxes_id o el IVA por omisión de la empresa; una línea exenta o no sujeta no lleva, y con S2 es 0',
    ),
  ),
  retention_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Retención (IRPF) en porcentaje, que se resta de lo que hay que pagar; ninguna si se omite',
    ),
  ),
  surcharge_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Recargo de equivalencia en porcentaje, el que corresponde al IVA de la línea. Si se omite, se aplica cuando el cliente está sujeto a él; 0 o null, ninguno',
    ),
  ),
  qualification: Type.Optional(
    Nullable(
      Enum(qualifications, {
        description:
          'S1 sujeta y no exenta (si se omite), S2 con inversión del sujeto pasivo, N1 no sujeta (arts. 7, 14 y otros), N2 no sujeta por reglas de localización. No va con exemption_reason',
      }),
    ),
  ),
  exemption_reason: Type.Optional(
    Nullable(
      Enum(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'], {
        description:
          'Causa de exención del IVA: E1 art. 20, E2 exportación (art. 21), E3 asimilada a la exportación (art. 22), E4 arts. 23 y 24, E5 entrega intracomunitaria (art. 25), E6 otra. El IGIC tiene las suyas, y solo él E7 y E8. No va con qualification',
      }),
    ),
  ),
  exemption_reason_text: Type.Optional(
    Nullable(Text(500, { description: 'Explicación de la exención, que se imprime con la línea exenta' })),
  ),
  regime_key: Type.Optional(
    Nullable(
      Text(2, {
        pattern: '^[0-9]{2}$',
        description:
          'Clave de régimen de la Agencia Tributaria, de dos cifras: por ejemplo 01 general, 02 exportación, 07 criterio de caja, 11 arrendamiento de local. Si se omite, la de taxes_id; si no, 01, o 02 con E2 y E3',
      }),
    ),
  ),
};

/** A line of a new document: an amount sent with it would be ignored, so it is no key of it. */
const NewLineInput = Shape(lineFields);

/** A line of a stored draft, as a client that edits what GET gave sends it back. */
const LineInput = Shape({ ...lineFields, ...readOnlyKeys(lineReadOnly) });

const CustomFields = Type.Array(
  Shape({
    field: Text(40, { minLength: 1, description: 'Nombre del dato' }),
    value: Text(500, { description: 'Valor del dato' }),
  }),
  {
    maxItems: 50,
    description:
      'Datos propios con nombre, 50 como máximo; no se imprimen. Lo enviado sustituye a lo que hubiera',
  },
);

/** Labels may change at any time; everything else only while the invoice is a draft. */
const labels = {
  metadata: Type.Optional(
    Described(
      Nullable(Metadata),
      'Datos de su programa en pares de clave y texto, 50 como máximo; no se imprimen. Lo enviado sustituye a lo que hubiera',
    ),
  ),
  tags: Type.Optional(
    Described(
      Nullable(Tags),
      'Etiquetas para buscar y agrupar, 50 como máximo; no se imprimen. Lo enviado sustituye a lo que hubiera',
    ),
  ),
  custom_fields: Type.Optional(Nullable(CustomFields)),
};
export const labelKeys = ['metadata', 'tags', 'custom_fields'] as const;

const content = {
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
  series_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de la serie que da el número, del tipo que pide la factura; la predeterminada de ese tipo si no se indica',
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
  currency: Type.Optional(Text(3, { pattern: '^[A-Z]{3}$', description: 'ISO 4217; EUR si se omite' })),
  exchange_rate: Type.Optional(
    Nullable(
      Decimal(
        { decimals: 8, significant_digits: 15, exclusive_minimum: '0' },
        'Euros por unidad de la moneda; obligatorio si no es EUR',
      ),
    ),
  ),
  prices_include_tax: Type.Optional(
    Type.Boolean({ description: 'true: unit_price lleva ya los impuestos; false si se omite' }),
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
          name: Text(120, { minLength: 1, pattern: '\\S', description: 'Nombre o razón social' }),
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
  notes: Type.Optional(Nullable(Text(5000, { description: 'Notas que se imprimen en la factura' }))),
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

/** An invoice that the service does not hold: one of an earlier program, say. */
const ReferredInput = Shape({
  number: Text(60, { minLength: 1, pattern: '^[ -~]+$', description: 'Número completo, con su serie' }),
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

export const invoiceReadOnly = [
  'object',
  'id',
  'number',
  'series',
  'status',
  'client',
  'subtotal',
  'discount_total',
  'taxes_total',
  'surcharge_total',
  'retention_total',
  'total',
  'amount_due',
  'paid_amount',
  'pending_amount',
  'tax_breakdown',
  'payments',
  'corrected_invoices',
  'corrective_ids',
  'correction',
  'substituted_invoices',
  'substituted_by_id',
  'external_id',
  'verifactu',
  'public_url',
  'created_at',
  'updated_at',
] as const;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const InvoiceInput = Shape({
  ...content,
  lines: Type.Array(NewLineInput, {
    minItems: 1,
    maxItems: 500,
    description: 'Líneas, de 1 a 500, en el orden en que se imprimen',
  }),
  external_id: Type.Optional(
    Nullable(
      Text(255, {
        minLength: 1,
        description:
          'Clave de la factura en su programa, única en la empresa: repetir la llamada con ella responde la factura que ya existe y no crea otra; con otro tipo u otro total se rechaza',
      }),
    ),
  ),
  ...labels,
  correction: Type.Optional(CorrectionInput),
  corrected_invoices: Type.Optional(
    Type.Array(ReferredInput, {
      maxItems: 100,
      description:
        'Facturas rectificadas que el servicio no guarda; obligatorias en una rectificativa (R1 a R5)',
    }),
  ),
  substituted_invoices: Type.Optional(
    Type.Array(ReferredInput, {
      maxItems: 100,
      description: 'Simplificadas sustituidas que el servicio no guarda; solo en una F3',
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

export const CorrectiveInput = Shape({
  correction: CorrectionInput,
  type: Type.Optional(
    Enum(correctiveTypes, {
      description: 'Si se omite, R5 para una simplificada sin destinatario y R1 para las demás',
    }),
  ),
  lines: Type.Optional(
    Type.Array(NewLineInput, {
      minItems: 1,
      maxItems: 500,
      description:
        'Líneas de la rectificativa. Si se omiten, por diferencias deshace la original entera y por sustitución la repite. Lo que una línea no diga lo toma de la que ocupa su lugar en la original',
    }),
  ),
  series_id: Type.Optional(
    Described(Nullable(Uuid), 'Id de una serie de rectificativas; la predeterminada si no se indica'),
  ),
  issued_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Fecha de expedición, YYYY-MM-DD: ni futura ni anterior a la última de su serie; hoy si no se indica',
    ),
  ),
  original_invoice_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'No hace falta; si se envía, tiene que ser el id de la factura que se rectifica',
    ),
  ),
});

export const SubstitutionInput = Shape({
  simplified_invoice_uuids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description:
      'Ids de las simplificadas (F2) que se sustituyen, de 1 a 100; sus líneas se copian en este orden',
  }),
  client_id: Described(Uuid, 'Id del cliente a cuyo nombre se emite la completa'),
  series_id: Type.Optional(
    Described(Nullable(Uuid), 'Id de una serie de facturas completas; la predeterminada si no se indica'),
  ),
  issued_on: Type.Optional(
    Described(
      Nullable(DayText),
      'Fecha de expedición, YYYY-MM-DD: ni futura ni anterior a la última de su serie; hoy si no se indica',
    ),
  ),
});

export const InvoiceUpdate = Shape({
  ...content,
  lines: Type.Optional(
    Type.Array(LineInput, {
      minItems: 1,
      maxItems: 500,
      description:
        'La lista entera que queda: una línea con id conserva lo que no se envíe de ella, una sin id es nueva, y la que no se nombra se quita',
    }),
  ),
  ...labels,
  ...readOnlyKeys(invoiceReadOnly),
});

export type InvoiceInputBody = Static<typeof InvoiceInput>;
export type InvoiceUpdateBody = Static<typeof InvoiceUpdate>;

const Line = Type.Object({
  object: Type.Literal('invoice_line'),
  id: Described(Uuid, 'Id de la línea'),
  description: Type.String({ description: 'Qué se factura' }),
  product: Described(
    Nullable(Type.Object({ id: Uuid, name: Type.String() })),
    'Producto del que se tomó lo que la línea no decía',
  ),
  quantity: Type.Number({ description: 'Cantidad' }),
  unit: Nullable(Type.String({ description: 'Unidad de la cantidad' })),
  unit_price: Type.Number({ description: 'Precio unitario, con impuestos si prices_include_tax es true' }),
  discount_percent: Nullable(Type.Number({ description: 'Descuento en porcentaje' })),
  taxes_id: Described(Nullable(Uuid), 'Id del impuesto de la empresa que lleva'),
  tax_kind: Enum(taxKinds, { description: 'Clase de impuesto: vat es IVA' }),
  tax_name: Nullable(Type.String({ description: 'Nombre de ese impuesto' })),
  tax_rate: Nullable(
    Type.Number({ description: 'Tipo del impuesto en porcentaje; null si está exenta o no sujeta' }),
  ),
  retention_rate: Nullable(Type.Number({ description: 'Retención en porcentaje' })),
  surcharge_rate: Nullable(Type.Number({ description: 'Recargo de equivalencia en porcentaje' })),
  qualification: Nullable(Enum(qualifications, { description: 'Calificación fiscal; null si está exenta' })),
  exemption_reason: Nullable(Type.String({ description: 'Causa de exención; null si no está exenta' })),
  exemption_reason_text: Nullable(Type.String({ description: 'Explicación de la exención' })),
  regime_key: Nullable(Type.String({ description: 'Clave de régimen de la Agencia Tributaria' })),
  subtotal: Described(Money, 'Base de la línea: sin impuestos y con su descuento'),
  taxes: Described(Money, 'Cuota del impuesto, sin el recargo'),
  total: Described(Money, 'Base, impuesto y recargo; sin restar la retención'),
});

const BreakdownRow = Type.Object({
  tax_kind: Enum(taxKinds, { description: 'Clase de impuesto: vat es IVA' }),
  regime_key: Nullable(Type.String({ description: 'Clave de régimen de la Agencia Tributaria' })),
  qualification: Nullable(Enum(qualifications, { description: 'Calificación fiscal; null si está exenta' })),
  exemption_reason: Nullable(Type.String({ description: 'Causa de exención; null si no está exenta' })),
  tax_rate: Nullable(Type.Number({ description: 'Tipo en porcentaje; null si está exento o no sujeto' })),
  surcharge_rate: Nullable(Type.Number({ description: 'Recargo de equivalencia en porcentaje' })),
  base: Described(Money, 'Base imponible a este tipo'),
  tax: Described(Money, 'Cuota del impuesto'),
  surcharge: Described(Money, 'Cuota del recargo'),
});

const Client = Type.Object({
  id: Described(Uuid, 'Id del cliente'),
  name: Type.String({ description: 'Nombre o razón social' }),
  tax_id: Nullable(Type.String({ description: 'Identificación fiscal' })),
  address: Described(Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })), 'Dirección postal'),
});

/** `disabled`: VeriFactu was off when the invoice was issued. The picture is there where a checkout asked for it. */
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
  legend: Nullable(Type.String({ description: 'Lo que se imprime bajo el QR' })),
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

export const Invoice = Type.Object({
  id: Described(Uuid, 'Id de la factura'),
  object: Type.Literal('invoice'),
  number: Nullable(Type.String({ description: 'Número completo, con su serie; null en un borrador' })),
  series: Described(Nullable(Type.Object({ id: Uuid, code: Type.String() })), 'Serie que da el número'),
  type: Enum(invoiceTypes, {
    description: 'F1 completa, F2 simplificada, F3 sustitutiva de simplificadas, R1 a R5 rectificativas',
  }),
  status: Enum(invoiceStatuses, {
    description:
      'draft borrador, issued emitida, sent enviada, paid cobrada, overdue vencida, rectified rectificada por entero, substituted sustituida por una completa, voided invalidada, annulled anulada',
  }),
  client: Described(Nullable(Client), 'El cliente; en una emitida, como era al emitirla'),
  description: Nullable(Type.String({ description: 'Asunto o descripción general' })),
  issued_on: Described(Nullable(DayText), 'Fecha de expedición, YYYY-MM-DD'),
  operation_on: Described(Nullable(DayText), 'Fecha de la operación, YYYY-MM-DD, si se indicó'),
  due_on: Described(Nullable(DayText), 'Vencimiento, YYYY-MM-DD'),
  currency: Type.String({ description: 'Moneda ISO 4217, en la que están los importes' }),
  exchange_rate: Nullable(Type.Number({ description: 'Euros por unidad de la moneda; null en euros' })),
  prices_include_tax: Type.Boolean({ description: 'Los precios de las líneas llevan los impuestos' }),
  lines: Type.Array(Line, { description: 'Líneas, en su orden' }),
  subtotal: Described(Money, 'Base imponible total, con los descuentos restados'),
  discount_total: Described(Money, 'Descuentos, ya restados en subtotal'),
  taxes_total: Described(Money, 'Cuotas de impuestos, sin el recargo'),
  surcharge_total: Described(Money, 'Cuotas de recargo de equivalencia'),
  retention_total: Described(Money, 'Retenciones, que no se restan en total'),
  total: Described(Money, 'subtotal, taxes_total y surcharge_total: el total de la factura'),
  amount_due: Described(Money, 'total menos retention_total: lo que hay que pagar'),
  paid_amount: Described(Money, 'Lo cobrado de esta factura, sin los cobros anulados'),
  pending_amount: Described(
    Money,
    'Lo que queda por cobrar, contadas sus rectificativas; negativo si se debe al cliente',
  ),
  tax_breakdown: Type.Array(BreakdownRow, { description: 'Desglose por impuesto y tipo' }),
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
  corrected_invoices: Type.Array(Referred, { description: 'Facturas que esta rectifica' }),
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
  notes: Nullable(Type.String({ description: 'Notas que se imprimen' })),
  external_id: Nullable(Type.String({ description: 'Clave de la factura en su programa' })),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  tags: Type.Array(Type.String(), { description: 'Etiquetas' }),
  custom_fields: CustomFields,
  verifactu: Described(Nullable(VerifactuBlock), 'Su último registro de facturación; null si no tiene'),
  pdf: Type.Optional(Described(PdfBlock, 'Su PDF, si se pidió esperar por él')),
  email: Type.Optional(Described(EmailBlock, 'El correo que la llamada ha preparado')),
  public_url: Nullable(
    Type.String({
      description:
        'Página en la que quien tenga la dirección ve y descarga la factura, sin clave; nula mientras es un borrador',
    }),
  ),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

function presentLine(row: LineRow) {
  return {
    object: 'invoice_line',
    id: row.id,
    description: row.description,
    product: row.product_id === null ? null : { id: row.product_id, name: row.product_name ?? '' },
    quantity: printedToJson(row.quantity),
    unit: row.unit,
    unit_price: printedToJson(row.unit_price),
    discount_percent: nullableToJson(row.discount_percent),
    taxes_id: row.taxes_id,
    tax_kind: row.tax_kind,
    tax_name: row.tax_name,
    tax_rate: nullableToJson(row.tax_rate),
    retention_rate: nullableToJson(row.retention_rate),
    surcharge_rate: nullableToJson(row.surcharge_rate),
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    exemption_reason_text: row.exemption_reason_text,
    regime_key: row.regime_key,
    subtotal: Number(row.subtotal),
    taxes: Number(row.taxes),
    total: Number(row.total),
  };
}

function presentTaxRow(row: TaxRow) {
  return {
    tax_kind: row.tax_kind,
    regime_key: row.regime_key,
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    tax_rate: nullableToJson(row.tax_rate),
    surcharge_rate: nullableToJson(row.surcharge_rate),
    base: Number(row.base),
    tax: Number(row.tax),
    surcharge: Number(row.surcharge),
  };
}

/** For whom an invoice is presented: its company, and who makes its public address. A `Ctx` is one. */
export type Showing = { company: { company_id: string }; ports: Pick<Ports, 'links'> };

/** The invoice as every operation answers it. */
export function present(
  { invoice: row, lines, tax_rows, payments }: InvoiceBundle,
  { company: { company_id }, ports }: Showing,
): Record<string, unknown> {
  const client: Record<string, unknown> | null = row.client_snapshot;
  return {
    id: row.id,
    object: 'invoice',
    number: row.number,
    series: row.series_id === null ? null : { id: row.series_id, code: row.series_code },
    type: row.type,
    status: row.status,
    client:
      client === null
        ? null
        : {
            id: row.client_id,
            name: row.client_name,
            tax_id: row.client_tax_id,
            address: client.address ?? null,
          },
    description: row.description,
    issued_on: row.issued_on,
    operation_on: row.operation_on,
    due_on: row.due_on,
    currency: row.currency,
    exchange_rate: nullableToJson(row.exchange_rate),
    prices_include_tax: row.prices_include_tax,
    lines: lines.map(presentLine),
    subtotal: Number(row.subtotal),
    discount_total: Number(row.discount_total),
    taxes_total: Number(row.taxes_total),
    surcharge_total: Number(row.surcharge_total),
    retention_total: Number(row.retention_total),
    total: Number(row.total),
    amount_due: Number(row.amount_due),
    paid_amount: Number(row.paid_amount),
    pending_amount: centsToNumber(pendingCents(row)),
    tax_breakdown: tax_rows.map(presentTaxRow),
    payments: { total: Number(row.paid_amount), detail: payments.map((p: PaymentRow) => presentPayment(p)) },
    issued_by: row.issued_by,
    third_party: row.third_party,
    no_recipient_art61d: row.no_recipient_art61d,
    corrected_invoices: row.corrected_invoices,
    corrective_ids: row.corrective_ids,
    correction:
      row.correction_type === null ? null : { type: row.correction_type, reason: row.correction_reason },
    substituted_invoices: row.substituted_invoices,
    substituted_by_id: row.substituted_by_id,
    notes: row.notes,
    external_id: row.external_id,
    metadata: row.metadata,
    tags: row.tags,
    custom_fields: row.custom_fields,
    verifactu: row.record ? recordBlock(row.record) : null,
    public_url:
      row.status === 'draft' ? null : ports.links.publicUrl({ company_id, kind: 'invoice', id: row.id }),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
