/** Headers of a PDF (RFC 6266, RFC 9110). */
import type { Printable } from './printable.ts';

/** `F2026-00012.pdf`; a draft is named by its id. No path separator or control character. */
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
 * For the PDF, or a 304.
 * @param tag strong, with its quotes, from `pdfTag`
 */
export function pdfHeaders(printable: Printable, tag: string): Record<string, string> {
  return {
    ETag: tag,
    // A record, an annulment or an edit changes the document, so copies are revalidated.
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-API-Key, X-Active-Profile',
    'Content-Disposition': contentDisposition('inline', pdfFileName(printable)),
  };
}

/**
 * A name beyond ASCII is sent twice (RFC 6266, 4.3 and appendix D): in ASCII for old clients, and encoded.
 */
export function contentDisposition(way: 'inline' | 'attachment', name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|[%"\\]/g, '_');
  const header = `${way}; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`;
}

/** Also encodes what `encodeURIComponent` keeps and RFC 8187, 3.2.1 does not allow. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
