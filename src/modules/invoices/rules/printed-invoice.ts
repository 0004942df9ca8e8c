/**
 * The paper of an invoice (RD 1619/2012, arts. 6 and 7; Orden HAC/1177/2024, arts. 20 and 21). It comes from the stored invoice
 * alone, so an issued one always prints the same, but for the mark of a withdrawal. Later payments and labels are not printed.
 */
import { printDocument } from '../../../domain/printing/print-document.ts';
import { dayFacts, numberFacts, subjectFacts } from '../../../domain/printing/print-facts.ts';
import type { PrintSetting } from '../../../domain/printing/print-source.ts';
import type {
  LabelledText,
  PrintedDocument,
  PrintedLanguage,
  PrintedQr,
} from '../../../domain/printing/printed-document.ts';
import { qrHeading, qrLegend } from '../../../domain/printing/prescribed.ts';
import { type InvoiceTitle, printedWords } from '../../../domain/printing/words.ts';
import { dayText } from '../../../domain/printing/days.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import { type InvoiceType, needsRecipient } from './invoice-types.ts';
import { printedMentions } from './printed-mentions.ts';
import { isToPay, printedPayment } from './printed-payment.ts';
import { referenceFacts } from './printed-references.ts';

export type { PrintedIssuer } from '../../../domain/printing/print-source.ts';

export type InvoiceSource = PrintSetting & {
  bundle: InvoiceBundle;
  record: { qr_url: string | null; qr_mode: 'verifactu' | 'no_verifactu' | null } | null;
};

const titles: Record<InvoiceType, InvoiceTitle> = {
  F1: 'invoice',
  F2: 'simplified_invoice',
  F3: 'substitute_invoice',
  R1: 'corrective_invoice',
  R2: 'corrective_invoice',
  R3: 'corrective_invoice',
  R4: 'corrective_invoice',
  R5: 'corrective_simplified_invoice',
};

export function invoiceTitle(type: InvoiceType, language: PrintedLanguage): string {
  return printedWords[language].titles[titles[type]];
}

function marksOf({ status }: InvoiceRow, language: PrintedLanguage): string[] {
  const words = printedWords[language];
  if (status === 'draft') return [words.draft];
  return status === 'annulled' || status === 'voided' ? [words.annulled] : [];
}

function factsOf(invoice: InvoiceRow, language: PrintedLanguage): LabelledText[] {
  const words = printedWords[language];
  const { issued_on, operation_on, due_on } = invoice;
  return [
    ...numberFacts(words.number, invoice, language),
    ...dayFacts(words.issued_on, issued_on, language),
    ...dayFacts(words.operation_on, operation_on === issued_on ? null : operation_on, language),
    ...dayFacts(words.due_on, isToPay(invoice) ? due_on : null, language),
    ...referenceFacts(invoice, language),
    ...subjectFacts(invoice, language),
  ];
}

/** Each delivery note that it bills: number and day, above its lines (RD 1619/2012, art. 13). */
function deliveryHeadings(lines: readonly LineRow[], language: PrintedLanguage): ReadonlyMap<number, string> {
  const headings = new Map<number, string>();
  let last: string | null = null;
  for (const [position, { details }] of lines.entries()) {
    const source = details?.source?.object === 'delivery_note' ? details.source : null;
    if (source && source.id !== last) {
      const { number, operation_on } = source;
      const day = operation_on === null ? null : dayText(operation_on, language);
      headings.set(position, printedWords[language].delivery_note(number ?? '', day));
    }
    last = source?.id ?? null;
  }
  return headings;
}

function qrOf({ record }: InvoiceSource): PrintedQr | null {
  if (!record?.qr_url) return null;
  return {
    url: record.qr_url,
    above: qrHeading,
    below: record.qr_mode === 'verifactu' ? qrLegend : null,
  };
}

export function printInvoice(source: InvoiceSource): PrintedDocument {
  const { bundle, issuer, language } = source;
  const { document: invoice, lines, tax_rows } = bundle;
  return printDocument({ document: invoice, lines, tax_rows }, source, {
    title: invoiceTitle(invoice.type, language),
    marks: marksOf(invoice, language),
    facts: factsOf(invoice, language),
    mentions: (amounts) => printedMentions(bundle, amounts, language),
    payment: printedPayment(bundle, issuer, language),
    qr: qrOf(source),
    headings: deliveryHeadings(lines, language),
    // A full invoice shows prices without tax (RD 1619/2012, art. 6.1.f).
    shows_gross: invoice.prices_include_tax && !needsRecipient(invoice.type),
    made_at: invoice.issued_at ?? invoice.updated_at,
  });
}
