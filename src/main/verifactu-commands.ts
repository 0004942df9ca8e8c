import type { Command } from './command-options.ts';

export const verifactuCommands: readonly Command[] = [
  {
    words: ['verify'],
    usage:
      'folio verify --company COMPANY_ID [--from POSITION] [--to POSITION] [--json] | --all [--json] | --export FOLDER [--json]',
    help: 'Checks invoices, numbering, billing records, their chain, signatures and events of a company or of all, or an export without any database. Exits 1 when something is wrong.',
    async run(args, config) {
      await (await import('./verifactu-runs.ts')).verify(args, config);
    },
  },
  {
    words: ['verifactu', 'export'],
    usage: 'folio verifactu export --company COMPANY_ID --from DAY --to DAY --out FOLDER [--json]',
    help: 'Writes the records and events of a period into an empty folder, with a manifest and a page for the inspector.',
    async run(args, config) {
      await (await import('./verifactu-runs.ts')).exportRecords(args, config);
    },
  },
  {
    words: ['verifactu', 'restored'],
    usage: 'folio verifactu restored --company COMPANY_ID',
    help: 'Tells the log of events of a company in no-verifactu mode that a backup was restored. Check it then: folio verify.',
    async run(args, config) {
      await (await import('./verifactu-runs.ts')).tellRestored(args, config);
    },
  },
];
