/** The members that only a purchase has on the wire. */
import { centsToNumber } from '../../domain/money/amount.ts';
import { nullableToJson, printedToCents } from '../../domain/money/printed.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Money,
  Name,
  Nullable,
  Shape,
  Text,
  Timestamp,
  type TProperties,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import type { Placed, Showing } from '../sales/index.ts';
import { PurchasePayment, presentPurchasePayment } from './payments.schema.ts';
import { operations, type PurchaseBundle, purchaseKinds, retentionKinds } from './purchase-invoices.rows.ts';
import { purchaseTaxKindsText, purchaseTaxKind } from './lines.schema.ts';
import { deductibleNow } from './rules/deduction.ts';
import { vatIdOf } from './rules/purchase-fields.ts';
import { pendingCents } from './rules/status.ts';

const kindText =
  'invoice factura completa, simplified simplificada, corrective rectificativa, customs documento de aduana (DUA), agricultural_receipt recibo del régimen de la agricultura';
const operationText =
  'domestic interior; reverse_charge inversión del sujeto pasivo, intra_community_goods e intra_community_services adquisición intracomunitaria de bienes o servicios y non_eu_services servicios de fuera de la Unión, en las que el proveedor no repercute el IVA y lo liquida la empresa; lo intracomunitario pide su NIF-IVA de otro Estado miembro; import importación';
const retentionText =
  'professional profesionales, rent alquiler, agricultural actividades agrarias, director administradores, other otra';

const day = (description: string) => Type.Optional(Described(Nullable(DayText), description));
const MoneyInput = (description: string) => Decimal({ decimals: 2 }, description);
const unread = { description: 'Solo lectura: no se mira.' };

const StatedTax = Shape({
  tax_kind: Type.Optional(purchaseTaxKind(purchaseTaxKindsText)),
  tax_rate: Type.Optional(
    Described(
      Nullable(Decimal({ decimals: 2, integer_digits: 3, minimum: '0', maximum: '100' })),
      'Tipo en porcentaje',
    ),
  ),
  surcharge_rate: Type.Optional(
    Described(
      Nullable(Decimal({ decimals: 2, integer_digits: 3, minimum: '0', maximum: '100' })),
      'Recargo de equivalencia en porcentaje',
    ),
  ),
  qualification: Type.Optional(Nullable(Text(2, { description: 'Calificación fiscal de sus líneas' }))),
  exemption_reason: Type.Optional(Nullable(Text(2, { description: 'Causa de exención de sus líneas' }))),
  regime_key: Type.Optional(Nullable(Text(2, { description: 'Clave de régimen de sus líneas' }))),
  base: Type.Optional(MoneyInput('Base que dice la factura; se comprueba')),
  tax: MoneyInput('Cuota que dice la factura'),
  surcharge: Type.Optional(Type.Unknown(unread)),
  self_charged: Type.Optional(Type.Unknown(unread)),
  deductible: Type.Optional(Type.Unknown(unread)),
});

