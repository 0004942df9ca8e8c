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
  signature_file: string | null;
};

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/** @returns `/document.json`, and the logo's file or its fault */
export function documentFiles(
  document: PrintedDocument,
  format: PrintedFormat,
  printable: PrintableText,
): { files: DocumentFiles; logo_fault: string | null } {
  const files = new Map<string, Uint8Array>();
  const { logo, signature, ...texts } = document;
  const [logo_file, logo_fault] = addImage(files, 'logo', logo);
  const [signature_file] = addImage(files, 'signature', signature?.image ?? null);
  const layout: Layout = {
    format,
    qr_modules: texts.qr && qrRows(texts.qr.url),
    logo: logo && logo_file !== null ? { alternative_text: printable(logo.alternative_text) } : null,
    logo_file,
    signature_file,
  };
  const signed = signature && { signature: { ...signature, image: null } };
  const bounded = makeBoundedBreaks();
  const said = { ...printableValue({ ...texts, ...signed }, (text) => bounded(printable(text))), ...layout };
  files.set('/document.json', Buffer.from(JSON.stringify(said)));
  return { files, logo_fault };
}

/** @returns the file of the image, or why there is none */
function addImage(
  files: Map<string, Uint8Array>,
  name: string,
  image: PrintedDocument['logo'],
): [file: string | null, fault: string | null] {
  if (image === null) return [null, null];
  const bytes = Buffer.from(image.base64, 'base64');
  const fault = logoFault(image.media_type, bytes);
  if (fault !== undefined) return [null, fault];
  const file = `/${name}.${endings[image.media_type]}`;
  files.set(file, bytes);
  return [file, null];
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
