/** Each family supplies a `PaperOfKind`; the rest of the paper is the same for all (ADR 18). */
import { oneLine } from '../../kernel/xml-characters.ts';
import { printedToCents } from '../money/printed.ts';
import { moneyText } from './numbers.ts';
import { sandboxMark } from './prescribed.ts';
import { type PrintedAmounts, printAmounts } from './print-amounts.ts';
import { printNotes } from './print-facts.ts';
import { printLines, soldTexts } from './print-lines.ts';
import { printedIssuer, printedRecipient } from './print-parties.ts';
import type { PrintedBundle, PrintSetting } from './print-source.ts';
import { printRetention, printSums } from './print-sums.ts';
import { breakdownRows, onlyRate, taxHeading } from './print-taxes.ts';
import type { LabelledText, PrintedDocument, PrintedLanguage, PrintedQr } from './printed-document.ts';
import { printedWords } from './words.ts';

export type PaperOfKind = {
  title: string;
  /** Across the page: a draft, a withdrawal, `no es una factura`. The sandbox's mark is added here. */
  marks: readonly string[];
  facts: readonly LabelledText[];
  /** Under the taxes, before the total. */
  added_sums?: readonly LabelledText[];
  /** What the law requires to be said. */
  mentions(amounts: PrintedAmounts): readonly string[];
  payment: PrintedDocument['payment'];
  qr: PrintedQr | null;
  /** Price and amount columns include tax. */
  shows_gross: boolean;
  /** Quantities without prices, taxes and sums. */
  hides_amounts?: boolean;
  signature?: PrintedDocument['signature'];
  to_sign?: PrintedDocument['to_sign'];
  /** Above lines, by their position. */
  headings?: ReadonlyMap<number, string>;
  made_at: Date | string;
};

export function printDocument(
  bundle: PrintedBundle,
  { issuer, environment, logo, language }: PrintSetting,
  paper: PaperOfKind,
): PrintedDocument {
  const { document } = bundle;
  const { currency, number } = document;
  const { title } = paper;
  const words = printedWords[language];
  const amounts = printAmounts(bundle, paper.shows_gross);
  const retention = printRetention(bundle, issuer, language);
  const money = (text: string) => moneyText(printedToCents(text), currency, language);
  const printed: PrintedDocument = {
    language,
    title,
    number,
    file_title: `${title} ${number ?? `(${words.draft.toLowerCase()})`}`,
    marks: environment === 'test' ? [...paper.marks, sandboxMark] : paper.marks,
    issuer: printedIssuer(bundle, issuer, language),
    recipient: printedRecipient(bundle, issuer, language),
    logo: logo && { ...logo, alternative_text: issuer.commercial_name || issuer.name || '' },
    colour: issuer.colour ?? null,
    facts: paper.facts,
    column_labels: columnLabels(bundle, amounts, language),
    lines: withHeadings(printLines(amounts, issuer, currency, language), paper.headings),
    carried_labels: { forward: words.forward, brought: words.brought },
    breakdown: printBreakdown(amounts, currency, language),
    sums: [...printSums(amounts, currency, language), ...(paper.added_sums ?? [])],
    total: { label: words.total, text: money(document.total) },
    retention,
    amount_due: retention && { label: words.amount_due, text: money(document.amount_due) },
    mentions: paper.mentions(amounts),
    payment: paper.payment,
    notes: printNotes(document, language),
    ...(paper.signature ? { signature: paper.signature } : {}),
    ...(paper.to_sign ? { to_sign: paper.to_sign } : {}),
    ...printRegistry(issuer),
    qr: paper.qr,
    page_label: words.page,
    made_at: new Date(paper.made_at).toISOString(),
  };
  return paper.hides_amounts ? withoutAmounts(printed, bundle) : printed;
}

function withHeadings(
  lines: PrintedDocument['lines'],
  headings: ReadonlyMap<number, string> = new Map(),
): PrintedDocument['lines'] {
  return lines.map((line, position) => {
    const heading = headings.get(position);
    return heading === undefined ? line : { ...line, heading };
  });
}

/** Columns and blocks without texts are not drawn. */
function withoutAmounts(document: PrintedDocument, { lines }: PrintedBundle): PrintedDocument {
  const nothing = { label: '', text: '' };
  return {
    ...document,
    lines: document.lines.map((line, position) => ({
      ...line,
      details: soldTexts(lines[position]!, document.language),
      unit_price: '',
      discount: null,
      tax: '',
      amount: '',
      carried: '',
    })),
    breakdown: { ...document.breakdown, rows: [] },
    sums: [],
    total: nothing,
    retention: null,
    amount_due: null,
    payment: null,
  };
}

/** Código de Comercio, art. 24. */
function printRegistry({ registry_data }: PrintSetting['issuer']): Pick<PrintedDocument, 'registry_data'> {
  const text = oneLine(registry_data ?? '');
  return text === '' ? {} : { registry_data: text };
}

/** Cells show no currency, so the heading names it. */
function withCurrency(label: string, currency: string, language: PrintedLanguage): string {
  return currency === 'EUR' ? label : printedWords[language].in_currency(label, currency);
}

function columnLabels(
  { document, lines }: PrintedBundle,
  { with_tax }: PrintedAmounts,
  language: PrintedLanguage,
): PrintedDocument['column_labels'] {
  const words = printedWords[language];
  const kinds = lines.map((line) => line.tax_kind);
  const tax = taxHeading(kinds, language);
  return {
    description: words.description,
    quantity: words.quantity,
    unit_price: with_tax ? words.unit_price_with(tax) : words.unit_price,
    discount: words.discount,
    tax,
    amount: withCurrency(with_tax ? words.amount_with(tax) : words.amount, document.currency, language),
  };
}

function printBreakdown(
  amounts: PrintedAmounts,
  currency: string,
  language: PrintedLanguage,
): PrintedDocument['breakdown'] {
  const words = printedWords[language];
  return {
    title: withCurrency(words.breakdown, currency, language),
    column_labels: {
      label: words.tax,
      base: words.base,
      rate: words.rate,
      tax: words.tax_amount,
      surcharge_rate: words.surcharge_rate,
      surcharge: words.surcharge,
    },
    rows: onlyRate(amounts) ? [] : breakdownRows(amounts.rows, language),
  };
}
