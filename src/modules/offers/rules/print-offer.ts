/** The paper of an offer. It comes from the stored document alone. */
import { printDocument } from '../../../domain/printing/print-document.ts';
import { dayFacts, numberFacts, subjectFacts } from '../../../domain/printing/print-facts.ts';
import type { PrintSetting } from '../../../domain/printing/print-source.ts';
import type { PrintedDocument, PrintedLanguage } from '../../../domain/printing/printed-document.ts';
import { moneyText } from '../../../domain/printing/numbers.ts';
import type { Standing } from '../../../domain/printing/standing.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import { offerStatusOn } from '../../../domain/sales/offer-states.ts';
import type { Bundle } from '../../../domain/sales/rows.ts';
import type { OfferRow } from '../offer.fields.ts';
import type { OfferWords } from '../offer.words.ts';

type Words = Record<PrintedLanguage, OfferWords>;

/** @param carriage its cost in cents, with tax */
export function printOffer(
  bundle: Bundle<OfferRow>,
  setting: PrintSetting,
  all: Words,
  carriage: bigint | null,
): PrintedDocument {
  const { document } = bundle;
  const { language } = setting;
  const shared = printedWords[language];
  const words = all[language];
  const marks = { draft: [shared.draft], cancelled: [words.cancelled] } as Record<string, string[]>;
  return printDocument(bundle, setting, {
    title: words.title,
    marks: marks[document.status] ?? [],
    facts: [
      ...numberFacts(words.number, document, language),
      ...dayFacts(words.day, document.issued_on, language),
      ...dayFacts(words.valid_until, document.valid_until, language),
      ...subjectFacts(document, language),
    ],
    mentions: () => (words.is_no_invoice === null ? [] : [words.is_no_invoice]),
    added_sums:
      carriage === null || words.carriage === null
        ? []
        : [{ label: words.carriage, text: moneyText(carriage, document.currency, language) }],
    payment: null,
    qr: null,
    shows_gross: document.prices_include_tax,
    made_at: document.created_at,
  });
}

/** What its page says of an offer that was answered, or whose validity has ended on the day. */
export function offerStanding(
  row: OfferRow,
  { states }: OfferWords,
  today: string | undefined,
): Standing | null {
  const status = today === undefined ? row.status : offerStatusOn(row, today);
  // The client never said yes to what the company went on with by itself.
  const is_taken_up = status === 'converted' && row.acceptance === null;
  const text = is_taken_up ? states.taken_up : states[status as keyof typeof states];
  return text === undefined ? null : { state: 'told', text, changes: [], pending: null, payment: null };
}
