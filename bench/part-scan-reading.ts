/** Part (q): what reading a paper costs against bare PDFium, and the memory of the readers over many files. */
import { PDFiumLibrary } from '@hyzyla/pdfium';
import jsQR from 'jsqr';
import { ProcessFault } from '../src/integrations/processes/process-seat.ts';
import { pdfTexts } from '../src/integrations/scans/pdf-texts.ts';
import { startReading } from '../src/integrations/scans/reader-pool.ts';
import { makeScanReader, type ScanReader } from '../src/integrations/scans/scan-reader.ts';
import { readPageTexts } from '../src/modules/purchase-scans/ports.ts';
import { WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { peakOf } from './peak-memory.ts';
import { electronic, fullPdf, paperPdf, photograph } from './scan-files.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(q) scans';

/** As the reader draws them, to look for a QR. */
const drawn = { pages: 3, dots: 1754 } as const;

const papers = [
  { what: 'a PDF of one page', pages: 1, count: 30 },
  { what: 'a PDF of 50 pages', pages: 50, count: 10 },
] as const;

type Bytes = Buffer<ArrayBufferLike>;
type MediaType = Parameters<ScanReader['read']>[1];

export async function measureScanReading(options: BenchOptions): Promise<Figure[]> {
  const library = await PDFiumLibrary.init();
  const reader = makeScanReader();
  try {
    return [...(await compareTexts(reader, library, options)), ...(await followReaders(options))];
  } finally {
    await reader.close();
    library.destroy();
  }
}

async function compareTexts(
  reader: ScanReader,
  library: PDFiumLibrary,
  options: BenchOptions,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { what, pages, count } of papers) {
    const each = async (read: (bytes: Bytes) => Promise<unknown>) => {
      const ones = Array.from({ length: Math.ceil(count * options.scale) }, () => paperPdf(pages));
      const started = performance.now();
      for (const one of ones) await read(one);
      return (performance.now() - started) / ones.length;
    };
    const times = await interleave(options.rounds, {
      folio: () => each((bytes) => readWhole(reader, bytes, pages)),
      bare: () => each((bytes) => readBare(library, bytes, drawn.pages)),
      folio_text: () => each((bytes) => readText(library, bytes)),
      bare_text: () => each((bytes) => readBare(library, bytes, 0)),
    });
    const row = (name: string, found: readonly number[]): Figure => ({
      part,
      what: `${what}: ${name}`,
      unit: 'ms',
      spread: spreadOf(found),
    });
    const ratio = (name: string, found: readonly number[], floor: readonly number[]): Figure => ({
      part,
      what: `${what}: ${name}`,
      unit: 'ratio',
      spread: ratioOf(found, floor),
      aim: { at_most: 1.5 },
    });
    figures.push(
      row('text and its rules by Folio', times.folio_text),
      row('text by bare PDFium', times.bare_text),
      ratio('text, Folio / bare', times.folio_text, times.bare_text),
      row('text and QRs by Folio, in its process', times.folio),
      row('text, drawings and a decoder, bare', times.bare),
      ratio('text and QRs, Folio / bare', times.folio, times.bare),
    );
  }
  return figures;
}

const tries = 3;
let refused = 0;

/** A file that took too much, maybe with what earlier ones left behind, is read again by a fresh process, as by the job. */
async function readTold(reader: ScanReader, bytes: Bytes, media_type: MediaType) {
  for (let at = 1; ; at++) {
    try {
      return await reader.read(bytes, media_type);
    } catch (error) {
      if (!(error instanceof ProcessFault) || at === tries) throw error;
      refused++;
    }
  }
}

async function readWhole(reader: ScanReader, bytes: Bytes, pages: number): Promise<void> {
  const read = await readTold(reader, bytes, 'application/pdf');
  if (read.method !== 'text' || read.pages !== pages)
    throw new WrongResult(`A PDF of ${pages} pages was read as ${read.method}, ${read.pages} pages.`);
}

/** What Folio adds to the text: its form, and what the rules read of it. In the process of the bench. */
async function readText(library: PDFiumLibrary, bytes: Bytes): Promise<void> {
  const document = await library.loadDocument(bytes);
  const { texts } = pdfTexts(document, 0);
  const { method } = readPageTexts({ pages: texts.length, texts, qrs: [] });
  document.destroy();
  if (method !== 'text') throw new WrongResult(`The text of a PDF was read as ${method}.`);
}

/** The pages that are drawn go to the decoder once each. In the process of the bench. */
async function readBare(library: PDFiumLibrary, bytes: Bytes, drawn_pages: number): Promise<void> {
  const document = await library.loadDocument(bytes);
  let length = 0;
  for (let at = 0; at < document.getPageCount(); at++) {
    const page = document.getPage(at);
    length += page.getText().length;
    if (at >= drawn_pages) continue;
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = drawn.dots / Math.max(originalWidth, originalHeight);
    const { width, height, data } = await page.render({ scale, render: 'bitmap' });
    const rgba = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
    jsQR.default(rgba, width, height, { inversionAttempts: 'dontInvert' });
  }
  document.destroy();
  if (length < 1000) throw new WrongResult('Bare PDFium found no text.');
}

const files = [
  { bytes: () => paperPdf(1), media_type: 'application/pdf' },
  { bytes: electronic, media_type: 'application/xml' },
  { bytes: () => paperPdf(50), media_type: 'application/pdf' },
  { bytes: () => fullPdf(15_000_000), media_type: 'application/pdf' },
  { bytes: photograph, media_type: 'image/png' },
] as const;

/** Of each reader the most that it ever held, seen after every file. */
async function followReaders(options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 100 : 1000;
  const most = new Map<number, number>();
  const reader = makeScanReader({}, () => {
    const child = startReading();
    // Before the pool hears the answer, which may end the process.
    child.on('message', () => {
      const peak = peakOf(child.pid!);
      if (peak !== null) most.set(child.pid!, Math.max(peak, most.get(child.pid!) ?? 0));
    });
    return child;
  });
  let next = 0;
  refused = 0;
  const one = async () => {
    while (next < count) {
      const { bytes, media_type } = files[next++ % files.length]!;
      await readTold(reader, bytes(), media_type);
    }
  };
  try {
    await Promise.all(Array.from({ length: reader.at_once }, one));
  } finally {
    await reader.close();
  }
  if (most.size === 0) return [];
  options.say(`${count} files read by ${most.size} processes.`);
  return [
    {
      part,
      what: `${count} files: took too much, and were read again`,
      unit: 'files',
      spread: spreadOf([refused]),
    },
    {
      part,
      what: `${count} files: most memory of a reader`,
      unit: 'MB',
      spread: spreadOf([Math.max(...most.values())]),
      aim: { at_most: 300 },
    },
  ];
}
