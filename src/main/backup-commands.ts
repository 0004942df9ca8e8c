import { resolve } from 'node:path';
import { type Command, defineCommand, flag, needed, refuse, type Rest } from './command.ts';
import { UsageError } from './command-error.ts';
import { addressFault, isOfPostgres } from './database-address.ts';

const folder: Rest = { usage: 'FOLDER', help: 'The folder of the backup.', count_max: 1 };

function readFolder([path]: readonly string[]): string {
  // An empty one is a variable of a script that is not set, and would be the folder where it runs.
  if (path === undefined || path === '') throw new UsageError('Say the folder of the backup.');
  return resolve(path);
}

const readUrl = (text: string): string => {
  const fault = addressFault(text);
  if (fault !== null) refuse(`${fault}.`);
  return isOfPostgres(text)
    ? text
    : refuse('must be an address of the form postgres://user:password@host/database.');
};

export const backupCommands: readonly Command[] = [
  defineCommand({
    words: ['backup'],
    help: 'Writes all rows, as of one moment, and the files of documents into an empty folder, while the service goes on. The secret key is not in it: keep that apart.',
    rest: folder,
    options: { 'without-files': flag('Leaves the files of documents out.') },
    async run(values, { rest, config, as_json }) {
      const options = { has_blobs: !values['without-files'] };
      await (await import('./backup-runs.ts')).backup(readFolder(rest), options, config(), as_json);
    },
  }),
  defineCommand({
    words: ['restore'],
    help: 'Brings a backup into an empty database and checks every company. Refuses a database that holds anything.',
    rest: folder,
    async run(_values, { rest, config, as_json }) {
      await (await import('./restore-runs.ts')).restore(readFolder(rest), config(), as_json);
    },
  }),
  defineCommand({
    words: ['move'],
    help: 'Copies the database, with the service stopped, into an empty one of your own server, and checks every company there.',
    options: { to: needed('URL', 'Address of the empty database, as DATABASE_URL.', readUrl) },
    async run({ to }, { config, as_json }) {
      await (await import('./restore-runs.ts')).move(to, config(), as_json);
    },
  }),
];
