/** Text and QR of the pages of a PDF. */
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { type PageQr, readPageTexts } from '../../modules/purchase-scans/ports.ts';
import { readQrUrl } from '../aeat/endpoints.ts';
import { nothingRead } from './nothing-read.ts';
import { findQrs } from './qr-codes.ts';

const library = await PDFiumLibrary.init();

const pagesMax = 100;
/** Of all pages: rules that look for patterns have a bound. */
const textMax = 200_000;
/** The QR stands at the beginning of an invoice (Orden HAC/1177/2024, art. 21). Text is read of all pages. */
const drawnMax = 3;
const drawingMs = 4000;
/** Dots on the longer side: 150 to the inch of a sheet of A4. */
const dotsMax = 1754;

type Opened = Awaited<ReturnType<typeof library.loadDocument>>;
type Page = ReturnType<Opened['getPage']>;

export async function readPdf(bytes: Uint8Array): Promise<ScanReading> {
  let document: Opened;
  try {
    document = await library.loadDocument(bytes);
  } catch (error) {
    const is_locked = /password|security/i.test(error instanceof Error ? error.message : '');
    return nothingRead(
      is_locked ? 'El PDF está protegido con contraseña.' : 'El PDF está dañado o no se puede abrir.',
    );
  }
  try {
    return await readPages(document);
  } finally {
    document.destroy();
  }
}

async function readPages(document: Opened): Promise<ScanReading> {
  const pages = document.getPageCount();
  if (pages > pagesMax)
    return nothingRead(`El PDF tiene ${pages} páginas: se leen ${pagesMax} como máximo.`, pages);
  const texts: string[] = [];
  const qrs: PageQr[] = [];
  const until = performance.now() + drawingMs;
  let length = 0;
  for (let at = 0; at < pages; at++) {
    const page = document.getPage(at);
    const text = length < textMax ? textOf(page).slice(0, textMax - length) : '';
    length += text.length;
    texts.push(text);
    if (at < drawnMax && performance.now() < until) qrs.push(...(await qrsOf(page, at + 1)));
    else close(page);
  }
  return readPageTexts({ pages, texts, qrs });
}

/** The library closes the pages that it draws, and leaves the others in memory for good. */
function close(page: Page): void {
  const { module, pageIdx } = page as unknown as {
    module: { _FPDF_ClosePage(page: number): void };
    pageIdx: number;
  };
  module._FPDF_ClosePage(pageIdx);
}

/** PDFium writes a hyphen at the end of a line as another sign. */
function textOf(page: Page): string {
  return page.getText().replaceAll('\r\n', '\n').replaceAll('\ufffe', '-').normalize('NFC');
}

async function qrsOf(page: Page, number: number): Promise<PageQr[]> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const longest = Math.max(originalWidth, originalHeight);
  if (!(longest > 0)) {
    close(page);
    return [];
  }
  const { width, height, data } = await page.render({ scale: dotsMax / longest, render: 'bitmap' });
  const rgba = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  return findQrs({ width, height, rgba }).flatMap((text) => {
    const read = readQrUrl(text);
    return read ? [{ ...read, page: number }] : [];
  });
}
