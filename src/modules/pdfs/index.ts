/**
 * PDFs of all documents. Owns no table. A document's module decides what it says (`DocumentSource`), the
 * printer how it looks.
 */
export { type PdfToPrint, pdfOf, pdfTag, printingUse } from './pdf-of.ts';
export { type AddressCodes, makeLinks } from './links.ts';
export { pdfFileName } from './pdf-file-name.ts';
export { openPdf } from './open-pdf.ts';
export {
  opensPaper,
  opensPaperOf,
  paperScope,
  PdfBlock,
  PdfFormat,
  pdfLink,
  pendingPdf,
  type Reader,
  settledPdf,
  waitForPdfs,
} from './pdf-link.ts';
export type * from './ports.ts';
export { linkedKinds, PrinterBusy, PrinterLate } from './ports.ts';
export type { DocumentSource, DocumentSources, PageWish, Printable } from './printable.ts';
