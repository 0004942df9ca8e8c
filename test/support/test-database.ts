/**
 * One embedded server without durable commits. Each test file gets a clone of a template, which the caller migrates.
 */
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { startFolioPostgres } from '../../src/platform/folio-postgres.ts';

/** A new folder that root's server, which runs as another user, may enter. Otherwise its data lie elsewhere, and stay. */
export function makeEnterableFolder(prefix: string): string {
  const dir = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(dir, 0o711);
  return dir;
}

/** @param dir in an enterable folder. The caller deletes that after stop(). */
export async function startTestServer(dir: string): Promise<EmbeddedPostgres> {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o711);
  return startFolioPostgres({ data_dir: dir, durable: false, log: () => {} });
}

/**
 * Nobody may be connected to the template (PostgreSQL 55006). Copying files takes a third of the default's time, which
 * logs each page. Without durable commits its checkpoints are cheap.
 */
export async function cloneDatabase(admin_sql: Sql, template: string, name: string): Promise<void> {
  const [copy, source] = [admin_sql(name), admin_sql(template)];
  await admin_sql`create database ${copy} template ${source} strategy file_copy`.simple();
}

/** Also ends its connections. */
export async function dropDatabase(admin_sql: Sql, name: string): Promise<void> {
  await admin_sql`drop database if exists ${admin_sql(name)} with (force)`.simple();
}
