/**
 * PDFium and libxml2 hold what they read in memories of their own, which grow and never shrink. One bound holds for all
 * of them together, so that no file takes more than a reader may, not even for a moment (ADR 58). Import this before
 * them.
 */

/** A reader with everything loaded has about 120 MB, and a file of 15 MB on its way takes three times its size. */
const bytesMax = 96 * 1024 * 1024;
const pageBytes = 65_536;

type Memory = { grow(this: Memory, pages: number): number };

const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } };
const { grow } = WebAssembly.Memory.prototype;
let grown = 0;
let is_refused = false;

Object.assign(WebAssembly.Memory.prototype, {
  grow(this: Memory, pages: number): number {
    if (grown + pages * pageBytes > bytesMax) {
      is_refused = true;
      throw new RangeError('A parser wants more memory than a reader has.');
    }
    grown += pages * pageBytes;
    return grow.call(this, pages);
  },
});

// They tell each refusal at length.
console.error = () => undefined;

/** After that, no parser of this process can be trusted. */
export function wasMemoryRefused(): boolean {
  return is_refused;
}
