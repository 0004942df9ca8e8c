/** Shared by the checks of the source. */
import { readdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** TypeScript files, `.tsx` included, of a folder and those below it, as paths with slashes, sorted. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.split('/').includes('node_modules'))
    .sort();
}

/** The first line is 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** One line per violation. The process will end with 1. */
export function report(violations: readonly string[]): void {
  for (const line of violations) console.error(line);
  if (violations.length > 0) process.exitCode = 1;
}
