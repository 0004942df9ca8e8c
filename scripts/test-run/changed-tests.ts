/**
 * Chooses the tests that a change touches: they reach a changed file by imports, or by a file or folder that
 * a string names. A test of a module stands for the whole module, which it calls through the service. Past
 * the files that assemble the service (`src/main`, the lists of `src/modules`, the harness) no module is
 * entered; else any change would touch all tests that call the service.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { readImports, withoutComments } from '../read-imports.ts';

export type Choice = {
  changed: readonly string[];
  tests: string[];
  /** Tests that reach the change only through the assembled service. */
  beyond: string[];
};

/** A change here may concern any test. */
const everything = /^(package(-lock)?\.json|migrations\/.*|scripts\/test\.ts|scripts\/test-run\/.*)$/;

const sources = '{src,test,scripts,packages,web}/**/*.{ts,tsx}';
/** Where the service is assembled, for use or for tests. */
const assembly = /^(src\/main\/.*|src\/modules\/[^/]+\.ts|test\/harness\.ts)$/;

/** They show or read what is built of web/. */
const ofDashboard =
  /^(test\/scenarios\/dashboard-[^/]*|test\/scripts\/build-web|src\/surfaces\/dashboard\/weights)\.test\.ts$/;

/** Often named without being read. */
const tooWide = new Set(['.', 'src', 'test', 'docs', 'scripts', 'packages', 'web', 'node_modules']);

/** What differs from `base` where the branch left it, untracked files included. */
export function changedFiles(root: string, base: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--no-renames', '-z', '--merge-base', base),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
}

/** @param changed paths from `root` */
export function chooseTests(root: string, changed: readonly string[]): Choice {
  const files = globSync(sources, { cwd: root, exclude: (name) => name.includes('node_modules') });
  const tests = files.filter((file) => file.endsWith('.test.ts')).sort();
  if (changed.some((file) => everything.test(file))) return { changed, tests, beyond: [] };
  const named = new Map(files.map((file) => [file, namesIn(root, file)]));
  const touched = (reached: ReadonlySet<string>) =>
    changed.some((file) => [file, ...foldersOf(file)].some((path) => reached.has(path)));
  const is_built_anew = changed.some((file) => file.startsWith('web/') && !file.endsWith('.test.ts'));
  const [chosen, beyond]: [string[], string[]] = [[], []];
  for (const test of tests) {
    if ((is_built_anew && ofDashboard.test(test)) || touched(reach(test, named, false))) chosen.push(test);
    else if (touched(reach(test, named, true))) beyond.push(test);
  }
  return { changed, tests: chosen, beyond };
}

/** The test included. */
function reach(
  test: string,
  named: ReadonlyMap<string, readonly string[]>,
  enters_modules: boolean,
): Set<string> {
  const module_of = /^src\/modules\/[^/]+\//.exec(test)?.[0];
  const reached = new Set([test, ...(module_of ? [`${module_of}index.ts`] : [])]);
  const walk = (from: readonly string[], follows: (path: string) => boolean) => {
    const waiting = [...from];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const path of named.get(file) ?? []) {
        if (reached.has(path) || !follows(path)) continue;
        reached.add(path);
        waiting.push(path);
      }
    }
  };
  walk([...reached], (path) => !assembly.test(path));
  const gates = [...reached].flatMap((file) => named.get(file) ?? []).filter((path) => assembly.test(path));
  for (const gate of gates) reached.add(gate);
  walk(gates, (path) => enters_modules || !path.startsWith('src/modules/') || assembly.test(path));
  return reached;
}

/** Files and folders that a source imports or names, as paths from the root. */
function namesIn(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const imports = readImports(text);
  const near = imports
    .filter(({ from, is_type }) => from.startsWith('.') && !is_type)
    .map(({ from }) => join(dirname(file), from));
  const types = new Set(imports.filter(({ is_type }) => is_type).map(({ from }) => from));
  const written = [...withoutComments(text).matchAll(/(['"`])([\w@./-]{3,120})\1/g)]
    .map((match) => match[2] ?? '')
    .filter((name) => !types.has(name));
  const found = written
    .flatMap((name) => [
      join(dirname(file), name),
      ...(name.startsWith('.') ? [] : [name, `node_modules/${name}`]),
    ])
    .map((path) => normalize(path).replace(/\/$/, ''))
    .filter((path) => /[./]/.test(path) && !tooWide.has(path) && existsSync(join(root, path)));
  // A package of this workspace is reached by its name.
  const packages = found
    .filter((path) => path.startsWith('node_modules/'))
    .map((path) => `packages/${path.slice('node_modules/'.length)}`)
    .filter((path) => existsSync(join(root, path)));
  return [...new Set([...near, ...found.filter((path) => !path.startsWith('node_modules/')), ...packages])];
}

function foldersOf(file: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.push(folder);
  return folders;
}
