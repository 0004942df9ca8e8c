/**
 * The PostgreSQL of a test run: one embedded server without durable commits for the whole run, and a database of
 * its own for each test file, cloned from a migrated template. Migrating the template is left to the caller.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { startFolioPostgres } from '../../src/platform/folio-postgres.ts';

/**
 * Starts the server with its data in `dir`, which the caller deletes after stop(). A folder under the system's
 * temporary one is best: root's server runs as another user, who must be able to get there.
 */
export async function startTestServer(dir: string): Promise<EmbeddedPostgres> {
  mkdirSync(dir, { recursive: true });
  // mkdtemp closes its folders to that other user.
  chmodSync(dir, 0o711);
  return startFolioPostgres({ data_dir: dir, durable: false, log: () => {} });
}

/**
 * Makes the database `name` as a copy of `template`, to which nobody may be connected (PostgreSQL 55006). Its files are
 * copied, which takes a third of the time of the default, a log of each page: the checkpoints of it wait for no disk.
 */
export async function cloneDatabase(admin_sql: Sql, template: string, name: string): Promise<void> {
  const [copy, source] = [admin_sql(name), admin_sql(template)];
  await admin_sql`create database ${copy} template ${source} strategy file_copy`.simple();
}

/** Deletes the database `name` if there is one, and ends the connections to it. */
export async function dropDatabase(admin_sql: Sql, name: string): Promise<void> {
  await admin_sql`drop database if exists ${admin_sql(name)} with (force)`.simple();
}
