import { isCalendarDay } from '../kernel/dates.ts';
import { type Command, defineCommand, flag, needed, optional, type Reader, refuse } from './command.ts';
import { UsageError } from './command-error.ts';
import { readId } from './option-readers.ts';

const companyHelp = 'Id of the company, live or sandbox.';
const company = needed('COMPANY_ID', companyHelp, readId);

const readDay: Reader<string> = (text) =>
  isCalendarDay(text) ? text : refuse('must be a day, for example 2026-12-31.');

const readPosition: Reader<number> = (text) =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : refuse('must be a position, from 1 on.');

export const verifactuCommands: readonly Command[] = [
  defineCommand({
    words: ['verify'],
    help: 'Checks invoices, numbering, billing records, their chain, signatures and events of a company or of all, or an export without any database. Exits 1 when something is wrong.',
    options: {
      company: optional('COMPANY_ID', companyHelp, readId),
      from: optional('POSITION', 'First record that is checked; 1 without.', readPosition),
      to: optional('POSITION', 'Last record that is checked; the newest without.', readPosition),
      all: flag('Checks every company, sandboxes too.'),
      export: optional('FOLDER', 'Checks what "folio verifactu export" wrote instead.'),
    },
    async run(values, { config, as_json }) {
      const said = [values.company, values.export, values.all || undefined].filter((v) => v !== undefined);
      if (said.length !== 1) throw new UsageError('Say one of --company, --export and --all.');
      const { company, from, to } = values;
      if (company === undefined && (from ?? to) !== undefined)
        throw new UsageError('--from and --to go with --company.');
      if (from !== undefined && to !== undefined && to < from)
        throw new UsageError('--to must not be before --from.');
      await (await import('./verifactu-runs.ts')).verify(values, config, as_json);
    },
  }),
  defineCommand({
    words: ['verifactu', 'export'],
    help: 'Writes the records and events of a period into an empty folder, with a manifest and a page for the inspector.',
    options: {
      company,
      from: needed('DAY', 'First day of the period.', readDay),
      to: needed('DAY', 'Last day of the period.', readDay),
      out: needed('FOLDER', 'Where to; made when it is missing.'),
    },
    async run(values, { config, as_json }) {
      if (values.to < values.from) throw new UsageError('--to must not be before --from.');
      await (await import('./verifactu-runs.ts')).exportRecords(values, config(), as_json);
    },
  }),
  defineCommand({
    words: ['verifactu', 'restored'],
    help: 'Tells the logs of events, which companies in no-verifactu mode have, that a backup was restored by other tools than "folio restore". Check them then: folio verify.',
    options: {
      company: optional('COMPANY_ID', companyHelp, readId),
      all: flag('Tells those of every company, sandboxes too.'),
    },
    async run(values, { config, as_json }) {
      if ((values.company === undefined) !== values.all)
        throw new UsageError('Say one of --company and --all.');
      await (await import('./verifactu-runs.ts')).tellRestored(values.company, config(), as_json);
    },
  }),
];
