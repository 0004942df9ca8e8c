/** What the commands of verifactu-commands.ts do. Loaded when one of them runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeRecords } from '../integrations/aeat/records.ts';
import { listCompanies } from '../modules/companies/index.ts';
import { EmptyPart, verifyCompany } from '../modules/integrity/index.ts';
import {
  exportPeriod,
  ExportRefused,
  logRestored,
  manifestName,
  type RecordReader,
  verifyExport,
} from '../modules/verifactu/index.ts';
import type { Log } from '../kernel/log.ts';
import type { Ports } from '../kernel/ports.ts';
import { systemClock } from '../platform/clock.ts';
import { NoSuchCompany } from '../platform/company-context.ts';
import type { Database } from '../platform/db.ts';
import { makeSecretBox } from '../platform/secrets.ts';
import { isBackup } from './backup/backup-folder.ts';
import { print, printDone, withDatabase } from './command-answers.ts';
import { CommandError } from './command-error.ts';
import type { Config } from './config.ts';
import { makePorts } from './ports.ts';
import { secretKey } from './secret-key.ts';
import { complain, say } from './terminal.ts';

const printFault = (details: object, message: string) => {
  const error = 'err' in details && details.err instanceof Error ? `: ${details.err.message}` : '';
  complain(`folio: ${message}${error}`);
};
const stderrLog: Log = { info: () => undefined, warn: printFault, error: printFault };

async function withPorts<T>(config: Config, work: (db: Database, ports: Ports) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    const secrets = makeSecretBox(secretKey(config), config.FOLIO_SECRET_KEY_PREVIOUS);
    const { ports, close } = await makePorts(config, db, systemClock, secrets, stderrLog);
    try {
      return await work(db, ports);
    } catch (error) {
      const is_told =
        error instanceof ExportRefused || error instanceof NoSuchCompany || error instanceof EmptyPart;
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

type Range = { from: number | undefined; to: number | undefined };

async function verifyStored(
  company_id: string,
  { from, to }: Range,
  config: Config,
  as_json: boolean,
): Promise<void> {
  const range = from === undefined && to === undefined ? null : { from: from ?? 1, to: to ?? 999_999_999 };
  const check = await withPorts(config, (db, ports) =>
    verifyCompany(db, ports, company_id, systemClock.now(), range),
  );
  const { checked, is_whole, alarm } = check;
  printCheck(check, { company: company_id, ...checked, whole: is_whole ? 'yes' : 'no', alarm }, as_json);
}

/** Sandboxes too. */
async function companyIds(db: Database): Promise<string[]> {
  const ids = (await listCompanies(db)).flatMap(({ company_id, sandbox_company_id }) => [
    company_id,
    sandbox_company_id,
  ]);
  return ids.filter((id) => typeof id === 'string');
}

type AllChecked = { companies: number; intact: number; broken: (Check & Record<string, unknown>)[] };

/** One company after the other. */
export async function verifyAll(config: Config): Promise<AllChecked> {
  return withPorts(config, async (db, ports) => {
    const ids = await companyIds(db);
    const broken: AllChecked['broken'] = [];
    for (const company of ids) {
      const check = await verifyCompany(db, ports, company, systemClock.now(), null);
      if (!check.is_intact) broken.push({ company, ...check });
    }
    return { companies: ids.length, intact: ids.length - broken.length, broken };
  });
}

/** A fault of any makes the exit code 1. @param told what else a JSON answer says */
export function tellAll(
  { companies, intact, broken }: AllChecked,
  as_json: boolean,
  told: Record<string, unknown> = {},
): void {
  if (broken.length > 0) process.exitCode = 1;
  if (as_json) print({ ...told, companies, intact, broken }, true);
  else {
    for (const check of broken) printCheck(check, { company: check.company }, false);
    say(`${intact} of ${companies} companies are intact, sandboxes included.`);
  }
}

async function verifyFolder(folder: string, texts: RecordReader, as_json: boolean): Promise<void> {
  if (!existsSync(join(folder, manifestName)))
    throw new CommandError(
      `${folder} is no export, or one that was not finished: it has no ${manifestName}.`,
    );
  if (await isBackup(folder))
    throw new CommandError(
      `${folder} is a backup and no export of records: "folio restore" reads it, and compares it with its hashes first.`,
    );
  const check = await verifyExport(folder, texts, systemClock.now());
  const { checked, manifest_sha256 } = check;
  printCheck(check, { folder, ...checked, manifest_sha256 }, as_json);
}

export async function verify(
  values: Range & { company: string | undefined; export: string | undefined; all: boolean },
  config: () => Config,
  as_json: boolean,
): Promise<void> {
  if (values.all) tellAll(await verifyAll(config()), as_json);
  if (values.company !== undefined) await verifyStored(values.company, values, config(), as_json);
  if (values.export !== undefined)
    await verifyFolder(values.export, await makeRecords(null).reader(), as_json);
}

export async function exportRecords(
  { company, out, ...period }: { company: string; from: string; to: string; out: string },
  config: Config,
  as_json: boolean,
): Promise<void> {
  const done = await withPorts(config, (db, ports) =>
    exportPeriod(db, ports, company, period, out, systemClock.now()),
  );
  print(done, as_json);
}

/**
 * The log of events of a company without VeriFactu tells of a restore (Orden HAC/1177/2024, art. 9: event 07).
 * @returns how many companies have such a log
 */
export async function tellLogs(config: Config): Promise<number> {
  return withPorts(config, async (db, ports) => {
    let told = 0;
    for (const company_id of await companyIds(db))
      if (await logRestored(db, ports, company_id, systemClock.now())) told += 1;
    return told;
  });
}

/** @param company_id undefined for all companies */
export async function tellRestored(
  company_id: string | undefined,
  config: Config,
  as_json: boolean,
): Promise<void> {
  if (company_id === undefined) {
    const logs_told = await tellLogs(config);
    const companies = logs_told === 1 ? '1 company tell' : `${logs_told} companies tell`;
    return printDone(`The logs of events of ${companies} of it.`, { logs_told }, as_json);
  }
  const is_logged = await withPorts(config, (db, ports) =>
    logRestored(db, ports, company_id, systemClock.now()),
  );
  if (!is_logged) throw new CommandError('The company is not in no-verifactu mode: it has no log of events.');
  printDone('The log of events tells of it.', { company_id, is_logged }, as_json);
}
