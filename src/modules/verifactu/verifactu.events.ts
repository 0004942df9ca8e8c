/**
 * Events of invoices whose record the authority accepted or rejected. The log of events that the law asks for
 * is in `event-log/`.
 */
import { defineEvents } from '../events/index.ts';

export const verifactuEvents = defineEvents({
  'invoice.verifactu_submitted': {
    other_way:
      'Turn VeriFactu on (PUT /v1/verifactu/settings) and issue an invoice: the simulator accepts it.',
  },
  'invoice.verifactu_failed': {
    other_way:
      'Turn VeriFactu on and issue an invoice with a magic value that is rejected (docs/sandbox-magic-values.md).',
  },
});
