/**
 * PDFs of documents of every kind: printed once, kept, and opened by address. Owns no table. A document's own
 * module decides what it says (`DocumentSource`); the printer decides how it looks.
 */
export { type PdfToPrint, pdfOf, pdfTag } from './pdf-of.ts';
export { type AddressCodes, makeLinks } from './links.ts';
export { pdfFileName, pdfHeaders } from './pdf-headers.ts';
export { openPdf } from './open-pdf.ts';
export { PdfBlock, PdfFormat, pdfLink, pendingPdf, settledPdf, waitForPdfs } from './pdf-link.ts';
export type * from './ports.ts';
export { linkedKinds, PrinterBusy } from './ports.ts';
export type { DocumentSource, DocumentSources, Printable } from './printable.ts';
