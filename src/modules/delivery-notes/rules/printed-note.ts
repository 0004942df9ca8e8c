/** The paper of a delivery note, with amounts or without. It is no invoice, and says so. */
import { addressLines, type StoredAddress } from '../../../domain/printing/addresses.ts';
import { printDocument } from '../../../domain/printing/print-document.ts';
import { dayFacts, numberFacts, subjectFacts } from '../../../domain/printing/print-facts.ts';
import type { PrintSetting } from '../../../domain/printing/print-source.ts';
import type {
  LabelledText,
  PrintedDocument,
  PrintedLanguage,
} from '../../../domain/printing/printed-document.ts';
import type { Standing } from '../../../domain/printing/standing.ts';
import { printedWords } from '../../../domain/printing/words.ts';
import { noteWords } from '../delivery-notes.words.ts';
import type { NoteBundle, NoteRow, Person, SignatureImage, SignatureRow } from '../delivery-notes.rows.ts';

function textFacts(label: string, parts: readonly (string | null | undefined)[]): LabelledText[] {
  const text = parts.filter((part) => part).join(', ');
  return text === '' ? [] : [{ label, text }];
}

const personParts = (person: Person | null) => [person?.name, person?.tax_id];

function factsOf(note: NoteRow, language: PrintedLanguage): LabelledText[] {
  const words = noteWords[language];
  const { tracking } = note;
  return [
    ...numberFacts(words.number, note, language),
    ...dayFacts(words.issued_on, note.issued_on, language),
    ...dayFacts(words.delivery_date, note.delivery_date, language),
    ...textFacts(
      words.delivery_address,
      addressLines(note.delivery_address as StoredAddress | null, language, false),
    ),
    ...textFacts(words.vehicle_plate, [note.vehicle_plate]),
    ...textFacts(words.driver, personParts(note.driver)),
    ...textFacts(words.carrier, [tracking?.carrier]),
    ...textFacts(words.tracking, [tracking?.number]),
    ...textFacts(words.received_by, personParts(note.received_by)),
    ...subjectFacts(note, language),
  ];
}

function marksOf({ status }: NoteRow, language: PrintedLanguage): string[] {
  if (status === 'draft') return [printedWords[language].draft];
  return status === 'cancelled' ? [noteWords[language].cancelled] : [];
}

/** An erased signature still says when it was. */
function printSignature(
  { signed_by, signer_tax_id, signed_on }: SignatureRow,
  image: SignatureImage | null,
  { language }: Pick<PrintSetting, 'language'>,
): NonNullable<PrintedDocument['signature']> {
  const words = noteWords[language];
  return {
    title: words.signature,
    rows: [
      ...textFacts(words.signed_by, [signed_by, signer_tax_id]),
      ...dayFacts(words.signed_at, signed_on, language),
    ],
    image: image && { ...image, alternative_text: words.signature },
  };
}

/** Where the receiver signs by hand. */
function placeToSign({ status }: NoteRow, { language }: Pick<PrintSetting, 'language'>) {
  if (status !== 'pending' && status !== 'delivered') return {};
  const { signature, signed_by, signed_at } = noteWords[language];
  return { to_sign: { title: signature, labels: [signed_by, signed_at] } };
}

/** What its page says of the delivery today. */
export function noteStanding({ status }: NoteRow, language: PrintedLanguage): Standing | null {
  if (status === 'draft') return null;
  const text = noteWords[language].statuses[status];
  return { state: 'told', text, changes: [], pending: null, payment: null };
}

export function printNote({ bundle, ...setting }: PrintSetting & { bundle: NoteBundle }): PrintedDocument {
  const { document: note } = bundle;
  const { language } = setting;
  return printDocument(bundle, setting, {
    title: noteWords[language].title,
    marks: marksOf(note, language),
    facts: factsOf(note, language),
    mentions: () => [noteWords[language].no_invoice],
    payment: null,
    qr: null,
    shows_gross: note.prices_include_tax,
    hides_amounts: !note.show_prices,
    ...(bundle.signature
      ? { signature: printSignature(bundle.signature, bundle.image ?? null, setting) }
      : placeToSign(note, setting)),
    made_at: note.signed_at ?? note.created_at,
  });
}
