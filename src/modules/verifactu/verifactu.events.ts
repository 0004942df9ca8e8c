/** The authority accepted or rejected an invoice's record. `event-log/` has the log that the law asks for. */
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
