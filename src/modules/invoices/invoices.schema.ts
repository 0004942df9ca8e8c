/** The invoice on the wire (decisions, section 3): what is sent, what is answered, and how a stored one is presented. */
import { centsToNumber } from '../../domain/money/amount.ts';
import { nullableToJson, printedToJson } from '../../domain/money/printed.ts';
import type { Ports } from '../../kernel/ports.ts';
import { readOnlyKeys } from '../../kernel/read-only.ts';
import {
  DayText,
  Decimal,
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
  'Precio unitario, hasta 8 decimales y 15 cifras',
);
const Quantity = Decimal({ decimals: 6 }, 'Cantidad, hasta 6 decimales');
const qualifications = ['S1', 'S2', 'N1', 'N2'] as const;
const taxKinds = ['vat', 'igic', 'ipsi', 'other'] as const;

const lineReadOnly = ['object', 'product', 'subtotal', 'taxes', 'total', 'tax_name'] as const;

const lineFields = {
  id: Type.Optional(Uuid),
  description: Type.Optional(Text(1000, { minLength: 1 })),
  product_id: Type.Optional(Nullable(Uuid)),
  quantity: Type.Optional(Quantity),
  unit: Type.Optional(Nullable(Text(40))),
  unit_price: Type.Optional(UnitPrice),
  discount_percent: Type.Optional(Nullable(PercentInput)),
  taxes_id: Type.Optional(Nullable(Uuid)),
  tax_kind: Type.Optional(Enum(taxKinds)),
  tax_rate: Type.Optional(Nullable(RateInput)),
  retention_rate: Type.Optional(Nullable(RateInput)),
  surcharge_rate: Type.Optional(Nullable(RateInput)),
  qualification: Type.Optional(Nullable(Enum(qualifications))),
  exemption_reason: Type.Optional(Nullable(Enum(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8']))),
  exemption_reason_text: Type.Optional(Nullable(Text(500))),
  regime_key: Type.Optional(Nullable(Text(2, { pattern: '^[0-9]{2}$' }))),
};

/** A line of a new document: an amount sent with it would be ignored, so it is no key of it. */
const NewLineInput = Shape(lineFields);

/** A line of a stored draft, as a client that edits what GET gave sends it back. */
const LineInput = Shape({ ...lineFields, ...readOnlyKeys(lineReadOnly) });

const CustomFields = Type.Array(Shape({ field: Text(40, { minLength: 1 }), value: Text(500) }), {
  maxItems: 50,
});

/** Labels may change at any time; everything else only while the invoice is a draft. */
const labels = {
  metadata: Type.Optional(Nullable(Metadata)),
  tags: Type.Optional(Nullable(Tags)),
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
  client_id: Type.Optional(Nullable(Uuid)),
  series_id: Type.Optional(Nullable(Uuid)),
  description: Type.Optional(Nullable(Text(500))),
  issued_on: Type.Optional(Nullable(DayText)),
  operation_on: Type.Optional(Nullable(DayText)),
  due_on: Type.Optional(Nullable(DayText)),
  currency: Type.Optional(Text(3, { pattern: '^[A-Z]{3}$', description: 'ISO 4217; EUR si se omite' })),
  exchange_rate: Type.Optional(
    Nullable(
      Decimal(
        { decimals: 8, significant_digits: 15, exclusive_minimum: '0' },
        'Euros por unidad de la moneda; obligatorio si no es EUR',
      ),
    ),
  ),
  prices_include_tax: Type.Optional(Type.Boolean()),
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
          name: Text(120, { minLength: 1, pattern: '\\S' }),
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
  notes: Type.Optional(Nullable(Text(5000))),
};

const CorrectionInput = Shape({
  type: Enum(['differences', 'substitution']),
  reason: Type.Optional(Nullable(Text(500))),
});

/** An invoice that the service does not hold: one of an earlier program, say. */
const ReferredInput = Shape({
  number: Text(60, { minLength: 1, pattern: '^[ -~]+$' }),
  issued_on: DayText,
  subtotal: Type.Optional(Nullable(Decimal({ decimals: 2 }))),
  taxes_total: Type.Optional(Nullable(Decimal({ decimals: 2 }))),
  surcharge_total: Type.Optional(Nullable(Decimal({ decimals: 2 }))),
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
  lines: Type.Array(NewLineInput, { minItems: 1, maxItems: 500 }),
  external_id: Type.Optional(Nullable(Text(255, { minLength: 1 }))),
  ...labels,
  correction: Type.Optional(CorrectionInput),
  corrected_invoices: Type.Optional(
    Type.Array(ReferredInput, {
      maxItems: 100,
      description: 'Facturas rectificadas que el servicio no guarda',
    }),
  ),
  substituted_invoices: Type.Optional(
    Type.Array(ReferredInput, {
      maxItems: 100,
      description: 'Simplificadas sustituidas que el servicio no guarda',
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
        reference: Type.Optional(Nullable(Text(200))),
      },
      { description: 'Registra el cobro de todo lo pendiente, y emite la factura' },
    ),
  ),
  options: Type.Optional(
    Shape({
      issue: flag('Emite la factura en la misma operación'),
      dry_run: flag(
        'No guarda nada: responde todos los motivos por los que la llamada se rechazaría. Cuenta como lectura',
      ),
      register_verifactu: flag('Añade el bloque verifactu a la respuesta, y emite la factura'),
      wait_for_pdf: flag('Espera al PDF hasta unos 15 segundos y añade su bloque, y emite la factura'),
      send_automatically: flag('Envía la factura por correo, y la emite'),
      send_to: Type.Optional(Nullable(Text(254))),
    }),
  ),
});

export const CorrectiveInput = Shape({
  correction: CorrectionInput,
  type: Type.Optional(
    Enum(correctiveTypes, {
      description: 'Si se omite, R5 para una simplificada sin destinatario y R1 para las demás',
    }),
  ),
  lines: Type.Optional(Type.Array(NewLineInput, { minItems: 1, maxItems: 500 })),
  series_id: Type.Optional(Nullable(Uuid)),
  issued_on: Type.Optional(Nullable(DayText)),
  original_invoice_id: Type.Optional(Nullable(Uuid)),
});

export const SubstitutionInput = Shape({
  simplified_invoice_uuids: Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true }),
  client_id: Uuid,
  series_id: Type.Optional(Nullable(Uuid)),
  issued_on: Type.Optional(Nullable(DayText)),
});

export const InvoiceUpdate = Shape({
  ...content,
  lines: Type.Optional(Type.Array(LineInput, { minItems: 1, maxItems: 500 })),
  ...labels,
  ...readOnlyKeys(invoiceReadOnly),
});

export type InvoiceInputBody = Static<typeof InvoiceInput>;
export type InvoiceUpdateBody = Static<typeof InvoiceUpdate>;

const Line = Type.Object({
  object: Type.Literal('invoice_line'),
  id: Uuid,
  description: Type.String(),
  product: Nullable(Type.Object({ id: Uuid, name: Type.String() })),
  quantity: Type.Number(),
  unit: Nullable(Type.String()),
  unit_price: Type.Number(),
  discount_percent: Nullable(Type.Number()),
  taxes_id: Nullable(Uuid),
  tax_kind: Enum(taxKinds),
  tax_name: Nullable(Type.String()),
  tax_rate: Nullable(Type.Number()),
  retention_rate: Nullable(Type.Number()),
  surcharge_rate: Nullable(Type.Number()),
  qualification: Nullable(Enum(qualifications)),
  exemption_reason: Nullable(Type.String()),
  exemption_reason_text: Nullable(Type.String()),
  regime_key: Nullable(Type.String()),
  subtotal: Money,
  taxes: Money,
  total: Money,
});

const BreakdownRow = Type.Object({
  tax_kind: Enum(taxKinds),
  regime_key: Nullable(Type.String()),
  qualification: Nullable(Enum(qualifications)),
  exemption_reason: Nullable(Type.String()),
  tax_rate: Nullable(Type.Number()),
  surcharge_rate: Nullable(Type.Number()),
  base: Money,
  tax: Money,
  surcharge: Money,
});

const Client = Type.Object({
  id: Uuid,
  name: Type.String(),
  tax_id: Nullable(Type.String()),
  address: Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
});

/** `disabled`: VeriFactu was off when the invoice was issued. The picture is there where a checkout asked for it. */
const VerifactuBlock = Type.Object({
  status: Enum([...recordStatuses, 'disabled']),
  error_code: Nullable(Type.String()),
  aeat_status: Nullable(Enum(['Correcto', 'AceptadoConErrores', 'Incorrecto'])),
  huella: Nullable(Type.String()),
  qr_url: Nullable(Type.String()),
  qr_png_base64: Nullable(Type.String()),
  legend: Nullable(Type.String()),
  csv: Nullable(Type.String()),
});

const Referred = Type.Object({
  id: Nullable(Uuid),
  number: Type.String(),
  issued_on: DayText,
  subtotal: Nullable(Money),
  taxes_total: Nullable(Money),
  surcharge_total: Nullable(Money),
});

export const Invoice = Type.Object({
  id: Uuid,
  object: Type.Literal('invoice'),
  number: Nullable(Type.String()),
  series: Nullable(Type.Object({ id: Uuid, code: Type.String() })),
  type: Enum(invoiceTypes),
  status: Enum(invoiceStatuses),
  client: Nullable(Client),
  description: Nullable(Type.String()),
  issued_on: Nullable(DayText),
  operation_on: Nullable(DayText),
  due_on: Nullable(DayText),
  currency: Type.String(),
  exchange_rate: Nullable(Type.Number()),
  prices_include_tax: Type.Boolean(),
  lines: Type.Array(Line),
  subtotal: Money,
  discount_total: Money,
  taxes_total: Money,
  surcharge_total: Money,
  retention_total: Money,
  total: Money,
  amount_due: Money,
  paid_amount: Money,
  pending_amount: Money,
  tax_breakdown: Type.Array(BreakdownRow),
  payments: Type.Object({ total: Money, detail: Type.Array(Payment) }),
  issued_by: Enum(issuedBy),
  third_party: Nullable(Type.Object({ name: Type.String(), tax_id: Type.String() })),
  no_recipient_art61d: Type.Boolean(),
  corrected_invoices: Type.Array(Referred),
  corrective_ids: Type.Array(Uuid),
  correction: Nullable(
    Type.Object({ type: Enum(['differences', 'substitution']), reason: Nullable(Type.String()) }),
  ),
  substituted_invoices: Type.Array(Referred),
  substituted_by_id: Nullable(Uuid),
  notes: Nullable(Type.String()),
  external_id: Nullable(Type.String()),
  metadata: Metadata,
  tags: Type.Array(Type.String()),
  custom_fields: CustomFields,
  verifactu: Nullable(VerifactuBlock),
  pdf: Type.Optional(PdfBlock),
  email: Type.Optional(EmailBlock),
  public_url: Nullable(
    Type.String({
      description:
        'Página en la que quien tenga la dirección ve y descarga la factura, sin clave; nula mientras es un borrador',
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
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
