/**
 * The e-mail that sends a document. Its recipients are settled when it is prepared, its text in the transaction that numbers the
 * document.
 */
import { dayText } from '../../domain/printing/days.ts';
import { moneyText } from '../../domain/printing/numbers.ts';
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import { printedWords } from '../../domain/printing/words.ts';
import { printedToCents } from '../../domain/money/printed.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { Issuer } from '../companies/index.ts';
import {
  composeEmail,
  type EmailCtx,
  type EmailRow,
  emailBlock,
  queueStatusOf,
  makeEmail,
  senderName,
} from '../emails/index.ts';
import { pdfFileName } from '../pdfs/index.ts';
import type { Recipients } from '../../domain/sales/recipients.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { documentEmail } from './document-email.ts';
import { type Family, paperKindOf } from './family.ts';

export type PlannedEmail = Recipients & {
  id: string;
  /** As the company is now: replies go to whoever reads its mail today. */
  sender: Issuer;
  /** In place of ours. */
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

export function plannedEmailBlock(ctx: EmailCtx, email: PlannedEmail) {
  return { email: emailBlock({ id: email.id, status: queueStatusOf(ctx, email).status }) };
}

type Mailed = Pick<Family, 'object' | 'address_code' | 'paper' | 'mail'>;

/** As the company is now, in the language that the document's PDF and page keep. */
export function senderOf(document: Pick<DocumentRow, 'issuer_snapshot'>, sender: Issuer): Issuer {
  return { ...sender, language: keptLanguage(document) ?? sender.language };
}

/** Undefined for a draft. */
export function keptLanguage({
  issuer_snapshot,
}: Pick<DocumentRow, 'issuer_snapshot'>): PrintedLanguage | undefined {
  return (issuer_snapshot as Partial<Issuer> | null)?.language;
}

export function writeEmail(ctx: EmailCtx, family: Mailed, planned: PlannedEmail, row: DocumentRow): EmailRow {
  const { attach_pdf, to, cc } = planned;
  const sender = senderOf(row, planned.sender);
  const { mail } = family;
  if (mail === null) throw new Error(`A ${family.object} is not sent by e-mail.`);
  const document = { kind: paperKindOf(family), id: row.id };
  const facts = { ...emailFacts(family, row, sender), ...planned, is_attached: attach_pdf };
  const public_url = ctx.ports.links.publicUrl({
    ...document,
    company_id: ctx.company.company_id,
    renewed_at: row.link_renewed_at,
  });
  const content = documentEmail({ ...facts, public_url }, mail.words, sender.language);
  return makeEmail(
    ctx,
    {
      purpose: mail.purpose,
      document,
      to,
      cc,
      ...composeEmail(content, sender, ctx.company.environment),
      attachments: attach_pdf ? [pdfAttachment(family, row)] : [],
    },
    planned.id,
  );
}

export function pdfAttachment(
  family: Pick<Family, 'object' | 'address_code'>,
  { id, number }: Pick<DocumentRow, 'id' | 'number'>,
) {
  const filename = pdfFileName({ document: { number }, ref: { id } });
  const kind = paperKindOf(family);
  return { kind, id, format: 'a4', media_type: 'application/pdf', filename } as const;
}

/** What any e-mail about a document says of it. */
export function emailFacts(family: Mailed, row: DocumentRow, sender: Issuer) {
  const { language } = sender;
  const money = (cents: bigint) => moneyText(cents, row.currency, language);
  const { toPay, hidesAmounts, facts } = family.mail ?? {};
  const asked = toPay?.(row) ?? null;
  const is_shown = !hidesAmounts?.(row);
  // As on paper. Where a payment is asked for, the retention is off it.
  const is_retained = is_shown && toPay === undefined && row.amount_due !== row.total;
  return {
    title: family.paper?.title(row, language) ?? '',
    number: row.number ?? '',
    issued_on: dayText(row.issued_on ?? '', language),
    facts: facts?.(row, language) ?? [],
    total: is_shown ? money(printedToCents(row.total)) : null,
    after_retention: is_retained
      ? { label: printedWords[language].amount_due, text: money(printedToCents(row.amount_due)) }
      : null,
    to_pay: asked && money(asked.cents),
    due_on: asked?.due_on ? dayText(asked.due_on, language) : null,
    from_name: senderName(sender),
  };
}
