import type { Command } from './command-options.ts';

export const backupCommands: readonly Command[] = [
  {
    words: ['backup'],
    usage: 'folio backup FOLDER [--without-files] [--json]',
    help: 'Writes all rows, as of one moment, and the files of documents into an empty folder, while the service goes on. The secret key is not in it: keep that apart.',
    async run(args, config) {
      await (await import('./backup-runs.ts')).backup(args, config);
    },
  },
  {
    words: ['restore'],
    usage: 'folio restore FOLDER [--json]',
    help: 'Brings a backup into an empty database and checks every company. Refuses a database that holds anything.',
    async run(args, config) {
      await (await import('./backup-runs.ts')).restore(args, config);
    },
  },
  {
    words: ['move'],
    usage: 'folio move --to URL [--json]',
    help: 'Copies the database, with the service stopped, into an empty one at a postgres:// address, and checks every company there.',
    async run(args, config) {
      await (await import('./backup-runs.ts')).move(args, config);
    },
  },
];
