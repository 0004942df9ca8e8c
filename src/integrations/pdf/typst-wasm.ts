/** Typst as WebAssembly, for the platforms that have no native library: the same pages, tagged, without the identifier of PDF/A. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { entry } from './templates.ts';
import type { Typesetter, TypesetterParts } from './typesetter.ts';

export const wasmPackage = '@myriaddreamin/typst-ts-web-compiler';
/** Of diagnostics: as objects. */
const FULL = 1;

export async function makeWasmTypesetter({ templates, fonts }: TypesetterParts): Promise<Typesetter> {
  const { initSync, TypstCompilerBuilder } = await import('@myriaddreamin/typst-ts-web-compiler');
  initSync({ module: readFileSync(createRequire(import.meta.url).resolve(`${wasmPackage}/wasm`)) });
  const builder = new TypstCompilerBuilder();
  builder.set_dummy_access_model();
  for (const font of fonts) await builder.add_raw_font(font);
  const compiler = await builder.build();
  return {
    print(files, made_at) {
      for (const [path, source] of templates) compiler.add_source(path, source);
      for (const [path, bytes] of files) compiler.map_shadow(path, bytes);
      const release = holdClock(made_at);
      try {
        const { result, diagnostics } = compiler.compile(entry, undefined, 'pdf', FULL) as Compiled;
        if (!result) throw new Error(JSON.stringify(diagnostics));
        return result;
      } finally {
        release();
        for (const path of files.keys()) compiler.unmap_shadow(path);
        compiler.reset();
      }
    },
  };
}

type Compiled = { result?: Uint8Array; diagnostics?: unknown };

/** This form of the compiler takes the file's date from the clock, and has no parameter for it. */
function holdClock(at: Date): () => void {
  const { now } = Date;
  Date.now = () => at.getTime();
  return () => {
    Date.now = now;
  };
}
