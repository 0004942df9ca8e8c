/**
 * Exports exact texts, a manifest with hashes and a page for the inspector (Orden HAC/1177/2024, art. 8).
 * Goes file by file: a period may be of any size.
 */
import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { addDays, dayStart, instantIn } from '../../../kernel/dates.ts';
import type { CompanyContext } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import { loadCompany } from '../../../platform/company-context.ts';
import type { Database } from '../../../platform/db.ts';
import { makeFolders } from '../../../platform/make-folders.ts';
import { explainWriting, type Filling, makeEmptyFolder } from '../../../platform/new-folder.ts';
import type { Reader } from '../chain-checks/check-chains.ts';
import type { NewEvent } from '../event-log/event-log.ts';
import { listEventsBetween, listRecordsBetween, readEnds } from '../chain-checks/chain-checks.store.ts';
import { logOrKeepEvents } from '../event-log/pending-events.ts';
import { boundedSums } from '../event-log/rules/bounded-sums.ts';
import type { ChainLink, EventLink } from '../record.ts';
import {
  type ExportedFile,
  type ExportedText,
  type Manifest,
  manifestName,
  readmeName,
  type TextKind,
  textsPerFile,
  writeReadme,
  writeTexts,
} from './rules/export-file.ts';
import { isLogging } from '../settings/rules/mode.ts';
import { findParts, type Part } from './export.store.ts';

/** The message says what is wrong with the company. */
export class ExportRefused extends Error {}

export type Period = { from: string; to: string };

export type ExportResult = {
  folder: string;
  records: number;
  events: number;
  files: number;
  /** Proves that nothing in the folder was exchanged. */
  manifest_sha256: string;
  is_logged: boolean;
};

const folders = { records: 'registros', events: 'eventos' } as const;
/** Until the log of events tells of the export. */
const draftName = `${manifestName}.draft`;
const filling: Filling = {
  what: 'export',
  parts: [...Object.values(folders), readmeName, draftName],
  last: manifestName,
};

/** @throws ExportRefused for a company without records, FolderRefused for a folder that is not empty or cannot be written to */
export async function exportPeriod(
  db: Database,
  ports: Ports,
  company_id: string,
  period: Period,
  folder: string,
  real_now: Date,
): Promise<ExportResult> {
  const read: Reader = (work) => db.read(company_id, work);
  const { company, now, today } = await read((tx) => loadCompany(tx, company_id, real_now));
  const { installation_number } = await read((tx) => readEnds(tx, company_id));
  if (installation_number === null) throw new ExportRefused('The company never turned VeriFactu on.');
  await makeEmptyFolder(folder, filling);
  const { time_zone } = company;
  const instants = {
    from: dayStart(time_zone, period.from),
    until: dayStart(time_zone, addDays(period.to, 1)),
  };
  const parts = await read((tx) => findParts(tx, company_id, instants.from, instants.until));
  const files: ExportedFile[] = [];
  const records = await exportRecords(read, company_id, parts.records, folder, files);
  const events = await exportEvents(read, company_id, parts.events, folder, files);
  const manifest: Manifest = {
    format: 'folio-verifactu-export',
    version: 1,
    taxpayer: { name: company.name ?? '', tax_id: company.tax_id },
    system: {
      name: ports.system.name,
      code: ports.system.code,
      version: ports.system.version,
      installation_number,
    },
    time_zone,
    period,
    exported_at: now.toISOString(),
    records: records.summary,
    events: events.summary,
    files,
  };
  files.push(await writeExported(folder, readmeName, writeReadme(manifest), { kind: 'text', texts: [] }));
  const { sha256 } = await writeExported(folder, draftName, `${JSON.stringify(manifest, null, 2)}\n`, {
    kind: 'text',
    texts: [],
  });
  const log = eventsOf(company, instants, records, events, sha256);
  const is_logged = isLogging(company, today) && log.length > 0;
  if (is_logged)
    await db.transaction(company_id, (tx) => logOrKeepEvents({ tx, ports, company, now, today }, log));
  await rename(join(folder, draftName), join(folder, manifestName));
  return {
    folder,
    records: records.summary.count,
    events: events.summary.count,
    files: files.length + 1,
    manifest_sha256: sha256,
    is_logged,
  };
}

async function writeExported(
  folder: string,
  path: string,
  content: string,
  { kind, texts }: { kind: ExportedFile['kind']; texts: readonly ExportedText[] },
): Promise<ExportedFile> {
  const bytes = Buffer.from(content, 'utf8');
  try {
    await makeFolders(join(folder, path, '..'));
    await writeFile(join(folder, path), bytes, { flag: 'wx' });
  } catch (error) {
    throw explainWriting(error, 'export', folder);
  }
  return {
    path,
    kind,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    first_position: texts[0]?.position ?? null,
    last_position: texts.at(-1)?.position ?? null,
    count: texts.length,
  };
}

