/** Where PDFium finds the characters of a page, and which of them lie on others. */
import assert from 'node:assert/strict';
import type { PDFiumPage } from '@hyzyla/pdfium';
import { closePage } from '../../src/integrations/scans/pdf-texts.ts';
import { withPdf } from './pdfium.ts';

/** In points, from below and from the left. */
export type PlacedCharacter = {
  at: number;
  sign: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
};

type Module = {
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, at: number): number;
  _FPDFText_GetCharAngle(text: number, at: number): number;
  _FPDFText_GetCharBox(text: number, at: number, l: number, r: number, b: number, t: number): number;
  wasmExports: { malloc(bytes: number): number; free(address: number): void };
  HEAPU8: Uint8Array;
};

/** Of the letters that stand upright. Pale marks across the page lie under others on purpose. */
function charactersOf(page: PDFiumPage): PlacedCharacter[] {
  const { module, pageIdx } = page as unknown as { module: Module; pageIdx: number };
  const text = module._FPDFText_LoadPage(pageIdx);
  const box = module.wasmExports.malloc(32);
  const found: PlacedCharacter[] = [];
  for (let at = 0; at < module._FPDFText_CountChars(text); at++) {
    const sign = String.fromCodePoint(module._FPDFText_GetUnicode(text, at));
    if (/[\s\p{Z}\p{C}]/u.test(sign) || Math.abs(module._FPDFText_GetCharAngle(text, at)) > 0.1) continue;
    module._FPDFText_GetCharBox(text, at, box, box + 8, box + 16, box + 24);
    const [left, right, bottom, top] = new Float64Array(module.HEAPU8.buffer.slice(box, box + 32));
    found.push({ at, sign, left: left!, right: right!, bottom: bottom!, top: top! });
  }
  module.wasmExports.free(box);
  module._FPDFText_ClosePage(text);
  return found;
}

/** Letters of one word may lean over each other; those of two texts may not. */
const least = 0.4;

function liesOn(one: PlacedCharacter, other: PlacedCharacter): boolean {
  const shared = (from: 'left' | 'bottom', to: 'right' | 'top') =>
    (Math.min(one[to], other[to]) - Math.max(one[from], other[from])) /
    Math.min(one[to] - one[from], other[to] - other[from]);
  return (
    Math.abs(one.at - other.at) > 1 && shared('left', 'right') > least && shared('bottom', 'top') > least
  );
}

/** From below: what begins above the top of a character does not lie on it, nor does anything after that. */
function pairsThatLieOn(characters: readonly PlacedCharacter[]): [PlacedCharacter, PlacedCharacter][] {
  const from_below = characters.toSorted((one, other) => one.bottom - other.bottom);
  const pairs: [PlacedCharacter, PlacedCharacter][] = [];
  for (const [i, one] of from_below.entries()) {
    assert.ok(one.top >= one.bottom && one.right >= one.left, `${one.sign} has a box the right way round`);
    for (let next = i + 1; next < from_below.length && from_below[next]!.bottom < one.top; next++)
      if (liesOn(one, from_below[next]!)) pairs.push([one, from_below[next]!]);
  }
  return pairs;
}

/** @returns each page's number and two characters of which one lies on the other */
export function hiddenCharacters(pdf: Uint8Array): Promise<string[]> {
  return withPdf(pdf, (document) =>
    Array.from({ length: document.getPageCount() }, (_, index) => {
      const page = document.getPage(index);
      const characters = charactersOf(page);
      closePage(page);
      return pairsThatLieOn(characters).map(
        ([one, other]) => `page ${index + 1}: ${one.sign} and ${other.sign}`,
      );
    }).flat(),
  );
}
