/** What becomes of an invoice by what becomes of its e-mails. */
import type { EmailEffectCtx, EmailedDocument, EmailRow } from '../emails/index.ts';
import type { InvoiceRow } from './invoices.rows.ts';
import { findInvoice, lockInvoices, setSent } from './invoices.store.ts';
import { isRemindable } from './rules/reminder-stages.ts';
import { invoiceStates } from './rules/states.ts';

/** With whom it has to do: the e-mail tells recipients and answers, which are not for every receiver of events. */
function tell({ emit }: EmailEffectCtx, type: string, { id, document_id }: EmailRow): void {
  if (document_id === null) throw new Error('An e-mail of an invoice names none.');
  emit(type, document_id, { data: { invoice: { id: document_id }, email: { id } } });
}

/** The first time that it is sent it is marked so; one that was withdrawn meanwhile, or paid, stays what it is. */
async function markSent({ tx, company, now, emit }: EmailEffectCtx, invoice_id: string): Promise<void> {
  const { company_id } = company;
  const invoice = await findInvoice(tx, company_id, invoice_id);
  if (!invoice || invoice.sent_at !== null) return;
  const status = invoiceStates.peek(invoice.status, 'mark_sent');
  if (typeof status !== 'string') return;
  await setSent(tx, company_id, invoice_id, status, now);
  emit('invoice.sent', invoice_id);
}

/** A reminder has something to say while something is to pay; any other message while the invoice is in force. */
function isStillSo(invoice: InvoiceRow, purpose: EmailRow['purpose']): boolean {
  if (purpose === 'payment_reminder') return isRemindable(invoice);
  return typeof invoiceStates.peek(invoice.status, 'mark_sent') === 'string';
}

export const emailedInvoice: EmailedDocument = {
  async isStillWanted(tx, company_id, { document_id, purpose }) {
    const invoice = await findInvoice(tx, company_id, document_id ?? '');
    return invoice !== undefined && isStillSo(invoice, purpose);
  },
  lock: (tx, company_id, id) => lockInvoices(tx, company_id, [id]),
  async onSent(ctx, email) {
    if (email.purpose === 'payment_reminder') return tell(ctx, 'invoice.payment_reminder_sent', email);
    if (email.document_id !== null) await markSent(ctx, email.document_id);
    tell(ctx, 'invoice.email_sent', email);
  },
  async onFailed(ctx, email) {
    tell(ctx, 'invoice.email_failed', email);
  },
};
