import { type Command, defineCommand } from './command.ts';

export const emailCommands: readonly Command[] = [
  defineCommand({
    words: ['email', 'bounced'],
    help: 'Reads a delivery status notification (RFC 3464) on the standard input and marks its message as failed. Exits 75 while the database is away, so that a mail system tries again.',
    examples: ['folio email bounced < notice'],
    async run(_, { config, as_json }) {
      await (await import('./email-runs.ts')).recordNotice(config, as_json);
    },
  }),
];
