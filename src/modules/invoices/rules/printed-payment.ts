/**
 * What the paper says of paying: by what means and until when, to which account, or that it was paid at the issue. What
 * is paid later is no part of a document that was issued before.
 */
import { dayText } from '../../../domain/printing/days.ts';
import { moneyText } from '../../../domain/printing/numbers.ts';
import type {
  LabelledText,
  PrintedDocument,
  PrintedLanguage,
} from '../../../domain/printing/printed-document.ts';
import { type PrintedPaymentMethod, printedWords } from '../../../domain/printing/words.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { PaymentRow } from '../../payments/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import type { PrintedIssuer } from '../../../domain/printing/print-source.ts';

/** In groups of four, as banks write it. */
export function ibanText(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1\u00a0');
}

/** Registered by the call that issued it: its stamp is not after that of the issue, which is taken later. */
function isOfIssue(payment: PaymentRow, invoice: InvoiceRow): boolean {
  if (invoice.issued_at === null) return false;
  return new Date(payment.created_at).getTime() <= new Date(invoice.issued_at).getTime();
}

type ClientPayment = { payment_method?: PrintedPaymentMethod | null };

/** Methods with which the customer sends money to the issuer's account. */
const toAccount: readonly (PrintedPaymentMethod | null)[] = ['bank_transfer', 'other', null];

function methodOf({ client_snapshot }: Pick<InvoiceRow, 'client_snapshot'>): PrintedPaymentMethod | null {
  return ((client_snapshot ?? {}) as ClientPayment).payment_method ?? null;
}

/** The account that the customer sends the money to; null when it has none, or the invoice is paid in another way. */
export function accountToPayTo(
  invoice: Pick<InvoiceRow, 'client_snapshot'>,
  issuer: Pick<PrintedIssuer, 'iban'>,
): string | null {
  return issuer.iban && toAccount.includes(methodOf(invoice)) ? issuer.iban : null;
}

/** What was paid of those counts for it, and is nowhere on its paper (docs/adr/0014). */
function isInPlaceOfOthers({ correction_type, substituted_invoices }: InvoiceRow): boolean {
  return correction_type === 'substitution' || substituted_invoices.length > 0;
}

function rowsAtIssue(
  { document: invoice, payments }: InvoiceBundle,
  language: PrintedLanguage,
): LabelledText[] {
  const words = printedWords[language];
  return payments
    .filter((payment) => isOfIssue(payment, invoice))
    .map((payment) => {
      const parts = [
        words.payment_methods[payment.payment_method],
        moneyText(printedToCents(payment.amount), invoice.currency, language),
        dayText(payment.payment_date, language),
        ...(payment.reference ? [payment.reference] : []),
      ];
      return { label: words.paid, text: parts.join(', ') };
    });
}

/** The part of `printedPayment` that asks for nothing; null when nothing was paid at the issue. */
export function paidAtIssue(bundle: InvoiceBundle, language: PrintedLanguage): PrintedDocument['payment'] {
  const rows = rowsAtIssue(bundle, language);
  return rows.length === 0 ? null : { title: printedWords[language].payment, rows };
}

export function printedPayment(
  bundle: InvoiceBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): PrintedDocument['payment'] {
  const { document: invoice, payments } = bundle;
  const words = printedWords[language];
  const rows = rowsAtIssue(bundle, language);
  const left = payments
    .filter((payment) => isOfIssue(payment, invoice))
    .reduce((rest, { amount }) => rest - printedToCents(amount), printedToCents(invoice.amount_due));
  if (left > 0n) {
    if (isInPlaceOfOthers(invoice)) rows.push({ label: words.paid, text: words.paid_before });
    const method = methodOf(invoice);
    if (method !== null) rows.push({ label: words.payment_method, text: words.payment_methods[method] });
    const iban = accountToPayTo(invoice, issuer);
    if (iban !== null) rows.push({ label: words.iban, text: ibanText(iban) });
    if (invoice.due_on !== null) rows.push({ label: words.due_on, text: dayText(invoice.due_on, language) });
  }
  return rows.length === 0 ? null : { title: words.payment, rows };
}
