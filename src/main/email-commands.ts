import type { Command } from './command-options.ts';

export const emailCommands: readonly Command[] = [
  {
    words: ['email', 'bounced'],
    usage: 'folio email bounced [--json] < NOTICE',
    help: 'Reads a delivery status notification (RFC 3464) on the standard input and marks its message as failed. Exits 75 while the database is away, so that a mail system tries again.',
    async run(args, config) {
      await (await import('./email-runs.ts')).recordNotice(args, config);
    },
  },
];