export const purchaseInput: TProperties = {
  supplier_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id del proveedor, que no puede estar archivado. Solo un borrador o una simplificada pueden no llevarlo',
    ),
  ),
  number: Type.Optional(
    Nullable(
      Name(60, {
        minLength: 1,
        pattern: '\\S',
        description: 'Número que le dio el proveedor; solo un borrador puede no llevarlo',
      }),
    ),
  ),
  kind: Type.Optional(Enum(purchaseKinds, { description: `${kindText}; invoice si se omite` })),
  operation: Type.Optional(
    Enum(operations, {
      description: `${operationText}. Si se omite, domestic, o import en un documento de aduana`,
    }),
  ),
  issued_on: day(
    'Fecha de expedición de la factura, YYYY-MM-DD, no futura; solo un borrador puede no llevarla',
  ),
  operation_on: day('Día de la operación, YYYY-MM-DD, si no es el de la expedición'),
  received_on: day(
    'Día en que se recibió, YYYY-MM-DD, no futuro ni anterior a la expedición; hoy si se omite, salvo en un borrador',
  ),
  due_on: day(
    'Vencimiento, YYYY-MM-DD, no anterior a la expedición; si se omite, por el plazo de pago del proveedor, si lo tiene',
  ),
  deduct_on: day(
    'Día al que se imputa la deducción del IVA, YYYY-MM-DD: no antes de la operación ni de recibirla, y como máximo cuatro años después de la operación; si se omite, el primero posible',
  ),
  exchange_rate: Type.Optional(
    Nullable(
      Decimal(
        { decimals: 8, significant_digits: 15, exclusive_minimum: '0' },
        'Euros por unidad de la moneda, del día de la operación; obligatorio si no es EUR',
      ),
    ),
  ),
  retention_kind: Type.Optional(
    Nullable(
      Enum(retentionKinds, {
        description: `De qué es la retención: ${retentionText}. Obligatoria si alguna línea la lleva, salvo en un borrador`,
      }),
    ),
  ),
  has_recipient_data: Type.Optional(
    Type.Boolean({
      description:
        'En una simplificada: lleva el NIF y el domicilio de la empresa y la cuota aparte, sin lo que no se deduce (RD 1619/2012, art. 7.2); false si se omite. Las demás siempre los llevan',
    }),
  ),
  cash_accounting: Type.Optional(
    Type.Boolean({
      description:
        'El proveedor está en el régimen especial del criterio de caja: se deduce al pagar, y como tarde el 31 de diciembre del año siguiente; false si se omite',
    }),
  ),
  corrects: Type.Optional(
    Described(
      Nullable(
        Shape({
          purchase_invoice_id: Type.Optional(
            Described(Nullable(Uuid), 'Id de la factura recibida que rectifica, si está registrada'),
          ),
          number: Name(60, { minLength: 1, pattern: '\\S', description: 'Su número' }),
          issued_on: day('Su fecha de expedición, YYYY-MM-DD'),
        }),
      ),
      'La factura que rectifica; la lleva una rectificativa (corrective), y solo ella. Se sustituye entera',
    ),
  ),
  scan_ids: Type.Optional(
    Nullable(
      Type.Array(Described(Uuid, 'Id de un documento escaneado que no está archivado'), {
        maxItems: 20,
        uniqueItems: true,
        description:
          'Documentos escaneados de la factura; cada uno es de una factura como máximo, sin contar las canceladas (si no, invalid_status_transition). Lo enviado sustituye a lo que hubiera',
      }),
    ),
  ),
  tax_breakdown: Type.Optional(
    Nullable(
      Type.Array(StatedTax, {
        maxItems: 50,
        description:
          'Cuotas que dice la factura, para las que no coinciden al céntimo con la suma de sus líneas: cada una puede apartarse en 0,01 por línea y 0,01 más. Una fila se reconoce por lo que lleva además de la cuota. Al modificar, la de una fila cuyas líneas cambian se olvida si no se envía de nuevo',
      }),
    ),
  ),
  expected_total: Type.Optional(
    Nullable(
      MoneyInput('Total que dice la factura: si no es el que suman sus líneas, se rechaza. No se guarda'),
    ),
  ),
};

export const newPurchaseInput: TProperties = {
  draft: Type.Optional(
    Type.Boolean({
      description: 'true: queda en borrador, sin número de recepción; si no, queda recibida con su número',
    }),
  ),
};

const Supplier = Type.Object({
  id: Described(Uuid, 'Id del proveedor'),
  name: Type.String({ description: 'Nombre o razón social' }),
  tax_id: Nullable(Type.String({ description: 'Identificación fiscal' })),
  vat_id: Nullable(Type.String({ description: 'NIF-IVA, con el que se declara lo intracomunitario' })),
  address: Described(Nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })), 'Dirección postal'),
});