function writeTextsFile(
  folder: string,
  kind: TextKind,
  texts: readonly ExportedText[],
): Promise<ExportedFile> {
  const name = (position: number | undefined) => String(position ?? 0).padStart(10, '0');
  const path = `${folders[kind]}/${folders[kind]}-${name(texts[0]?.position)}-${name(texts.at(-1)?.position)}.xml`;
  return writeExported(folder, path, writeTexts(kind, texts), { kind, texts });
}

type Exported<L, S> = { summary: S; first: L | null; last: L | null };

async function exportRecords(
  read: Reader,
  company_id: string,
  part: Part,
  folder: string,
  files: ExportedFile[],
): Promise<Exported<ChainLink, Manifest['records']>> {
  const link = (row: ChainLink | undefined): ChainLink | null =>
    row === undefined
      ? null
      : { tax_id: row.tax_id, number: row.number, issued_on: row.issued_on, huella: row.huella };
  let [first, last]: (ChainLink | null)[] = [null, null];
  let [altas, anulaciones, tax, total] = [0, 0, 0n, 0n];
  const before =
    part === null
      ? []
      : await read((tx) => listRecordsBetween(tx, company_id, part.first - 2, part.first - 1, 1));
  for (let after = (part?.first ?? 1) - 1; part !== null && after < part.last; ) {
    const from = after;
    const rows = await read((tx) => listRecordsBetween(tx, company_id, from, part.last, textsPerFile));
    const end = rows.at(-1);
    if (end === undefined) break;
    for (const row of rows) {
      if (row.kind === 'alta') altas += 1;
      else anulaciones += 1;
      tax += printedToCents(row.tax_total ?? '0.00');
      total += printedToCents(row.total ?? '0.00');
    }
    first ??= link(rows[0]);
    last = link(end);
    files.push(await writeTextsFile(folder, 'records', rows));
    after = end.position;
  }
  return {
    first: first ?? null,
    last: last ?? null,
    summary: {
      count: altas + anulaciones,
      first_position: part?.first ?? null,
      before: link(before[0]),
      altas,
      anulaciones,
      tax_total: fixedText(tax, 2),
      total: fixedText(total, 2),
    },
  };
}

async function exportEvents(
  read: Reader,
  company_id: string,
  part: Part,
  folder: string,
  files: ExportedFile[],
): Promise<Exported<EventLink, Manifest['events']>> {
  const link = (row: EventLink | undefined): EventLink | null =>
    row === undefined ? null : { type: row.type, stamped_at: row.stamped_at, huella: row.huella };
  let [first, last]: (EventLink | null)[] = [null, null];
  let count = 0;
  const before =
    part === null
      ? []
      : await read((tx) => listEventsBetween(tx, company_id, part.first - 2, part.first - 1, 1));
  for (let after = (part?.first ?? 1) - 1; part !== null && after < part.last; ) {
    const from = after;
    const rows = await read((tx) => listEventsBetween(tx, company_id, from, part.last, textsPerFile));
    const end = rows.at(-1);
    if (end === undefined) break;
    count += rows.length;
    first ??= link(rows[0]);
    last = link(end);
    files.push(
      await writeTextsFile(
        folder,
        'events',
        rows.map((row) => ({ ...row, mode: 'no_verifactu' as const })),
      ),
    );
    after = end.position;
  }
  return {
    first: first ?? null,
    last: last ?? null,
    summary: { count, first_position: part?.first ?? null, before: link(before[0]) },
  };
}

/** Of records in event 08. */
const recordsMax = 999_999_999;

/** Events 08 and 09. Exported data are still kept. Sums that do not fit an event are in the manifest. */
function eventsOf(
  { time_zone }: CompanyContext,
  { from, until }: { from: Date; until: Date },
  records: Exported<ChainLink, Manifest['records']>,
  events: Exported<EventLink, Manifest['events']>,
  sha256: string,
): NewEvent[] {
  const period = {
    from: instantIn(time_zone, from),
    to: instantIn(time_zone, new Date(until.getTime() - 1000)),
    is_no_longer_kept: false,
  };
  const note = `SHA-256 del manifiesto: ${sha256}`;
  const log: NewEvent[] = [];
  if (records.first !== null) {
    const { altas, anulaciones, tax_total, total } = records.summary;
    const { first, last } = records;
    const sums = boundedSums({ first, last, altas, anulaciones, tax_total, total }, recordsMax);
    log.push({ details: { type: '08', ...period, records: sums }, note });
  }
  if (events.first !== null && events.last !== null) {
    const { first, last, summary } = events;
    log.push({ details: { type: '09', ...period, first, last, count: summary.count }, note });
  }
  return log;
}
