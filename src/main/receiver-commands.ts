/** For developers of a webhook receiver. They need no database. */
import type { Command } from './command-options.ts';

export const receiverCommands: readonly Command[] = [
  {
    words: ['listen'],
    usage: 'folio listen --key KEY --forward-to URL [--events EVENT,... ...] [--url SERVICE_URL]',
    help: 'Forwards new events of the key’s company, also of a sandbox, to a receiver on this machine, signed with a secret that it prints.',
    async run(args, config) {
      await (await import('./receiver-runs.ts')).listenToEvents(args, config);
    },
  },
  {
    words: ['events', 'trigger'],
    usage: 'folio events trigger EVENT --key TEST_KEY [--url SERVICE_URL] [--json]',
    help: 'Makes an event happen in the sandbox, by doing the real thing, and prints all events that came of it. Without EVENT, lists those it can.',
    async run(args, config) {
      await (await import('./receiver-runs.ts')).triggerEvent(args, config);
    },
  },
];
