/** For platforms without a native library. Its PDFs are tagged but not identified as PDF/A. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DocumentFiles } from './document-files.ts';
import { entry } from './templates.ts';
import { CompilerFallen, type Typesetter, type TypesetterParts } from './typesetter.ts';

export const wasmPackage = '@myriaddreamin/typst-ts-web-compiler';
const FULL = 1;

export async function makeWasmTypesetter({ templates, fonts }: TypesetterParts): Promise<Typesetter> {
  const { initSync, TypstCompilerBuilder } = await import('@myriaddreamin/typst-ts-web-compiler');
  initSync({ module: readFileSync(createRequire(import.meta.url).resolve(`${wasmPackage}/wasm`)) });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const font of fonts) await builder.add_raw_font(font);
  const compiler = await builder.build();
  for (const [path, source] of templates) compiler.add_source(path, source);

  function compile(made_at: Date): Uint8Array {
    const release = holdClock(made_at);
    try {
      const { result, diagnostics } = compiler.compile(entry, undefined, 'pdf', FULL) as Compiled;
      if (!result) throw JSON.stringify(diagnostics);
      return result;
    } catch (error) {
      // It throws a text for what is wrong with a document. An error is its own fault.
      throw typeof error === 'string' ? new Error(error) : new CompilerFallen('fallen', { cause: error });
    } finally {
      release();
    }
  }

  let mapped: DocumentFiles = new Map();
  return {
    print(files, made_at) {
      // Not after printing: a compiler that has fallen survives no further call.
      for (const path of mapped.keys()) compiler.unmap_shadow(path);
      mapped = files;
      for (const [path, bytes] of files) compiler.map_shadow(path, bytes);
      return compile(made_at);
    },
  };
}

type Compiled = { result?: Uint8Array; diagnostics?: unknown };

/** This compiler takes the file's date from the clock. */
function holdClock(at: Date): () => void {
  const { now } = Date;
  Date.now = () => at.getTime();
  return () => {
    Date.now = now;
  };
}
