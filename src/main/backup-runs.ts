/** What the commands of backup-commands.ts do. Loaded when one of them runs. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { logRestored } from '../modules/verifactu/index.ts';
import { systemClock } from '../platform/clock.ts';
import { isWorkedOn } from '../platform/table-copies.ts';
import type { Manifest } from './backup/backup-folder.ts';
import { makeBackup } from './backup/make-backup.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { print, quiet, readOptions } from './command-options.ts';
import type { Config } from './config.ts';
import { type DatabaseHandle, findDatabase, readDatabaseUrl } from './database.ts';
import { CommandError } from './explain.ts';
import { say } from './terminal.ts';
import { companyIds, verifyAll, withPorts } from './verifactu-runs.ts';

async function withHandle<T>(config: Config, work: (handle: DatabaseHandle) => Promise<T>): Promise<T> {
  const handle = await findDatabase(config, quiet);
  try {
    return await work(handle);
  } finally {
    await handle.stop();
  }
}

function readFolder(args: string[]): { folder: string; rest: string[] } {
  const [folder, ...rest] = args;
  if (folder === undefined || folder.startsWith('-')) throw new CommandError('Say the folder of the backup.');
  return { folder: resolve(folder), rest };
}

const toldOf = (folder: string, { made_at, migrations, tables, blobs }: Manifest) => ({
  folder,
  made_at,
  structure: migrations.at(-1)?.name,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: blobs?.count ?? null,
});

export async function backup(args: string[], config: () => Config): Promise<void> {
  const { folder, rest } = readFolder(args);
  const values = readOptions(rest, { 'without-files': { type: 'boolean' }, json: { type: 'boolean' } });
  const settings = config();
  const options = { has_blobs: values['without-files'] !== true };
  const manifest = await withHandle(settings, (handle) => makeBackup(settings, handle, folder, options));
  print(toldOf(folder, manifest), values.json === true);
  if (values.json !== true)
    say(
      'The secret key is not in it. Keep that apart: without it certificates, webhook secrets and links cannot be read.',
    );
}

/**
 * The log of events of a company without VeriFactu tells of a restore (Orden HAC/1177/2024, art. 9: event 07).
 * @returns the companies that have such a log
 */
async function tellLogs(config: Config): Promise<string[]> {
  return withPorts(config, async (db, ports) => {
    const told: string[] = [];
    for (const company_id of await companyIds(db))
      if (await logRestored(db, ports, company_id, systemClock.now())) told.push(company_id);
    return told;
  });
}

const afterRestore = [
  'What was issued after the backup was made is not here, and its numbers are free again. Before the service works:',
  '- Compare the last numbers with the paper, the mail and the authority. Go on above the highest one.',
  '- Start with "folio serve --role api": nothing is sent or issued by itself until a worker starts.',
];

export async function restore(args: string[], config: () => Config): Promise<void> {
  const { folder, rest } = readFolder(args);
  const as_json = readOptions(rest, { json: { type: 'boolean' } }).json === true;
  const settings = config();
  const manifest = await withHandle(settings, (handle) => restoreBackup(settings, handle, folder));
  const logs = await tellLogs(settings);
  print({ ...toldOf(folder, manifest), logs_told: logs.length }, as_json);
  if (!as_json) for (const line of afterRestore) say(line);
  await verifyAll(settings, as_json);
}

/** Files stay where they are: both databases name them alike. */
export async function move(args: string[], config: () => Config): Promise<void> {
  const values = readOptions(args, { to: { type: 'string' }, json: { type: 'boolean' } }, ['to']);
  const url = String(values.to);
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandError('--to must be an address of the form postgres://user:password@host/database.');
  const from = config();
  const to = { ...from, DATABASE_URL: url, DATABASE_MIGRATION_URL: null, DATABASE_DIRECT_URL: null };
  readDatabaseUrl(url);
  mkdirSync(from.FOLIO_DATA_DIR, { recursive: true });
  const folder = mkdtempSync(join(resolve(from.FOLIO_DATA_DIR), 'move-'));
  try {
    const manifest = await withHandle(from, async (handle) => {
      await refuseWorked(handle);
      return makeBackup(from, handle, folder, { has_blobs: false });
    });
    await withHandle(to, (handle) => restoreBackup(to, handle, folder));
    const { made_at, rows, tables } = toldOf(folder, manifest);
    print({ made_at, tables, rows }, values.json === true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await verifyAll(to, values.json === true);
  if (values.json !== true) say('Set DATABASE_URL to that address, and start the service.');
}

async function refuseWorked(handle: DatabaseHandle): Promise<void> {
  const owner = handle.owner();
  try {
    if (await isWorkedOn(owner))
      throw new CommandError('The service runs, and what it writes meanwhile would be lost: stop it first.');
  } finally {
    await owner.end();
  }
}
