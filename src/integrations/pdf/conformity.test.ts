/** PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1), as far as we can tell without veraPDF. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type PdfFile, readPdf, readText } from '../../../test/support/pdf-reader.ts';
import { printedFamilies } from '../../../test/support/printed-families.ts';
import { type PrintedSample, printedSample, printedSamples } from '../../../test/support/printed-samples.ts';
import { documentFiles } from './document-files.ts';
import { coveredRanges } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { makePrintableText } from './printable-text.ts';
import { makePrinter } from './printer.ts';
import { readTemplates, templateFolder } from './templates.ts';
import { findNative, makeNativeTypesetter } from './typst-native.ts';

const log = {
  warn: (details: object, message: string) => assert.fail(`${message} ${JSON.stringify(details)}`),
};
const skip = findNative() === undefined && 'there is no native Typst for this platform';
/** So long that no busy machine needs it. */
const seconds_max = 400;
const native = makePrinter({ log, seconds_max });
const wasm = makePrinter({ log, seconds_max, is_native: false });
const folder = mkdtempSync(join(tmpdir(), 'folio-pdf-'));

after(async () => {
  await Promise.all([native.close(), wasm.close()]);
  rmSync(folder, { recursive: true });
});

const printed = new Map<string, Uint8Array>();
if (!skip)
  for (const { name, document, format } of printedSamples)
    printed.set(name, (await native.print(document, format)).bytes);

let read: (PrintedSample & { file: PdfFile })[] | undefined;
function files() {
  read ??= printedSamples.map((sample) => ({ ...sample, file: readPdf(printed.get(sample.name)!) }));
  return read;
}

const catalogOf = (file: PdfFile) => file.follow(file.trailer, 'Root').text;
const metadataOf = (file: PdfFile) => file.follow(catalogOf(file), 'Metadata').stream!.toString('utf8');

test('given every sample, when it is printed, then the file says that it is PDF/A-3a and PDF/UA-1', {
  skip,
}, () => {
  for (const { name, file, document } of files()) {
    const metadata = metadataOf(file);
    assert.match(metadata, /<pdfaid:part>3<\/pdfaid:part><pdfaid:conformance>A</, name);
    assert.match(metadata, /<pdfuaid:part>1<\/pdfuaid:part>/, name);
    assert.match(metadata, /<pdfaSchema:prefix>pdfuaid<\/pdfaSchema:prefix>/, name);
    const title = /<dc:title>.*?<rdf:li[^>]*>(.*?)<\/rdf:li>/.exec(metadata)?.[1];
    assert.equal(title, document.file_title, name);
    const made_at = `${document.made_at.slice(0, 19)}+00:00`;
    assert.ok(metadata.includes(`<xmp:CreateDate>${made_at}<`), `${name}: ${made_at}`);
    const made = document.made_at.slice(0, 19).replaceAll(/\D/g, '');
    assert.ok(file.follow(file.trailer, 'Info').text.includes(`/CreationDate (D:${made}`), name);
  }
});

