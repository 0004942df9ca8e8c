/** The reminder of an invoice. It states what is left to pay when it is written. */
import type { Ctx } from '../../kernel/operation.ts';
import type { Issuer } from '../companies/index.ts';
import { composeEmail, type EmailDraft, paymentReminderEmail } from '../emails/index.ts';
import type { InvoiceRow } from './invoices.rows.ts';
import { emailFacts, pdfAttachment, type PlannedEmail, senderOf } from '../sales/index.ts';
import { invoices } from './invoices.family.ts';
import { accountToPayTo, ibanText } from './rules/printed-payment.ts';

/** @param invoice issued, with something left to pay */
export function reminderEmail(
  { company: { company_id, environment }, ports, today }: Pick<Ctx, 'company' | 'ports' | 'today'>,
  invoice: InvoiceRow,
  { sender: company, to, cc, subject, message, attach_pdf }: PlannedEmail,
): EmailDraft {
  const sender = senderOf(invoice, company);
  const { number, due_on, to_pay, from_name } = emailFacts(invoices, invoice, sender);
  if (to_pay === null) throw new Error('There is nothing to remind of.');
  const document = { kind: 'invoice', id: invoice.id } as const;
  // The same account as on the PDF, because two different ones look like fraud.
  const issuer = (invoice.issuer_snapshot ?? {}) as Partial<Issuer>;
  const iban = accountToPayTo(invoice, { iban: issuer.iban ?? sender.iban });
  const content = paymentReminderEmail(
    {
      number,
      due_on,
      is_past: invoice.due_on !== null && invoice.due_on < today,
      to_pay,
      iban: iban === null ? null : ibanText(iban),
      public_url: ports.links.publicUrl({ ...document, company_id, renewed_at: invoice.link_renewed_at }),
      is_attached: attach_pdf,
      from_name,
      subject,
      message,
    },
    sender.language,
  );
  return {
    purpose: 'payment_reminder',
    document,
    to,
    cc,
    ...composeEmail(content, sender, environment),
    attachments: attach_pdf ? [pdfAttachment(invoices, invoice)] : [],
  };
}
