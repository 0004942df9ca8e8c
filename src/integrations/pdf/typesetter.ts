/** The compiler, in whichever of its two forms; each lives in the process that does nothing else. */
import type { DocumentFiles } from './document-files.ts';

export type EngineName = 'native' | 'wasm';

/** What is printed with: templates by their path from the root, and fonts. */
export type TypesetterParts = { templates: ReadonlyMap<string, string>; fonts: readonly Buffer[] };

export type Typesetter = {
  /**
   * Prints `/document.typ` with the files of one document, and forgets them.
   * @param made_at what the file gives as its own date
   * @throws CompilerFallen, after which it prints nothing more; any other Error says what the compiler says
   */
  print(files: DocumentFiles, made_at: Date): Uint8Array;
};

/** The compiler has stopped in the middle of its work, and its process is of no more use. */
export class CompilerFallen extends Error {}
