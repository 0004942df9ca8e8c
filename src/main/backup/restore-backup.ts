import { Writable } from 'node:stream';
import type { Sql } from 'postgres';
import { makeBlobs } from '../../integrations/blobs/blobs.ts';
import { isUnreachable } from '../../platform/db.ts';
import { appliedMigrations, migrate, unknownMigration } from '../../platform/migrate.ts';
import {
  copyIn,
  filledTables,
  hasAsManyRows,
  isWorkedOn,
  readTables,
  refillTables,
  type TableShape,
} from '../../platform/table-copies.ts';
import { blobPlaceOf } from '../blob-place.ts';
import type { Config } from '../config.ts';
import { asOwner, type DatabaseHandle, migrateDatabase } from '../database.ts';
import { CommandError } from '../command-error.ts';
import { knownSecretKey } from '../secret-key.ts';
import { type KeptTable, type Manifest, readTable } from './backup-folder.ts';
import { readBlobs } from './blob-copies.ts';
import { checkOfKey } from './make-backup.ts';

/** `beforeCommit`: what it throws leaves the database empty. */
export type Restoring = { what: 'restore' | 'move'; beforeCommit?: () => Promise<void> };

/**
 * Brings a backup into an empty place. The whole backup is read and checked first, and nothing is written when anything
 * is wrong. Files come before rows, so no row ever names a file that is not there.
 * @throws CommandError
 */
export async function restoreBackup(
  config: Config,
  handle: DatabaseHandle,
  folder: string,
  manifest: Manifest,
  { what, beforeCommit }: Restoring = { what: 'restore' },
): Promise<void> {
  // What was sealed by the key that is being rotated out can be read, too.
  const keys = [knownSecretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS];
  if (!keys.some((key) => key && manifest.secret_key_check === checkOfKey(key))) {
    throw new CommandError(
      'The backup was made under a secret key that is not here, and without it certificates, webhook secrets and links ' +
        'cannot be read: set FOLIO_SECRET_KEY, or put the file secret-key into FOLIO_DATA_DIR.',
    );
  }
  const fill = async (owner: Sql) => {
    await checkTarget(owner, handle, manifest);
    for (const table of manifest.tables) await readTable(folder, table, sink());
    if (manifest.blobs) await readBlobs(folder, manifest.blobs, null);
    await migrate(owner, {
      role_can_login: handle.embedded !== null,
      becomes_service: !handle.has_own_login,
      last: manifest.migrations.at(-1)!.name,
    });
    await putBlobs(config, folder, manifest);
    await fillTables(owner, handle, folder, manifest, beforeCommit);
  };
  await asOwner(handle, fill).catch((error: unknown) => {
    throw explainRestoring(error, what, 'and run it again');
  });
  // Migrations newer than the backup.
  await migrateDatabase(handle).catch((error: unknown) => {
    const commands = ['migrate', ...(what === 'move' ? [] : ['verifactu restored --all']), 'verify --all'];
    const named = commands.map((command) => `"folio ${command}"`).join(', then ');
    throw explainRestoring(error, what, `and then run ${named} on that database, since the rows are there`);
  });
}

const placesOf = {
  restore: 'the database runs and that its disk has room',
  move: 'both databases run and that their disks have room',
} as const;

/**
 * What ended a restore, in a sentence, where the database went away or its disk is full. Any other error is unchanged.
 * @param next what to do once that is seen to
 */
export function explainRestoring(error: unknown, what: Restoring['what'], next: string): unknown {
  if (!isUnreachable(error)) return error;
  return new CommandError(
    `The ${what} was not finished (${(error as Error).message}): see that ${placesOf[what]}, ${next}.`,
  );
}

/** What a start writes before anybody has done anything. */
const firstStartTables = new Set(['service_secrets', 'account_links']);

const sink = () => new Writable({ write: (_bytes, _encoding, done) => done() });

/** An empty database, or one that only a first start has touched. Nobody works on it. */
async function checkTarget(sql: Sql, handle: DatabaseHandle, manifest: Manifest): Promise<void> {
  const unknown = unknownMigration(manifest.migrations);
  if (unknown) {
    throw new CommandError(
      `The backup was made by another build, with the migration ${unknown}: restore it with that build.`,
    );
  }
  const applied = await appliedMigrations(sql);
  if (!applied) return;
  if (await isWorkedOn(sql))
    throw new CommandError('A service runs on that database: stop it first, then restore.');
  const filled = (await filledTables(sql)).filter((name) => !firstStartTables.has(name));
  if (filled.length > 0 && (await hasAsManyRows(sql, manifest.tables))) {
    throw new CommandError(
      `${handle.description} holds data already: exactly as many rows as this backup. ` +
        'Where a restore or a move was killed after it had written them, the rows are whole: ' +
        'run "folio migrate", after a restore "folio verifactu restored --all", and then "folio verify --all" on that database.',
    );
  }
  if (applied.length > manifest.migrations.length) {
    throw new CommandError(
      `${handle.description} is newer than the backup: restore into an empty database. It is brought up to date afterwards.`,
    );
  }
  refuseFilled(handle, filled);
}

function refuseFilled({ description }: DatabaseHandle, tables: readonly string[]): void {
  const filled = tables.filter((name) => !firstStartTables.has(name));
  if (filled.length === 0) return;
  throw new CommandError(
    `${description} holds data already (${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ', …' : ''}): ` +
      'a restore never replaces what may be newer. Restore into an empty database.',
  );
}

async function putBlobs(config: Config, folder: string, { blobs }: Manifest): Promise<void> {
  if (!blobs) return;
  const store = makeBlobs(blobPlaceOf(config));
  try {
    await readBlobs(folder, blobs, store);
  } finally {
    await store.close();
  }
}

/** Another restore, or a service, may have written since the database was looked at. */
async function fillTables(
  sql: Sql,
  handle: DatabaseHandle,
  folder: string,
  manifest: Manifest,
  beforeCommit?: () => Promise<void>,
): Promise<void> {
  const kept = new Map(manifest.tables.map((table) => [table.name, table]));
  const tables = await readTables(sql);
  const strange = tables.find(({ name, columns }) => !isSame(kept.get(name), columns));
  if (strange || tables.length !== kept.size)
    throw new CommandError(`The backup's table ${strange?.name ?? ''} is not the database's.`);
  const fill = async (tx: Sql, table: TableShape) => {
    await readTable(folder, kept.get(table.name)!, await copyIn(tx, table));
  };
  await refillTables(sql, tables, fill, (filled) => refuseFilled(handle, filled), beforeCommit);
}

const isSame = (kept: KeptTable | undefined, columns: readonly string[]) =>
  kept !== undefined && kept.columns.join() === columns.join();
