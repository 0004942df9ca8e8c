/**
 * A letter with its accent may be one character or two. Texts that name something are kept in the first form now, and were kept as they
 * came before. @returns both forms, or one where they are the same
 */
export function textForms(text: string): string[] {
  return [...new Set([text.normalize('NFC'), text.normalize('NFD')])];
}
