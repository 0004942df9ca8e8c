/**
 * One embedded server without durable commits. Each test file gets a clone of a template, which the caller migrates.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedPostgres } from 'embedded-postgres-server';
import type { Sql } from 'postgres';
import { startFolioPostgres } from '../../src/platform/folio-postgres.ts';

/** Linux keeps what lies here in memory. */
const memoryFolder = '/dev/shm';
const roomBytes = 3 * 1024 ** 3;

/**
 * A new folder that root's server, which runs as another user, may enter. Otherwise its data lie elsewhere, and stay.
 * It lies in memory where there is room: on a disk the thousand files of a new database cost ten times the
 * processor's time.
 */
export function makeEnterableFolder(prefix: string): string {
  const dir = mkdtempSync(join(hasRoom(memoryFolder) ? memoryFolder : tmpdir(), prefix));
  chmodSync(dir, 0o711);
  return dir;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > roomBytes;
  } catch {
    return false;
  }
}

/** @param dir in an enterable folder. The caller deletes that after stop(). */
export async function startTestServer(dir: string): Promise<EmbeddedPostgres> {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o711);
  return startFolioPostgres({
    data_dir: dir,
    durable: false,
    settings: {
      // A log of 2 GB, as an installation keeps it, would fill the memory.
      max_wal_size: '512MB',
      // A file with a database of its own keeps its service until its process ends.
      max_connections: '500',
      // It would look into each test's database each minute, and those live no longer. Statistics come when a test asks for them.
      autovacuum: 'off',
    },
    log: () => {},
  });
}

/** Of a stopped server. The copy's next start gives it to the server's user. @param to in an enterable folder */
export function copyCluster(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o711);
  cpSync(join(from, 'postgres'), join(to, 'postgres'), { recursive: true });
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
