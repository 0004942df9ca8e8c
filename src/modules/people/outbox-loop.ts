/** Works off what transactions left in a table: at a wake, and every few seconds for what other processes left there. */
import { setTimeout as pause } from 'node:timers/promises';

/** How often it looks without a wake. */
const pollMs = 5_000;
const stopMs = 3_000;

export type OutboxLoop = {
  start(): void;
  /** Looks at once, unless it was never started. */
  wake(): void;
  /** Waits a little for what is under way; another process does it again. */
  stop(): Promise<void>;
};

type Parts = {
  /** Does all that is due, until it is done or `isStopping`. */
  drain(isStopping: () => boolean): Promise<void>;
  onFault(error: unknown): void;
};

/** A wake during a run makes another run follow. */
export function makeOutboxLoop({ drain, onFault }: Parts): OutboxLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let is_asked = false;
  let is_over = true;

  function run(): void {
    is_asked = true;
    if (is_over || running) return;
    clearTimeout(timer);
    is_asked = false;
    running = drain(() => is_over)
      .catch(onFault)
      .finally(() => {
        running = undefined;
        if (is_over) return;
        if (is_asked) return run();
        timer = setTimeout(run, pollMs);
        timer.unref();
      });
  }

  return {
    start() {
      is_over = false;
      run();
    },
    wake: run,
    async stop() {
      is_over = true;
      clearTimeout(timer);
      const ended = new AbortController();
      const little = pause(stopMs, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([running, little]);
      ended.abort();
    },
  };
}
