import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { PrintedDocument, PrintedLine, PrintedLogo } from '../../domain/printing/printed-document.ts';
import { type PrintedPdf, PrinterLate } from '../../modules/pdfs/ports.ts';
import { readText } from '../../../test/support/pdf-reader.ts';
import { sampleLogos } from '../../../test/support/printed-sample-logos.ts';
import { printedSample } from '../../../test/support/printed-samples.ts';
import { coveredRanges } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { coveredCharacters } from './printable-text.ts';
import { makePrinter, type PrinterOptions } from './printer.ts';
import { startPrinting } from './printing-pool.ts';
import { templateFolder } from './templates.ts';

const engines = [true, false];
const warned: { why: string }[] = [];
const log = { warn: (details: object) => void warned.push(details as { why: string }) };
/** So long that no busy machine needs it. */
const seconds_max = 400;
const printers = engines.map((is_native) => makePrinter({ log, seconds_max, is_native }));
after(() => Promise.all(printers.map((printer) => printer.close())));

const { document: plain } = printedSample('a4-es');
const [line] = plain.lines as [PrintedLine];
const { document: ticket } = printedSample('ticket-58');
/** Prints quickly, for tests that do not depend on its parts. */
const small: PrintedDocument = { ...ticket, logo: null, qr: null, lines: ticket.lines.slice(0, 1) };
const saying = (...descriptions: string[]): PrintedDocument => ({
  ...plain,
  logo: null,
  lines: descriptions.map((description) => ({ ...line, description, details: [] })),
});
const hashOf = ({ bytes }: PrintedPdf) => createHash('sha256').update(bytes).digest('hex');
const joined = async ({ bytes }: PrintedPdf) => (await readText(bytes)).join('\n');

function open(t: TestContext, options: Partial<PrinterOptions>) {
  const printer = makePrinter({ log, seconds_max, ...options });
  t.after(() => printer.close());
  return printer;
}

for (const [i, printer] of printers.entries()) {
  const by = `by the engine ${printer.engine}`;

  test(`given a document, when two printers print it ${by}, then the bytes are the same`, async (t) => {
    const first = await printer.print(plain, 'a4');
    await printer.print(ticket, 'ticket_58');
    assert.equal(hashOf(await printer.print(plain, 'a4')), hashOf(first));
    const other = open(t, { is_native: engines[i]! });
    assert.equal(hashOf(await other.print(plain, 'a4')), hashOf(first));
    assert.notEqual(hashOf(await printer.print(plain, 'ticket_80')), hashOf(first));
  });

  test(`given texts that Typst would run, when they are printed ${by}, then they are there as they are`, async () => {
    const texts = [
      '#read("/etc/passwd")',
      '#import "@preview/cetz:0.3.0": *',
      '*a* _b_ `c` $d$ = e @f <g> // h',
      '", ) ] } #panic("x")',
      '\\u{41} \\n {{j}} %{k}',
    ];
    const printed = await joined(await printer.print(saying(...texts), 'a4'));
    for (const text of texts) assert.ok(printed.includes(text), text);
    assert.doesNotMatch(printed, /root:/);
  });

  test(`given characters that no font has, when they are printed ${by}, then a sign stands for each`, async () => {
    const odd = '中\u0000é\ud800\u200b😀\ue000\uffff\u{1fffe}ש\u0301';
    const printed = await joined(
      await printer.print(
        withTextsOf(plain, (text) => text + odd),
        'a4',
      ),
    );
    assert.ok(printed.includes('Azulejo'));
    // As PDFium writes U+FFFD.
    assert.match(printed, /\ufffd|\ufffe/);
    assert.doesNotMatch(printed, /中|😀|ש/u);
  });

  test(`given texts of great length or without a space, when they are printed ${by}, then all is there`, async () => {
    const word = 'ABCDEFGHIJ'.repeat(300);
    const document = { ...saying(word), notes: { title: word, text: word.repeat(3) } };
    const printed = (await joined(await printer.print(document, 'a4'))).replaceAll(/\s/g, '');
    // There are 1,200. Those that a page divides are not counted.
    assert.ok((printed.match(/ABCDEFGHIJ/g) ?? []).length >= 1180);
    await printer.print(
      { ...document, title: word, file_title: word, number: word, marks: [word] },
      'ticket_58',
    );
  });
}

