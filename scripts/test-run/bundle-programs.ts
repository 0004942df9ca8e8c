/**
 * Programs in some seventy files instead of a thousand: a service starts from them with a third of a second less processor time.
 * Programs share files, and what a command loads late it still loads late.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { inAscii } from './in-ascii.ts';

/** They look for files beside their own. So do parts of pino and fastify, which a service does not use. */
const leftOut = /^(?:libxml2-wasm|@hyzyla\/|@myriaddreamin\/|@expo-google-fonts\/)/;

const dayMs = 86_400_000;

/**
 * Each module still finds the files beside its source.
 * @param programs paths under `root` by name
 * @param dir under `node_modules`, for the packages that stay outside
 * @returns paths by name. Their folder is named by what it holds: what was compiled of it is found again, and two runs at once
 *   share it
 */
export async function bundlePrograms<Name extends string>(
  root: string,
  programs: Readonly<Record<Name, string>>,
  dir: string,
): Promise<Record<Name, string>> {
  const names = Object.keys(programs) as Name[];
  const started = new Map(names.map((name) => [join(root, programs[name]), `${name}.mjs`]));
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(root, programs[name])])),
    platform: 'node',
    transform: { target: 'node24' },
    external: leftOut,
    // A bundle has few files, and none that needs what finds single sources.
    resolve: { alias: { '../quick-loading.cjs': join(root, 'test/support/quick-chunks.ts') } },
    plugins: [
      {
        name: 'places of sources',
        transform: {
          filter: { code: /import\.meta\.|__dirname/ },
          handler: (code, path) => placed(code, path, started),
        },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  const files = output.flatMap((one) =>
    one.type === 'chunk' ? [[one.fileName, inAscii(one.code)] as const] : [],
  );
  const hash = files.reduce((sum, [name, code]) => sum.update(`${name}\n${code}\n`), createHash('sha256'));
  const folder = join(dir, hash.digest('hex').slice(0, 16));
  if (!existsSync(folder)) {
    removeOld(dir);
    writeFolder(folder, files);
  }
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)])) as Record<Name, string>;
}

function removeOld(dir: string): void {
  mkdirSync(dir, { recursive: true });
  for (const old of readdirSync(dir)) {
    const kept = join(dir, old);
    if (Date.now() - statSync(kept).mtimeMs > dayMs) rmSync(kept, { recursive: true, force: true });
  }
}

/** Whole or not at all. */
function writeFolder(folder: string, files: readonly (readonly [name: string, code: string])[]): void {
  const beside = `${folder}.${process.pid}`;
  mkdirSync(beside);
  for (const [name, code] of files) writeFileSync(join(beside, name), code);
  try {
    renameSync(beside, folder);
  } catch (error) {
    // Another run was first.
    rmSync(beside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * What a module says of its own place becomes the place of its source. In a bundle CommonJS has no `__dirname`.
 * @param started programs that stand beside the code, by the paths of their sources
 */
function placed(code: string, path: string, started: ReadonlyMap<string, string>): string {
  const url = JSON.stringify(pathToFileURL(path).href);
  const places = /new URL\('([^']+)', import\.meta\.url\)|import\.meta\.(url|dirname)|\b__dirname\b/g;
  return code.replace(places, (_, source?: string, member?: string) => {
    if (source === undefined) return member === 'url' ? url : JSON.stringify(dirname(path));
    const beside = started.get(join(dirname(path), source));
    return beside ? `new URL('./${beside}', import.meta.url)` : `new URL('${source}', ${url})`;
  });
}
