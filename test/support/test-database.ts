/**
 * The PostgreSQL of a test run: one embedded server without durable commits, and for each test file a database cloned
 * from a migrated template. The caller migrates the template.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { startFolioPostgres } from '../../src/platform/folio-postgres.ts';

/**
 * Starts the server with its data in `dir`, which the caller deletes after stop(). Use a folder under the system's
 * temporary one: root's server runs as another user, who must be able to enter.
 */
export async function startTestServer(dir: string): Promise<EmbeddedPostgres> {
  mkdirSync(dir, { recursive: true });
  // mkdtemp closes its folders to that user.
  chmodSync(dir, 0o711);
  return startFolioPostgres({ data_dir: dir, durable: false, log: () => {} });
}

/**
 * Copies `template` to a database `name`; nobody may be connected to the template (PostgreSQL 55006). Copying its
 * files takes a third of the default's time, which logs each page. The checkpoints are cheap here, because they wait
 * for no disk.
 */
export async function cloneDatabase(admin_sql: Sql, template: string, name: string): Promise<void> {
  const [copy, source] = [admin_sql(name), admin_sql(template)];
  await admin_sql`create database ${copy} template ${source} strategy file_copy`.simple();
}

/** Also ends its connections. */
export async function dropDatabase(admin_sql: Sql, name: string): Promise<void> {
  await admin_sql`drop database if exists ${admin_sql(name)} with (force)`.simple();
}
