/**
 * A comment may cite only what every clone holds: an ADR or a page under docs/ that exists, a law, an RFC.
 * Names of pages that nobody with a clone can open are refused.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { report, root } from './source-files.ts';

const elsewhere = [
  /\bdecisions,? (?:section|sections)\b/i,
  // The authority publishes specifications, and so does OpenAPI.
  /(?<!authority's |OpenAPI )\bspecification\b/i,
  /\brequest path\b/i,
  /\bscale (?:rule|rules|page)\b/i,
  /\bstack(?:\.md|, section)/i,
  /\bVeriFactu facts\b/i,
  /\.\.\/shared\b/,
  /\b(?:house|house-next|surfaces|style|sales-families)\.md\b/,
];

/** Older than this check. An applied migration is never edited: the start refuses one that changed. */
const applied = /^migrations\/00(?:0\d|1[0-4])_/;

const folders = ['src', 'test', 'scripts', 'packages', 'bench', 'migrations', 'web'];
const kinds = ['.ts', '.tsx', '.css', '.cjs', '.sql', '.md', '.typ'];

/** For readers with a clone. */
const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'];

/**
 * @param repository its folder, or one laid out like it
 * @returns one line per violation, by file and line
 */
export function checkCitations(repository: string): string[] {
  const files = [...pages, ...folders.flatMap((folder) => filesIn(repository, folder))];
  return files
    .filter((file) => existsSync(join(repository, file)))
    .flatMap((file) => checkFile(repository, file));
}

function filesIn(repository: string, folder: string): string[] {
  if (!existsSync(join(repository, folder))) return [];
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => kinds.includes(extname(file)) && !/node_modules|\/golden\/|^web\/dist/.test(file))
    .filter((file) => !/^(?:scripts|test\/scripts)\/check-citations\b/.test(file) && !applied.test(file))
    .sort();
}

function checkFile(repository: string, file: string): string[] {
  const found: string[] = [];
  const lines = readFileSync(join(repository, file), 'utf8').split('\n');
  for (const [i, line] of lines.entries()) {
    const said = commentOf(line, file);
    if (said === undefined) continue;
    const say = (what: string) => found.push(`${file}:${i + 1} ${what}`);
    // A name may continue on the next line.
    const both = `${said} ${commentOf(lines[i + 1] ?? '', file) ?? ''}`;
    for (const pattern of elsewhere) {
      const match = pattern.exec(both);
      if (match && match.index < said.length) say(`cites "${match[0]}", which is not in the repository`);
    }
    for (const { 1: list = '', index } of both.matchAll(
      /\bADRs?[\s-]+(\d+(?:(?:,| and| or|, and)\s+\d+\b)*)/g,
    ))
      for (const [number] of index < said.length ? list.matchAll(/\d+/g) : [])
        if (!hasAdr(repository, number)) say(`cites ADR ${number}, which is not in docs/adr`);
    for (const [page] of said.matchAll(/\bdocs\/[\w/-]+(?:\.\w+)*\.(?:md|json)\b/g))
      if (!existsSync(join(repository, page))) say(`cites ${page}, which does not exist`);
  }
  return found;
}

/** The comment of a line; a page is all comment. */
function commentOf(line: string, file: string): string | undefined {
  if (file.endsWith('.md')) return line;
  if (file.endsWith('.sql')) return /--\s*(.*)/.exec(line)?.[1];
  const block = /^\s*(?:\/\*\*?|\*\/?)\s?(.*)/.exec(line)?.[1];
  return block ?? /(?:^|\s)\/\/+\s?(.*)/.exec(line)?.[1] ?? /\/\*\*?\s(.*)\*\//.exec(line)?.[1];
}

function hasAdr(repository: string, number: string): boolean {
  const folder = join(repository, 'docs/adr');
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => name.startsWith(`${number.padStart(4, '0')}-`));
}

if (import.meta.main) report(checkCitations(root));
