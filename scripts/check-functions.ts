/**
 * A function has at most 100 lines, from its first to its last. Blank lines, parameters, comments and functions within count:
 * a reader passes them all.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { Visitor } from 'rolldown/utils';
import { parseAst } from 'rolldown/parseAst';
import { lineOf, report, root } from './source-files.ts';

const linesMax = 100;
const folders = ['src', 'test', 'scripts', 'packages', 'bench', 'web'];
/** By the ending of a file, how it is read. */
const languages: Readonly<Record<string, 'ts' | 'tsx' | 'js'>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.cjs': 'js',
  '.mjs': 'js',
};

/**
 * @param repository its folder, or one laid out like it
 * @returns one line per violation, by file and line
 */
export function checkFunctions(repository: string): string[] {
  return folders
    .flatMap((folder) => filesIn(repository, folder))
    .flatMap((file) => checkFile(file, readFileSync(join(repository, file), 'utf8')));
}

function filesIn(repository: string, folder: string): string[] {
  const place = join(repository, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .filter((file) => extname(file) in languages && !/(?:^|\/)(?:node_modules|dist(?:-[^/]*)?)\//.test(file))
    .sort();
}

function checkFile(file: string, text: string): string[] {
  const found: string[] = [];
  const look = ({ start, end }: { start: number; end: number }) => {
    const first = lineOf(text, start);
    const lines = lineOf(text, end) - first + 1;
    if (lines > linesMax) found.push(`${file}:${first} has a function of ${lines} lines`);
  };
  const lang = languages[extname(file)]!;
  const program = parseAst(text, { lang, sourceType: file.endsWith('.cjs') ? 'commonjs' : 'module' });
  new Visitor({
    FunctionDeclaration: look,
    FunctionExpression: look,
    ArrowFunctionExpression: look,
  }).visit(program);
  return found;
}

if (import.meta.main) report(checkFunctions(root));