test('given every sample, when it is printed, then colours, language, structure and title are there', {
  skip,
}, () => {
  for (const { name, file, document } of files()) {
    const catalog = catalogOf(file);
    assert.match(catalog, new RegExp(`/Lang \\(${document.language}\\)`), name);
    assert.match(catalog, /\/MarkInfo <<\s*\/Marked true\s*\/Suspects false/, name);
    assert.match(catalog, /\/ViewerPreferences <<\s*\/DisplayDocTitle true/, name);
    assert.match(file.follow(catalog, 'StructTreeRoot').text, /\/ParentTree/, name);
    const [, number] = /^\[(\d+) 0 R\]$/.exec(file.follow(catalog, 'OutputIntents').text.trim()) ?? [];
    const intent = file.objects.get(Number(number))!.text;
    assert.match(intent, /\/S \/GTS_PDFA1/, name);
    assert.match(file.follow(intent, 'DestOutputProfile').text, /\/N 3/, name);
    for (const { text } of file.objects.values()) {
      if (/\/S \/Figure\b/.test(text)) assert.match(text, /\/Alt \(/, `${name}: ${text}`);
    }
  }
});

test('given every sample, when it is printed, then its fonts are our own and within the file, with their characters', {
  skip,
}, () => {
  for (const { name, file } of files()) {
    const all = [...file.objects.values()].map(({ text }) => text);
    const fonts = all.filter((text) => /\/Type \/Font\b/.test(text) && text.includes('/DescendantFonts'));
    const simple = all.filter(
      (text) => /\/Type \/Font\b/.test(text) && /\/Subtype \/(?:Type1|TrueType|Type3)\b/.test(text),
    );
    assert.ok(fonts.length > 0, name);
    assert.deepEqual(simple, [], name);
    for (const font of fonts) {
      assert.match(font, /\/BaseFont \/[A-Z]{6}\+(?:Inter|NotoSans)-/, name);
      assert.match(file.follow(font, 'ToUnicode').stream!.toString('latin1'), /beginbf(?:char|range)/, name);
    }
    const descriptors = all.filter((text) => /\/Type \/FontDescriptor\b/.test(text));
    assert.equal(descriptors.length, fonts.length, name);
    for (const descriptor of descriptors) assert.match(descriptor, /\/FontFile[23] \d+ 0 R/, name);
  }
});

test('given every sample, when it is printed, then nothing in it runs, and it opens only addresses', {
  skip,
}, () => {
  for (const { name, file } of files()) {
    for (const { text } of file.objects.values()) {
      assert.doesNotMatch(
        text,
        /\/(?:JS|JavaScript|Launch|OpenAction|AA|SubmitForm|GoToR|EmbeddedFile|RichMedia)\b/,
        name,
      );
      const actions = [...text.matchAll(/\/Type \/Action\s+\/S \/(\w+)/g)].map(([, kind]) => kind);
      assert.ok(
        actions.every((kind) => kind === 'URI'),
        `${name}: ${actions}`,
      );
    }
  }
});

test('given every sample, when the compiler checks it as PDF/UA-1, then it has nothing against it', {
  skip,
}, () => {
  const fonts = readFonts();
  const parts = { templates: readTemplates(templateFolder), fonts: fonts.flat() };
  const printable = makePrintableText(fonts.flatMap(([first]) => coveredRanges(first!)));
  const typesetter = makeNativeTypesetter(parts, 'ua-1');
  for (const { name, document, format } of [...printedSamples, ...printedFamilies]) {
    const { files } = documentFiles(document, format, printable);
    const pdf = typesetter.print(files, new Date(document.made_at));
    assert.match(metadataOf(readPdf(pdf)), /<pdfuaid:part>1</, name);
  }
});

/** The other engine is slow. Together, these samples have every part of a page. */
const inBoth = ['a4-es', 'a4-names', 'a4-long-texts', 'a4-other-scripts', 'ticket-80-long', 'ticket-58-long'];

test('given samples, when both engines print them, then the pages say the same', { skip }, async () => {
  for (const { name, document, format } of inBoth.map(printedSample)) {
    const { bytes: pdf } = await wasm.print(document, format);
    assert.deepEqual(await readText(pdf), await readText(printed.get(name)!), name);
    assert.doesNotMatch(metadataOf(readPdf(pdf)), /pdfaid|pdfuaid/, name);
  }
});

const qpdf = spawnSync('qpdf', ['--version']).error === undefined;
test('given every sample, when qpdf checks it, then the file is whole', {
  skip: skip || (!qpdf && 'qpdf is not installed'),
}, () => {
  for (const [name, pdf] of printed) {
    const path = join(folder, `${name}.pdf`);
    writeFileSync(path, pdf);
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
    assert.equal(status, 0, `${name}: ${stdout}${stderr}`);
  }
});

const pdffonts = spawnSync('pdffonts', ['-v']).error === undefined;
test('given every sample, when pdffonts lists it, then each font is embedded, a subset, and in Unicode', {
  skip: skip || (!pdffonts && 'pdffonts is not installed'),
}, () => {
  for (const [name, pdf] of printed) {
    const { stdout } = spawnSync('pdffonts', ['-'], { input: pdf, encoding: 'utf8' });
    const rows = stdout.trim().split('\n').slice(2);
    assert.ok(rows.length > 0, name);
    for (const row of rows) assert.match(row, /\byes yes yes +\d+ +0$/, `${name}: ${row}`);
  }
});
