import type { Log } from '../../kernel/log.ts';
import { PrinterLate, type PrinterPort, type PrintedPdf } from '../../modules/pdfs/ports.ts';
import { editionOf } from './edition.ts';
import { helpersOf } from '../processes/helpers.ts';
import type { PoolLimits } from '../processes/process-pool.ts';
import { ProcessFault } from '../processes/process-seat.ts';
import { printingPool, startPrinting } from './printing-pool.ts';
import type { PrintRequest } from './print-process.ts';
import { templateFolder } from './templates.ts';
import { findNative } from './typst-native.ts';
import { wasmPackage } from './typst-wasm.ts';

export type Printer = PrinterPort & {
  warnings: readonly string[];
  close(): Promise<void>;
};

export type PrinterOptions = Partial<PoolLimits> & {
  /** Warns of each document that was not printed as asked. */
  log: Pick<Log, 'warn'>;
  /** False: as if there were no native compiler; for tests. */
  is_native?: boolean;
  templates?: string;
  /** For tests. */
  start?: typeof startPrinting;
};

const usual: PoolLimits = {
  processes_max: helpersOf(1),
  seconds_max: 40,
  requests_max: 1_000,
  growth_max: 300_000_000,
  idle_seconds_max: 300,
};

export function makePrinter({
  log,
  is_native,
  templates = templateFolder,
  start = startPrinting,
  ...limits
}: PrinterOptions): Printer {
  const native = is_native === false ? undefined : findNative();
  const engine = native === undefined ? 'wasm' : 'native';
  const bounds = { ...usual, ...limits };
  const pool = printingPool(() => start(engine, templates), bounds);

  /** A late document may be asked for again, but not at once: the machine may have been slow. */
  function refusal(error: unknown, { document }: PrintRequest): unknown {
    if (!(error instanceof ProcessFault) || error.kind !== 'late') return error;
    log.warn({ document: document.file_title, why: error.message }, 'not printed');
    return new PrinterLate('The document was not printed in time.', { cause: error });
  }

  /**
   * A compiler that refuses a logo always will, so that PDF is final. When processes fail twice with the logo and one
   * prints without it, the PDF is not final.
   */
  async function print(request: PrintRequest): Promise<PrintedPdf> {
    const { document, format } = request;
    const tell = (why: string) =>
      log.warn({ document: document.file_title, why }, 'printed without its logo');
    try {
      const { pdf, logo_fault } = await pool.run(request);
      if (logo_fault !== null) tell(logo_fault);
      return { bytes: pdf, is_final: true };
    } catch (error) {
      if (document.logo === null || !isOfProcess(error)) throw refusal(error, request);
      const { pdf } = await pool
        .run({ document: { ...document, logo: null }, format })
        .catch((again: unknown) => {
          throw refusal(again, request);
        });
      tell(error.message);
      return { bytes: pdf, is_final: false };
    }
  }

  return {
    engine,
    edition: editionOf(native ?? wasmPackage, templates),
    at_once: bounds.processes_max,
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

const isOfProcess = (error: unknown): error is ProcessFault =>
  error instanceof ProcessFault && (error.kind === 'late' || error.kind === 'fallen');
