/** Opens a PDF by its address, outside any operation. */
import type { PrintedFormat } from '../../domain/printing/printed-document.ts';
import type { Database } from '../../platform/db.ts';
import { pdfFileName } from './pdf-file-name.ts';
import { type Pdf, type PdfCtx, pdfOf, pdfTag } from './pdf-of.ts';
import type { DocumentRef } from './ports.ts';
import type { Printable } from './printable.ts';

export type OpenedPdf = {
  printable: Printable;
  file_name: string;
  tag: string;
  /** @throws as `pdfOf` does */
  pdf(): Promise<Pdf>;
};

export async function openPdf(
  ctx: PdfCtx & { db: Database },
  { company_id, kind, id }: DocumentRef,
  format: PrintedFormat,
): Promise<OpenedPdf | undefined> {
  const { ports } = ctx;
  const printable = await ctx.db.read(company_id, (tx) => ports.documents[kind].find(tx, company_id, id));
  if (!printable) return undefined;
  const tag = pdfTag(ports, printable, format);
  return { printable, file_name: pdfFileName(printable), tag, pdf: () => pdfOf(ctx, printable, format, tag) };
}
