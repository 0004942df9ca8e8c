/**
 * An invoice as it is printed (RD 1619/2012, arts. 6 and 7; Orden HAC/1177/2024, arts. 20 and 21), from what is stored
 * of it alone: issued, it says the same for ever, but for the mark of one that was withdrawn. What was paid after the
 * issue, and labels that may change, are not part of it.
 */
import { dayText } from '../../../domain/printing/days.ts';
import {
  centsText,
  moneyText,
  numberText,
  percentText,
  priceText,
} from '../../../domain/printing/numbers.ts';
import { qrHeading, qrLegend, sandboxMark } from '../../../domain/printing/prescribed.ts';
import type {
  LabelledText,
  PrintedDocument,
  PrintedLanguage,
  PrintedLine,
  PrintedLogo,
  PrintedQr,
} from '../../../domain/printing/printed-document.ts';
import { type InvoiceTitle, printedWords } from '../../../domain/printing/words.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import type { Environment } from '../../../kernel/operation.ts';
import type { InvoiceBundle, InvoiceRow, LineRow } from '../invoices.rows.ts';
import type { InvoiceType } from './invoice-types.ts';
import {
  type LineAmounts,
  type PrintedAmounts,
  printedAmounts,
} from '../../../domain/printing/print-amounts.ts';
import { printedMentions } from './printed-mentions.ts';
import {
  type PrintedIssuer,
  printedIssuer,
  printedRecipient,
} from '../../../domain/printing/print-parties.ts';
import { printedPayment } from './printed-payment.ts';
import { referenceFacts } from './printed-references.ts';
import { breakdownRows, lineTax, taxHeading } from '../../../domain/printing/print-taxes.ts';

export type { PrintedIssuer } from '../../../domain/printing/print-parties.ts';

