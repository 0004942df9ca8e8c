/** The compiler, native or WebAssembly, in the printing process. */
import type { DocumentFiles } from './document-files.ts';

export type EngineName = 'native' | 'wasm';

export type TypesetterParts = { templates: ReadonlyMap<string, string>; fonts: readonly Buffer[] };

export type Typesetter = {
  /**
   * Prints `/document.typ`, and forgets the files.
   * @throws CompilerFallen when it can print nothing more; any other Error has the compiler's own words
   */
  print(files: DocumentFiles, made_at: Date): Uint8Array;
};

/** The compiler stopped in the middle of its work. Its process is useless. */
export class CompilerFallen extends Error {}
