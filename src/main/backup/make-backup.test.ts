import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { type App, onOwnDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/support/worker-place.ts';
import { connect } from '../../platform/db.ts';
import { CommandError } from '../command-error.ts';
import type { DatabaseHandle } from '../database.ts';
import { makeBackup } from './make-backup.ts';

const startApp = onOwnDatabase();

function makeRoot(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'folio-make-backup-'));
  t.after(() => rmSync(root, { recursive: true }));
  return root;
}

/** @returns a login to a database of the test run's server */
function ownerOf(database: string, user?: string): DatabaseHandle {
  const { superuser, ...server } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}');
  const target = { ...server, database, user: user ?? superuser };
  return {
    description: 'here',
    owner: () => connect({ target, pool_size: 1, role: null }),
  } as DatabaseHandle;
}

const mayNotReadAll =
  /may not: let DATABASE_MIGRATION_URL name a superuser or a role with BYPASSRLS that is a member of pg_read_all_data\.$/;
const refusedLogins: readonly [what: string, attributes: string][] = [
  ['passes row-level security and may read no table', 'bypassrls'],
  ['may read every table and is bound by row-level security', 'in role pg_read_all_data'],
];
/** @returns a login of its own to the service's database */
async function givenLogin(t: TestContext, app: App, attributes: string): Promise<DatabaseHandle> {
  const role = `backup_${randomBytes(6).toString('hex')}`;
  const [at] = await app.sql<{ name: string }[]>`select current_database() as name`;
  await app.sql.unsafe(`create role ${role} login ${attributes}`);
  t.after(() => app.sql.unsafe(`drop role ${role}`));
  return ownerOf(at!.name, role);
}

for (const [what, attributes] of refusedLogins)
  test(`given a login that ${what}, when it makes a backup, then it hears what it needs, and no folder is left`, async (t) => {
    const app = await startApp(t);
    const login = await givenLogin(t, app, attributes);
    const folder = join(makeRoot(t), 'backup');

    const making = makeBackup(app.config, login, folder, { has_blobs: false });
    await assert.rejects(
      making,
      (error) => error instanceof CommandError && mayNotReadAll.test(error.message),
    );
    assert.ok(!existsSync(folder));
  });

test('given a login as docs/backup.md makes it, then it makes a backup of all companies', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  const login = await givenLogin(t, app, 'bypassrls in role pg_read_all_data');
  const folder = join(makeRoot(t), 'backup');
  await makeBackup(app.config, login, folder, { has_blobs: false });
  const companies = zstdDecompressSync(readFileSync(join(folder, 'tables/companies.copy.zst'))).toString();
  assert.ok(companies.includes(company_id));
});

test('given a database without data of Folio, when a backup is made of it, then it is refused, and no folder is left', async (t) => {
  const app = await startApp(t);
  const folder = join(makeRoot(t), 'backup');
  await assert.rejects(makeBackup(app.config, ownerOf('postgres'), folder, { has_blobs: false }), {
    message: 'here holds no data of Folio.',
  });
  assert.ok(!existsSync(folder));
});

test('given a migration that writes a table anew during a backup, when the backup ends, then it is refused', async (t) => {
  const app = await startApp(t);
  const [at] = await app.sql<{ name: string }[]>`select current_database() as name`;
  const folder = join(makeRoot(t), 'backup');

  let making: Promise<unknown> | undefined;
  await app.sql.begin(async (holder) => {
    // The backup has its snapshot, and waits for the first table.
    await holder`lock table account_links in access exclusive mode`;
    making = makeBackup(app.config, ownerOf(at!.name), folder, { has_blobs: false });
    making.catch(() => undefined);
    await until(async () => {
      const waiting = await app.sql`select from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database() and query like 'copy%account_links%'`;
      return waiting.length > 0;
    });
    await app.sql.begin(async (migration) => {
      await migration`alter table credentials add column written_anew text generated always as ('x') stored`;
      await migration`insert into schema_migrations (name, hash) values ('9999_anew.sql', ${'a'.repeat(64)})`;
    });
  });
  await assert.rejects(
    making!,
    (error) =>
      error instanceof CommandError &&
      /was brought up to date .* remove .* make it again/.test(error.message),
  );
  assert.ok(!existsSync(join(folder, 'manifest.json')), 'it is never restored');
});
