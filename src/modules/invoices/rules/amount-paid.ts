/** What a payment makes of its invoice. */
import { type Cents, fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { centsText } from '../../../domain/printing/numbers.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { pendingCents, statusByPending } from './pending.ts';
import { type InvoiceStatus, invoiceStates } from './states.ts';

const beyond = (reason: string) => fail(c.business_rule_violation, { param: 'amount', values: { reason } });

/**
 * @param amount in cents, not zero. A negative one is given back to the client
 * @param today the company's day, YYYY-MM-DD
 * @throws 409 for a state without payments; 422 for more than is pending or owed to the client, and for a negative amount when
 * nothing is owed
 */
export function withPaid(invoice: InvoiceRow, amount: Cents, today: string): InvoiceRow {
  const paid_amount = fixedText(printedToCents(invoice.paid_amount) + amount, 2);
  if (amount > 0n) return { ...invoice, status: statusAfterPayment(invoice, amount), paid_amount };
  const status = invoiceStates.next(invoice.status, 'refund');
  const owed = -pendingCents(invoice);
  if (owed <= 0n)
    refuseIssues([
      invalidField('amount', 'Debe ser mayor que 0: por esta factura no se debe nada al cliente.'),
    ]);
  if (-amount > owed)
    throw beyond(`la devolución supera lo que se debe al cliente por la factura: ${centsText(owed, 'es')}.`);
  const row = { ...invoice, status, paid_amount };
  return { ...row, status: statusByPending(row, today) };
}

function statusAfterPayment(invoice: InvoiceRow, amount: Cents): InvoiceStatus {
  const pending = pendingCents(invoice);
  const overpaid = beyond(`el cobro supera lo pendiente de la factura: ${centsText(pending, 'es')}.`);
  // On a paid invoice the amount is wrong, not the move.
  if (invoice.status === 'paid') throw overpaid;
  // More was given back of a rectified invoice than it owes now: the client pays that again.
  if (invoice.status === 'rectified' && pending > 0n) {
    if (amount > pending) throw overpaid;
    return invoiceStates.next(invoice.status, 'refund');
  }
  const status = invoiceStates.next(invoice.status, amount === pending ? 'pay_all' : 'pay_part');
  if (amount > pending) throw overpaid;
  return status;
}
