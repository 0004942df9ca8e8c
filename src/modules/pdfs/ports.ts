/** What documents need of the outside: a printer, a place for what was printed, addresses that need no key. */
import type { PrintedDocument, PrintedFormat } from '../../domain/printing/printed-document.ts';
import { type DocumentKind, documentKinds } from '../../domain/sales/document-kinds.ts';
import type { DocumentSources } from './printable.ts';

declare module '../../kernel/ports.ts' {
  interface Ports {
    printer: PrinterPort;
    blobs: BlobPort;
    links: LinkPort;
    /** The modules of the documents, which know what each says; a PDF is asked for by its reference alone. */
    documents: DocumentSources;
  }
}

export type PrinterPort = {
  /** `native` writes PDF/A-3a and PDF/UA-1; `wasm` the same pages without the identifier. */
  engine: 'native' | 'wasm';
  /** Changes whenever the same document would be printed as other bytes: engine, templates, fonts. */
  edition: string;
  /** Documents that it prints at a time; more of them would wait within it, whosever they are. Any number if left out. */
  at_once?: number;
  /**
   * Prints a document, off this thread. The same document and format give the same bytes.
   * @throws PrinterBusy when too many wait already, or it could not be printed in time; any other error is a fault of
   * the document or of ours
   */
  print(document: PrintedDocument, format: PrintedFormat): Promise<PrintedPdf>;
};

export type PrintedPdf = {
  bytes: Uint8Array;
  /** False for a document without its logo that another time may have it: nobody may keep it. */
  is_final: boolean;
};

/** It cannot be printed now, because too many documents wait or its time was over: the caller may come again. */
export class PrinterBusy extends Error {}

export type BlobPort = {
  /** @returns undefined when there is none of that key */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Whole or not at all; the same key again replaces it. */
  put(key: string, bytes: Uint8Array, media_type: string): Promise<void>;
  delete(key: string): Promise<void>;
};

/** Kinds of document that can be printed, sent and linked to. */
export type LinkedKind = DocumentKind;
export const linkedKinds = Object.keys(documentKinds) as LinkedKind[];

export type DocumentRef = { company_id: string; kind: LinkedKind; id: string };

/** Addresses that open one document without a key; nobody can make or guess one without the service's own secret. */
export type LinkPort = {
  /** The page of a document for whoever was given its address; it does not end by itself. */
  publicUrl(document: DocumentRef): string;
  /** The PDF in one format, until `expires_at`, on real time. */
  pdfUrl(document: DocumentRef, format: PrintedFormat, expires_at: Date): string;
  /** @returns what the token of a page opens; undefined for one that this service did not make */
  readPublic(token: string): DocumentRef | undefined;
  /** @returns undefined for a token that this service did not make; one that has ended says so */
  readPdf(
    token: string,
    now: Date,
  ): { document: DocumentRef; format: PrintedFormat; has_expired: boolean } | undefined;
};
