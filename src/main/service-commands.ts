import { type Command, defineCommand, oneOf } from './command.ts';

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
    async run(_, { config, as_json }) {
      await (await import('./migrate-runs.ts')).migrateNow(config(), as_json);
    },
  }),
];
