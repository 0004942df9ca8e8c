/**
 * Writes a content as HTML and as the same plain text. The HTML suits old mail readers, loads nothing, and
 * escapes all text of others.
 */
import { isEmailAddress } from '../../../domain/email-address.ts';
import { type PageColours, pageColours } from '../../../domain/printing/colours.ts';
import { sandboxMark } from '../../../domain/printing/prescribed.ts';
import type { LabelledText, PrintedLanguage } from '../../../domain/printing/printed-document.ts';
import { escapeHtml } from '../../../kernel/html.ts';
import type { Environment } from '../../../kernel/operation.ts';
import { oneLine } from '../../../kernel/xml-characters.ts';

/** In plain text. Blank lines separate paragraphs; line breaks stay. */
export type EmailPart =
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; rows: readonly LabelledText[] }
  | { kind: 'button'; label: string; url: string }
  /** Smaller, at the end. */
  | { kind: 'note'; text: string };

export type EmailContent = { subject: string; blocks: readonly EmailPart[] };

/** From the company's settings. */
export type EmailSender = {
  name: string | null;
  commercial_name: string | null;
  tax_id: string;
  email: string | null;
  phone: string | null;
  website: string | null;
  colour: string | null;
  language: PrintedLanguage;
};

export type ComposedEmail = {
  from_name: string;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string;
};

const subjectMax = 250;

/** A company without a name is known by its tax id. */
export function senderName({
  name,
  commercial_name,
  tax_id,
}: Pick<EmailSender, 'name' | 'commercial_name' | 'tax_id'>): string {
  return oneLine(commercial_name || name || tax_id);
}

/** Signs of addresses, also of full width and small, and marks that change the direction of what follows. */
const addressSigns = /[@<>"\uff20\uff1c\uff1e\ufe6b\ufe64\ufe65\u202a-\u202e\u2066-\u2069]/g;

/** Mail readers show it beside or in place of the address: it must not look like one. */
function headerName(name: string): string {
  return oneLine(name.replace(addressSigns, ' ')).replace(/ {2,}/g, ' ').trim();
}

export function composeEmail(
  content: EmailContent,
  sender: EmailSender,
  environment: Environment,
): ComposedEmail {
  const is_sandbox = environment === 'test';
  const subject = [...oneLine(content.subject)].slice(0, subjectMax).join('');
  const name = senderName(sender);
  const parts = [name, sender.tax_id, sender.email, sender.phone, sender.website];
  const footer = [...new Set(parts.flatMap((part) => (part ? [oneLine(part)] : [])))].join(' · ');
  return {
    from_name: headerName(name),
    reply_to: sender.email !== null && isEmailAddress(sender.email) ? sender.email : null,
    subject,
    text: writeText(content, footer, is_sandbox),
    html: writeHtml(content, { ...sender, name, subject, footer, is_sandbox }),
  };
}

function paragraphs(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function writeText({ blocks }: EmailContent, footer: string, is_sandbox: boolean): string {
  const parts = blocks.flatMap((block) => {
    if (block.kind === 'facts') return [block.rows.map((row) => `${row.label}: ${row.text}`).join('\n')];
    if (block.kind === 'button') return [`${block.label}:\n${block.url}`];
    return paragraphs(block.text);
  });
  const marked = is_sandbox ? [sandboxMark, ...parts] : parts;
  // Mail readers recognise the signature by this line (RFC 3676, section 4.3).
  return `${marked.join('\n\n')}\n\n-- \n${footer}\n`;
}

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const body = `${font};font-size:16px;line-height:1.5;color:#1f2933`;

type Page = {
  language: string;
  name: string;
  subject: string;
  colour: string | null;
  footer: string;
  is_sandbox: boolean;
};

function writeHtml({ blocks }: EmailContent, page: Page): string {
  const colours = pageColours(page.colour);
  const row = (cell: string) =>
    `<tr><td style="padding:0 32px 20px;${body};overflow-wrap:anywhere">${cell}</td></tr>`;
  const mark = page.is_sandbox
    ? `<tr><td style="padding:12px 32px;background-color:#fff3cd;${font};font-size:14px;font-weight:bold;color:#664d03">${sandboxMark}</td></tr>`
    : '';
  return [
    '<!DOCTYPE html>',
    `<html lang="${page.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light"><title>${escapeHtml(page.subject)}</title></head>`,
    '<body style="margin:0;padding:0;background-color:#f4f5f7">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f5f7"><tr><td align="center" style="padding:24px 12px">',
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background-color:#ffffff;border-radius:8px;text-align:left">',
    `<tr><td style="height:6px;line-height:6px;font-size:0;background-color:${colours.brand};border-radius:8px 8px 0 0">&nbsp;</td></tr>`,
    mark,
    `<tr><td style="padding:28px 32px 20px;${font};font-size:20px;line-height:1.3;font-weight:bold;color:#1f2933;overflow-wrap:anywhere">${escapeHtml(page.name)}</td></tr>`,
    ...blocks.map((block) => row(writeBlock(block, colours))),
    `<tr><td style="padding:16px 32px 24px;border-top:1px solid #e4e7eb;${font};font-size:13px;line-height:1.5;color:#52606d;overflow-wrap:anywhere">${escapeHtml(page.footer)}</td></tr>`,
    '</table></td></tr></table></body></html>',
    '',
  ]
    .filter((line, i, all) => line !== '' || i === all.length - 1)
    .join('\n');
}

const withBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

function writeBlock(block: EmailPart, { brand, on_brand }: PageColours): string {
  switch (block.kind) {
    case 'facts':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">${block.rows.map(writeFact).join('')}</table>`;
    case 'button': {
      const url = escapeHtml(block.url);
      // Without styles the address is still a link.
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-radius:6px;background-color:${brand}"><a href="${url}" style="display:inline-block;padding:12px 24px;${font};font-size:16px;font-weight:bold;color:${on_brand};text-decoration:none">${escapeHtml(block.label)}</a></td></tr></table>`;
    }
    default:
      return paragraphs(block.text)
        .map((text, i) => {
          const space = i === 0 ? '0' : '12px 0 0';
          const style = block.kind === 'note' ? 'font-size:14px;color:#52606d' : '';
          return `<p style="margin:${space};${style}">${withBreaks(text)}</p>`;
        })
        .join('');
  }
}

function writeFact({ label, text }: LabelledText): string {
  const cell = 'padding:8px 0;border-bottom:1px solid #e4e7eb;vertical-align:top';
  return `<tr><td style="${cell};color:#52606d;padding-right:16px">${escapeHtml(label)}</td><td align="right" style="${cell};font-weight:bold">${withBreaks(text)}</td></tr>`;
}
