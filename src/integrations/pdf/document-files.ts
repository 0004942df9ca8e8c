/** Texts reach the templates as JSON, never as Typst source. */
import { logoFault } from '../../domain/printing/logo-image.ts';
import type { PrintedDocument, PrintedFormat } from '../../domain/printing/printed-document.ts';
import { qrMatrix } from '../../platform/qr-png.ts';
import { makeBoundedBreaks } from './bounded-breaks.ts';
import type { PrintableText } from './printable-text.ts';

export type DocumentFiles = ReadonlyMap<string, Uint8Array>;

type Layout = {
  format: PrintedFormat;
  /** Rows of modules without the border, 1 for dark and 0 for light. */
  qr_modules: readonly string[] | null;
  logo: { alternative_text: string } | null;
  logo_file: string | null;
};

const logoPaths = {
  'image/png': '/logo.png',
  'image/jpeg': '/logo.jpg',
} as const;

/** @returns `/document.json`, and the logo's file or its fault */
export function documentFiles(
  document: PrintedDocument,
  format: PrintedFormat,
  printable: PrintableText,
): { files: DocumentFiles; logo_fault: string | null } {
  const files = new Map<string, Uint8Array>();
  const { logo, ...texts } = document;
  const bytes = logo && Buffer.from(logo.base64, 'base64');
  const logo_fault = (logo && bytes && logoFault(logo.media_type, bytes)) ?? null;
  const logo_file = logo && logo_fault === null ? logoPaths[logo.media_type] : null;
  if (logo_file !== null && bytes) files.set(logo_file, bytes);
  const layout: Layout = {
    format,
    qr_modules: texts.qr && qrRows(texts.qr.url),
    logo: logo && logo_file !== null ? { alternative_text: printable(logo.alternative_text) } : null,
    logo_file,
  };
  const bounded = makeBoundedBreaks();
  const said = { ...printableValue(texts, (text) => bounded(printable(text))), ...layout };
  files.set('/document.json', Buffer.from(JSON.stringify(said)));
  return { files, logo_fault };
}

function qrRows(url: string): string[] {
  const { size, modules } = qrMatrix(url);
  return Array.from({ length: size }, (_, row) => modules.subarray(row * size, (row + 1) * size).join(''));
}

function printableValue<T>(value: T, printable: PrintableText): T {
  if (typeof value === 'string') return printable(value) as T;
  if (Array.isArray(value)) return value.map((item) => printableValue(item, printable)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) made[name] = printableValue(item, printable);
  return made as T;
}
