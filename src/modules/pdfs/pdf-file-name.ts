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
