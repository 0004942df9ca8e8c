/** Checks a folder alone, without database, network or configuration. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { EventWalk } from '../chain-checks/rules/event-walk.ts';
import {
  type ExportedFile,
  type Manifest,
  manifestName,
  readManifest,
  readTexts,
} from './rules/export-file.ts';
import type { Fault } from '../chain-checks/rules/faults.ts';
import { RecordWalk } from '../chain-checks/rules/record-walk.ts';
import type { RecordReader } from '../ports.ts';

/** Whether the folder has the manifest of an export. What is beside it is not looked at. */
export async function isExport(folder: string): Promise<boolean> {
  try {
    readManifest(await readFile(join(folder, manifestName), 'utf8'));
    return true;
  } catch {
    return false;
  }
}

export type ExportFault = {
  kind:
    | Fault['kind']
    | 'manifest_unreadable'
    | 'manifest_differs'
    | 'file_missing'
    | 'file_changed'
    | 'file_unreadable'
    | 'file_unlisted';
  file: string;
  position: number | null;
  number: string | null;
  message: string;
};

export type ExportCheck = {
  object: 'export_check';
  is_intact: boolean;
  checked: { files: number; records: number; events: number; signatures: number };
  fault_count: number;
  faults: ExportFault[];
  manifest_sha256: string | null;
};

const faultsMax = 1000;

/** How many texts name each tax id. */
type Tally = Map<string, number>;

/** @param now stamps after it are faults. If the export was made later, stamps after the export are */
export async function verifyExport(folder: string, texts: RecordReader, now: Date): Promise<ExportCheck> {
  const check = new ExportChecker(folder, texts, now);
  await check.run();
  return check.result();
}

class ExportChecker {
  readonly #folder: string;
  readonly #texts: RecordReader;
  readonly #now: Date;
  readonly #faults: ExportFault[] = [];
  readonly #checked = { files: 0, records: 0, events: 0, signatures: 0 };
  #count = 0;
  #sha256: string | null = null;

  constructor(folder: string, texts: RecordReader, now: Date) {
    this.#folder = folder;
    this.#texts = texts;
    this.#now = now;
  }

  result(): ExportCheck {
    return {
      object: 'export_check',
      is_intact: this.#count === 0,
      checked: this.#checked,
      fault_count: this.#count,
      faults: this.#faults,
      manifest_sha256: this.#sha256,
    };
  }

  async run(): Promise<void> {
    const manifest = await this.#readManifest();
    if (manifest === null) return;
    await this.#findUnlisted(manifest);
    for (const part of [manifest.records, manifest.events])
      if ((part.first_position ?? 1) > 1 && part.before === null)
        this.#addFault('manifest_differs', manifestName, 'No dice con qué enlaza el primero del período.');
    const exported_at = new Date(manifest.exported_at);
    const now = exported_at > this.#now ? exported_at : this.#now;
    await this.#checkRecords(manifest, now);
    await this.#checkEvents(manifest, now);
    for (const file of manifest.files) if (file.kind === 'text') await this.#read(file);
  }

