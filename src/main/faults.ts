/**
 * A fault that nobody caught, in a callback or a promise, leaves the process in a state that nobody knows: it is
 * told, the database is let go, and the process ends with code 1, to be started again by whoever started it.
 */
import { setTimeout as wait } from 'node:timers/promises';

const endMs = 5000;

export type FaultWatch = {
  /** Where the fault goes besides standard error: the log. */
  log(error: unknown): void;
  /** What should still be done; it has some seconds. */
  end(): Promise<unknown>;
};

/** Unhandled rejections arrive here too: Node raises them as uncaught exceptions. */
export function watchFaults({ log, end }: FaultWatch): { release(): void } {
  const onFault = (error: unknown) => {
    // Another one on the way out ends it at once.
    process.off('uncaughtException', onFault).on('uncaughtException', () => process.exit(1));
    const text = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`folio: ending on a fault of the program: ${text}\n`);
    log(error);
    void Promise.race([end().catch(() => undefined), wait(endMs)]).then(() => process.exit(1));
  };
  process.on('uncaughtException', onFault);
  return { release: () => process.off('uncaughtException', onFault) };
}
