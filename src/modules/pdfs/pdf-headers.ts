/** What is said of a PDF besides its bytes: its name, and how long a copy of it is right (RFC 6266, RFC 9110). */
import type { Printable } from './printable.ts';

/** `F2026-00012.pdf`; a draft has no number and is called by its id. No separator of folders, no control character. */
export function pdfFileName({
  document,
  ref,
}: {
  document: Pick<Printable['document'], 'number'>;
  ref: Pick<Printable['ref'], 'id'>;
}): string {
  const name = document.number ?? `borrador-${ref.id}`;
  const safe = name.replace(/[\p{C}\p{Z}\\/:*?"<>|]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  return `${safe === '' ? ref.id : safe}.pdf`;
}

/**
 * The headers of an answer with the PDF, a 304 included.
 * @param tag strong, in its quotes, as `pdfTag` makes it
 */
export function pdfHeaders(printable: Printable, tag: string): Record<string, string> {
  return {
    ETag: tag,
    // A copy is asked after each time: the record, an annulment or the edit of a draft changes the document.
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-API-Key, X-Active-Profile',
    'Content-Disposition': inline(pdfFileName(printable)),
  };
}

/** A name beyond ASCII is given twice (RFC 6266, 4.3 and appendix D): plain for the old, encoded for the rest. */
function inline(name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|%/g, '_');
  const header = `inline; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`;
}

/** RFC 8187, 3.2.1: what `encodeURIComponent` leaves and an attribute character is not. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
