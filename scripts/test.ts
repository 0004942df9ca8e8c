/**
 * Runs the tests: one embedded PostgreSQL, one migrated template, and node's own runner.
 * `npm test -- src/kernel/page.test.ts` runs some files, a folder those below it, `--changed` those that a change
 * touches. A full run then compares the events that it saw with those that operations and jobs declare.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../src/platform/db.ts';
import { migrate } from '../src/platform/migrate.ts';
import { copyCluster, makeEnterableFolder, startTestServer } from '../test/support/test-database.ts';
import { compiledSources } from './compiled-sources.ts';
import { bundlePrograms } from './test-run/bundle-programs.ts';
import { changedFiles, chooseTests } from './test-run/changed-tests.ts';
import { closingLines, runTests } from './test-run/run-tests.ts';

/** What tests start again and again, and the processes of `serve --processes`. */
const programs = {
  child: 'test/support/service-child-program.ts',
  commands: 'test/support/many-commands.ts',
  folio: 'test/support/folio-program.ts',
  'process-program': 'src/main/processes/process-program.ts',
};
const root = fileURLToPath(new URL('..', import.meta.url));
const { FOLIO_AEAT_SCHEMAS } = process.env;
const args = process.argv.slice(2);
const given = args.filter((a) => !a.startsWith('--'));
const flags = args.filter((a) => a.startsWith('--') && !/^--changed(=|$)/.test(a));
const base = args.filter((a) => a === '--changed' || a.startsWith('--changed=')).at(-1);
const all = globSync(
  ['src/**/*.test.ts', 'packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
  { cwd: root },
);
const named = base === undefined ? all : testsChangedSince(base.slice('--changed='.length) || 'HEAD');
const files = given.length > 0 ? given.flatMap(testsAt) : named;
if (files.length === 0) {
  console.log('No test to run.');
  process.exit(base === undefined ? 1 : 0);
}

const stopped = new AbortController();
process.on('SIGINT', () => stopped.abort()).on('SIGTERM', () => stopped.abort());
// Whoever read has gone, as in `npm test | head`: what was started is ended.
process.stdout.on('error', () => stopped.abort());

const dir = makeEnterableFolder('folio-test-');
// For programs: where databases lie, the system may refuse to run any.
const folder = mkdtempSync(join(tmpdir(), 'folio-run-'));
const data_dir = join(dir, 'data');
let server = await startTestServer(data_dir);
let status = 1;
try {
  // Beside npm's packages, which bundles import. For a few files bundles do not pay.
  const bundles = join(root, 'node_modules/.cache/folio-tests/bundles');
  const bundling = files.length < all.length ? undefined : bundlePrograms(root, programs, bundles);
  // The name of an installation's database.
  const template = 'folio';
  await makeTemplate(template);
  const installed = join(dir, 'installed');
  const is_copied = process.platform !== 'win32' && files.some(makesInstallation);
  if (is_copied) {
    await server.stop();
    copyCluster(data_dir, installed);
    server = await startTestServer(data_dir);
  }
  const bundled = await bundling;
  const seen_dir = join(dir, 'seen');
  mkdirSync(seen_dir);
  Object.assign(process.env, {
    FOLIO_TEST_SERVER: JSON.stringify({
      ...server.connection('USER', 'DATABASE'),
      superuser: server.superuser,
    }),
    FOLIO_TEST_TEMPLATE: template,
    FOLIO_TEST_SEEN: seen_dir,
    FOLIO_TEST_FOLDER: folder,
    ...(bundled
      ? {
          FOLIO_TEST_CHILD_PROGRAM: bundled.child,
          FOLIO_TEST_COMMANDS: bundled.commands,
          FOLIO_TEST_PROGRAM: bundled.folio,
        }
      : {}),
    ...(is_copied ? { FOLIO_TEST_INSTALLED: installed } : {}),
    ...(FOLIO_AEAT_SCHEMAS ? { AEAT_SCHEMAS: FOLIO_AEAT_SCHEMAS } : {}),
    ...compiledSources(root),
  });
  const outcome = await runTests(root, files, flags, stopped.signal);
  status = outcome.has_passed ? 0 : 1;
  if (status === 0 && args.length === 0) {
    const { compareEvents } = await import('./compare-events.ts');
    status = compareEvents(seen_dir);
  }
  console.log(closingLines(outcome).join('\n'));
} finally {
  await server.stop();
  for (const made of [dir, folder]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = status;

/** Those below a folder, or what a pattern names. */
function testsAt(given: string): string[] {
  const named = globSync(given, { cwd: root });
  return named.flatMap((one) => {
    const place = resolve(root, one);
    if (!statSync(place).isDirectory()) return one;
    return all.filter((file) => !relative(place, join(root, file)).startsWith('..'));
  });
}

/** The server pauses for a copy, so that is made only where a test asks for it. */
function makesInstallation(file: string): boolean {
  return /\bInstallation\.makeMigrated\b/.test(readFileSync(join(root, file), 'utf8'));
}

/** Says which tests are left out. */
function testsChangedSince(base: string): string[] {
  const { changed, tests, beyond } = chooseTests(root, changedFiles(root, base));
  console.log(`${changed.length} files differ from ${base}; ${tests.length} test files reach them.`);
  if (beyond.length > 0)
    console.log(
      `${beyond.length} more reach them only through the whole service: "npm test" runs those too.`,
    );
  return tests;
}

/** A migrated database. Each test file gets a copy. */
async function makeTemplate(template: string): Promise<void> {
  const connectTo = (database: string) =>
    connect({
      target: server.connection(server.superuser, database) as never,
      pool_size: 1,
      role: null,
    });
  const admin = connectTo('postgres');
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  const owner = connectTo(template);
  await migrate(owner, { role_can_login: true });
  await owner.end();
}
