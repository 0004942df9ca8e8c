/** Record and paper state amounts in the currency and in euros (RD 1619/2012, art. 12). */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { invalidField, missingParam, refuseIssues } from '../../kernel/resource-input.ts';
import { currencyCodes } from '../currencies.ts';
import { parseAmount, powerOfTen, roundDiv } from '../money/amount.ts';
import { printedToCents, trimZeros } from '../money/printed.ts';

/** Stored amount to cents of euro, half away from zero. */
export type ToEuros = (amount: string) => bigint;

/** @param exchange_rate euros for one unit of the currency; null for euros */
export function euros(exchange_rate: string | null): ToEuros {
  if (exchange_rate === null) return printedToCents;
  const rate = parseAmount(trimZeros(exchange_rate), { decimals: 8 });
  if (!rate) throw new Error('A stored exchange rate cannot be read.');
  return (amount) => roundDiv(printedToCents(amount) * rate.units, powerOfTen(rate.scale));
}

/**
 * @param one the document's name: `una factura`
 * @throws 422 parameter_invalid for an unknown currency, missing_required_param for one without a rate,
 *   business_rule_violation for the euro with one
 */
export function checkCurrency(currency: string, exchange_rate: string | null, one: string): void {
  checkCurrencyCode(currency);
  if (currency !== 'EUR' && exchange_rate === null)
    throw missingParam('exchange_rate', 'Indique cuántos euros vale una unidad de la moneda.');
  if (currency === 'EUR' && exchange_rate !== null)
    throw fail(c.business_rule_violation, {
      param: 'exchange_rate',
      values: { reason: `${one} en euros no lleva tipo de cambio.` },
    });
}

/** @throws 422 parameter_invalid */
export function checkCurrencyCode(currency: string): void {
  if (!currencyCodes.has(currency))
    refuseIssues([invalidField('currency', 'No es un código de moneda ISO 4217.')]);
}
