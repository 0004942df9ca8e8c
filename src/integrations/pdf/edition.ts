/** Names all that decides on the bytes of a PDF, so that an old copy is not taken for a new one. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { families } from './fonts.ts';
import { readTemplates } from './templates.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Files of this folder that do not decide on bytes: those of the processes. */
const without = /\.test\.ts$|^(?:printer|printing-pool|print-process|edition)\.ts$/;
const elsewhere = ['../../domain/printing/logo-image.ts', '../../platform/qr-png.ts'];

/**
 * @param engine_package the compiler's package
 * @returns 16 characters
 */
export function editionOf(engine_package: string, templates: string): string {
  const hash = createHash('sha256');
  for (const name of [engine_package, ...families.map((family) => family.package)]) {
    hash.update(`${name} ${versionOf(name)}\n`);
  }
  for (const [path, text] of readTemplates(templates)) hash.update(`${path} ${text.length}\n${text}`);
  const own = readdirSync(folder).filter((name) => name.endsWith('.ts') && !without.test(name));
  for (const name of [...own.sort(), ...elsewhere]) hash.update(readFileSync(join(folder, name)));
  return hash.digest('base64url').slice(0, 16);
}

function versionOf(name: string): string {
  const file = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
