/** Part (k): time per page against the bare compiler, and memory over thousands of pages. */
import { execFileSync } from 'node:child_process';
import type { PrintedDocument, PrintedFormat } from '../src/domain/printing/printed-document.ts';
import { readFonts } from '../src/integrations/pdf/fonts.ts';
import { makePrinter, type Printer } from '../src/integrations/pdf/printer.ts';
import { entry, readTemplates, templateFolder } from '../src/integrations/pdf/templates.ts';
import { findNative, loadNative } from '../src/integrations/pdf/typst-native.ts';
import { qrMatrix } from '../src/platform/qr-png.ts';
import { printedFamily } from '../test/support/printed-families.ts';
import { printedSample } from '../test/support/printed-samples.ts';
import { WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(k) printing';

const { document: invoice } = printedSample('a4-es');
const documents: Record<string, { document: PrintedDocument; count: number }> = {
  'one line': { document: { ...invoice, lines: invoice.lines.slice(0, 1) }, count: 100 },
  '200 lines': { document: printedSample('a4-200-lines').document, count: 12 },
  'a delivery note': { document: printedFamily('a4-delivery-note'), count: 100 },
};

let made = 0;

/** With another QR, so that a cache cannot help. */
function another({ qr, ...document }: PrintedDocument): PrintedDocument {
  const number = `B2026-${String(++made).padStart(5, '0')}`;
  return {
    ...document,
    number,
    file_title: `Factura ${number}`,
    lines: document.lines.map((line) => ({ ...line, description: `${line.description} ${made}` })),
    qr: qr && { ...qr, url: qr.url.replace(/numserie=[^&]*/, `numserie=${number}`) },
  };
}

export async function measurePrinting(options: BenchOptions): Promise<Figure[]> {
  const printer = makePrinter({ log: { warn: (_, message) => fault(message) } });
  try {
    return [
      ...(await comparePages(printer, options)),
      await timeFirst(options),
      ...(await followMemory(printer, options)),
    ];
  } finally {
    await printer.close();
  }
}

async function comparePages(printer: Printer, options: BenchOptions): Promise<Figure[]> {
  const bare = findNative() === undefined ? undefined : makeBare();
  if (!bare)
    options.say('No native Typst here: printing is measured with WebAssembly, and without its floor.');
  const figures: Figure[] = [];
  for (const [what, { document, count }] of Object.entries(documents)) {
    const pages = pagesOf((await printer.print(document, 'a4')).bytes);
    const each = async (print: (document: PrintedDocument) => unknown) => {
      const ones = Array.from({ length: Math.ceil(count * options.scale) }, () => another(document));
      const started = performance.now();
      for (const one of ones) await print(one);
      return (performance.now() - started) / (ones.length * pages);
    };
    const times = await interleave(options.rounds, {
      folio: () => each((one) => printer.print(one, 'a4')),
      bare: async () => (bare ? each(bare) : 1),
    });
    figures.push({ part, what: `${what}: a page, Folio`, unit: 'ms', spread: spreadOf(times.folio) });
    if (!bare) continue;
    figures.push(
      { part, what: `${what}: a page, bare compiler`, unit: 'ms', spread: spreadOf(times.bare) },
      {
        part,
        what: `${what}: Folio / bare compiler`,
        unit: 'ratio',
        spread: ratioOf(times.folio, times.bare),
        aim: { at_most: 1.3 },
      },
    );
  }
  return figures;
}

/** Process, compiler and fonts included. */
async function timeFirst(options: BenchOptions): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const printer = makePrinter({ log: { warn: (_, message) => fault(message) } });
    const started = performance.now();
    await printer.print(documents['one line']!.document, 'a4');
    times.push(performance.now() - started);
    await printer.close();
  }
  return { part, what: 'the first document, with its process', unit: 'ms', spread: spreadOf(times) };
}

