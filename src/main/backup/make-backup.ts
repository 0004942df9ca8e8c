import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Sql } from 'postgres';
import { makeBlobs } from '../../integrations/blobs/blobs.ts';
import { sqlStates } from '../../kernel/sql-states.ts';
import { sqlState } from '../../platform/db.ts';
import { appliedMigrations } from '../../platform/migrate.ts';
import { copyOut, mayReadAll, readSnapshot, readTables } from '../../platform/table-copies.ts';
import { blobPlaceOf } from '../blob-place.ts';
import type { Config } from '../config.ts';
import { asOwner, type DatabaseHandle } from '../database.ts';
import { CommandError } from '../command-error.ts';
import { secretKey } from '../secret-key.ts';
import {
  explainUnfinished,
  type KeptTable,
  makeFolder,
  type Manifest,
  writeManifest,
  writeTable,
} from './backup-folder.ts';
import { BlobCopies } from './blob-copies.ts';

/** Identifies the key and reveals nothing of it. */
export const checkOfKey = (key: string): string =>
  createHmac('sha256', key).update('folio backup: which secret key').digest('hex');

type Rows = Pick<Manifest, 'made_at' | 'migrations' | 'tables'>;

const version = (): string =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;

/**
 * Writes a backup while the service goes on. Files are copied before the rows and again after them, so that each row's
 * file is there, whether it came or went meanwhile.
 * @param options.explain says what ended it
 * @throws CommandError, FolderRefused
 */
export async function makeBackup(
  config: Config,
  handle: DatabaseHandle,
  folder: string,
  { has_blobs, explain = explainUnfinished }: { has_blobs: boolean; explain?: typeof explainUnfinished },
): Promise<Manifest> {
  const place = has_blobs ? blobPlaceOf(config) : null;
  if (place?.kind === 'folder') refuseWithin(folder, place.folder);
  await checkSource(handle);
  await makeFolder(folder);
  const store = place && makeBlobs(place);
  try {
    const blobs = store && new BlobCopies(folder, store);
    await blobs?.run();
    const rows = await writeTables(handle, folder);
    await blobs?.run();
    const manifest: Manifest = {
      format: 1,
      program: version(),
      secret_key_check: checkOfKey(secretKey(config)),
      ...rows,
      blobs: blobs ? await blobs.finish() : null,
    };
    await writeManifest(folder, manifest);
    return manifest;
  } catch (error) {
    throw explain(error, folder);
  } finally {
    await store?.close();
  }
}

/** @throws CommandError for a backup that would be copied as files of documents */
function refuseWithin(folder: string, blobs: string): void {
  const way = relative(blobs, resolve(folder));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  throw new CommandError(
    `${folder} is within ${blobs}, where the files of documents are kept, and every backup would hold those before it: name a folder elsewhere.`,
  );
}

const readsTooLittle = () =>
  new CommandError(
    'A backup reads all rows of all companies, and this login may not: ' +
      'let DATABASE_MIGRATION_URL name a superuser or a role with BYPASSRLS that is a member of pg_read_all_data.',
  );

function explainReading(error: unknown): never {
  throw sqlState(error) === sqlStates.not_allowed ? readsTooLittle() : error;
}

async function migrationsOf(sql: Sql, { description }: DatabaseHandle) {
  const migrations = await appliedMigrations(sql);
  if (!migrations) throw new CommandError(`${description} holds no data of Folio.`);
  return migrations;
}

/** Before a folder is made, and before files are copied, which may take hours. */
async function checkSource(handle: DatabaseHandle): Promise<void> {
  const check = async (owner: Sql) => {
    await migrationsOf(owner, handle);
    if (!(await mayReadAll(owner))) throw readsTooLittle();
  };
  await asOwner(handle, check).catch(explainReading);
}

async function writeTables(handle: DatabaseHandle, folder: string): Promise<Rows> {
  const work = async (owner: Sql) => {
    const rows = await readSnapshot(owner, (sql) => writeSnapshot(sql, handle, folder));
    // A snapshot that is older than a table which is written anew finds that table empty.
    if ((await appliedMigrations(owner))?.length !== rows.migrations.length) {
      throw new CommandError(
        `The database was brought up to date while the backup was made, and rows may be missing: remove ${folder}, and make it again.`,
      );
    }
    return rows;
  };
  return asOwner(handle, work).catch(explainReading);
}

async function writeSnapshot(sql: Sql, handle: DatabaseHandle, folder: string): Promise<Rows> {
  const migrations = await migrationsOf(sql, handle);
  const [moment] = await sql<{ now: Date }[]>`select now() as now`;
  const tables: KeptTable[] = [];
  for (const { name, columns } of await readTables(sql)) {
    const written = await copyOut(sql, { name, columns }, (rows) => writeTable(folder, name, rows));
    tables.push({ name, columns, ...written });
  }
  return { made_at: moment!.now.toISOString(), migrations, tables };
}