test('given the longest texts without a place to break, when they are printed, then they cost about as much as words', async () => {
  const [printer] = printers as [(typeof printers)[number]];
  const bytesOf = async (text: string) => {
    const lines = Array.from({ length: 20 }, () => text.slice(0, 1000));
    return (await printer.print(saying(...lines), 'a4')).bytes.length;
  };
  const words = await bytesOf('palabra corriente '.repeat(60));
  for (const hostile of [
    'x'.repeat(1000),
    'a-'.repeat(500),
    '/a'.repeat(500),
    `${'m'.repeat(31)} `.repeat(32),
    '\n'.repeat(999),
    'ab\n'.repeat(333),
  ])
    assert.ok((await bytesOf(hostile)) < words * 5, hostile.slice(0, 40));
});

const photo = Buffer.from(sampleLogos.photo.base64, 'base64');
const jpeg = Buffer.from(sampleLogos.jpeg.base64, 'base64');
const spoiled = Buffer.from(photo);
spoiled.fill(0x55, 80, 400);
const huge = Buffer.from(photo);
huge.writeUInt32BE(30_000, 16);
huge.writeUInt32BE(30_000, 20);
/** Without the tables that reading its scan needs. */
const tableless = Buffer.concat([
  jpeg.subarray(0, jpeg.indexOf('ffdb', 0, 'hex')),
  jpeg.subarray(jpeg.indexOf('ffc0', 0, 'hex')),
]);
const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90">${inner}</svg>`);
const brokenLogos: [what: string, media_type: PrintedLogo['media_type'], bytes: Buffer][] = [
  ['no bytes', 'image/png', Buffer.alloc(0)],
  ['a PNG cut off', 'image/png', photo.subarray(0, photo.length >> 1)],
  ['a PNG whose picture is spoiled', 'image/png', spoiled],
  ['a PNG of 30,000 by 30,000', 'image/png', huge],
  ['a PNG said to be a JPEG', 'image/jpeg', photo],
  ['a JPEG said to be a PNG', 'image/png', jpeg],
  ['a JPEG cut off', 'image/jpeg', jpeg.subarray(0, jpeg.length >> 1)],
  ['a JPEG without its tables', 'image/jpeg', tableless],
  ['an SVG with a script, said to be a PNG', 'image/png', svg('<script>for(;;);</script>')],
  [
    'an SVG with a picture of a file, said to be a JPEG',
    'image/jpeg',
    svg('<image href="file:///etc/passwd"/>'),
  ],
];

const withoutLogo = new Map<unknown, Promise<PrintedPdf>>();
function printedWithoutLogo(printer: (typeof printers)[number]): Promise<PrintedPdf> {
  const printed = withoutLogo.get(printer) ?? printer.print(small, 'ticket_80');
  withoutLogo.set(printer, printed);
  return printed;
}

for (const [what, media_type, bytes] of brokenLogos) {
  test(`given ${what} as a logo, when it is printed, then the document has no logo, and the log says why`, async () => {
    const logo = { media_type, base64: bytes.toString('base64'), alternative_text: 'Logotipo' };
    for (const printer of printers) {
      const expected = await printedWithoutLogo(printer);
      warned.length = 0;
      const printed = await printer.print({ ...small, logo }, 'ticket_80');
      assert.deepEqual([hashOf(printed), printed.is_final], [hashOf(expected), true], printer.engine);
      assert.equal(warned.length, 1, printer.engine);
      assert.ok(warned[0]!.why.length > 0);
    }
  });
}

test('given every character that a font has, after a letter, when they are printed, then no document fails', async () => {
  const covered = readFonts().flatMap(([first]) => coveredRanges(first!));
  const all = coveredCharacters(covered).map((character) => `x${character}`);
  const rows = Array.from({ length: Math.ceil(all.length / 60) }, (_, i) =>
    all.slice(i * 60, i * 60 + 60).join(' '),
  );
  for (const printer of printers) {
    const printed = await joined(await printer.print(saying(...rows), 'a4'));
    assert.ok(printed.includes('xΩ'));
  }
  assert.ok(all.length > 3000);
});

