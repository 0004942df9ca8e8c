/**
 * Groups short test files that leave no trace in their process. A group runs file by file in one process,
 * which loads the service once. Its files share service and database: each test is a company of its own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutComments } from '../read-imports.ts';

/** One process. Node starts the file `path`. */
export type TestUnit = { path: string; files: readonly string[]; seconds: number };

/** So few files get a process each. */
const fewFiles = 12;
/**
 * To load the service and warm it up takes two seconds of a processor, so groups that do are long. The others start later and
 * are short enough to keep every core busy until the end.
 */
const groupBounds = {
  walks: { seconds: 320, files: 160 },
  service: { seconds: 240, files: 160 },
  parents: { seconds: 120, files: 64 },
  pure: { seconds: 120, files: 160 },
} as const;
type GroupKind = keyof typeof groupBounds;

/** Signs that a file changes its process, or expects that no other file did. It stays alone. */
const processSigns: readonly RegExp[] = [
  // Its hooks would be the whole group's. An `after` hook may run after all of the group.
  /import \{[^}]*\b(before|beforeEach|afterEach|mock)\b[^}]*\} from 'node:test'/,
  // It replaces what others use.
  /\beventWatchers\b|\bsetGlobalDispatcher\b|\bfc\.configureGlobal\b|\bglobalThis\.\w+ =/,
  /\bprocess\.env\.\w+ =(?!=)|\(process\.env,|delete process\.env/,
  // It ends, signals or measures its process.
  /\bprocess\.(on|once|chdir|exit|memoryUsage|cpuUsage|threadCpuUsage)\b|\bprocess\.kill\(process\.pid\b/,
  // It reads how it is run.
  /\bFOLIO_TEST_(?!UPDATE\b|RUNS\b|SEED\b)/,
];

/** The test's own mocks end with it. Until then they are those of the group's service. */
const mockedTimersSign = /\bt\.mock\.timers\b/;

/** Signs that a file and others of its database would disturb one another. It stays alone, unless it has its own database. */
const databaseSigns: readonly RegExp[] = [
  /\b(cloneDatabase|openDatabase)\b/,
  // The set-up is for an installation without people.
  /\bmakeSetupLink\b/,
  // Its many rows, or what PostgreSQL knows of them, would change how others' statements run.
  /(?<!-)\banalyze(?:`| [a-z$])/,
  // It changes a table of all companies.
  /\balter table\b/,
];

/** It starts processes. Those of Folio work all that is due in their database. */
const parentSign =
  /'node:(child_process|worker_threads)'|\/(service-process|service-child|installation|managed-database)\.ts'/;

const ownDatabaseSign = /\bonOwnDatabase\(\)/;

/** It calls every operation, or every list. A process compiles each schema once, so these share one. */
const walkSign = /\/support\/(catalogue-calls|lists)\.ts'/;

/** Longest first. */
export function groupTests(
  root: string,
  files: readonly string[],
  secondsOf: (file: string) => number,
  dir: string,
): TestUnit[] {
  const alone: string[] = [];
  const together: Record<GroupKind, string[]> = { pure: [], walks: [], service: [], parents: [] };
  for (const file of files) {
    const kind = files.length <= fewFiles ? 'alone' : kindOf(root, file);
    (kind === 'alone' ? alone : together[kind]).push(file);
  }
  const kinds = Object.keys(together) as GroupKind[];
  const groups = kinds.flatMap((kind) => divide(together[kind], secondsOf, groupBounds[kind]));
  return [...alone.map((file) => [file]), ...groups]
    .map((members, i) => ({
      path:
        members.length === 1
          ? join(root, members[0]!)
          : writeGroup(root, join(dir, `group-${i}.mjs`), members),
      files: members,
      seconds: members.reduce((sum, file) => sum + secondsOf(file), 0),
    }))
    .sort((a, b) => b.seconds - a.seconds || (a.path < b.path ? -1 : 1));
}

function kindOf(root: string, file: string): 'alone' | GroupKind {
  const text = withoutComments(readFileSync(join(root, file), 'utf8'));
  if (processSigns.some((sign) => sign.test(text))) return 'alone';
  const is_parent = parentSign.test(text);
  const withService = walkSign.test(text) ? 'walks' : 'service';
  if (ownDatabaseSign.test(text)) return withService;
  if (databaseSigns.some((sign) => sign.test(text))) return 'alone';
  if (!/\/harness\.ts'|\bstartApp\b/.test(text)) return is_parent ? 'parents' : 'pure';
  return is_parent || mockedTimersSign.test(text) ? 'alone' : withService;
}

/** Groups of similar length. Neighbours stay together: they load the same modules. */
function divide(
  files: readonly string[],
  secondsOf: (file: string) => number,
  bounds: { seconds: number; files: number },
): string[][] {
  const groups: string[][] = [];
  let seconds = 0;
  for (const file of [...files].sort()) {
    const group = groups.at(-1);
    seconds += secondsOf(file);
    if (group !== undefined && seconds <= bounds.seconds && group.length < bounds.files) group.push(file);
    else {
      groups.push([file]);
      seconds = secondsOf(file);
    }
  }
  return groups;
}

function writeGroup(root: string, path: string, files: readonly string[]): string {
  const loader = new URL('./load-group.ts', import.meta.url);
  const urls = files.map((file) => pathToFileURL(join(root, file)).href);
  writeFileSync(
    path,
    `import { loadGroup } from '${loader}';\nawait loadGroup(${JSON.stringify(urls, null, 1)});\n`,
  );
  return path;
}
