/**
 * Reads a scan: marks it, reads the file outside any transaction, then keeps what was read. Attempts are counted in the
 * scan before each of them, so that a reading that ends its worker counts too.
 */
import type { Ctx } from '../../kernel/operation.ts';
import type { OutsideCtx } from '../../platform/job-handler.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { type HashedFile, readFile } from './files.ts';
import { changeScan } from './moves.ts';
import { conclude } from './conclude.ts';
import type { ScanReading } from './ports.ts';
import type { ScanRow } from './purchase-scans.schema.ts';
import { lockScan, updateScan } from './purchase-scans.store.ts';
import type { ScanMediaType } from './rules/file-kind.ts';

const kind = 'purchase_scan.process';
/** A file that takes long delays only other files. */
export const scanLane = 'scans';

const attemptsMax = 3;
/** Seconds before the second attempt, and the third. */
const waits = [5, 30];

const failure = {
  code: 'reading_failed',
  message:
    'El documento no se ha podido leer: la lectura se ha interrumpido tres veces, o necesita más de 10 segundos o de 300 MB. El archivo está guardado.',
};

/** No clock of a sandbox moves a reading. */
export function askForReading({ enqueue }: Pick<Ctx, 'enqueue'>, id: string): void {
  enqueue(kind, { purchase_scan_id: id }, { clock: 'real', order_key: id });
}

type Intent = HashedFile & { media_type: ScanMediaType; attempt: number };
type Outcome = { attempt: number; reading: ScanReading | null };

export const processScan: JobHandler = {
  kind,
  // For our own faults. The run after the third attempt gives up.
  retry: [...waits, 60],
  outside: { lane: scanLane, begin, call },
  run,
};

function lockOf({ tx, company, job }: JobCtx): Promise<ScanRow | undefined> {
  return lockScan(tx, company.company_id, String(job.payload.purchase_scan_id));
}

async function begin(ctx: JobCtx): Promise<Intent | undefined> {
  const { tx, company, now } = ctx;
  const row = await lockOf(ctx);
  if (row?.status !== 'uploaded' && row?.status !== 'processing') return undefined;
  if (row.attempts >= attemptsMax) {
    await giveUp(ctx, row);
    return undefined;
  }
  const { company_id } = company;
  const { id, media_type, sha256 } = row;
  const attempt = row.attempts + 1;
  const version = row.version + 1;
  await updateScan(tx, company_id, {
    ...row,
    status: 'processing',
    attempts: attempt,
    version,
    updated_at: now,
  });
  return { company_id, id, sha256, media_type, attempt };
}

async function call({ attempt, media_type, ...file }: Intent, { ports, log }: OutsideCtx): Promise<Outcome> {
  try {
    const bytes = await readFile(ports, file);
    return { attempt, reading: await ports.scan_reader.read(bytes, media_type) };
  } catch (error) {
    log.warn({ err: error, purchase_scan_id: file.id, attempt }, 'a scan was not read');
    return { attempt, reading: null };
  }
}

async function run(ctx: JobCtx, outcome?: Outcome): Promise<{ next_run_at: Date } | undefined> {
  if (!outcome) return undefined;
  const row = await lockOf(ctx);
  if (row?.status !== 'processing' || row.attempts !== outcome.attempt) return undefined;
  const { reading } = outcome;
  if (reading) {
    await changeScan(ctx, row, 'finish', {
      status: 'processed',
      processed_at: ctx.now,
      ...(await conclude(ctx, reading)),
    });
    return undefined;
  }
  const wait = waits[row.attempts - 1];
  if (wait !== undefined) return { next_run_at: new Date(ctx.realNow().getTime() + wait * 1000) };
  await giveUp(ctx, row);
  return undefined;
}

function giveUp(ctx: JobCtx, row: ScanRow): Promise<ScanRow> {
  return changeScan(ctx, row, 'fail', { status: 'failed', processed_at: ctx.now, error: failure });
}
