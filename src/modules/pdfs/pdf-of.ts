/**
 * Every way to a PDF ends here. It is printed once per format and content, however many ask, and kept in
 * memory and in the blob store. Do not wait for one inside a transaction.
 */
import { createHash } from 'node:crypto';
import type { PrintedFormat } from '../../domain/printing/printed-document.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Log } from '../../kernel/log.ts';
import type { Ports } from '../../kernel/ports.ts';
import { fail } from '../../kernel/problem.ts';
import { FairTurns, halfOf, turnRefusal } from '../../platform/fair-turns.ts';
import { RecentBytes } from '../../platform/recent-bytes.ts';
import { KeptPdfs } from './kept-pdfs.ts';
import { type PrintedPdf, PrinterBusy, PrinterLate } from './ports.ts';
import { charactersOf, type Printable } from './printable.ts';
import { SlowDocuments } from './slow-documents.ts';

export type PdfCtx = { ports: Ports; log: Log };

/** To print after an operation's transaction. */
export type PdfToPrint = { printable: Printable; format: PrintedFormat; tag: string };

const recentBytesMax = 32 * 1024 * 1024;
const retrySeconds = 5;
/** Waiting documents and their characters. */
const waitingMax = 250;
const charactersMax = 64_000_000;
const waitMs = 30_000;

/** Not final without its logo, which another print may add. */
export type Pdf = { bytes: Buffer; is_final: boolean };

type Shelf = {
  recent: RecentBytes<Buffer>;
  kept: KeptPdfs;
  printing: Map<string, Promise<Pdf>>;
  turns: FairTurns;
  slow: SlowDocuments;
};

/** One per printer and blob store. */
const shelves = new WeakMap<Ports, Shelf>();

function shelfOf(ports: Ports): Shelf {
  const known = shelves.get(ports);
  if (known) return known;
  const at_once = ports.printer.at_once ?? Number.POSITIVE_INFINITY;
  const made = {
    recent: new RecentBytes<Buffer>(recentBytesMax),
    kept: new KeptPdfs(ports.blobs),
    printing: new Map(),
    turns: new FairTurns({
      at_once,
      at_once_of_company: halfOf(at_once),
      waiting_max: waitingMax,
      weight_max: charactersMax,
      wait_ms: waitMs,
    }),
    slow: new SlowDocuments(),
  };
  shelves.set(ports, made);
  return made;
}

/** Documents of this process that are printed and that wait, at this moment. */
export function printingUse(ports: Ports): { running: number; waiting: number } {
  return shelfOf(ports).turns.use();
}

/** The strong tag of a PDF, with its quotes. It changes exactly when the bytes do. */
export function pdfTag(ports: Ports, { document, logo_hash }: Printable, format: PrintedFormat): string {
  const { logo, ...rest } = document;
  const text = JSON.stringify([ports.printer.edition, format, rest, logo?.alternative_text, logo_hash]);
  return `"${createHash('sha256').update(text).digest('hex')}"`;
}

/**
 * @param tag from `pdfTag`, if the caller has it
 * @throws 429 company_share_exceeded, 503 service_unavailable when too many wait or time is over; any other error is our
 *   fault
 */
export async function pdfOf(
  { ports, log }: PdfCtx,
  printable: Printable,
  format: PrintedFormat,
  tag = pdfTag(ports, printable, format),
): Promise<Pdf> {
  const shelf = shelfOf(ports);
  const { company_id, kind, id } = printable.ref;
  const key = `pdfs/${company_id}/${kind}/${id}/${format}-${tag.slice(1, -1)}.pdf`;
  const known = shelf.recent.get(key);
  if (known) return { bytes: known, is_final: true };
  const under_way = shelf.printing.get(key);
  if (under_way) return under_way;
  const making = make().finally(() => shelf.printing.delete(key));
  shelf.printing.set(key, making);
  return making;

  async function make(): Promise<Pdf> {
    const is_kept = !printable.is_draft && printable.is_personal !== true;
    const kept = !is_kept ? undefined : await shelf.kept.find(key, log);
    const printed = kept
      ? { bytes: kept, is_final: true }
      : await print(ports, shelf, printable, format, key);
    const bytes = asBuffer(printed.bytes);
    if (!printed.is_final) return { bytes, is_final: false };
    shelf.recent.set(key, bytes, bytes.byteLength);
    if (kept === undefined && is_kept) shelf.kept.keep(key, bytes, log);
    return { bytes, is_final: true };
  }
}

async function print(
  { printer, shares }: Ports,
  { turns, slow }: Shelf,
  { document, ref }: Printable,
  format: PrintedFormat,
  key: string,
): Promise<PrintedPdf> {
  const unavailable = (seconds: number) => fail(c.service_unavailable, { retry_after_seconds: seconds });
  const rest = slow.secondsOf(key);
  if (rest > 0) throw unavailable(rest);
  try {
    return await turns.take(shares.ownerOf(ref.company_id), charactersOf(document), () =>
      printer.print(document, format),
    );
  } catch (error) {
    if (error instanceof PrinterLate) throw unavailable(slow.add(key));
    if (error instanceof PrinterBusy) throw unavailable(retrySeconds);
    throw turnRefusal(error, retrySeconds);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
