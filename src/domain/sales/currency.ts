/** The currency of a document, and its amounts in euros: record and paper state both (RD 1619/2012, art. 12). */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { invalid, refuseIssues } from '../../kernel/resource-input.ts';
import { currencyCodes } from '../currencies.ts';
import { parseAmount, powerOfTen, roundDiv } from '../money/amount.ts';
import { printedToCents, trimZeros } from '../money/printed.ts';

/** From a stored amount to cents of euro, half rounded away from zero. */
export type ToEuros = (amount: string) => bigint;

/** @param exchange_rate euros for one unit of the currency, as stored; null for euros */
export function euros(exchange_rate: string | null): ToEuros {
  if (exchange_rate === null) return printedToCents;
  const rate = parseAmount(trimZeros(exchange_rate), { decimals: 8 });
  if (!rate) throw new Error('A stored exchange rate cannot be read.');
  return (amount) => roundDiv(printedToCents(amount) * rate.units, powerOfTen(rate.scale));
}

/**
 * Checks that a currency comes with its rate, and the euro without one.
 * @param one what the document is called: `una factura`
 * @throws 422 parameter_invalid for an unknown currency, missing_required_param, business_rule_violation
 */
export function checkCurrency(currency: string, exchange_rate: string | null, one: string): void {
  checkCurrencyCode(currency);
  if (currency !== 'EUR' && exchange_rate === null)
    throw fail(c.missing_required_param, { param: 'exchange_rate' });
  if (currency === 'EUR' && exchange_rate !== null)
    throw fail(c.business_rule_violation, {
      param: 'exchange_rate',
      values: { reason: `${one} en euros no lleva tipo de cambio.` },
    });
}

/** @throws 422 parameter_invalid for an unknown currency */
export function checkCurrencyCode(currency: string): void {
  if (!currencyCodes.has(currency))
    refuseIssues([invalid('currency', 'No es un código de moneda ISO 4217.')]);
}
