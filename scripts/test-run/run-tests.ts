/**
 * Runs test files, the short ones in groups, and times them. The slowest start first, so that at the end no
 * core waits for one long file. Times are kept beside what npm installed.
 */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { roomyHeap } from '../../test/support/roomy-heap.ts';
import { groupTests } from './group-files.ts';
import slowFiles from './slow-files.json' with { type: 'json' };

export type Outcome = {
  has_passed: boolean;
  seconds: number;
  counts: { passed: number; failed: number; skipped: number };
  /** Seconds by file. */
  times: Readonly<Record<string, number>>;
};

/** Two more than cores: tests of kills, mails and browsers wait for half of their time. Few enough for one PostgreSQL's connections. */
const filesAtATime = Math.min(6, availableParallelism() + 2);
/** For a file or a group, to end what hangs: a group of five minutes takes fifty on a busy machine. */
const timeoutMs = 3_600_000;

/** @param flags options of node's runner */
export async function runTests(
  root: string,
  files: readonly string[],
  flags: readonly string[],
  signal: AbortSignal,
): Promise<Outcome> {
  const kept = join(root, 'node_modules/.cache/folio-tests/times.json');
  const known = readTimes(kept);
  const { concurrency, name_patterns, others } = readFlags(flags);
  const dir = mkdtempSync(join(tmpdir(), 'folio-groups-'));
  const units = groupTests(root, files, (file) => known[file] ?? guess(file), dir);
  const stream = run({
    files: units.map(({ path }) => path),
    concurrency,
    timeout: timeoutMs,
    execArgv: [
      `--require=${join(root, 'src/main/quick-loading.cjs')}`,
      `--import=${new URL('./without-async-hooks.ts', import.meta.url).href}`,
      `--import=${new URL('./end-leftovers.ts', import.meta.url).href}`,
      ...roomyHeap,
      ...others,
    ],
    signal,
    ...(name_patterns.length > 0 ? { testNamePatterns: name_patterns } : {}),
  });
  const outcome: Outcome = {
    has_passed: false,
    seconds: 0,
    counts: { passed: 0, failed: 0, skipped: 0 },
    times: {},
  };
  const times: Record<string, number> = Object.fromEntries(files.map((file) => [file, 0]));
  const alone = new Set(units.filter(({ files }) => files.length === 1).map(({ path }) => path));
  stream.on('test:complete', ({ name, file, nesting, details }) => {
    if (nesting !== 0 || file === undefined) return;
    const path = relative(root, file);
    // For a file in a group, only the time of its tests is known.
    if (alone.has(file)) {
      if (name === file) times[path] = details.duration_ms / 1000;
    } else if (path in times) times[path]! += details.duration_ms / 1000;
  });
  stream.on('test:summary', ({ file, success, counts, duration_ms }) => {
    // A summary without a file is the run's.
    if (file !== undefined) return;
    const { passed, failed, cancelled, skipped } = counts as typeof counts & { failed: number };
    outcome.has_passed = success;
    outcome.seconds = duration_ms / 1000;
    outcome.counts = { passed, failed: failed + cancelled, skipped };
  });
  await new Promise((resolve, reject) => {
    stream.on('end', resolve).on('error', reject);
    stream.compose(spec).pipe(process.stdout);
  }).finally(() => rmSync(dir, { recursive: true, force: true }));
  if (name_patterns.length === 0 && !signal.aborted) keepTimes(kept, { ...known, ...times });
  return { ...outcome, times };
}

/** Duration, the ten slowest files, and counts. */
export function closingLines({ seconds, counts, times }: Outcome): string[] {
  const slowest = Object.entries(times).sort(([, a], [, b]) => b - a);
  const { passed, failed, skipped } = counts;
  return [
    '',
    `${slowest.length} files in ${minutes(seconds)}. The slowest:`,
    ...slowest.slice(0, 10).map(([file, s]) => `${s.toFixed(1).padStart(7)} s  ${file}`),
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ];
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Where no run has left its times, as after `npm ci`. What touches no database is short. */
function guess(file: string): number {
  const slow = (slowFiles as Readonly<Record<string, number>>)[file];
  if (slow !== undefined) return slow;
  if (file.startsWith('test/scenarios/')) return 3.5;
  return /\/(rules|domain|kernel)\//.test(file) ? 0.2 : 1.2;
}

function readTimes(kept: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch {
    return {};
  }
}

function keepTimes(kept: string, times: Record<string, number>): void {
  mkdirSync(dirname(kept), { recursive: true });
  // A copy of the folder may share the old file.
  writeFileSync(`${kept}.new`, `${JSON.stringify(times, null, 1)}\n`);
  renameSync(`${kept}.new`, kept);
}

/** Options of the runner; others go to the process of each file. */
function readFlags(flags: readonly string[]): {
  concurrency: number;
  name_patterns: string[];
  others: string[];
} {
  const valuesOf = (name: string) =>
    flags.filter((flag) => flag.startsWith(`--${name}=`)).map((flag) => flag.slice(name.length + 3));
  return {
    concurrency: Number(valuesOf('test-concurrency').at(-1) ?? filesAtATime),
    name_patterns: valuesOf('test-name-pattern'),
    others: flags.filter((flag) => !/^--test-(concurrency|name-pattern)=/.test(flag)),
  };
}
