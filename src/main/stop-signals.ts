/**
 * The first of some signals, or the end of the npm that started the service, asks for an orderly end. A later signal
 * asks for an end at once. `npm start` and a terminal both pass on one Ctrl-C, so signals within half a second count
 * as one.
 */
import { watchStarter } from './starter.ts';

const sameRequestMs = 500;
/** Those of every service. A supervisor of processes is told by SIGHUP to replace them. */
export const stopSignals = ['SIGINT', 'SIGTERM'] as const;

export type StopSignals = {
  /** For people: what asked. */
  first: Promise<string>;
  has_come(): boolean;
  release(): void;
};

/** @param onAgain ends the process */
export function watchStopSignals(
  signals: readonly NodeJS.Signals[],
  onAgain: (signal: NodeJS.Signals) => void,
): StopSignals {
  const { promise, resolve } = Promise.withResolvers<string>();
  let came_at: number | undefined;
  const onFirst = (what: string) => {
    came_at ??= performance.now();
    resolve(what);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (came_at === undefined) {
      onFirst(signal);
    } else if (performance.now() - came_at > sameRequestMs) {
      onAgain(signal);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  const unwatch = watchStarter(() => onFirst('the end of npm'));
  return {
    first: promise,
    has_come: () => came_at !== undefined,
    release() {
      unwatch();
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
