import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const templateFolder = fileURLToPath(new URL('./templates', import.meta.url));

export const entry = '/document.typ';

/** @returns each template's text by its path from the root, in order of names */
export function readTemplates(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.typ'));
  return new Map(names.sort().map((name) => [`/${name}`, readFileSync(join(folder, name), 'utf8')]));
}
