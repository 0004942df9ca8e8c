import { dayText } from './days.ts';
import type { PrintedDocumentSource } from './print-source.ts';
import type { LabelledText, PrintedDocument, PrintedLanguage } from './printed-document.ts';
import { printedWords } from './words.ts';

/**
 * The number, with its series unless the number shows it. Nothing for a draft.
 * @param label in English it names the kind of document
 */
export function numberFacts(
  label: string,
  { number, series_code }: { number: string | null; series_code: string | null },
  language: PrintedLanguage,
): LabelledText[] {
  if (number === null) return [];
  const facts = [{ label, text: number }];
  if (series_code !== null && !showsSeries(number, series_code))
    facts.push({ label: printedWords[language].series, text: series_code });
  return facts;
}

/** A code of digits must stand alone, not inside another number. */
function showsSeries(number: string, code: string): boolean {
  const is_figure = /^\d+$/.test(code);
  return is_figure ? number.split(/\D+/).includes(code) : number.includes(code);
}

export function dayFacts(label: string, day: string | null, language: PrintedLanguage): LabelledText[] {
  return day === null ? [] : [{ label, text: dayText(day, language) }];
}

/** Longest description beside the title. Notes take a longer one. */
const subjectMost = 80;

const isSubject = (description: string) =>
  description.trim() !== '' && description.length <= subjectMost && !description.includes('\n');

export function subjectFacts(
  { description }: Pick<PrintedDocumentSource, 'description'>,
  language: PrintedLanguage,
): LabelledText[] {
  if (description === null || !isSubject(description)) return [];
  return [{ label: printedWords[language].subject, text: description.trim() }];
}

/** A description too long for the head of the page comes first. */
export function printNotes(
  { description, notes }: Pick<PrintedDocumentSource, 'description' | 'notes'>,
  language: PrintedLanguage,
): PrintedDocument['notes'] {
  const long = description !== null && !isSubject(description) ? description : '';
  const text = [long, notes ?? '']
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('\n\n');
  return text === '' ? null : { title: printedWords[language].notes, text };
}