/** Same templates, fonts and content; no queue, no checks. */
function makeBare(): (document: PrintedDocument) => Uint8Array {
  const { NodeCompiler } = loadNative();
  const compiler = NodeCompiler.create({
    workspace: '/dev/null/bare',
    fontArgs: [{ fontBlobs: readFonts().flat() }],
  });
  for (const [path, text] of readTemplates(templateFolder)) compiler.addSource(`/dev/null/bare${path}`, text);
  return ({ logo, qr, ...document }) => {
    const files = { logo_file: logo && '/logo.png', signature_file: null };
    const said = { ...document, qr, qr_modules: qr && qrRows(qr.url), format: 'a4', logo, ...files };
    compiler.mapShadow('/dev/null/bare/document.json', Buffer.from(JSON.stringify(said)));
    if (logo) compiler.mapShadow('/dev/null/bare/logo.png', Buffer.from(logo.base64, 'base64'));
    const compiled = compiler.compile({ mainFilePath: `/dev/null/bare${entry}`, resetRead: true });
    if (compiled.hasError()) fault('the bare compiler could not compile');
    const pdf = compiler.pdf(compiled.result, { pdfStandard: 'a-3a', creationTimestamp: 0 });
    compiler.evictCache(0);
    return pdf;
  };
}

function qrRows(url: string): string[] {
  const { size, modules } = qrMatrix(url);
  return Array.from({ length: size }, (_, row) => modules.subarray(row * size, (row + 1) * size).join(''));
}

/** After a tenth, and at the end. */
async function followMemory(printer: Printer, options: BenchOptions): Promise<Figure[]> {
  const pages_max = options.is_quick ? 500 : 5_000;
  const kinds: [PrintedDocument, PrintedFormat][] = [
    ...Array.from({ length: 8 }, (): [PrintedDocument, PrintedFormat] => [
      documents['one line']!.document,
      'a4',
    ]),
    [printedSample('ticket-80').document, 'ticket_80'],
    [printedSample('ticket-58').document, 'ticket_58'],
    [documents['200 lines']!.document, 'a4'],
  ];
  const seen: number[] = [];
  const started = performance.now();
  let pages = 0;
  for (let tenth = 1; tenth <= 10; tenth++) {
    const before_idle: number[] = [];
    while (pages < (pages_max * tenth) / 10) {
      const pdfs = await Promise.all(
        kinds.map(([document, format]) => printer.print(another(document), format)),
      );
      for (const { bytes } of pdfs) pages += pagesOf(bytes);
      before_idle.push(residentMegabytes());
    }
    seen.push(Math.max(...before_idle));
  }
  const seconds = (performance.now() - started) / 1000;
  options.say(
    `${pages} pages printed in ${Math.round(seconds)} s; memory by tenths: ${seen.map(Math.round).join(', ')} MB.`,
  );
  const what = `memory of the processes that print, ${pages_max} pages`;
  const early = Math.max(...seen.slice(0, 2));
  return [
    { part, what: `${what}: most`, unit: 'MB', spread: spreadOf(seen) },
    {
      part,
      what: `${what}: last fifth / first fifth`,
      unit: 'ratio',
      spread: spreadOf([Math.max(...seen.slice(-2)) / early]),
      aim: { at_most: 1.25 },
    },
  ];
}

/** Of all processes that print for this one. */
function residentMegabytes(): number {
  const rows = execFileSync('ps', ['-eo', 'ppid=,rss=,args='], { encoding: 'utf8' }).split('\n');
  const own = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([ppid, , ...args]) => {
      return Number(ppid) === process.pid && args.some((arg) => arg.endsWith('print-process.ts'));
    });
  return own.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1024;
}

function pagesOf(pdf: Uint8Array): number {
  const count = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
    .toString('latin1')
    .match(/\/Type \/Page\b/g);
  return count ? count.length : fault('a PDF without pages');
}

function fault(message: string): never {
  throw new WrongResult(`Printing: ${message}.`);
}
