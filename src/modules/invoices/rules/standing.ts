/** What the public page of an issued invoice says today. */
import { moneyText } from '../../../domain/printing/numbers.ts';
import type { LabelledText } from '../../../domain/printing/printed-document.ts';
import type { PrintedIssuer, PrintSetting } from '../../../domain/printing/print-source.ts';
import type { Standing } from '../../../domain/printing/standing.ts';
import type { Transfer } from '../../../domain/printing/transfer.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { livePayments } from './annulment.ts';
import { keptOwed } from './debt-part.ts';
import { pendingCents, receivedCents } from './pending.ts';
import { accountToPayTo, paidAtIssue, printedPayment } from './printed-payment.ts';

function stateOf(invoice: InvoiceRow): Standing['state'] | null {
  const { status } = invoice;
  if (status === 'draft' || status === 'voided' || status === 'annulled') return null;
  // More was given back than it owes, such as of a direct debit that was returned later: the client pays that again (ADR 14).
  if (status === 'rectified' && pendingCents(invoice) > 0n) return 'open';
  if (status === 'paid' || status === 'rectified' || status === 'substituted') return status;
  const kept = keptOwed(invoice);
  if (invoice.settled_in_id !== null) return kept === 0n ? 'counted_elsewhere' : 'tax_counted_elsewhere';
  // Its original is not held. It is for what the client did not pay of that one, so nothing is given back (ADR 103).
  if (kept !== 0n && pendingCents(invoice) <= 0n) return 'tax_counted_elsewhere';
  // Correctives exceed what was to pay: no payment is asked for.
  if (pendingCents(invoice) <= 0n && printedToCents(invoice.amount_due) > 0n) return 'rectified';
  return status === 'overdue' ? status : 'open';
}

/** @returns null when it is to be paid as printed, or nobody sees its page */
export function standingOf(
  bundle: InvoiceBundle,
  { issuer, language }: Pick<PrintSetting, 'issuer' | 'language'>,
): Standing | null {
  const { document: invoice } = bundle;
  const state = stateOf(invoice);
  if (state === null) return null;
  const words = printedWords[language];
  const money = (cents: bigint) => moneyText(cents, invoice.currency, language);
  const changes: LabelledText[] = [];
  const corrected = printedToCents(invoice.corrected_amount) - keptOwed(invoice);
  if (corrected !== 0n) changes.push({ label: words.correction, text: money(corrected) });
  const received = receivedCents(invoice);
  if (received !== 0n) changes.push({ label: words.paid, text: money(received) });
  const left = pendingCents(invoice);
  const owed = left < 0n && state !== 'tax_counted_elsewhere' ? { owed: money(-left) } : {};
  const live = { ...bundle, payments: livePayments(bundle.payments) };
  if (state !== 'open' && state !== 'overdue')
    return { state, changes, pending: null, ...owed, payment: paidAtIssue(live, language) };
  const is_as_printed = left === printedToCents(invoice.amount_due);
  const has_reversed = live.payments.length < bundle.payments.length;
  if (state === 'open' && is_as_printed && !has_reversed && left >= 0n) return null;
  const pending = is_as_printed || left < 0n ? null : money(left);
  return { state, changes, pending, ...owed, payment: printedPayment(live, issuer, language) };
}

/** @returns null when nothing is left, in another currency, or when it is paid in another way */
export function transferOf(invoice: InvoiceRow, issuer: PrintedIssuer): Transfer | null {
  const state = stateOf(invoice);
  const iban = accountToPayTo(invoice, issuer);
  const cents = pendingCents(invoice);
  const is_asked = (state === 'open' || state === 'overdue') && cents > 0n && invoice.currency === 'EUR';
  if (!is_asked || iban === null || invoice.number === null) return null;
  return { name: issuer.name ?? '', iban, cents, remittance: invoice.number };
}
