import type { PrintedDocument, PrintedFormat } from '../../domain/printing/printed-document.ts';
import { type PaperKind, paperKinds } from '../../domain/sales/document-kinds.ts';
import type { DocumentSources } from './printable.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    printer: PrinterPort;
    blobs: BlobPort;
    links: LinkPort;
    documents: DocumentSources;
  }
}

export type PrinterPort = {
  /** `native` writes PDF/A-3a and PDF/UA-1; `wasm` writes the same pages without declaring them. */
  engine: 'native' | 'wasm';
  /** Changes when documents print as other bytes: engine, templates, fonts. */
  edition: string;
  /** Documents printed at a time; others wait inside. Undefined: no limit. */
  at_once?: number;
  /**
   * Prints off this thread. The same document and format give the same bytes.
   * @throws PrinterBusy, PrinterLate; any other error is a fault of the document or ours
   */
  print(document: PrintedDocument, format: PrintedFormat): Promise<PrintedPdf>;
};

export type PrintedPdf = {
  bytes: Uint8Array;
  /** False when the logo is missing and another try may print it. Do not store such a PDF. */
  is_final: boolean;
};

/** The printer takes no document now. The caller may retry. */
export class PrinterBusy extends Error {}

/** The document took too long. */
export class PrinterLate extends PrinterBusy {}

export type BlobPort = {
  get(key: string): Promise<Uint8Array | undefined>;
  /** Writes all or nothing; replaces the value of the key. */
  put(key: string, bytes: Uint8Array, media_type: string): Promise<void>;
  delete(key: string): Promise<void>;
};

export type LinkedKind = PaperKind;
export const linkedKinds = paperKinds;

export type DocumentRef = { company_id: string; kind: LinkedKind; id: string };

/** A page's address opens while its instant is the document's (ADR 31). */
export type LinkedDocument = DocumentRef & { renewed_at: Date | string | null };

/** Only the service's secret makes these addresses (ADR 20). */
export type LinkPort = {
  publicUrl(document: LinkedDocument): string;
  /** For callers with a key. @param path begins with `/v1/` */
  apiUrl(path: string): string;
  /** Until `expires_at`, in real time. */
  pdfUrl(document: DocumentRef, format: PrintedFormat, expires_at: Date): string;
  /** @returns undefined for a token that this service did not make */
  readPublic(token: string): (DocumentRef & { renewed_at: Date | null }) | undefined;
  /**
   * Says whether the token has expired.
   * @returns undefined for a token that this service did not make
   */
  readPdf(
    token: string,
    now: Date,
  ): { document: DocumentRef; format: PrintedFormat; made_at: Date; has_expired: boolean } | undefined;
};
