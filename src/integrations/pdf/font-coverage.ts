/** The characters of a TrueType font, from its `cmap` table (ISO/IEC 14496-22, 5.2.1). */

/** The format that covers all of Unicode, in groups of consecutive characters. */
const SEGMENTED_COVERAGE = 12;

export type CharacterRange = readonly [number, number];

/**
 * @param font bytes of a TrueType file
 * @returns ranges in order
 * @throws RangeError or Error for another file
 */
export function coveredRanges(font: Uint8Array): CharacterRange[] {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const at = findCoverage(view, findTable(view, 'cmap'));
  const ranges: CharacterRange[] = [];
  for (let i = 0, group = at + 16; i < view.getUint32(at + 12); i++, group += 12) {
    // Shape 0 is the empty box, so a group that begins with it lacks its first character.
    const from = view.getUint32(group) + (view.getUint32(group + 8) === 0 ? 1 : 0);
    const to = view.getUint32(group + 4);
    if (from <= to) ranges.push([from, to]);
  }
  return ranges;
}

function findTable(view: DataView, name: string): number {
  for (let i = 0, entry = 12; i < view.getUint16(4); i++, entry += 16) {
    if (nameAt(view, entry) === name) return view.getUint32(entry + 8);
  }
  throw new Error(`The font has no table ${name}.`);
}

function findCoverage(view: DataView, cmap: number): number {
  for (let i = 0, entry = cmap + 4; i < view.getUint16(cmap + 2); i++, entry += 8) {
    const at = cmap + view.getUint32(entry + 4);
    if (view.getUint16(at) === SEGMENTED_COVERAGE) return at;
  }
  throw new Error('The font does not say which characters of all Unicode it has.');
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));
}
