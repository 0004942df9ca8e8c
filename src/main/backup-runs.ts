/** What `folio backup` does. Loaded when it runs: it needs little of the program, and is often started. */
import type { Manifest } from './backup/backup-folder.ts';
import { makeBackup } from './backup/make-backup.ts';
import { print, withHandle } from './command-answers.ts';
import type { Config } from './config.ts';
import { say } from './terminal.ts';

export const toldOf = (folder: string, { made_at, migrations, tables, blobs }: Manifest) => ({
  folder,
  made_at,
  structure: migrations.at(-1)?.name,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: blobs?.count ?? null,
});

export async function backup(
  folder: string,
  options: { has_blobs: boolean },
  config: Config,
  as_json: boolean,
): Promise<void> {
  const manifest = await withHandle(config, (handle) => makeBackup(config, handle, folder, options));
  print(toldOf(folder, manifest), as_json);
  if (!as_json)
    say(
      'The secret key is not in it. Keep that apart: without it certificates, webhook secrets and links cannot be read.',
    );
}
