/**
 * The e-mail that an invoice is sent with: whom it goes to is settled when it is prepared, what it says when the invoice
 * has its number, in the transaction that gives it.
 */
import { dayText } from '../../../domain/printing/days.ts';
import { moneyText } from '../../../domain/printing/numbers.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { newId } from '../../../kernel/uuid7.ts';
import type { Issuer } from '../../companies/index.ts';
import {
  composeEmail,
  type EmailCtx,
  type EmailRow,
  emailBlock,
  fateOf,
  invoiceEmail,
  makeEmail,
  senderName,
} from '../../emails/index.ts';
import { pdfFileName } from '../../pdfs/index.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { pendingCents } from '../rules/pending.ts';
import { invoiceTitle } from '../rules/printed-invoice.ts';
import type { Recipients } from '../../../domain/sales/recipients.ts';

export type PlannedEmail = Recipients & {
  id: string;
  /** The company as it is now: answers are for whoever reads its mail today, not on the day of the issue. */
  sender: Issuer;
  /** The caller's own words, in place of ours. */
  subject: string | null;
  message: string | null;
  attach_pdf: boolean;
};

export function planEmail(
  recipients: Recipients,
  sender: Issuer,
  asked: { subject?: string | null; message?: string | null; attach_pdf?: boolean } = {},
): PlannedEmail {
  const own = (text: string | null | undefined) => (text?.trim() ? text : null);
  return {
    ...recipients,
    id: newId(),
    sender,
    subject: own(asked.subject),
    message: own(asked.message),
    attach_pdf: asked.attach_pdf ?? true,
  };
}

/** The block of the answer. */
export function plannedEmailBlock(ctx: EmailCtx, { id }: PlannedEmail) {
  return { email: emailBlock({ id, status: fateOf(ctx).status }) };
}

/** The e-mail of an invoice that has its number. */
export function writeEmail(ctx: EmailCtx, planned: PlannedEmail, { invoice }: InvoiceBundle): EmailRow {
  const { sender, attach_pdf, to, cc } = planned;
  const document = { kind: 'invoice', id: invoice.id } as const;
  const facts = { ...invoiceFacts(invoice, sender), ...planned, is_attached: attach_pdf };
  const public_url = ctx.ports.links.publicUrl({ ...document, company_id: ctx.company.company_id });
  const content = invoiceEmail({ ...facts, public_url }, sender.language);
  return makeEmail(
    ctx,
    {
      purpose: 'invoice',
      document,
      to,
      cc,
      ...composeEmail(content, sender, ctx.company.environment),
      attachments: attach_pdf ? [pdfAttachment(invoice)] : [],
    },
    planned.id,
  );
}

/** The invoice's PDF, for any e-mail about it. */
export function pdfAttachment({ id, number }: Pick<InvoiceRow, 'id' | 'number'>) {
  const filename = pdfFileName({ document: { number }, ref: { id } });
  return { kind: 'invoice', id, format: 'a4', media_type: 'application/pdf', filename } as const;
}

/** What any e-mail about an invoice says of it, as people write it. */
export function invoiceFacts(invoice: InvoiceRow, sender: Issuer) {
  const { language } = sender;
  const money = (cents: bigint) => moneyText(cents, invoice.currency, language);
  const pending = pendingCents(invoice);
  const is_open = pending > 0n;
  return {
    title: invoiceTitle(invoice.type, language),
    number: invoice.number ?? '',
    issued_on: dayText(invoice.issued_on ?? '', language),
    total: money(printedToCents(invoice.total)),
    to_pay: is_open ? money(pending) : null,
    due_on: is_open && invoice.due_on !== null ? dayText(invoice.due_on, language) : null,
    from_name: senderName(sender),
  };
}
