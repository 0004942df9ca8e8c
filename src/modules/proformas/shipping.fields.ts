/** Carriage of a pro-forma invoice. Its cost includes the tax, and the total includes its cost. */
import { fixedText } from '../../domain/money/amount.ts';
import { printedToCents } from '../../domain/money/printed.ts';
import { recountRows } from '../../domain/sales/build-rows.ts';
import {
  type CarriageTax,
  carriageCents,
  carriageLines,
  ofRate,
  takesCarriage,
} from '../../domain/sales/carriage.ts';
import { defaultTaxOf } from '../../domain/sales/default-tax.ts';
import type { LineRow } from '../../domain/sales/rows.ts';
import { amountsOverflow } from '../../domain/sales/totals-checks.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { Decimal, Described, Money, Nullable, RateInput, Type, Uuid } from '../../kernel/schema.ts';
import type { OfferExtras, OfferRow } from '../offers/index.ts';
import { type BuiltParts, type FieldsOf, type FinishOf, keptLanguage, linesMax } from '../sales/index.ts';
import { carriageOnInvoice } from './proformas.words.ts';
import {
  missingShippingRate,
  refused,
  type SentTax,
  shownRate,
  taxOf,
  textOf,
} from './rules/shipping-tax.ts';

export type ProformaRow = OfferRow & { shipping_cost: string | null; shipping_tax: CarriageTax | null };

const costText = 'Gastos de envío, con sus impuestos: total los incluye, tax_breakdown no';
const rateText =
  'IVA de los gastos de envío, en porcentaje. Sin él, al convertir la proforma se reparten entre los impuestos de sus líneas';

const idText =
  'Id del impuesto de los gastos de envío. Sin él ni shipping_tax_rate, al convertir la proforma se reparten entre los impuestos de sus líneas';

type Of = Pick<FieldsOf, 'company'>;

/** What it becomes in the invoice; null when nothing says its rate. */
function carriageOf(row: ProformaRow, parts: BuiltParts, { company }: Of): LineRow[] | null {
  if (row.shipping_cost === null) return [];
  const { default_vat, default_tax_kind } = defaultTaxOf(company.default_vat, 'proforma');
  return carriageLines(parts, {
    cost: carriageCents(row.shipping_cost),
    tax: row.shipping_tax,
    default_tax: default_vat === null ? null : ofRate(default_vat, default_tax_kind),
    description: carriageOnInvoice[keptLanguage(row) ?? 'es'],
  });
}

const isCharged = ({ surcharge_rate }: LineRow) => Number(surcharge_rate ?? 0) !== 0;

/**
 * Carriage of its own tax is no part of the goods, and an invoice with surcharge holds nothing else (RD 1619/2012, art. 16.4).
 * @throws 422 business_rule_violation
 */
function refuseBesideSurcharge({ shipping_tax: tax }: ProformaRow, lines: readonly LineRow[]): void {
  if (!lines.some(isCharged)) return;
  if (tax === null) {
    const reason =
      'con recargo de equivalencia el envío sigue a lo que se cobra, y no se cobra ninguna línea.';
    throw refused('shipping_cost', reason);
  }
  const reason =
    'con recargo de equivalencia el envío no lleva impuesto propio: si se omite, se reparte entre las líneas.';
  throw refused(tax.taxes_id === null ? 'shipping_tax_rate' : 'shipping_taxes_id', reason);
}

/**
 * Checks that carriage which is accepted can be billed: makes its invoice, and throws it away.
 * @throws 422 missing_required_param, business_rule_violation, parameter_invalid
 */
function checkCarriage(row: ProformaRow, { stored, built, before }: FinishOf<ProformaRow>, of: Of): void {
  if (built === null) return;
  const added = carriageOf(row, built, of);
  if (added?.length === 0) return;
  const is_shared = row.shipping_tax === null && built.tax_rows.some(takesCarriage);
  if (!is_shared) refuseBesideSurcharge(row, built.lines);
  if (added === null) {
    // The company removed its default rate, which is no fault of this edit.
    const was_so = stored !== null && before !== null && carriageOf(stored, before, of) === null;
    if (was_so) return;
    throw missingShippingRate();
  }
  const lines = [...built.lines, ...added];
  if (lines.length > linesMax)
    throw refused('lines', `con los gastos de envío la factura tendría más de ${linesMax} líneas.`);
  if (amountsOverflow(recountRows(row.id, lines, row).totals))
    throw invalidParam('shipping_cost', 'El importe supera las 12 cifras enteras.');
}

export const shipping: OfferExtras<ProformaRow> = {
  columns: { shipping_cost: 'numeric', shipping_tax: 'jsonb' },
  input: {
    shipping_cost: Type.Optional(
      Described(Nullable(Decimal({ decimals: 2, minimum: '0' })), `${costText}; null o 0, ninguno`),
    ),
    shipping_taxes_id: Type.Optional(Described(Nullable(Uuid), idText)),
    shipping_tax_rate: Type.Optional(Described(Nullable(RateInput), rateText)),
  },
  shown: {
    amount_due: {
      shipping_cost: Described(Nullable(Money), costText),
      shipping_taxes_id: Described(Nullable(Uuid), idText),
      shipping_tax_rate: Described(Nullable(Type.Number()), rateText),
    },
  },
  deciding: ['shipping_cost'],
  taxIds: ({ shipping_taxes_id: id }) => (typeof id === 'string' ? [id] : []),
  present: ({ shipping_cost, shipping_tax }) => ({
    shipping_cost: shipping_cost === null ? null : Number(shipping_cost),
    shipping_taxes_id: shipping_tax?.taxes_id ?? null,
    shipping_tax_rate: shownRate(shipping_tax),
  }),
  read(stored, sent, of) {
    const { shipping_cost: cost, issued_on = stored?.issued_on } = sent as {
      shipping_cost?: DecimalInput | null;
      issued_on?: string | null;
    };
    const on_date = issued_on ?? of.today;
    const before = stored?.shipping_tax ?? null;
    return {
      shipping_cost: cost === undefined ? (stored?.shipping_cost ?? null) : textOf(cost, 2),
      shipping_tax: of.reasons.attempt(() => taxOf(before, sent as SentTax, { ...of, on_date })) ?? null,
    };
  },
  finish(row, of) {
    const { stored, reasons } = of;
    const { shipping_cost, total, amount_due } = row;
    if (shipping_cost === null) return {};
    reasons.attempt(() => checkCarriage(row, of, of));
    const cost = carriageCents(shipping_cost);
    const withCost = (amount: string) => fixedText(printedToCents(amount) + cost, 2);
    const whole = { total: withCost(total), amount_due: withCost(amount_due) };
    // A repeated request is recognised by what was first asked for.
    return stored !== null || row.external_id === null ? whole : { ...whole, external_total: whole.total };
  },
  addedLines(bundle, { company, reasons }): readonly LineRow[] {
    const added = carriageOf(bundle.document, bundle, { company });
    if (added === null) reasons.refuse(missingShippingRate());
    return added ?? [];
  },
  sum: ({ shipping_cost }) =>
    shipping_cost === null || Number(shipping_cost) === 0 ? null : carriageCents(shipping_cost),
  none: { shipping_cost: null, shipping_tax: null },
};