test('given 200 documents at once, when they are printed, then all of them are', async (t) => {
  const printer = open(t, {});
  const pdfs = await Promise.all(
    Array.from({ length: 200 }, (_, i) => printer.print({ ...small, number: `T-${i}` }, 'ticket_80')),
  );
  for (const i of [0, 99, 199]) assert.ok((await joined(pdfs[i]!)).includes(`T-${i}`));
});

/**
 * One process at a time. Some are stopped as soon as they start, and never go on. Time passes for those alone: a busy
 * machine may take long to start another.
 */
function openStopping(t: TestContext, isStopped: (nth: number) => boolean) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stop = (child: ChildProcess) => {
    child.kill('SIGSTOP');
    // By then it has its request.
    setImmediate(() => t.mock.timers.tick(5000));
  };
  const started: ChildProcess[] = [];
  const printer = open(t, {
    processes_max: 1,
    seconds_max: 5,
    start(...given) {
      const child = startPrinting(...given);
      if (isStopped(started.push(child))) stop(child);
      return child;
    },
  });
  return { printer, started, stop };
}
const withLogo = { ...ticket, logo: sampleLogos.square };

test('given a process that is stopped, when a document with a logo is printed, then a fresh process prints it whole', async (t) => {
  const { printer, started, stop } = openStopping(t, () => false);
  const whole = await printer.print(withLogo, 'ticket_80');
  warned.length = 0;
  stop(started[0]!);
  const printed = await printer.print(withLogo, 'ticket_80');
  assert.deepEqual([hashOf(printed), printed.is_final], [hashOf(whole), true]);
  assert.deepEqual([warned.length, started.length], [0, 2]);
});

test('given a document without a logo in a stopped process, when its time is over, then the next request prints it', async (t) => {
  const { printer, started } = openStopping(t, (nth) => nth === 1);
  warned.length = 0;
  await assert.rejects(printer.print({ ...ticket, logo: null }, 'ticket_80'), PrinterLate);
  assert.match(warned[0]!.why, /not printed within 5 s/);
  assert.equal((await printer.print({ ...ticket, logo: null }, 'ticket_80')).is_final, true);
  assert.equal(started.length, 2);
});

test('given two processes that stop with a logo, when a third prints without it, then that PDF is not final', async (t) => {
  const without = await printers[0]!.print({ ...ticket, logo: null }, 'ticket_80');
  const whole = await printers[0]!.print(withLogo, 'ticket_80');
  const { printer } = openStopping(t, (nth) => nth <= 2);
  warned.length = 0;
  const printed = await printer.print(withLogo, 'ticket_80');
  assert.deepEqual([hashOf(printed), printed.is_final], [hashOf(without), false]);
  assert.match(warned[0]!.why, /not printed within 5 s/);
  const next = await printer.print(withLogo, 'ticket_80');
  assert.deepEqual([hashOf(next), next.is_final], [hashOf(whole), true]);
});

test('given processes that stop with and without the logo, then the next request prints the document whole', async (t) => {
  const { printer } = openStopping(t, (nth) => nth <= 3);
  await assert.rejects(printer.print(withLogo, 'ticket_80'), PrinterLate);
  assert.equal((await printer.print(withLogo, 'ticket_80')).is_final, true);
});

test('given other templates or another engine, when a printer is made, then its edition differs', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'folio-templates-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(templateFolder, folder, { recursive: true });
  const edition = (options: Partial<PrinterOptions>) => makePrinter({ log, ...options }).edition;
  assert.equal(edition({ templates: folder }), edition({ templates: folder }));
  assert.notEqual(edition({ templates: folder, is_native: false }), edition({ templates: folder }));
  const before = edition({ templates: folder });
  writeFileSync(join(folder, 'theme.typ'), '#let dark = black\n');
  assert.notEqual(edition({ templates: folder }), before);
});

test('given no native compiler, when a printer is made, then it says what is missing; with one it says nothing', () => {
  assert.deepEqual(
    printers.map(({ warnings }) => warnings.length),
    [0, 1],
  );
  assert.match(printers[1]!.warnings[0]!, /PDF\/A/);
});

/** Changes each text that people write. */
function withTextsOf(document: PrintedDocument, change: (text: string) => string): PrintedDocument {
  const fixed = new Set(['language', 'colour', 'logo', 'qr', 'made_at']);
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, fixed.has(name) ? item : changed(item)]),
    );
  };
  return changed(document) as PrintedDocument;
}
