/** Messages about an answer on the public page: one receipt to whoever accepted, one notice to the company. */
import { isEmailAddress } from '../../domain/email-address.ts';
import type { LabelledText, PrintedLanguage } from '../../domain/printing/printed-document.ts';
import { dayText } from '../../domain/printing/days.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { instantIn } from '../../kernel/dates.ts';
import { getIssuer, type Issuer } from '../companies/index.ts';
import { composeEmail, type EmailContent, type EmailDraft, queueEmails } from '../emails/index.ts';
import { emailFacts, type Family, paperKindOf, pdfAttachment } from '../sales/index.ts';
import { type AnswerEmailWords, answerEmailWords } from './answer-emails.words.ts';
import type { OfferRow } from './offer.fields.ts';

type Accepted = {
  name: string;
  email: string;
  tax_id: string | null;
  note: string | null;
  /** Of the document. */
  language: PrintedLanguage;
};

type Facts = ReturnType<typeof emailFacts> & { at: string; public_url: string };

function factsOf<R extends OfferRow>(ctx: Ctx, family: Family<R>, row: R, sender: Issuer): Facts {
  const { company_id, time_zone } = ctx.company;
  const at = instantIn(time_zone, ctx.now);
  const document = { company_id, kind: paperKindOf(family), id: row.id, renewed_at: row.link_renewed_at };
  return {
    ...emailFacts(family, row, sender),
    at: `${dayText(at.slice(0, 10), sender.language)}, ${at.slice(11, 16)}`,
    public_url: ctx.ports.links.publicUrl(document),
  };
}

/** @param more what the person wrote */
function content(
  facts: Facts,
  words: AnswerEmailWords,
  said: { subject: string; text: string; at: string; more: readonly LabelledText[]; note?: string },
): EmailContent {
  return {
    subject: `${said.subject}: ${facts.title} ${facts.number} · ${facts.from_name}`,
    blocks: [
      { kind: 'paragraph', text: words.greeting },
      { kind: 'paragraph', text: said.text },
      {
        kind: 'facts',
        rows: [
          { label: facts.title, text: facts.number },
          { label: words.issued_on, text: facts.issued_on },
          ...(facts.total === null ? [] : [{ label: words.total, text: facts.total }]),
          { label: said.at, text: facts.at },
          ...said.more,
        ],
      },
      { kind: 'button', label: words.button, url: facts.public_url },
      ...(said.note === undefined ? [] : [{ kind: 'note', text: said.note } as const]),
    ],
  };
}

/** It repeats nothing that the person wrote: anybody's address may stand there. */
function receipt<R extends OfferRow>(
  ctx: Ctx,
  family: Family<R>,
  row: R,
  { email, language }: Accepted,
  issuer: Issuer,
): EmailDraft {
  const words = answerEmailWords[language];
  const sender = { ...issuer, language };
  const { receipt: said, accepted_at: at } = words;
  const written = content(factsOf(ctx, family, row, sender), words, { ...said, at, more: [] });
  return {
    purpose: 'acceptance_receipt',
    document: { kind: paperKindOf(family), id: row.id },
    to: [email],
    cc: [],
    ...composeEmail(written, sender, ctx.company.environment),
    attachments: [pdfAttachment(family, row)],
  };
}

type Notice = { said: { subject: string; text: string }; at: string; more: readonly LabelledText[] };

/** None for a company without an address. */
function notices<R extends OfferRow>(
  ctx: Ctx,
  family: Family<R>,
  row: R,
  issuer: Issuer,
  of: (words: AnswerEmailWords) => Notice,
): EmailDraft[] {
  const { email } = issuer;
  if (email === null || !isEmailAddress(email)) return [];
  const words = answerEmailWords[issuer.language];
  const { said, at, more } = of(words);
  const written = content(factsOf(ctx, family, row, issuer), words, { ...said, at, more });
  return [
    {
      purpose: 'answer_notice',
      document: { kind: paperKindOf(family), id: row.id },
      to: [email],
      cc: [],
      ...composeEmail(written, issuer, ctx.company.environment),
      attachments: [],
    },
  ];
}

const filled = (rows: readonly { label: string; text: string | null }[]): LabelledText[] =>
  rows.flatMap(({ label, text }) => (text === null || text === '' ? [] : [{ label, text }]));

export async function tellAcceptance<R extends OfferRow>(
  ctx: Ctx,
  family: Family<R>,
  row: R,
  accepted: Accepted,
): Promise<void> {
  const issuer = await getIssuer(ctx.tx, ctx.company.company_id);
  const { name, email, tax_id, note } = accepted;
  const notice = notices(ctx, family, row, issuer, (words) => ({
    said: words.accepted,
    at: words.accepted_at,
    more: filled([
      { label: words.name, text: name },
      { label: words.email, text: email },
      { label: words.tax_id, text: tax_id },
      { label: words.note, text: note },
    ]),
  }));
  await queueEmails(ctx, [receipt(ctx, family, row, accepted, issuer), ...notice]);
}

export async function tellRejection<R extends OfferRow>(ctx: Ctx, family: Family<R>, row: R): Promise<void> {
  const issuer = await getIssuer(ctx.tx, ctx.company.company_id);
  const notice = notices(ctx, family, row, issuer, (words) => ({
    said: words.rejected,
    at: words.rejected_at,
    more: filled([{ label: words.reason, text: row.rejection?.reason ?? null }]),
  }));
  await queueEmails(ctx, notice);
}
