/**
 * Runs the tests: one embedded PostgreSQL for the whole run, one migrated template, and node's own runner.
 * `npm test -- src/kernel/page.test.ts` runs some files; without arguments all run, and afterwards the
 * events that the run saw are compared with those that operations and jobs declare.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../src/platform/db.ts';
import { migrate } from '../src/platform/migrate.ts';
import { startTestServer } from '../test/support/test-database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { FOLIO_AEAT_SCHEMAS } = process.env;
const args = process.argv.slice(2);
const given = args.filter((a) => !a.startsWith('--'));
const flags = args.filter((a) => a.startsWith('--'));
const files = given.length > 0 ? given : ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'];

const dir = mkdtempSync(join(tmpdir(), 'folio-test-'));
const server = await startTestServer(join(dir, 'data'));
let status = 1;
try {
  const template = 'folio_template';
  const admin = connect({
    target: server.connection(server.superuser, 'postgres') as never,
    pool_size: 1,
    role: null,
  });
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  const owner = connect({
    target: server.connection(server.superuser, template) as never,
    pool_size: 1,
    role: null,
  });
  await migrate(owner, { role_can_login: true });
  await owner.end();
  const seen_dir = join(dir, 'seen');
  mkdirSync(seen_dir);
  status = await runNode(['--test', '--test-concurrency=2', '--test-timeout=300000', ...flags, ...files], {
    FOLIO_TEST_SERVER: JSON.stringify({
      ...server.connection('USER', 'DATABASE'),
      superuser: server.superuser,
    }),
    FOLIO_TEST_TEMPLATE: template,
    FOLIO_TEST_SEEN: seen_dir,
    ...(FOLIO_AEAT_SCHEMAS ? { AEAT_SCHEMAS: FOLIO_AEAT_SCHEMAS } : {}),
  });
  if (status === 0 && given.length === 0 && flags.length === 0) {
    const { compareEvents } = await import('./compare-events.ts');
    status = compareEvents(seen_dir);
  }
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = status;

function runNode(node_args: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, node_args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
