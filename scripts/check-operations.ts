/**
 * The name of an operation leads to its file and its test. `approve_quote` is `approveQuote` in
 * `operations/approve-quote.ts`, or a shared verb makes it and a `*.operations.ts` names it. Its test lies
 * beside it, or a test of its module names it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../src/modules/catalog.ts';
import { personOperations } from '../src/modules/people/index.ts';
import { withoutComments } from './read-imports.ts';
import { lineOf, report, root, sourcesIn } from './source-files.ts';

/** The path begins with the module's name. */
type Source = { path: string; module: string; text: string };

/** Where `name: 'approve_quote'` stands. */
type Place = Source & { line: number; verb: string | undefined };

/**
 * @param names of all operations
 * @param modules the folder with one folder per module
 * @returns one line per violation, sorted
 */
export function checkOperations(names: readonly string[], modules: string): string[] {
  const files: Source[] = sourcesIn(modules)
    .filter((path) => path.includes('/'))
    .map((path) => ({
      path,
      module: path.split('/', 1)[0] ?? '',
      text: withoutComments(readFileSync(join(modules, path), 'utf8')),
    }));
  const sources = files.filter(({ path }) => !path.endsWith('.test.ts'));
  const tests = files.filter(({ path }) => path.endsWith('.test.ts'));
  return names.flatMap((name) => checkOperation(name, sources, tests)).sort();
}

function checkOperation(name: string, sources: readonly Source[], tests: readonly Source[]): string[] {
  const places = sources.flatMap((file) => placesOf(name, file));
  const place = places.find((at) => isHome(name, at));
  if (!place) return [homeFault(name, places[0])];
  const fault = (what: string) => [`src/modules/${place.path}:${place.line} ${what}`];
  const exported = camel(name);
  if (!new RegExp(`export const ${exported}\\b`).test(place.text))
    return fault(`${name} is not exported as ${exported}`);
  if (tests.some((test) => isTestOf(name, place, test))) return [];
  return fault(`${name} has no test: none lies beside it, and none in ${place.module} names it`);
}

function placesOf(name: string, file: Source): Place[] {
  return [...file.text.matchAll(new RegExp(`\\bname: '${name}'`, 'g'))].map(({ index }) => ({
    ...file,
    line: lineOf(file.text, index),
    verb: /= (\w+)\([^=]*$/.exec(file.text.slice(0, index))?.[1],
  }));
}

function isHome(name: string, { path, module }: Place): boolean {
  return path === `${module}/operations/${kebab(name)}.ts` || /^[^/]+\/[^/]+\.operations\.ts$/.test(path);
}

function homeFault(name: string, place: Place | undefined): string {
  if (!place) return `src/modules/catalog.ts:1 ${name} stands nowhere as name: '${name}'`;
  return `src/modules/${place.path}:${place.line} ${name} belongs in operations/${kebab(name)}.ts or in a *.operations.ts`;
}

/** Beside the operation or the verb that makes it, or a test of the module that names it in code. */
function isTestOf(name: string, { module, verb }: Place, test: Source): boolean {
  if (test.module !== module) return false;
  const beside = [
    kebab(name),
    ...(verb === undefined ? [] : [verb.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)]),
  ];
  if (beside.some((base) => test.path === `${module}/operations/${base}.test.ts`)) return true;
  return new RegExp(`\\b${name}\\b`).test(test.text);
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

if (import.meta.main) {
  report(
    checkOperations(
      [...catalog, ...personOperations].map(({ name }) => name),
      join(root, 'src/modules'),
    ),
  );
}
