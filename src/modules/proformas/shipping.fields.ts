/** Carriage of a pro-forma invoice. Its cost includes the tax, and the total includes its cost. */
import { amountText, fixedText, parseAmount } from '../../domain/money/amount.ts';
import { printedToCents } from '../../domain/money/printed.ts';
import { type CarriageTax, carriageCents, carriageLines, vatOf } from '../../domain/sales/carriage.ts';
import { isInForce } from '../../domain/sales/lines.ts';
import type { LineRow } from '../../domain/sales/rows.ts';
import { fits } from '../../domain/sales/totals-checks.ts';
import { defaultRegimeKey, goesWithoutRate } from '../../domain/tax/fiscal-rules.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type DecimalInput, numberText } from '../../kernel/json.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { Decimal, Described, Money, Nullable, RateInput, Type, Uuid } from '../../kernel/schema.ts';
import type { OfferExtras, OfferRow } from '../offers/index.ts';
import type { FieldsOf } from '../sales/index.ts';

export type ProformaRow = OfferRow & { shipping_cost: string | null; shipping_tax: CarriageTax | null };

const costText = 'Gastos de envío, con sus impuestos: total los incluye, tax_breakdown no';
const rateText =
  'IVA de los gastos de envío, en porcentaje. Sin él, al convertir la proforma se reparten entre los impuestos de sus líneas';

/** An amount of the wire, spelled one way. */
function textOf(value: DecimalInput | null, scale: number): string | null {
  if (value === null) return null;
  const amount = parseAmount(numberText(value), { decimals: scale });
  if (!amount) throw new Error('The schema has checked the amount.');
  return amountText(amount);
}

const idText =
  'Id del impuesto de los gastos de envío. Sin él ni shipping_tax_rate, al convertir la proforma se reparten entre los impuestos de sus líneas';

type SentTax = { shipping_taxes_id?: string | null; shipping_tax_rate?: DecimalInput | null };

const shownRate = (tax: CarriageTax | null) =>
  tax === null || tax.tax_rate === null ? null : Number(tax.tax_rate);

/**
 * A stored tax is not asked again.
 * @throws 422 parameter_invalid, business_rule_violation
 */
function taxOf(
  stored: CarriageTax | null,
  { shipping_taxes_id: id = stored?.taxes_id ?? null, shipping_tax_rate: sent_rate }: SentTax,
  { taxes, on_date }: Pick<FieldsOf, 'taxes'> & { on_date: string },
): CarriageTax | null {
  const rate = sent_rate === undefined ? undefined : textOf(sent_rate, 2);
  const is_same_rate = rate === undefined || (rate === null ? null : Number(rate)) === shownRate(stored);
  if (id === (stored?.taxes_id ?? null) && is_same_rate) return stored;
  // A rate alone replaces a tax that had another.
  if (id === null || (id === stored?.taxes_id && !is_same_rate))
    return rate === undefined || rate === null ? null : vatOf(rate);
  const tax = takenTax(id, taxes, on_date);
  if (rate !== undefined && rate !== null && Number(rate) !== Number(tax.tax_rate)) {
    const reason = 'el impuesto de shipping_taxes_id tiene otro tipo.';
    throw fail(c.business_rule_violation, { param: 'shipping_tax_rate', values: { reason } });
  }
  return tax;
}

function takenTax(id: string, taxes: FieldsOf['taxes'], on_date: string): CarriageTax {
  const param = 'shipping_taxes_id';
  const tax = taxes.get(id);
  if (!tax || tax.kind === 'retention') {
    const message = 'No es un impuesto de la empresa.';
    throw invalidParam(param, message);
  }
  if (!isInForce(tax, on_date)) {
    const reason = `el impuesto «${tax.name}» no está en vigor el ${on_date}.`;
    throw fail(c.business_rule_violation, { param, values: { reason } });
  }
  const { name, kind, rate, exemption_reason } = tax;
  const qualification = tax.qualification ?? (exemption_reason === null ? 'S1' : null);
  const tax_rate = goesWithoutRate({ qualification, exemption_reason })
    ? null
    : qualification === 'S2'
      ? '0'
      : rate;
  if (tax_rate === null && !goesWithoutRate({ qualification, exemption_reason }))
    throw fail(c.missing_required_param, { param: 'shipping_tax_rate' });
  const regime_key =
    tax.regime_key ?? defaultRegimeKey(kind as Parameters<typeof defaultRegimeKey>[0], exemption_reason);
  return {
    taxes_id: tax.id,
    tax_name: name,
    tax_kind: kind,
    tax_rate,
    qualification,
    exemption_reason,
    regime_key,
  };
}

/**
 * Carriage of its own tax is no part of the goods, and an invoice with surcharge holds nothing else (RD 1619/2012, art. 16.4).
 * @throws 422 business_rule_violation
 */
function refuseBesideSurcharge({ shipping_tax, surcharge_total }: ProformaRow, cost: bigint): void {
  if (shipping_tax === null || cost === 0n || Number(surcharge_total) === 0) return;
  const param = shipping_tax.taxes_id === null ? 'shipping_tax_rate' : 'shipping_taxes_id';
  const reason =
    'con recargo de equivalencia el envío no lleva impuesto propio: si se omite, se reparte entre las líneas.';
  throw fail(c.business_rule_violation, { param, values: { reason } });
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
  finish(row, { stored, reasons }) {
    const { shipping_cost, total, amount_due } = row;
    if (shipping_cost === null) return {};
    const cost = carriageCents(shipping_cost);
    reasons.attempt(() => refuseBesideSurcharge(row, cost));
    if (!fits(printedToCents(total) + cost))
      reasons.refuse(invalidParam('shipping_cost', 'El importe supera las 12 cifras enteras.'));
    const withCost = (amount: string) => fixedText(printedToCents(amount) + cost, 2);
    const whole = { total: withCost(total), amount_due: withCost(amount_due) };
    // What was first asked for recognises its repetition.
    return stored !== null || row.external_id === null ? whole : { ...whole, external_total: whole.total };
  },
  addedLines({ document, lines, tax_rows }, { company, reasons }): readonly LineRow[] {
    const { shipping_cost, shipping_tax } = document;
    if (shipping_cost === null) return [];
    const { proforma } = company.default_vat;
    const added = carriageLines(
      { lines, tax_rows },
      {
        cost: carriageCents(shipping_cost),
        tax: shipping_tax,
        default_rate: typeof proforma === 'string' ? proforma : null,
      },
    );
    if (added === null) reasons.refuse(fail(c.missing_required_param, { param: 'shipping_tax_rate' }));
    return added ?? [];
  },
  sum: ({ shipping_cost }) =>
    shipping_cost === null || Number(shipping_cost) === 0 ? null : carriageCents(shipping_cost),
  none: { shipping_cost: null, shipping_tax: null },
};
