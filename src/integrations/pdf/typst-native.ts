/** Writes tagged PDF/A-3a. */
import { createRequire } from 'node:module';
import { declareAccessible } from './pdf-ua.ts';
import { entry } from './templates.ts';
import { CompilerFallen, type Typesetter, type TypesetterParts } from './typesetter.ts';

/** A place that cannot exist: only files in memory can be read from it. */
const root = '/dev/null/folio';

const packages = [
  '@myriaddreamin/typst-ts-node-compiler-linux-x64-gnu',
  '@myriaddreamin/typst-ts-node-compiler-linux-x64-musl',
];

type Compiler = {
  addSource(path: string, source: string): void;
  mapShadow(path: string, content: Buffer): void;
  unmapShadow(path: string): void;
  compile(options: { mainFilePath: string; resetRead: boolean }): Compiled;
  fetchDiagnostics(error: unknown): readonly { message: string; path: string }[];
  pdf(document: unknown, options: { pdfStandard: string; creationTimestamp: number }): Buffer;
  evictCache(age_max: number): void;
};
type Compiled = { hasError(): boolean; takeError(): unknown; result: unknown };
type Binding = {
  NodeCompiler: { create(options: { workspace: string; fontArgs: { fontBlobs: Buffer[] }[] }): Compiler };
};

/** The package of this platform, if installed. */
export function findNative(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  return packages.find((name) => {
    try {
      return resolve(name);
    } catch {
      return false;
    }
  });
}

export function loadNative(): Binding {
  const name = findNative();
  if (name === undefined) throw new Error('no native Typst for this platform');
  return createRequire(import.meta.url)(name) as Binding;
}

/**
 * @param standard `a-3a`, or another for tests
 * @throws Error where no library can be loaded
 */
export function makeNativeTypesetter({ templates, fonts }: TypesetterParts, standard = 'a-3a'): Typesetter {
  const { NodeCompiler } = loadNative();
  const compiler = NodeCompiler.create({ workspace: root, fontArgs: [{ fontBlobs: [...fonts] }] });
  for (const [path, source] of templates) compiler.addSource(`${root}${path}`, source);

  function compile(made_at: Date): Buffer {
    const creationTimestamp = Math.floor(made_at.getTime() / 1000);
    let compiled: Compiled;
    try {
      compiled = compiler.compile({ mainFilePath: `${root}${entry}`, resetRead: true });
      if (!compiled.hasError())
        return compiler.pdf(compiled.result, { pdfStandard: standard, creationTimestamp });
    } catch (error) {
      // In this form the compiler reports what the standard forbids. Anything else is its own fault.
      const is_said = error instanceof Error && error.message.startsWith('[SourceDiagnostic');
      throw is_said ? error : new CompilerFallen('fallen', { cause: error });
    }
    throw new Error(explain(compiler, compiled));
  }

  return {
    print(files, made_at) {
      for (const [path, bytes] of files) compiler.mapShadow(`${root}${path}`, Buffer.from(bytes));
      try {
        const pdf = compile(made_at);
        return standard === 'a-3a' ? declareAccessible(pdf) : pdf;
      } finally {
        for (const path of files.keys()) compiler.unmapShadow(`${root}${path}`);
        // Typst would keep what it knows of a document for ever. Another company could tell by the time what was printed before its own.
        compiler.evictCache(0);
      }
    },
  };
}

function explain(compiler: Compiler, compiled: Compiled): string {
  const found = compiler.fetchDiagnostics(compiled.takeError());
  return found.map(({ message, path }) => `${path.slice(root.length)}: ${message}`).join('; ');
}
