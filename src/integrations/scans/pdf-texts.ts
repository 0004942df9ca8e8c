/** The text of all pages of a PDF, before any is drawn. */
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';

/** Of all pages: rules that look for patterns have a bound. */
const textMax = 200_000;

/** @param kept so many first pages stay open */
export function pdfTexts(document: PDFiumDocument, kept: number): { texts: string[]; first: PDFiumPage[] } {
  const pages = document.getPageCount();
  const texts: string[] = [];
  const first: PDFiumPage[] = [];
  let length = 0;
  for (let at = 0; at < pages; at++) {
    const page = document.getPage(at);
    const text = length < textMax ? textOf(page).slice(0, textMax - length) : '';
    length += text.length;
    texts.push(text);
    if (at < kept) first.push(page);
    else closePage(page);
  }
  return { texts, first };
}

/** The library closes the pages that it draws, and leaves the others in memory for good. */
export function closePage(page: PDFiumPage): void {
  const { module, pageIdx } = page as unknown as {
    module: { _FPDF_ClosePage(page: number): void };
    pageIdx: number;
  };
  module._FPDF_ClosePage(pageIdx);
}

/** PDFium writes a hyphen at the end of a line as another sign. */
function textOf(page: PDFiumPage): string {
  return page.getText().replaceAll('\r\n', '\n').replaceAll('\ufffe', '-').normalize('NFC');
}
