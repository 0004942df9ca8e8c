/** What a corrective or a substitute prints about its originals (RD 1619/2012, art. 15). */
import { dayText } from '../../../domain/printing/days.ts';
import { moneyText } from '../../../domain/printing/numbers.ts';
import type { LabelledText, PrintedLanguage } from '../../../domain/printing/printed-document.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { InvoiceRow, ReferredInvoice } from '../invoices.rows.ts';
import type { PrintedAmounts } from '../../../domain/printing/print-amounts.ts';

/** The head has room for so many. A longer list goes to the mentions. */
const namedMost = 3;

function listed(invoices: readonly ReferredInvoice[], language: PrintedLanguage): string {
  const words = printedWords[language];
  return invoices.map((one) => words.reference(one.number, dayText(one.issued_on, language))).join('; ');
}

function fact(
  label: string,
  invoices: readonly ReferredInvoice[],
  language: PrintedLanguage,
): LabelledText[] {
  if (invoices.length === 0) return [];
  const text =
    invoices.length > namedMost
      ? printedWords[language].several_invoices(invoices.length)
      : listed(invoices, language);
  return [{ label, text }];
}

export function referenceFacts(invoice: InvoiceRow, language: PrintedLanguage): LabelledText[] {
  const words = printedWords[language];
  const { corrected_invoices, substituted_invoices, correction_type } = invoice;
  return [
    ...fact(words.corrects, corrected_invoices, language),
    ...(correction_type === null
      ? []
      : [{ label: words.correction, text: words.correction_types[correction_type] }]),
    ...fact(words.substitutes, substituted_invoices, language),
  ];
}

/** At most two decimals and 14 digits, which a double holds exactly. */
const cents = (value: number | null) => printedToCents((value ?? 0).toFixed(2));

type Rectified = { base: bigint; tax: bigint; surcharge: bigint };

/**
 * What a corrective by substitution replaces, and the difference (art. 15.5). Used goods show no separate tax, so whole
 * amounts are printed.
 */
function rectification(invoice: InvoiceRow, { within }: PrintedAmounts, language: PrintedLanguage): string[] {
  const { corrected_invoices, correction_type, currency } = invoice;
  const is_known = corrected_invoices.every((one) => one.subtotal !== null && one.taxes_total !== null);
  if (correction_type !== 'substitution' || !is_known) return [];
  const words = printedWords[language];
  const money = (amount: bigint) => moneyText(amount, currency, language);
  const before = corrected_invoices.reduce<Rectified>(
    (sum, one) => ({
      base: sum.base + cents(one.subtotal),
      tax: sum.tax + cents(one.taxes_total),
      surcharge: sum.surcharge + cents(one.surcharge_total),
    }),
    { base: 0n, tax: 0n, surcharge: 0n },
  );
  const difference = {
    base: printedToCents(invoice.subtotal) - before.base,
    tax: printedToCents(invoice.taxes_total) - before.tax,
    surcharge: printedToCents(invoice.surcharge_total) - before.surcharge,
  };
  const has_surcharge = before.surcharge !== 0n || difference.surcharge !== 0n;
  const text = ({ base, tax, surcharge }: Rectified) => {
    if (within !== 0n) return money(base + tax + surcharge);
    const apart = words.base_and_tax(money(base), money(tax));
    return has_surcharge ? words.tax_and_surcharge(apart, money(surcharge)) : apart;
  };
  return [words.rectified_amounts(text(before)), words.rectification(text(difference))];
}

/** Includes the lists that are too long for the head. */
export function correctionMentions(
  invoice: InvoiceRow,
  amounts: PrintedAmounts,
  language: PrintedLanguage,
): string[] {
  const words = printedWords[language];
  const { type, correction_type, correction_reason, corrected_invoices, substituted_invoices } = invoice;
  const said: string[] = [];
  if (correction_type !== null) {
    const legal = words.corrective_causes[type as keyof typeof words.corrective_causes];
    said.push(words.correction_reason(correction_reason || legal));
    said.push(...rectification(invoice, amounts, language));
  }
  if (corrected_invoices.length > namedMost)
    said.push(words.corrected_list(listed(corrected_invoices, language)));
  if (substituted_invoices.length > namedMost)
    said.push(words.substituted_list(listed(substituted_invoices, language)));
  return said;
}
