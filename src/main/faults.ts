/**
 * An uncaught fault leaves the process in an unknown state. It is reported, the database is released, and the process
 * ends with code 1.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { complain } from './terminal.ts';

const endMs = 5000;

export type FaultWatch = {
  log(error: unknown): void;
  /** May take `endMs`. */
  end(): Promise<unknown>;
};

/** Also receives unhandled rejections: Node raises them as uncaught exceptions. */
export function watchFaults({ log, end }: FaultWatch): { release(): void } {
  const onFault = (error: unknown) => {
    // A second fault ends the process at once.
    process.off('uncaughtException', onFault).on('uncaughtException', () => process.exit(1));
    const text = error instanceof Error ? error.stack : String(error);
    complain(`folio: ending on a fault of the program: ${text}`);
    log(error);
    void Promise.race([end().catch(() => undefined), wait(endMs)]).then(() => process.exit(1));
  };
  process.on('uncaughtException', onFault);
  return { release: () => process.off('uncaughtException', onFault) };
}