  #addFault(kind: ExportFault['kind'], file: string, message: string): void {
    this.#add({ kind, file, position: null, number: null, message });
  }

  #add(fault: ExportFault): void {
    this.#count += 1;
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }

  #addFound(file: string, found: readonly Fault[]): void {
    for (const { kind, position, number, what } of found)
      this.#add({ kind, file, position, number, message: what });
  }

  async #readManifest(): Promise<Manifest | null> {
    try {
      const bytes = await readFile(join(this.#folder, manifestName));
      this.#sha256 = createHash('sha256').update(bytes).digest('hex');
      return readManifest(bytes.toString('utf8'));
    } catch (error) {
      this.#addFault('manifest_unreadable', manifestName, `No se puede leer: ${messageOf(error)}`);
      return null;
    }
  }

  async #findUnlisted({ files }: Manifest): Promise<void> {
    const listed = new Set([manifestName, ...files.map(({ path }) => path)]);
    const there = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    for (const entry of there) {
      if (entry.isDirectory()) continue;
      const path = relative(this.#folder, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (!listed.has(path)) this.#addFault('file_unlisted', path, 'No está en el manifiesto.');
    }
  }

  /** Null for a missing file. */
  async #read({ path, sha256 }: ExportedFile): Promise<Buffer | null> {
    try {
      const bytes = await readFile(join(this.#folder, path));
      this.#checked.files += 1;
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        this.#addFault('file_changed', path, 'Su SHA-256 no es el del manifiesto.');
      return bytes;
    } catch (error) {
      this.#addFault('file_missing', path, `No se puede leer: ${messageOf(error)}`);
      return null;
    }
  }

  async #textsOf(file: ExportedFile, kind: 'records' | 'events') {
    const bytes = await this.#read(file);
    if (bytes === null) return [];
    try {
      return readTexts(kind, bytes);
    } catch (error) {
      this.#addFault('file_unreadable', file.path, messageOf(error));
      return [];
    }
  }

  /** Nobody can pass off another's records as his own by putting his name in the manifest. */
  #checkTaxpayer({ taxpayer }: Manifest, what: 'registros' | 'eventos', counts: Tally): void {
    for (const [tax_id, count] of counts) {
      if (tax_id === taxpayer.tax_id) continue;
      const message = `Nombra como obligado a ${taxpayer.tax_id}; ${what} de ${tax_id}: ${count}.`;
      this.#addFault('manifest_differs', manifestName, message);
    }
  }

  async #checkRecords(manifest: Manifest, now: Date): Promise<void> {
    const { files, records, system } = manifest;
    const first = records.first_position ?? 1;
    const issuers: Tally = new Map();
    const walk = new RecordWalk(this.#texts, now, system.installation_number, first);
    if (records.before !== null) walk.beginAfter(first - 1, records.before);
    let [altas, anulaciones, tax, total] = [0, 0, 0n, 0n];
    for (const file of files) {
      if (file.kind !== 'records') continue;
      for (const { position, mode, xml } of await this.#textsOf(file, 'records')) {
        this.#addFound(
          file.path,
          walk.check({ id: null, position, mode, xml, columns: null, is_known_broken: true }),
        );
        const sums = this.#sumsOf(xml);
        if (sums?.kind === 'alta') altas += 1;
        if (sums?.kind === 'anulacion') anulaciones += 1;
        tax += sums?.tax ?? 0n;
        total += sums?.total ?? 0n;
        addTo(issuers, sums?.issuer);
        this.#checked.records += 1;
      }
    }
    this.#checked.signatures += walk.counts.signatures;
    this.#checkTaxpayer(manifest, 'registros', issuers);
    const found = {
      count: this.#checked.records,
      altas,
      anulaciones,
      tax_total: fixedText(tax, 2),
      total: fixedText(total, 2),
    };
    for (const name of Object.keys(found) as (keyof typeof found)[])
      if (found[name] !== records[name])
        this.#addFault(
          'manifest_differs',
          manifestName,
          `De los registros dice ${name} ${records[name]}, y los ficheros suman ${found[name]}.`,
        );
  }

  #sumsOf(xml: string): { kind: 'alta' | 'anulacion'; issuer: string; tax: bigint; total: bigint } | null {
    try {
      const { content } = this.#texts.readRecord(xml);
      const issuer = content.issuer.tax_id;
      if (content.kind === 'anulacion') return { kind: 'anulacion', issuer, tax: 0n, total: 0n };
      return {
        kind: 'alta',
        issuer,
        tax: printedToCents(content.tax_total),
        total: printedToCents(content.total),
      };
    } catch {
      return null;
    }
  }

  #taxpayerOf(xml: string): string | undefined {
    try {
      return this.#texts.readEvent(xml).taxpayer.tax_id;
    } catch {
      return undefined;
    }
  }

  async #checkEvents(manifest: Manifest, now: Date): Promise<void> {
    const { files, events, system } = manifest;
    const taxpayers: Tally = new Map();
    const first = events.first_position ?? 1;
    const walk = new EventWalk(this.#texts, now, system.installation_number, first);
    if (events.before !== null) walk.beginAfter(first - 1, events.before);
    for (const file of files) {
      if (file.kind !== 'events') continue;
      for (const { position, xml } of await this.#textsOf(file, 'events')) {
        this.#addFound(file.path, walk.check({ id: null, position, xml, columns: null }));
        addTo(taxpayers, this.#taxpayerOf(xml));
        this.#checked.events += 1;
      }
    }
    this.#checked.signatures += walk.counts.signatures;
    this.#checkTaxpayer(manifest, 'eventos', taxpayers);
    if (this.#checked.events !== events.count)
      this.#addFault(
        'manifest_differs',
        manifestName,
        `Dice que hay ${events.count} eventos, y los ficheros tienen ${this.#checked.events}.`,
      );
  }
}

function addTo(tally: Tally, tax_id: string | undefined): void {
  if (tax_id !== undefined) tally.set(tax_id, (tally.get(tax_id) ?? 0) + 1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'error desconocido';
}
