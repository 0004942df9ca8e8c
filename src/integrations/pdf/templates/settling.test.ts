/**
 * The pages ask the document where its lines, totals and signature stand, and are set anew by the answer. The compiler
 * gives up after five attempts, with no more than a warning.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedFamily } from '../../../../test/support/printed-families.ts';
import { printedSample } from '../../../../test/support/printed-samples.ts';
import type { PrintedDocument } from '../../../domain/printing/printed-document.ts';
import { documentFiles } from '../document-files.ts';
import { readFonts } from '../fonts.ts';
import { readTemplates, templateFolder } from '../templates.ts';
import { findNative, loadNative } from '../typst-native.ts';

const skip = findNative() === undefined && 'there is no native Typst for this platform';
const root = '/dev/null/folio';
type Warned = { hasError(): boolean; takeWarnings(): object | null };

/** @returns for a document whether the compiler is content with it */
function makeSettling(sources: ReadonlyMap<string, string>): (document: PrintedDocument) => boolean {
  const fonts = readFonts().flat();
  const compiler = loadNative().NodeCompiler.create({ workspace: root, fontArgs: [{ fontBlobs: fonts }] });
  for (const [path, source] of sources) compiler.addSource(`${root}${path}`, source);
  return (document) => {
    const { files } = documentFiles(document, 'a4', (text) => text);
    for (const [path, bytes] of files) compiler.mapShadow(`${root}${path}`, Buffer.from(bytes));
    const compiled = compiler.compile({ mainFilePath: `${root}/document.typ`, resetRead: true });
    compiler.evictCache(0);
    assert.ok(!compiled.hasError());
    return (compiled as unknown as Warned).takeWarnings() === null;
  };
}

/** The same numbers in each run: 0 up to, but not, `below`. */
function makeNumbers(seed: number): (below: number) => number {
  let at = seed;
  return (below) => {
    at = (at * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((at / 2 ** 31) * below);
  };
}

function madeBy(number: (below: number) => number): PrintedDocument {
  const base = number(2) ? printedFamily('a4-delivery-note') : printedSample('a4-es').document;
  const some = (count: number) => 'Revisión anual de la instalación. '.repeat(number(count));
  const lines = Array.from({ length: 1 + number(40) }, (_, i) => ({
    ...base.lines[i % base.lines.length]!,
    description: `Cosa ${i}. ${number(6) ? '' : some(40)}`,
    ...(number(6) ? {} : { heading: `Albarán ${i}` }),
  }));
  const [row] = printedSample('a4-twelve-rates').document.breakdown.rows;
  const rows = Array.from({ length: number(3) * number(14) }, () => row!);
  return {
    ...base,
    lines,
    logo: null,
    breakdown: { ...base.breakdown, rows },
    mentions: Array.from({ length: number(4) }, () => `Mención. ${some(4)}`),
    notes: number(2) ? null : { title: 'Observaciones', text: `Nota. ${some(30)}` },
    registry_data: `Registro Mercantil. ${some(8)}`,
  };
}

test('given documents of any length, when they are set, then their pages come to rest', { skip }, () => {
  const settles = makeSettling(readTemplates(templateFolder));
  const number = makeNumbers(18);
  for (let i = 0; i < 20; i++) {
    const document = madeBy(number);
    assert.ok(settles(document), `document ${i} of ${document.lines.length} lines`);
  }
});

test('given pages that undo their own reason, when they are set, then this is noticed', { skip }, () => {
  const source = '#context if query(<mark>).len() == 0 [#metadata(none)<mark>]';
  const settles = makeSettling(new Map([['/document.typ', source]]));
  assert.ok(!settles(printedSample('a4-es').document));
});
