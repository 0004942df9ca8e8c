/** What the commands of verifactu-commands.ts do. Loaded when one of them runs. */
import { makeRecords } from '../integrations/aeat/records.ts';
import { isCalendarDay } from '../kernel/dates.ts';
import { listCompanies } from '../modules/companies/index.ts';
import { verifyCompany } from '../modules/integrity/index.ts';
import {
  exportPeriod,
  ExportRefused,
  logRestored,
  type RecordPort,
  verifyExport,
} from '../modules/verifactu/index.ts';
import type { Log } from '../kernel/log.ts';
import type { Ports } from '../kernel/ports.ts';
import { systemClock } from '../platform/clock.ts';
import { NoSuchCompany } from '../platform/company-context.ts';
import type { Database } from '../platform/db.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { print, readId, readOptions, withDatabase } from './command-options.ts';
import type { Config } from './config.ts';
import { CommandError } from './explain.ts';
import { makePorts } from './ports.ts';
import { secretKey } from './secret-key.ts';
import { complain, say } from './terminal.ts';

function readDay(name: string, text: unknown): string {
  if (typeof text !== 'string' || !isCalendarDay(text))
    throw new CommandError(`--${name} must be a day, for example 2026-12-31.`);
  return text;
}

function readPosition(name: string, text: unknown): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(String(text)))
    throw new CommandError(`--${name} must be a position, from 1 on.`);
  return Number(text);
}

const printFault = (details: object, message: string) => {
  const error = 'err' in details && details.err instanceof Error ? `: ${details.err.message}` : '';
  complain(`folio: ${message}${error}`);
};
const stderrLog: Log = { info: () => undefined, warn: printFault, error: printFault };

export async function withPorts<T>(
  config: Config,
  work: (db: Database, ports: Ports) => Promise<T>,
): Promise<T> {
  return withDatabase(config, async (db) => {
    const secrets = makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS);
    const { ports, close } = await makePorts(config, db, systemClock, secrets, stderrLog);
    try {
      return await work(db, ports);
    } catch (error) {
      const is_told = error instanceof ExportRefused || error instanceof NoSuchCompany;
      throw is_told ? new CommandError(error.message) : error;
    } finally {
      await close();
    }
  });
}

type Check = {
  is_intact: boolean;
  fault_count: number;
  faults: { kind: string; position: number | null; number: string | null; message: string; file?: string }[];
};

/** Faults come last, and make the exit code 1. */
function printCheck(
  check: Check & Record<string, unknown>,
  summary: Record<string, unknown>,
  as_json: boolean,
): void {
  if (!check.is_intact) process.exitCode = 1;
  if (as_json) {
    print(check, true);
    return;
  }
  print(summary, false);
  for (const { kind, position, number, message, file } of check.faults) {
    const place = [file, position === null ? null : `#${position}`, number].filter((part) => part != null);
    say(`${kind}  ${place.join(' ') || '-'}  ${message}`);
  }
  const untold = check.fault_count - check.faults.length;
  if (untold > 0) say(`… ${untold} more`);
  say(
    check.is_intact
      ? 'Intact.'
      : `Not intact: ${check.fault_count} ${check.fault_count === 1 ? 'fault' : 'faults'}.`,
  );
}

async function verifyStored(
  config: Config,
  values: Record<string, unknown>,
  as_json: boolean,
): Promise<void> {
  const company_id = readId('company', values.company);
  const [from, to] = [readPosition('from', values.from), readPosition('to', values.to)];
  const range = from === undefined && to === undefined ? null : { from: from ?? 1, to: to ?? 999_999_999 };
  const check = await withPorts(config, (db, ports) =>
    verifyCompany(db, ports, company_id, systemClock.now(), range),
  );
  const { checked, is_whole, alarm } = check;
  printCheck(check, { company: company_id, ...checked, whole: is_whole ? 'yes' : 'no', alarm }, as_json);
}

/** Sandboxes too. */
export async function companyIds(db: Database): Promise<string[]> {
  const ids = (await listCompanies(db)).flatMap(({ company_id, sandbox_company_id }) => [
    company_id,
    sandbox_company_id,
  ]);
  return ids.filter((id) => typeof id === 'string');
}

/** One after the other. A fault of any makes the exit code 1. */
export async function verifyAll(config: Config, as_json: boolean): Promise<void> {
  await withPorts(config, async (db, ports) => {
    const ids = await companyIds(db);
    let intact = 0;
    for (const company of ids) {
      const check = await verifyCompany(db, ports, company, systemClock.now(), null);
      if (check.is_intact) intact++;
      else printCheck(check, { company, ...check.checked }, as_json);
    }
    if (as_json) print({ companies: ids.length, intact }, true);
    else say(`${intact} of ${ids.length} companies are intact, sandboxes included.`);
  });
}

async function verifyFolder(folder: string, texts: RecordPort, as_json: boolean): Promise<void> {
  const check = await verifyExport(folder, texts, systemClock.now());
  const { checked, manifest_sha256 } = check;
  printCheck(check, { folder, ...checked, manifest_sha256 }, as_json);
}

export async function verify(args: string[], config: () => Config): Promise<void> {
  const values = readOptions(args, {
    company: { type: 'string' },
    export: { type: 'string' },
    all: { type: 'boolean' },
    from: { type: 'string' },
    to: { type: 'string' },
    json: { type: 'boolean' },
  });
  const as_json = values.json === true;
  const said = ['company', 'export', 'all'].filter((name) => values[name] !== undefined);
  if (said.length !== 1) throw new CommandError('Say one of --company, --export and --all.');
  if (values.all) await verifyAll(config(), as_json);
  else if (values.export === undefined) await verifyStored(config(), values, as_json);
  else await verifyFolder(String(values.export), makeRecords(null), as_json);
}

export async function exportRecords(args: string[], config: () => Config): Promise<void> {
  const values = readOptions(
    args,
    {
      company: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean' },
    },
    ['company', 'from', 'to', 'out'],
  );
  const company_id = readId('company', values.company);
  const period = { from: readDay('from', values.from), to: readDay('to', values.to) };
  if (period.to < period.from) throw new CommandError('--to must not be before --from.');
  const done = await withPorts(config(), (db, ports) =>
    exportPeriod(db, ports, company_id, period, String(values.out), systemClock.now()),
  );
  print(done, values.json === true);
}

export async function tellRestored(args: string[], config: () => Config): Promise<void> {
  const values = readOptions(args, { company: { type: 'string' } }, ['company']);
  const company_id = readId('company', values.company);
  const is_logged = await withPorts(config(), (db, ports) =>
    logRestored(db, ports, company_id, systemClock.now()),
  );
  if (!is_logged) throw new CommandError('The company is not in no-verifactu mode: it has no log of events.');
  say('The log of events tells of it.');
}
