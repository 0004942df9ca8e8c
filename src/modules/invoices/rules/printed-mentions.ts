/**
 * What the law makes an invoice say besides its amounts (RD 1619/2012, arts. 6.1.j to p, 7 and 12). Prescribed words stay in
 * Spanish; another language adds their meaning.
 */
import { dayText } from '../../../domain/printing/days.ts';
import { moneyText, numberText } from '../../../domain/printing/numbers.ts';
import { statutoryMentions, type StatutoryMention } from '../../../domain/printing/prescribed.ts';
import type { PrintedLanguage } from '../../../domain/printing/printed-document.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import type { ExemptionReason } from '../../../domain/tax/record-codes.ts';
import { isOneStopShop } from '../../../domain/tax/fiscal-rules.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { euros } from '../../../domain/sales/currency.ts';
import { type EuroRow, euroRows } from '../../../domain/sales/euro-rows.ts';
import { isQualifiedSimplified } from './invoice-types.ts';
import type { PrintedAmounts } from '../../../domain/printing/print-amounts.ts';
import type { PrintedTaxSource } from '../../../domain/printing/print-source.ts';
import { isEuropeanBusiness } from '../../../domain/printing/print-parties.ts';
import { correctionMentions } from './printed-references.ts';
import { breakdownRows, taxName } from '../../../domain/printing/print-taxes.ts';

function statutory(mention: StatutoryMention, language: PrintedLanguage): string {
  const { statutory: meanings } = printedWords[language];
  const prescribed = statutoryMentions[mention];
  return meanings === null ? prescribed : `${prescribed} (${meanings[mention]})`;
}

function taxWithin(kind: string, language: PrintedLanguage): string {
  const name = taxName(kind, language);
  return kind === 'other' ? name.toLowerCase() : name;
}

/** The cause names no article, so the line's text is the legal reference. */
function isUnnamed(tax_kind: string, reason: string): boolean {
  if (tax_kind === 'igic') return reason === 'E7' || reason === 'E8';
  return tax_kind !== 'vat' || reason === 'E6';
}

function exemption(line: LineRow, reason: string, language: PrintedLanguage): string {
  const words = printedWords[language];
  const { tax_kind, exemption_reason_text } = line;
  const text =
    tax_kind === 'igic'
      ? words.exemptions.igic[reason as ExemptionReason]
      : tax_kind === 'vat'
        ? words.exemptions.vat[reason as Exclude<ExemptionReason, 'E7' | 'E8'>]
        : words.exempt_from(taxWithin(tax_kind, language));
  return exemption_reason_text && isUnnamed(tax_kind, reason) ? `${text}: ${exemption_reason_text}` : text;
}

function withArticle(text: string, { tax_kind }: LineRow, article: string): string {
  return tax_kind === 'vat' ? `${text}, ${article} LIVA` : text;
}

function taxMentions(line: LineRow, bundle: InvoiceBundle, language: PrintedLanguage): string[] {
  const words = printedWords[language];
  if (line.exemption_reason !== null) return [exemption(line, line.exemption_reason, language)];
  const name = taxWithin(line.tax_kind, language);
  switch (line.qualification) {
    case 'S2':
      return [withArticle(statutory('reverse_charge', language), line, 'art. 84')];
    case 'N1':
      return [words.not_subject_mentions.N1(name)];
    case 'N2': {
      const said = withArticle(words.not_subject_mentions.N2(name), line, 'arts. 68-74');
      // A business of another member state owes the tax there (art. 6.1.m).
      return line.tax_kind === 'vat' && isEuropeanBusiness(bundle)
        ? [said, statutory('reverse_charge', language)]
        : [said];
    }
    default:
      return [];
  }
}

function regimeMentions(line: LineRow, language: PrintedLanguage): string[] {
  const words = printedWords[language];
  if (isOneStopShop(line as Parameters<typeof isOneStopShop>[0])) return [words.one_stop_shop];
  if (line.tax_kind !== 'vat' && line.tax_kind !== 'igic') return [];
  switch (line.regime_key) {
    case '03':
      return [statutory('used_goods', language)];
    case '05':
      return [statutory('travel_agencies', language)];
    case '07':
      return [statutory('cash_accounting', language)];
    case '09':
      return [words.travel_mediation];
    case '14':
      return [words.tax_not_due_works];
    case '15':
      return [words.tax_not_due_continuous];
    case '17':
      return [words.igic_retailer];
    case '18':
      return line.tax_kind === 'igic' ? [words.igic_small_business] : [];
    default:
      return [];
  }
}

function issueMentions({ document: invoice }: InvoiceBundle, language: PrintedLanguage): string[] {
  const words = printedWords[language];
  const said: string[] = [];
  if (invoice.issued_by === 'recipient') said.push(statutory('by_recipient', language));
  if (invoice.third_party)
    said.push(words.by_third_party(invoice.third_party.name, invoice.third_party.tax_id));
  if (isQualifiedSimplified(invoice)) said.push(words.qualified_simplified);
  if (invoice.no_recipient_art61d) said.push(words.no_recipient);
  return said;
}

/** `1 USD = 0,92 EUR`, with no-break spaces, and its day where it is known. */
function rateText(
  { currency, exchange_rate_on }: InvoiceBundle['document'],
  exchange_rate: string,
  language: PrintedLanguage,
): string {
  const rate = `1 ${currency} = ${numberText(exchange_rate, language, 2)} EUR`.replaceAll(' ', '\u00a0');
  return exchange_rate_on === null
    ? rate
    : printedWords[language].rate_of_day(rate, dayText(exchange_rate_on, language));
}

/** The tax in euros as in the record (art. 12.1), and the total as in the QR. */
function euroMention(
  { document: invoice, lines, tax_rows }: InvoiceBundle,
  { rows }: PrintedAmounts,
  language: PrintedLanguage,
): string[] {
  if (invoice.exchange_rate === null) return [];
  const in_euros = euroRows(tax_rows, lines, euros(invoice.exchange_rate));
  const euroOf = new Map<PrintedTaxSource, EuroRow>(tax_rows.map((row, at) => [row, in_euros[at]!]));
  const words = printedWords[language];
  const labels = breakdownRows(rows, language).map((row) => row.label);
  const total = in_euros.reduce((sum, { base, tax, surcharge }) => sum + base + tax + surcharge, 0n);
  const said = rows.flatMap(({ row }, at) => {
    if (row.qualification !== 'S1') return [];
    const { tax, surcharge } = euroOf.get(row)!;
    const text = `${labels[at]} ${moneyText(tax, 'EUR', language)}`;
    return surcharge === 0n ? text : words.tax_and_surcharge(text, moneyText(surcharge, 'EUR', language));
  });
  said.push(`${words.total} ${moneyText(total, 'EUR', language)}`);
  return [words.in_euros(rateText(invoice, invoice.exchange_rate, language), said.join('; '))];
}

export function printedMentions(
  bundle: InvoiceBundle,
  amounts: PrintedAmounts,
  language: PrintedLanguage,
): string[] {
  const said = [
    ...correctionMentions(bundle.document, amounts, language),
    ...bundle.lines.flatMap((line) => [
      ...taxMentions(line, bundle, language),
      ...regimeMentions(line, language),
    ]),
    ...issueMentions(bundle, language),
    ...euroMention(bundle, amounts, language),
  ];
  return [...new Set(said)];
}
