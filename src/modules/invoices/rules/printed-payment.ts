/**
 * How to pay, or that it was paid at the issue. Later payments are not printed, and a reversed one stays on the paper; the page
 * gives the live ones alone (ADR 18).
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
import { debtPart } from './debt-part.ts';

/** Groups of four, as banks write it. */
export function ibanText(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1\u00a0');
}

/** The issuing call registered it if its stamp is not later than the issue's. */
function isOfIssue(payment: PaymentRow, invoice: InvoiceRow): boolean {
  if (invoice.issued_at === null) return false;
  return new Date(payment.created_at).getTime() <= new Date(invoice.issued_at).getTime();
}

type ClientPayment = { payment_method?: PrintedPaymentMethod | null };

/** With these methods, the customer sends money to the issuer's account. */
const toAccount: readonly (PrintedPaymentMethod | null)[] = ['bank_transfer', 'other', null];

function methodOf({ client_snapshot }: Pick<InvoiceRow, 'client_snapshot'>): PrintedPaymentMethod | null {
  return ((client_snapshot ?? {}) as ClientPayment).payment_method ?? null;
}

/** Null without an account, or with another method. */
export function accountToPayTo(
  invoice: Pick<InvoiceRow, 'client_snapshot'>,
  issuer: Pick<PrintedIssuer, 'iban'>,
): string | null {
  return issuer.iban && toAccount.includes(methodOf(invoice)) ? issuer.iban : null;
}

/** Payments of the replaced invoices count for it, but are not printed (ADR 14). */
function isInPlaceOfOthers({ correction_type, substituted_invoices }: InvoiceRow): boolean {
  return correction_type === 'substitution' || substituted_invoices.length > 0;
}

/**
 * Whether it was issued with something to pay in it. What a corrective by differences adds is paid in its original, if the service holds
 * that (ADR 14), what takes its place too, and one that moves the tax alone adds no more (ADR 103). Only what never changes decides, since paper does not change
 * either.
 */
export function isToPay(
  invoice: Pick<InvoiceRow, 'amount_due' | 'correction_type' | 'corrected_invoices'>,
): boolean {
  const { correction_type, corrected_invoices } = invoice;
  const is_difference = correction_type === 'differences';
  const is_paid_there = corrected_invoices.some(
    ({ id, is_paid_above }) => is_paid_above === true || (is_difference && id !== null),
  );
  return debtPart(invoice) > 0n && !is_paid_there;
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

/** Asks for nothing more. Null when nothing was paid. */
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
    .reduce((rest, { amount }) => rest - printedToCents(amount), debtPart(invoice));
  if (left > 0n && isToPay(invoice)) {
    if (isInPlaceOfOthers(invoice)) rows.push({ label: words.paid, text: words.paid_before });
    const method = methodOf(invoice);
    if (method !== null) rows.push({ label: words.payment_method, text: words.payment_methods[method] });
    const iban = accountToPayTo(invoice, issuer);
    if (iban !== null) rows.push({ label: words.iban, text: ibanText(iban) });
    if (invoice.due_on !== null) rows.push({ label: words.due_on, text: dayText(invoice.due_on, language) });
  }
  return rows.length === 0 ? null : { title: words.payment, rows };
}
