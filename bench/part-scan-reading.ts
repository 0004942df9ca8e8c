/** Part (q): what reading a paper costs against bare PDFium, and the memory of the readers over many files. */
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { ProcessFault } from '../src/integrations/processes/process-seat.ts';
import { startReading } from '../src/integrations/scans/reader-pool.ts';
import { makeScanReader, type ScanReader } from '../src/integrations/scans/scan-reader.ts';
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
      drawing: () => each((bytes) => readBare(library, bytes, drawn.pages)),
      text: () => each((bytes) => readBare(library, bytes, 0)),
    });
    figures.push(
      { part, what: `${what}: read by Folio`, unit: 'ms', spread: spreadOf(times.folio) },
      {
        part,
        what: `${what}: bare PDFium, text and three pages drawn`,
        unit: 'ms',
        spread: spreadOf(times.drawing),
      },
      { part, what: `${what}: bare PDFium, text alone`, unit: 'ms', spread: spreadOf(times.text) },
      {
        part,
        what: `${what}: Folio / bare PDFium that draws too`,
        unit: 'ratio',
        spread: ratioOf(times.folio, times.drawing),
        aim: { at_most: 1.5 },
      },
      {
        part,
        what: `${what}: Folio / bare text alone`,
        unit: 'ratio',
        spread: ratioOf(times.folio, times.text),
      },
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

/** In the process of the bench. */
async function readBare(library: PDFiumLibrary, bytes: Bytes, drawn_pages: number): Promise<void> {
  const document = await library.loadDocument(bytes);
  let length = 0;
  for (let at = 0; at < document.getPageCount(); at++) {
    const page = document.getPage(at);
    length += page.getText().length;
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = drawn.dots / Math.max(originalWidth, originalHeight);
    if (at < drawn_pages) await page.render({ scale, render: 'bitmap' });
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
