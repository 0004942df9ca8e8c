/** Prints documents with Typst, in processes of their own. */
import { availableParallelism } from 'node:os';
import type { Log } from '../../kernel/log.ts';
import { PrinterBusy, type PrinterPort } from '../../modules/pdfs/ports.ts';
import { editionOf } from './edition.ts';
import { makePool, PrintFault, type PoolLimits, type Printed, startPrinting } from './printing-pool.ts';
import type { PrintRequest } from './print-process.ts';
import { templateFolder } from './templates.ts';
import { findNative } from './typst-native.ts';
import { wasmPackage } from './typst-wasm.ts';

export type Printer = PrinterPort & {
  /** For the log at the start. */
  warnings: readonly string[];
  close(): Promise<void>;
};

export type PrinterOptions = Partial<PoolLimits> & {
  /** Told of what was printed otherwise than asked for. */
  log: Pick<Log, 'warn'>;
  /** False prints as where there is no native compiler; for tests. */
  is_native?: boolean;
  /** Another folder of templates; for tests. */
  templates?: string;
};

/** One processor is left to the service itself; more than four would only be waiting for memory. */
const processes_max = Math.max(1, Math.min(4, availableParallelism() - 1));

const usual: PoolLimits = {
  processes_max,
  waiting_max: 250,
  waiting_characters_max: 64_000_000,
  seconds_max: 20,
  prints_max: 1_000,
  growth_max: 300_000_000,
  idle_seconds_max: 300,
};

/** Nothing is started until the first document. */
export function makePrinter({
  log,
  is_native,
  templates = templateFolder,
  ...limits
}: PrinterOptions): Printer {
  const native = is_native === false ? undefined : findNative();
  const engine = native === undefined ? 'wasm' : 'native';
  const pool = makePool(() => startPrinting(engine, templates), { ...usual, ...limits });

  async function printOnce(request: PrintRequest): Promise<Printed> {
    const printed = pool.print(request);
    if (!printed) throw new PrinterBusy('Too many documents wait to be printed.');
    return printed;
  }

  /** A logo is whatever a company gave us: one that fells the process is left out as well. */
  async function print({ document, format }: PrintRequest): Promise<Uint8Array> {
    const tell = (why: string) =>
      log.warn({ document: document.file_title, why }, 'printed without its logo');
    try {
      const { pdf, logo_fault } = await printOnce({ document, format });
      if (logo_fault !== null) tell(logo_fault);
      return pdf;
    } catch (error) {
      if (!(error instanceof PrintFault) || document.logo === null) throw error;
      const { pdf } = await printOnce({ document: { ...document, logo: null }, format });
      tell(error.message);
      return pdf;
    }
  }

  return {
    engine,
    edition: editionOf(native ?? wasmPackage, templates),
    print: (document, format) => print({ document, format }),
    warnings:
      engine === 'native'
        ? []
        : [
            'this platform has no native Typst: documents are printed without the identifiers of PDF/A and PDF/UA',
          ],
    close: pool.close,
  };
}
