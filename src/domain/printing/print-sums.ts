import { printedToCents } from '../money/printed.ts';
import { moneyText, percentText } from './numbers.ts';
import type { PrintedAmounts } from './print-amounts.ts';
import { retentionRates } from './print-lines.ts';
import { retentionLabel } from './print-retention.ts';
import type { PrintedBundle, PrintedIssuer } from './print-source.ts';
import { onlyRate, taxHeading } from './print-taxes.ts';
import type { LabelledText, PrintedLanguage } from './printed-document.ts';
import { printedWords } from './words.ts';

/** @returns none when every amount hides its tax: then only the total is shown */
export function printSums(
  amounts: PrintedAmounts,
  currency: string,
  language: PrintedLanguage,
): LabelledText[] {
  const words = printedWords[language];
  const sums: LabelledText[] = [];
  const add = (label: string, cents: bigint) =>
    sums.push({ label, text: moneyText(cents, currency, language) });
  const { rows, within, base, discount, taxes, surcharge, with_tax } = amounts;
  if (rows.length === 0) return [];
  const kinds = rows.map(({ row }) => row.tax_kind);
  const tax = taxHeading(kinds, language);
  const only = onlyRate(amounts);
  const withRate = (label: string, rate: string | null | undefined) =>
    rate ? `${label} ${percentText(rate, language)}` : label;
  if (with_tax) {
    // Lines with tax add up to the total, so there is no subtotal.
    if (within !== 0n) add(words.amount_with(tax), within);
    add(words.base, base);
  } else {
    const subtotal = within + base;
    if (discount !== 0n) {
      add(words.before_discounts, subtotal + discount);
      add(words.discounts, -discount);
    }
    // Without a table of taxes, the base has its name here.
    add(only ? words.base : words.subtotal, subtotal);
  }
  // Beside prices that hide their tax, a tax of 0 would be untrue.
  if (within === 0n || taxes !== 0n) add(withRate(tax, only?.tax_rate), taxes);
  if (surcharge !== 0n) add(withRate(words.surcharge, only?.surcharge_rate), surcharge);
  return sums;
}

export function printRetention(
  { document, lines }: PrintedBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): LabelledText | null {
  const cents = printedToCents(document.retention_total);
  if (cents === 0n) return null;
  return {
    label: retentionLabel(retentionRates(lines), issuer, language),
    text: moneyText(-cents, document.currency, language),
  };
}
