/** The tax of a pro-forma's carriage: a rate of VAT or a tax of the company, in force when it is stated. */
import { amountText, parseAmount } from '../../../domain/money/amount.ts';
import { type CarriageTax, ofRate } from '../../../domain/sales/carriage.ts';
import { taxRefusal } from '../../../domain/sales/lines.ts';
import { defaultRegimeKey, goesWithoutRate } from '../../../domain/tax/fiscal-rules.ts';
import { taxRateFits } from '../../../domain/tax/spanish-taxes.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidParam, missingParam } from '../../../kernel/resource-input.ts';
import type { FieldsOf } from '../../sales/index.ts';

/** An amount of the wire, spelled one way. */
export function textOf(value: DecimalInput | null, scale: number): string | null {
  if (value === null) return null;
  const amount = parseAmount(numberText(value), { decimals: scale });
  if (!amount) throw new Error('The schema has checked the amount.');
  return amountText(amount);
}

export const refused = (param: string, reason: string) =>
  fail(c.business_rule_violation, { param, values: { reason } });

export type SentTax = { shipping_taxes_id?: string | null; shipping_tax_rate?: DecimalInput | null };

export const shownRate = (tax: CarriageTax | null) =>
  tax === null || tax.tax_rate === null ? null : Number(tax.tax_rate);

/**
 * A stored tax is not asked again.
 * @throws 422 parameter_invalid, business_rule_violation
 */
export function taxOf(
  stored: CarriageTax | null,
  { shipping_taxes_id: id = stored?.taxes_id ?? null, shipping_tax_rate: sent_rate }: SentTax,
  { taxes, on_date }: Pick<FieldsOf, 'taxes'> & { on_date: string },
): CarriageTax | null {
  const rate = sent_rate === undefined ? undefined : textOf(sent_rate, 2);
  const is_same_rate = rate === undefined || (rate === null ? null : Number(rate)) === shownRate(stored);
  if (id === (stored?.taxes_id ?? null) && is_same_rate) return stored;
  // A rate alone replaces a tax that had another.
  if (id === null || (id === stored?.taxes_id && !is_same_rate))
    return rate === undefined || rate === null ? null : vatOfDay(rate, on_date);
  const tax = takenTax(id, taxes, on_date);
  if (rate !== undefined && rate !== null && Number(rate) !== Number(tax.tax_rate)) {
    throw refused('shipping_tax_rate', 'el impuesto de shipping_taxes_id tiene otro tipo.');
  }
  return tax;
}

/** For carriage that follows no row of the breakdown. @returns 422 missing_required_param */
export const missingShippingRate = () =>
  missingParam(
    'shipping_tax_rate',
    'Indique el tipo de los gastos de envío: ninguna línea dice cuál llevan.',
  );

function vatOfDay(rate: string, on_date: string): CarriageTax {
  const amount = parseAmount(rate, { decimals: 2 });
  if (!amount || !taxRateFits('vat', amount, on_date))
    throw refused('shipping_tax_rate', `no es un tipo de IVA vigente el ${on_date}.`);
  return ofRate(rate, 'vat');
}

function takenTax(id: string, taxes: FieldsOf['taxes'], on_date: string): CarriageTax {
  const param = 'shipping_taxes_id';
  const tax = taxes.get(id);
  if (!tax || tax.kind === 'retention') {
    const message = 'No es un impuesto de la empresa.';
    throw invalidParam(param, message);
  }
  const refusal = taxRefusal(tax, on_date);
  if (refusal !== null) throw refused(param, refusal);
  const { name, kind, rate, exemption_reason } = tax;
  const qualification = tax.qualification ?? (exemption_reason === null ? 'S1' : null);
  const tax_rate = goesWithoutRate({ qualification, exemption_reason })
    ? null
    : qualification === 'S2'
      ? '0'
      : rate;
  if (tax_rate === null && !goesWithoutRate({ qualification, exemption_reason })) throw missingShippingRate();
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