export type InvoiceSource = {
  bundle: InvoiceBundle;
  issuer: PrintedIssuer;
  environment: Environment;
  /** Its billing record; null without one. */
  record: { qr_url: string | null; qr_mode: 'verifactu' | 'no_verifactu' | null } | null;
  /** The picture alone: the mapping says whose it is. */
  logo: Omit<PrintedLogo, 'alternative_text'> | null;
  language: PrintedLanguage;
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

/** What an invoice of the type is called: `Factura rectificativa`. */
export function invoiceTitle(type: InvoiceType, language: PrintedLanguage): string {
  return printedWords[language].titles[titles[type]];
}

function marksOf({ status }: InvoiceRow, environment: Environment, language: PrintedLanguage): string[] {
  const words = printedWords[language];
  const marks: string[] = [];
  if (status === 'draft') marks.push(words.draft);
  if (status === 'annulled' || status === 'voided') marks.push(words.annulled);
  if (environment === 'test') marks.push(sandboxMark);
  return marks;
}

/** As many characters as stand beside the title; a longer description goes with the notes. */
const subjectMost = 80;

function factsOf(invoice: InvoiceRow, language: PrintedLanguage): LabelledText[] {
  const words = printedWords[language];
  const { number, series_code, issued_on, operation_on, due_on, description } = invoice;
  const facts: LabelledText[] = [];
  const day = (label: string, value: string) => facts.push({ label, text: dayText(value, language) });
  if (number !== null) facts.push({ label: words.number, text: number });
  if (number !== null && series_code !== null && !showsSeries(number, series_code))
    facts.push({ label: words.series, text: series_code });
  if (issued_on !== null) day(words.issued_on, issued_on);
  if (operation_on !== null && operation_on !== issued_on) day(words.operation_on, operation_on);
  if (due_on !== null) day(words.due_on, due_on);
  facts.push(...referenceFacts(invoice, language));
  if (description !== null && isSubject(description))
    facts.push({ label: words.subject, text: description.trim() });
  return facts;
}

/** Most formats have the code within the number; one of digits stands in it by itself, not as part of another figure. */
function showsSeries(number: string, code: string): boolean {
  const is_figure = /^\d+$/.test(code);
  return is_figure ? number.split(/\D+/).includes(code) : number.includes(code);
}

const isSubject = (description: string) =>
  description.trim() !== '' && description.length <= subjectMost && !description.includes('\n');

function detailsOf(
  { line, agreed_price }: LineAmounts,
  retention_rates: readonly string[],
  currency: string,
  language: PrintedLanguage,
): string[] {
  const words = printedWords[language];
  const details: string[] = [];
  if (agreed_price !== null) {
    const price = priceText(agreed_price, currency, language);
    details.push(words.price_with(price, taxHeading([line.tax_kind], language)));
  }
  if (line.exemption_reason !== null && line.exemption_reason_text) details.push(line.exemption_reason_text);
  if (retention_rates.length > 1 && hasRetention(line))
    details.push(`${words.retention} ${percentText(line.retention_rate ?? '0', language)}`);
  return details;
}

function hasRetention({ retention_rate }: LineRow): boolean {
  return retention_rate !== null && Number(retention_rate) !== 0;
}

const isDiscounted = ({ discount_percent }: LineRow) =>
  discount_percent !== null && Number(discount_percent) !== 0;

function linesOf(amounts: PrintedAmounts, currency: string, language: PrintedLanguage): PrintedLine[] {
  const is_one_tax = new Set(amounts.lines.map(({ line }) => line.tax_kind)).size === 1;
  const rates = retentionRates(amounts.lines.map(({ line }) => line));
  let carried = 0n;
  return amounts.lines.map((one) => {
    const { line } = one;
    carried += one.amount;
    return {
      description: line.description,
      details: detailsOf(one, rates, currency, language),
      quantity: numberText(line.quantity, language, 0),
      unit: line.unit,
      unit_price: numberText(one.unit_price, language, 2),
      discount: isDiscounted(line) ? percentText(line.discount_percent ?? '0', language) : null,
      tax: lineTax(one, language, is_one_tax),
      amount: centsText(one.amount, language),
      carried: centsText(carried, language),
    };
  });
}

/** The rates of retention, each once, as they are stored. */
function retentionRates(lines: readonly LineRow[]): string[] {
  const rates = lines.filter(hasRetention).map((line) => percentText(line.retention_rate ?? '0', 'en'));
  return [...new Set(rates)];
}

function sumsOf(amounts: PrintedAmounts, currency: string, language: PrintedLanguage): LabelledText[] {
  const words = printedWords[language];
  const sums: LabelledText[] = [];
  const add = (label: string, cents: bigint) =>
    sums.push({ label, text: moneyText(cents, currency, language) });
  const { rows, within, base, discount, taxes, surcharge, with_tax } = amounts;
  if (rows.length === 0) return [];
  const tax = taxHeading(
    rows.map(({ row }) => row.tax_kind),
    language,
  );
  if (with_tax) {
    // Lines with their tax add up to the total, and to no subtotal.
    if (within !== 0n) add(words.amount_with(tax), within);
    add(words.base, base);
  } else {
    const subtotal = within + base;
    if (discount !== 0n) {
      add(words.before_discounts, subtotal + discount);
      add(words.discounts, -discount);
    }
    add(words.subtotal, subtotal);
  }
  add(tax, taxes);
  if (surcharge !== 0n) add(words.surcharge, surcharge);
  return sums;
}

/** Persons and communities of property, whose members they are, pay income tax; companies another, or none. */
function paysIncomeTax({ tax_id }: PrintedIssuer): boolean {
  const id = parseSpanishTaxId(tax_id ?? '');
  return id !== undefined && (id.kind !== 'entity' || id.value.startsWith('E'));
}

function retentionOf(
  { invoice, lines }: InvoiceBundle,
  issuer: PrintedIssuer,
  language: PrintedLanguage,
): LabelledText | null {
  const cents = printedToCents(invoice.retention_total);
  if (cents === 0n) return null;
  const words = printedWords[language];
  const [rate, ...others] = retentionRates(lines);
  const is_one = rate !== undefined && others.length === 0;
  const first = lines.find(hasRetention)?.retention_rate ?? '0';
  const label = paysIncomeTax(issuer) ? words.income_tax_retention : words.retention;
  return {
    label: is_one ? `${label} ${percentText(first, language)}` : label,
    text: moneyText(-cents, invoice.currency, language),
  };
}

function qrOf({ record }: InvoiceSource): PrintedQr | null {
  if (!record?.qr_url) return null;
  return {
    url: record.qr_url,
    above: qrHeading,
    below: record.qr_mode === 'verifactu' ? qrLegend : null,
  };
}

function notesOf({ description, notes }: InvoiceRow, language: PrintedLanguage): PrintedDocument['notes'] {
  const long = description !== null && !isSubject(description) ? description : '';
  const text = [long, notes ?? '']
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('\n\n');
  return text === '' ? null : { title: printedWords[language].notes, text };
}

const instant = (at: Date | string) => new Date(at).toISOString();

/** The paper of an invoice, issued or draft. */
export function printInvoice(source: InvoiceSource): PrintedDocument {
  const { bundle, issuer, environment, logo, language } = source;
  const { invoice } = bundle;
  const { currency } = invoice;
  const words = printedWords[language];
  const title = words.titles[titles[invoice.type]];
  const amounts = printedAmounts(bundle);
  const tax = taxHeading(
    bundle.lines.map((line) => line.tax_kind),
    language,
  );
  const within = (label: string) => (currency === 'EUR' ? label : words.in_currency(label, currency));
  const retention = retentionOf(bundle, issuer, language);
  return {
    language,
    title,
    number: invoice.number,
    file_title: `${title} ${invoice.number ?? `(${words.draft.toLowerCase()})`}`,
    marks: marksOf(invoice, environment, language),
    issuer: printedIssuer(bundle, issuer, language),
    recipient: printedRecipient(bundle, issuer, language),
    logo: logo && { ...logo, alternative_text: issuer.commercial_name || issuer.name || '' },
    colour: issuer.colour ?? null,
    facts: factsOf(invoice, language),
    column_labels: {
      description: words.description,
      quantity: words.quantity,
      unit_price: amounts.with_tax ? words.unit_price_with(tax) : words.unit_price,
      discount: words.discount,
      tax,
      amount: within(amounts.with_tax ? words.amount_with(tax) : words.amount),
    },
    lines: linesOf(amounts, currency, language),
    carried_labels: { forward: words.forward, brought: words.brought },
    breakdown: {
      title: within(words.breakdown),
      column_labels: {
        label: words.tax,
        base: words.base,
        rate: words.rate,
        tax: words.tax_amount,
        surcharge_rate: words.surcharge_rate,
        surcharge: words.surcharge,
      },
      rows: breakdownRows(amounts.rows, language),
    },
    sums: sumsOf(amounts, currency, language),
    total: { label: words.total, text: moneyText(printedToCents(invoice.total), currency, language) },
    retention,
    amount_due: retention && {
      label: words.amount_due,
      text: moneyText(printedToCents(invoice.amount_due), currency, language),
    },
    mentions: printedMentions(bundle, amounts, language),
    payment: printedPayment(bundle, issuer, language),
    notes: notesOf(invoice, language),
    qr: qrOf(source),
    page_label: words.page,
    made_at: instant(invoice.issued_at ?? invoice.updated_at),
  };
}
