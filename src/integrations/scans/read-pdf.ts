/** Text and QR of the pages of a PDF. */
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import type { ScanReading } from '../../modules/purchase-scans/index.ts';
import { type PageQr, readPageTexts } from '../../modules/purchase-scans/ports.ts';
import { readQrUrl } from '../aeat/endpoints.ts';
import { nothingRead } from './nothing-read.ts';
import { wasMemoryRefused } from './parser-memory.ts';
import { closePage, pdfTexts } from './pdf-texts.ts';
import { findQrs } from './qr-codes.ts';

const library = await PDFiumLibrary.init();

const pagesMax = 100;
/** The QR stands at the beginning of an invoice (Orden HAC/1177/2024, art. 21). Text is read of all pages. */
const drawnMax = 3;
/** Of the processor. */
const drawingMs = 4000;
/** Of the processor, for the places of one page: noise has many. */
const decodingMs = 1000;
const tooLarge =
  'Las imágenes del documento necesitan demasiada memoria: no se ha buscado en todas un código QR.';
/** Dots on the longer side: 150 to the inch of a sheet of A4. */
const dotsMax = 1754;

export async function readPdf(bytes: Uint8Array): Promise<ScanReading> {
  let document: PDFiumDocument;
  try {
    document = await library.loadDocument(bytes);
  } catch (error) {
    if (wasMemoryRefused()) throw error;
    const is_locked = /password|security/i.test(error instanceof Error ? error.message : '');
    return nothingRead(
      is_locked ? 'El PDF está protegido con contraseña.' : 'El PDF está dañado o no se puede abrir.',
    );
  }
  try {
    return await readPages(document);
  } finally {
    if (!wasMemoryRefused()) document.destroy();
  }
}

async function readPages(document: PDFiumDocument): Promise<ScanReading> {
  const pages = document.getPageCount();
  if (pages > pagesMax)
    return nothingRead(`El PDF tiene ${pages} páginas: se leen ${pagesMax} como máximo.`, pages);
  const { texts, first } = pdfTexts(document, drawnMax);
  if (wasMemoryRefused()) throw new Error('The text of the pages takes too much memory.');
  const { qrs, is_whole } = await qrsOfPages(first);
  const reading = readPageTexts({ pages, texts, qrs });
  return is_whole ? reading : { ...reading, warnings: [...reading.warnings, tooLarge] };
}

/** What was found before the memory ended is kept, and so is the text. */
async function qrsOfPages(pages: readonly PDFiumPage[]): Promise<{ qrs: PageQr[]; is_whole: boolean }> {
  const qrs: PageQr[] = [];
  const until = processorMs() + drawingMs;
  try {
    for (const [at, page] of pages.entries())
      if (processorMs() < until) qrs.push(...(await qrsOf(page, at + 1)));
      else closePage(page);
  } catch (error) {
    if (!wasMemoryRefused()) throw error;
  }
  return { qrs, is_whole: !wasMemoryRefused() };
}

/** Whatever else the machine does meanwhile. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function qrsOf(page: PDFiumPage, number: number): Promise<PageQr[]> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  const longest = Math.max(originalWidth, originalHeight);
  if (!(longest > 0)) {
    closePage(page);
    return [];
  }
  const scale = dotsMax / longest;
  const { width, height, data } = await page.render({ scale, render: 'bitmap', colorSpace: 'Gray' });
  const until = processorMs() + decodingMs;
  return findQrs({ width, height, grey: data }, () => processorMs() > until).flatMap((text) => {
    const read = readQrUrl(text);
    return read ? [{ ...read, page: number }] : [];
  });
}