export const purchaseShown: Placed = {
  object: {
    number: Nullable(Type.String({ description: 'Número que le dio el proveedor' })),
    reception_number: Nullable(
      Type.String({ description: 'Número de recepción, con su serie; null en un borrador' }),
    ),
  },
  series: {
    kind: Enum(purchaseKinds, { description: kindText }),
    operation: Enum(operations, { description: operationText }),
    supplier: Described(Nullable(Supplier), 'El proveedor; con número de recepción, como era al tomarlo'),
  },
  issued_on: {
    operation_on: Described(
      Nullable(DayText),
      'Día de la operación, YYYY-MM-DD, si no es el de la expedición',
    ),
    received_on: Described(Nullable(DayText), 'Día en que se recibió, YYYY-MM-DD'),
    due_on: Described(Nullable(DayText), 'Vencimiento, YYYY-MM-DD'),
    deduct_on: Described(Nullable(DayText), 'Día al que se imputa la deducción, YYYY-MM-DD'),
  },
  currency: {
    exchange_rate: Nullable(Type.Number({ description: 'Euros por unidad de la moneda; null en euros' })),
  },
  amount_due: {
    paid_amount: Described(Money, 'Lo pagado, sin los pagos anulados'),
    pending_amount: Described(Money, 'Lo que queda por pagar; negativo si lo debe el proveedor'),
    self_charged_total: Described(
      Money,
      'IVA que liquida la empresa en lugar del proveedor, en euros; no está en total',
    ),
    deductible_total: Described(
      Money,
      'IVA que se deduce, en euros; con un proveedor en criterio de caja, según se paga',
    ),
    retention_kind: Nullable(
      Enum(retentionKinds, { description: `De qué es la retención: ${retentionText}` }),
    ),
  },
  tax_breakdown: {
    payments: Type.Object(
      {
        total: Described(Money, 'Suma de los pagos que no se han anulado'),
        detail: Type.Array(PurchasePayment, { description: 'Todos los pagos, también los anulados' }),
      },
      { description: 'Pagos de la factura' },
    ),
    has_recipient_data: Type.Boolean({ description: 'Lleva los datos de la empresa que permiten deducir' }),
    cash_accounting: Type.Boolean({ description: 'El proveedor está en el criterio de caja' }),
    corrects: Described(
      Nullable(
        Type.Object({
          purchase_invoice_id: Described(Nullable(Uuid), 'Id de la factura recibida que rectifica'),
          number: Type.String({ description: 'Su número' }),
          issued_on: Described(Nullable(DayText), 'Su fecha de expedición'),
        }),
      ),
      'La factura que rectifica',
    ),
    scan_ids: Type.Array(Uuid, { description: 'Documentos escaneados de la factura' }),
    accounted_at: Described(Nullable(Timestamp), 'Cuándo se contabilizó (ISO 8601 UTC)'),
    cancelled_at: Described(Nullable(Timestamp), 'Cuándo se canceló (ISO 8601 UTC)'),
  },
};

/** A PUT may repeat them unchanged. */
export const purchaseReadOnly = [
  'reception_number',
  'supplier',
  'paid_amount',
  'pending_amount',
  'self_charged_total',
  'deductible_total',
  'payments',
  'accounted_at',
  'cancelled_at',
] as const;

const instant = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

export function presentPurchase(
  { document: row, payments }: PurchaseBundle,
  { today }: Pick<Showing, 'today'>,
): Record<string, unknown> {
  const { address = null } = (row.client_snapshot ?? {}) as { address?: unknown };
  const supplier = {
    id: row.client_id,
    name: row.client_name,
    tax_id: row.client_tax_id,
    vat_id: vatIdOf(row.client_snapshot),
    address,
  };
  const deductible = deductibleNow(
    {
      ...row,
      deductible_cents: printedToCents(row.deductible_total),
      paid_cents: printedToCents(row.paid_amount),
      due_cents: printedToCents(row.amount_due),
    },
    today,
  );
  return {
    number: row.supplier_number,
    reception_number: row.number,
    kind: row.kind,
    operation: row.operation,
    supplier: row.client_id === null ? null : supplier,
    operation_on: row.operation_on,
    received_on: row.received_on,
    due_on: row.due_on,
    deduct_on: row.deduct_on,
    exchange_rate: nullableToJson(row.exchange_rate),
    paid_amount: Number(row.paid_amount),
    pending_amount: centsToNumber(pendingCents(row)),
    self_charged_total: Number(row.self_charged_total),
    deductible_total: centsToNumber(deductible),
    retention_kind: row.retention_kind,
    payments: { total: Number(row.paid_amount), detail: payments.map(presentPurchasePayment) },
    has_recipient_data: row.has_recipient_data,
    cash_accounting: row.cash_accounting,
    corrects: row.corrects,
    scan_ids: row.scan_ids,
    accounted_at: instant(row.accounted_at),
    cancelled_at: instant(row.cancelled_at),
  };
}
