/** What `folio restore` and `folio move` do. Loaded when one of them runs. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isExport } from '../modules/verifactu/index.ts';
import { countWrites, isWorkedOn } from '../platform/table-copies.ts';
import { readManifest } from './backup/backup-folder.ts';
import { makeBackup } from './backup/make-backup.ts';
import { explainMoving, makeMoveFolder } from './backup/move-folder.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { toldOf } from './backup-runs.ts';
import { print, withHandle } from './command-answers.ts';
import type { Config } from './config.ts';
import { asOwner, type DatabaseHandle } from './database.ts';
import { CommandError } from './command-error.ts';
import { secretKeyFile } from './secret-key.ts';
import { say } from './terminal.ts';
import { tellAll, tellLogs, verifyAll } from './verifactu-runs.ts';

const afterRestore = [
  'What was issued after the backup was made is not here, and its numbers are free again. Before the service works:',
  '- Compare the last numbers with the paper, the mail and the authority. Where some are missing, go on in a new series.',
  '- Start with "folio serve --role api": nothing is sent or issued by itself until a worker starts.',
  'The whole is in docs/backup.md, under "What was issued after the backup".',
];

export async function restore(folder: string, config: Config, as_json: boolean): Promise<void> {
  // Before a database is started or asked.
  if (await isExport(folder))
    throw new CommandError(
      `${folder} is an export of records and no backup: "folio verify --export" checks it, and nothing is restored from it.`,
    );
  const manifest = await readManifest(folder);
  await withHandle(config, async (handle) => {
    await restoreBackup(config, handle, folder, manifest);
    // An embedded database is not stopped in between.
    const told = { ...toldOf(folder, manifest), logs_told: await tellLogs(config) };
    if (!as_json) {
      print(told, false);
      for (const line of afterRestore) say(line);
    }
    tellAll(await verifyAll(config), as_json, told);
  });
}

const afterMove = 'Set DATABASE_URL to that address and start the service.';

/** A new key would read nothing that the old one sealed. */
const startWithKey = ({ FOLIO_DATA_DIR }: Config): string =>
  `Set DATABASE_URL to that address and FOLIO_SECRET_KEY_FILE to ${join(resolve(FOLIO_DATA_DIR), secretKeyFile)}, ` +
  'the key that certificates and webhook secrets are sealed with, and start the service.';

/** Files stay where they are: both databases name them alike. */
export async function move(url: string, from: Config, as_json: boolean): Promise<void> {
  const to = { ...from, DATABASE_URL: url, DATABASE_MIGRATION_URL: null, DATABASE_DIRECT_URL: null };
  const named = (handle: DatabaseHandle) => ({ ...handle, owner_named: '--to' });
  const folder = await makeMoveFolder(from.FOLIO_DATA_DIR);
  try {
    await withHandle(from, async (old) => {
      const refuseWritten = await watchOld(old);
      // An address that is wrong is told before all rows are read.
      await withHandle(to, (handle) => asOwner(named(handle), (sql) => sql`select 1`));
      const manifest = await makeBackup(from, old, folder, { has_blobs: false, explain: explainMoving });
      await withHandle(to, (handle) =>
        restoreBackup(to, named(handle), folder, manifest, {
          what: 'move',
          beforeCommit: () => refuseWritten('and move again'),
        }),
      );
      const { made_at, rows, tables } = toldOf(folder, manifest);
      const told = { made_at, tables, rows };
      if (!as_json) print(told, false);
      tellAll(await verifyAll(to), as_json, told);
      await refuseWritten('make the new database anew, and move again');
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!as_json) say(from.FOLIO_SECRET_KEY === null ? startWithKey(from) : afterMove);
}

/**
 * @returns refuses what was written meanwhile: it is not in the new database
 * @throws CommandError while a service runs
 */
async function watchOld(old: DatabaseHandle): Promise<(next: string) => Promise<void>> {
  const look = () =>
    asOwner(old, async (sql) => ({ is_worked_on: await isWorkedOn(sql), writes: await countWrites(sql) }));
  const before = await look();
  if (before.is_worked_on)
    throw new CommandError('The service runs, and what it writes meanwhile would be lost: stop it first.');
  return async (next) => {
    const { is_worked_on, writes } = await look();
    if (is_worked_on || writes !== before.writes)
      throw new CommandError(
        'A service or a command worked on the old database during the move, and what it wrote is not in the new one: ' +
          `see that none runs, ${next}.`,
      );
  };
}
