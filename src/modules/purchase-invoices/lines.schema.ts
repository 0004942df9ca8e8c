/** What lines and rows of the breakdown have in a purchase alone. */
import { nullableToJson } from '../../domain/money/printed.ts';
import type { LineInput } from '../../domain/sales/line-input.ts';
import type { LineRow, TaxRow } from '../../domain/sales/rows.ts';
import { purchaseTaxKinds } from '../../domain/tax/spanish-taxes.ts';
import {
  Decimal,
  Described,
  Enum,
  Money,
  Name,
  Nullable,
  PercentInput,
  RateInput,
  Text,
  type TProperties,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { type PurchaseLineRow, type PurchaseTaxRow, prorataUses } from './purchase-invoices.rows.ts';
import type { OwnLineInput } from './rules/count-purchase.ts';

export const purchaseTaxKind = (description: string) => Enum(purchaseTaxKinds, { description });
export const purchaseTaxKindsText =
  'vat IVA español, igic, ipsi, foreign_vat IVA de otro Estado, compensation compensación del régimen de la agricultura, other otro';
const prorataText =
  'En qué se usa, para la prorrata especial (LIVA, art. 106): with_right operaciones con derecho a deducir, without_right sin él, common ambas';

export const lineInput: TProperties = {
  description: Type.Optional(
    Text(1000, { minLength: 1, description: 'Qué es lo que se compra; si se omite, el nombre del producto' }),
  ),
  product_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de un producto activo: da la descripción y la unidad que la línea no diga; el precio y el impuesto son los de la factura',
    ),
  ),
  unit_price: Type.Optional(
    Decimal({ decimals: 8, significant_digits: 15 }, 'Precio unitario, hasta 8 decimales y 15 cifras'),
  ),
  discount_percent: Type.Optional(
    Described(
      Nullable(PercentInput),
      'Descuento en porcentaje; si se omite, el habitual del proveedor. 0 o null, ninguno',
    ),
  ),
  taxes_id: Type.Optional(
    Described(
      Nullable(Uuid),
      'Id de un impuesto de la empresa, que da lo que la línea no diga de él; si no se envían ni taxes_id ni tax_rate, el habitual del proveedor. null, ninguno',
    ),
  ),
  tax_kind: Type.Optional(
    purchaseTaxKind(`${purchaseTaxKindsText}; si se omite, la de taxes_id o default_vat, o vat`),
  ),
  tax_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Tipo del impuesto en porcentaje, el de la factura aunque no sea español. Si lo liquida la empresa (operation), el que le corresponde. Si se omite, el habitual del proveedor; sin ninguno se rechaza. Una línea exenta o no sujeta no lleva',
    ),
  ),
  retention_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Retención en porcentaje; si se omite, la habitual del proveedor. 0 o null, ninguna',
    ),
  ),
  surcharge_rate: Type.Optional(
    Described(
      Nullable(RateInput),
      'Recargo de equivalencia en porcentaje que repercute el proveedor; nada de la línea se deduce entonces. 0 o null, ninguno',
    ),
  ),
  qualification: Type.Optional(
    Nullable(
      Enum(['S1', 'N1', 'N2'], {
        description:
          'S1 sujeta y no exenta, N1 y N2 no sujeta; S1 si se omite. La inversión del sujeto pasivo se dice en operation. No va con exemption_reason',
      }),
    ),
  ),
  exemption_reason: Type.Optional(
    Nullable(
      Enum(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'], {
        description:
          'Causa por la que el proveedor no repercute impuesto: E1 art. 20, E6 otra. No va con qualification',
      }),
    ),
  ),
  deductible_percent: Type.Optional(
    Described(
      Nullable(PercentInput),
      'Parte del impuesto que se deduce, en porcentaje: 100 si se omite, 50 en un turismo según la presunción de la ley (LIVA, art. 95.Tres)',
    ),
  ),
  non_deductible_reason: Type.Optional(
    Nullable(
      Name(200, { description: 'Por qué no se deduce todo, por ejemplo «atención a clientes (art. 96)»' }),
    ),
  ),
  is_investment_good: Type.Optional(
    Type.Boolean({
      description:
        'Bien de inversión: se usa más de un año y su base por unidad es de 3.005,06 € o más (LIVA, art. 108); false si se omite',
    }),
  ),
  prorata_use: Type.Optional(Nullable(Enum(prorataUses, { description: prorataText }))),
  expense_account: Type.Optional(Nullable(Name(20, { description: 'Cuenta contable del gasto' }))),
};

export const lineShown: TProperties = {
  description: Type.String({ description: 'Qué es lo que se compra' }),
  tax_kind: purchaseTaxKind(purchaseTaxKindsText),
  qualification: Nullable(
    Enum(['S1', 'N1', 'N2'], { description: 'Calificación fiscal; null si está exenta' }),
  ),
  deductible_percent: Type.Number({ description: 'Parte del impuesto que se deduce, en porcentaje' }),
  non_deductible_reason: Nullable(Type.String({ description: 'Por qué no se deduce todo' })),
  is_investment_good: Type.Boolean({ description: 'Bien de inversión (LIVA, art. 108)' }),
  prorata_use: Nullable(Enum(prorataUses, { description: prorataText })),
  expense_account: Nullable(Type.String({ description: 'Cuenta contable del gasto' })),
  self_charged: Described(Money, 'Impuesto que liquida la empresa por la línea, en euros'),
  deductible: Described(Money, 'Lo que se deduce de la línea, en euros'),
};

export const lineReadOnly = ['self_charged', 'deductible'] as const;

export const taxRowShown: TProperties = {
  tax_kind: purchaseTaxKind(purchaseTaxKindsText),
  self_charged: Described(Money, 'Impuesto que liquida la empresa a este tipo, en euros'),
  deductible: Described(Money, 'Lo que se deduce a este tipo, en euros'),
};

export function presentLine(line: LineRow): Record<string, unknown> {
  const row = line as PurchaseLineRow;
  const is_forced = row.forced_reason !== null;
  return {
    deductible_percent: is_forced ? 0 : nullableToJson(row.deductible_percent ?? '100'),
    non_deductible_reason: row.forced_reason ?? row.non_deductible_reason,
    is_investment_good: row.is_investment_good,
    prorata_use: row.prorata_use,
    expense_account: row.expense_account,
    self_charged: Number(row.self_charged),
    deductible: Number(row.deductible),
  };
}

export function presentTaxRow(row: TaxRow): Record<string, unknown> {
  const { self_charged, deductible } = row as PurchaseTaxRow;
  return { self_charged: Number(self_charged), deductible: Number(deductible) };
}

/** A forced value that comes back as it was answered states nothing. */
export function keptOfLine(line: LineRow, sent: LineInput): object {
  const row = line as PurchaseLineRow;
  const said = sent as OwnLineInput;
  const shown = presentLine(row);
  const stored = {
    deductible_percent: nullableToJson(row.deductible_percent),
    non_deductible_reason: row.non_deductible_reason,
    is_investment_good: row.is_investment_good,
    prorata_use: row.prorata_use,
    expense_account: row.expense_account,
  };
  const names = Object.keys(stored) as (keyof typeof stored)[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      said[name] === undefined || said[name] === shown[name] ? stored[name] : said[name],
    ]),
  );
}
