import { type Command, defineCommand, flag, oneOf } from './command.ts';

export const serviceCommands: readonly Command[] = [
  defineCommand({
    words: ['serve'],
    help: 'Starts the service: API and worker in one process unless --role splits them. It logs for people on a terminal, and JSON elsewhere.',
    options: {
      role: oneOf('ROLE', ['all', 'api', 'worker'], 'What this process does.', 'all'),
    },
    has_json: false,
    async run({ role }, { config }) {
      const { serve } = await import('./serve.ts');
      await serve(config(), role);
    },
  }),
  defineCommand({
    words: ['migrate'],
    help: 'Brings the database up to date and says what was applied.',
    options: {
      check: flag(
        'Changes nothing: says what is pending and which locks it takes; exits 1 where anything is.',
      ),
    },
    async run({ check }, { config, as_json }) {
      const runs = await import('./migrate-runs.ts');
      await (check ? runs.checkMigrations : runs.migrateNow)(config(), as_json);
    },
  }),
];
