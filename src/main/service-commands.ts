import { type Command, defineCommand, flag, oneOf, optional } from './command.ts';
import { readProcesses } from './option-readers.ts';

export const serviceCommands: readonly Command[] = [
  defineCommand({
    words: ['serve'],
    help: 'Starts the service: API and worker in one process unless --role splits them. It logs for people on a terminal, and JSON elsewhere.',
    options: {
      role: oneOf('ROLE', ['all', 'api', 'worker'], 'What this process does.', 'all'),
      processes: optional(
        'N|auto',
        'So many processes of the API on one port, and one of background work; `auto`: one for each processor. SIGHUP replaces them one by one.',
        readProcesses,
      ),
    },
    examples: ['folio serve --processes auto'],
    has_json: false,
    async run({ role, processes }, { config }) {
      if (processes === undefined) {
        const { serve } = await import('./serve.ts');
        return serve(config(), role);
      }
      const here = config();
      const { firstOf, forkFirst, rolesOf } = await import('./processes/first-members.ts');
      const { watchHangUps } = await import('./processes/hang-ups.ts');
      const roles = rolesOf(role, processes);
      const hang_ups = watchHangUps();
      const first = forkFirst(firstOf(roles));
      try {
        const { serveProcesses } = await import('./processes/serve-processes.ts');
        await serveProcesses(here, role, roles, first, hang_ups);
      } finally {
        hang_ups.release();
        for (const member of first) member.kill();
      }
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
