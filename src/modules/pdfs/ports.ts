/** What documents need of the outside. */
import type { PrintedDocument, PrintedFormat } from '../../domain/printing/printed-document.ts';
import { type DocumentKind, documentKinds } from '../../domain/sales/document-kinds.ts';
import type { DocumentSources } from './printable.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    printer: PrinterPort;
    blobs: BlobPort;
    links: LinkPort;
    /** The modules of the documents. A PDF is asked for by reference alone. */
    documents: DocumentSources;
  }
}

export type PrinterPort = {
  /** `native` writes PDF/A-3a and PDF/UA-1; `wasm` the same pages without declaring those standards. */
  engine: 'native' | 'wasm';
  /** Changes whenever a document would be printed as other bytes: engine, templates, fonts. */
  edition: string;
  /** Documents that it prints at a time; further ones wait inside it. Unlimited when undefined. */
  at_once?: number;
  /**
   * Prints a document, off this thread. The same document and format give the same bytes.
   * @throws PrinterBusy when too many wait or the time is over; any other error is a fault of the document or
   * ours
   */
  print(document: PrintedDocument, format: PrintedFormat): Promise<PrintedPdf>;
};

export type PrintedPdf = {
  bytes: Uint8Array;
  /** False when the logo is missing though another try may print it. Do not store such a PDF. */
  is_final: boolean;
};

/** Too many documents wait, or the time is over. The caller may try again. */
export class PrinterBusy extends Error {}

export type BlobPort = {
  /** @returns undefined when the key is unknown */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Writes all or nothing; replaces the value of the key. */
  put(key: string, bytes: Uint8Array, media_type: string): Promise<void>;
  delete(key: string): Promise<void>;
};

export type LinkedKind = DocumentKind;
export const linkedKinds = Object.keys(documentKinds) as LinkedKind[];

export type DocumentRef = { company_id: string; kind: LinkedKind; id: string };

/** Addresses that open one document without a key. Only the service's secret makes one (ADR 20). */
export type LinkPort = {
  /** A document's page. Its address does not expire. */
  publicUrl(document: DocumentRef): string;
  /** The PDF in one format, until `expires_at` in real time. */
  pdfUrl(document: DocumentRef, format: PrintedFormat, expires_at: Date): string;
  /** @returns the document that a page's token opens; undefined for a token that this service did not make */
  readPublic(token: string): DocumentRef | undefined;
  /** @returns undefined for a token that this service did not make; an expired one says so */
  readPdf(
    token: string,
    now: Date,
  ): { document: DocumentRef; format: PrintedFormat; has_expired: boolean } | undefined;
};
