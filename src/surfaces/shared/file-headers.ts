/** What HTTP says of a file besides its bytes (RFC 6266, RFC 9110). */
import type { FileFacts } from '../../kernel/operation.ts';

const sandboxed = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

/**
 * For the file, or a 304.
 * @param tag of a file that may be kept. A record, an annulment or an edit changes a document, so copies are revalidated.
 */
export function fileHeaders(
  { name, is_attachment, is_foreign }: FileFacts,
  tag: string | undefined,
): Record<string, string> {
  return {
    'Content-Disposition': contentDisposition(is_attachment ? 'attachment' : 'inline', name),
    ...(is_foreign ? sandboxed : {}),
    ...(tag === undefined ? {} : keptCopies(tag)),
  };
}

function keptCopies(tag: string): Record<string, string> {
  return {
    ETag: tag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, X-API-Key, X-Active-Profile',
  };
}

/**
 * A name beyond ASCII is sent twice (RFC 6266, 4.3 and appendix D): in ASCII for old clients, and encoded.
 */
function contentDisposition(way: 'inline' | 'attachment', name: string): string {
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
