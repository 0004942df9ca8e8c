/** Carriage of a pro-forma invoice. Its cost includes the tax, and the total includes its cost. */
import { carriageCents, carriageLines } from '../../domain/sales/carriage.ts';
import { amountText, fixedText, parseAmount } from '../../domain/money/amount.ts';
import { printedToCents } from '../../domain/money/printed.ts';
import type { LineRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { type DecimalInput, numberText } from '../../kernel/json.ts';
import { fail } from '../../kernel/problem.ts';
import { Decimal, Described, Money, Nullable, RateInput, Type } from '../../kernel/schema.ts';
import type { OfferExtras, OfferRow } from '../offers/index.ts';

export type ProformaRow = OfferRow & { shipping_cost: string | null; shipping_tax_rate: string | null };

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

export const shipping: OfferExtras<ProformaRow> = {
  columns: { shipping_cost: 'numeric', shipping_tax_rate: 'numeric' },
  input: {
    shipping_cost: Type.Optional(
      Described(Nullable(Decimal({ decimals: 2, minimum: '0' })), `${costText}; null o 0, ninguno`),
    ),
    shipping_tax_rate: Type.Optional(Described(Nullable(RateInput), rateText)),
  },
  shown: {
    amount_due: {
      shipping_cost: Described(Nullable(Money), costText),
      shipping_tax_rate: Described(Nullable(Type.Number()), rateText),
    },
  },
  deciding: ['shipping_cost'],
  present: ({ shipping_cost, shipping_tax_rate }) => ({
    shipping_cost: shipping_cost === null ? null : Number(shipping_cost),
    shipping_tax_rate: shipping_tax_rate === null ? null : Number(shipping_tax_rate),
  }),
  read(stored, sent) {
    const { shipping_cost: cost, shipping_tax_rate: rate } = sent as Record<string, DecimalInput | null>;
    return {
      shipping_cost: cost === undefined ? (stored?.shipping_cost ?? null) : textOf(cost, 2),
      shipping_tax_rate: rate === undefined ? (stored?.shipping_tax_rate ?? null) : textOf(rate, 2),
    };
  },
  finish(row) {
    const { shipping_cost, total, amount_due } = row;
    if (shipping_cost === null) return {};
    const cost = carriageCents(shipping_cost);
    const withCost = (amount: string) => fixedText(printedToCents(amount) + cost, 2);
    const whole = { total: withCost(total), amount_due: withCost(amount_due) };
    return row.external_id === null ? whole : { ...whole, external_total: whole.total };
  },
  addedLines({ document, lines, tax_rows }, { company, reasons }): readonly LineRow[] {
    const { shipping_cost, shipping_tax_rate } = document;
    if (shipping_cost === null) return [];
    const { proforma } = company.default_vat;
    const added = carriageLines(
      { lines, tax_rows },
      {
        cost: carriageCents(shipping_cost),
        tax_rate: shipping_tax_rate,
        default_rate: typeof proforma === 'string' ? proforma : null,
      },
    );
    if (added === null) reasons.refuse(fail(c.missing_required_param, { param: 'shipping_tax_rate' }));
    return added ?? [];
  },
  sum: ({ shipping_cost }) =>
    shipping_cost === null || Number(shipping_cost) === 0 ? null : carriageCents(shipping_cost),
  none: { shipping_cost: null, shipping_tax_rate: null },
};
