import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { until } from '../../../test/support/worker-place.ts';
import { connect } from '../../platform/db.ts';
import { CommandError } from '../command-error.ts';
import type { DatabaseHandle } from '../database.ts';
import { makeBackup } from './make-backup.ts';

const startApp = onOwnDatabase();

test('given a migration that writes a table anew during a backup, when the backup ends, then it is refused', async (t) => {
  const app = await startApp(t);
  const root = mkdtempSync(join(tmpdir(), 'folio-make-backup-'));
  t.after(() => rmSync(root, { recursive: true }));
  const { superuser: user, ...server } = JSON.parse(process.env.FOLIO_TEST_SERVER ?? '{}');
  const [at] = await app.sql<{ database: string }[]>`select current_database() as database`;
  const owner = () => connect({ target: { ...server, ...at, user }, pool_size: 1, role: null });
  const folder = join(root, 'backup');

  let making: Promise<unknown> | undefined;
  await app.sql.begin(async (holder) => {
    // The backup has its snapshot, and waits for the first table.
    await holder`lock table account_links in access exclusive mode`;
    making = makeBackup(app.config, { owner, description: 'here' } as DatabaseHandle, folder, {
      has_blobs: false,
    });
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
