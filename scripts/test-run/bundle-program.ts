/** One file of a program and all that it imports: a process that loads it starts half a second of processor time sooner. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** They look for files beside their own. Of pino and fastify, which can do so too, a service uses nothing that does. */
const leftOut = /^(?:libxml2-wasm|@hyzyla\/|@myriaddreamin\/|@expo-google-fonts\/)/;

const dayMs = 86_400_000;

/**
 * Each module still finds the files beside its source.
 * @param dir under `node_modules`, for the packages that stay outside
 * @returns the bundle's path, which its content names: what was compiled of it is found again, and two runs at once share it
 */
export async function bundleProgram(root: string, program: string, dir: string): Promise<string> {
  const bundle = await rolldown({
    input: join(root, program),
    platform: 'node',
    transform: { target: 'node24' },
    external: leftOut,
    plugins: [
      { name: 'places of sources', transform: { filter: { code: 'import.meta.' }, handler: placed } },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const { code } = output[0];
  const path = join(dir, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(dir, { recursive: true });
  for (const old of readdirSync(dir)) {
    const kept = join(dir, old);
    if (Date.now() - statSync(kept).mtimeMs > dayMs) rmSync(kept, { force: true });
  }
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, code);
  renameSync(beside, path);
  return path;
}

function placed(code: string, path: string): string {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
}
