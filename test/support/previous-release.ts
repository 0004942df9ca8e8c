/** The program as it was released before, out of the history of this clone. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from './installation.ts';

/** A tag, or a commit while there is none. Whoever releases writes it there (docs/upgrade.md). */
export const previousRelease = readFileSync(join(projectRoot, 'test/previous-release.txt'), 'utf8').trim();

const parts = ['package.json', 'src', 'packages', 'migrations', 'scripts'];
const modules = join(projectRoot, 'node_modules');

/** @returns why the history does not hold it; undefined when it does */
export function whyMissing(): string | undefined {
  const found = spawnSync('git', ['cat-file', '-e', `${previousRelease}^{commit}`], { cwd: projectRoot });
  if (found.error) return 'git is not installed here';
  return found.status === 0 ? undefined : `the history of this clone does not hold ${previousRelease}`;
}

type Manifest = { dependencies: Record<string, string> };

export type PreviousProgram = {
  program: string;
  migrations: readonly string[];
  /** Packages that it needs in another version than is installed. It gets what is installed. */
  other_packages: readonly string[];
};

/**
 * Takes it from the history, for one test. It shares the packages that are installed; those of the workspace are its own.
 * Node strips no types below a folder `node_modules`, so it lies elsewhere.
 */
export function takePreviousProgram(t: TestContext): PreviousProgram {
  const folder = mkdtempSync(join(process.env.FOLIO_TEST_FOLDER ?? tmpdir(), 'folio-previous-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  take(folder);
  const needed = (at: string) =>
    (JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Manifest).dependencies;
  const now = needed(projectRoot);
  const before = Object.entries(needed(folder));
  return {
    program: join(folder, 'src/main/folio.ts'),
    migrations: readdirSync(join(folder, 'migrations')),
    other_packages: before.flatMap(([name, version]) =>
      now[name] === version ? [] : [`${name} ${version} (here ${now[name] ?? 'none'})`],
    ),
  };
}

function take(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  const archive = execFileSync('git', ['archive', previousRelease, ...parts], {
    cwd: projectRoot,
    maxBuffer: 100_000_000,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const own = readdirSync(join(folder, 'packages'));
  for (const name of readdirSync(modules))
    if (!own.includes(name) && !name.startsWith('.'))
      symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  for (const name of own) symlinkSync(join('..', 'packages', name), join(folder, 'node_modules', name));
}
