/**
 * Stores a contract's facts in one small file. Facts of one place (`get_invoice · 200 · application/json`) form a
 * block. A block that several places share is written once.
 */
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

type Packed = { blocks: string[]; places: Record<string, number> };

const mark = ' · ';

/** How many parts name a fact's place: operation, part of the call, media type of an answer. */
function placeLength(parts: readonly string[]): number {
  if (parts.length <= 2) return 1;
  return parts[2]?.includes('/') ? 3 : 2;
}

export function packFacts(facts: readonly string[]): Buffer {
  const by_place = Map.groupBy(facts, (fact) => {
    const parts = fact.split(mark);
    return parts.slice(0, placeLength(parts)).join(mark);
  });
  const blocks = new Map<string, number>();
  const places: Packed['places'] = {};
  for (const [place, members] of by_place) {
    const block = members.map((fact) => fact.slice(place.length + mark.length)).join('\n');
    if (!blocks.has(block)) blocks.set(block, blocks.size);
    places[place] = blocks.get(block) ?? 0;
  }
  return brotliCompressSync(JSON.stringify({ blocks: [...blocks.keys()], places } satisfies Packed));
}

export function unpackFacts(packed: Buffer): string[] {
  const { blocks, places } = JSON.parse(brotliDecompressSync(packed).toString('utf8')) as Packed;
  return Object.entries(places)
    .flatMap(([place, block]) => (blocks[block] ?? '').split('\n').map((rest) => `${place}${mark}${rest}`))
    .sort();
}
