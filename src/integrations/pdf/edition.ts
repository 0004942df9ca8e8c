/** Names what documents are printed with, so that a copy of before is not taken for one of now. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { families } from './fonts.ts';
import { readTemplates } from './templates.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Files that decide on bytes: those of this folder but of the processes, and of others the logo's and the QR's. */
const without = /\.test\.ts$|^(?:printer|printing-pool|printing-seat|print-process|edition)\.ts$/;
const elsewhere = ['../../domain/printing/logo-image.ts', '../../platform/qr-png.ts'];

/**
 * @param engine_package the compiler's
 * @param templates folder
 * @returns 16 characters, others as soon as templates, fonts, compiler, or what is made of a document for them change
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
