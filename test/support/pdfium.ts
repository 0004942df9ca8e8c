import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { closePage } from '../../src/integrations/scans/pdf-texts.ts';

let library: Promise<PDFiumLibrary> | undefined;

/** With one library for the whole process: to start one takes longer than to read a page. */
export async function withPdf<T>(
  pdf: Uint8Array,
  use: (document: PDFiumDocument) => T | Promise<T>,
): Promise<T> {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  try {
    return await use(document);
  } finally {
    document.destroy();
  }
}

export function textsOfPages(document: PDFiumDocument): string[] {
  return Array.from({ length: document.getPageCount() }, (_, at) => {
    const page = document.getPage(at);
    const text = page.getText().replaceAll('\r\n', '\n');
    closePage(page);
    return text;
  });
}
