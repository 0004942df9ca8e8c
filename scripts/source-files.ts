/** What the checks of the source share: which files there are, where in a file something stands, how violations are told. */
import { readdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The TypeScript files of a folder and the folders below it, by path with slashes, sorted. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.split('/').includes('node_modules'))
    .sort();
}

/** The line of a place in a text; the first is 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Prints one line for each violation; the process then ends with 1. */
export function report(violations: readonly string[]): void {
  for (const line of violations) console.error(line);
  if (violations.length > 0) process.exitCode = 1;
}
