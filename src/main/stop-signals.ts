/**
 * The first SIGINT or SIGTERM asks for an orderly end, a later one for an end at once. `npm start` and a terminal
 * both pass on one Ctrl-C, so signals within half a second count as one.
 */
const sameRequestMs = 500;
const signals = ['SIGINT', 'SIGTERM'] as const;

export type StopSignals = {
  first: Promise<NodeJS.Signals>;
  has_come(): boolean;
  release(): void;
};

/** @param onAgain ends the process */
export function watchStopSignals(onAgain: (signal: NodeJS.Signals) => void): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let came_at: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (came_at === undefined) {
      came_at = performance.now();
      resolve(signal);
    } else if (performance.now() - came_at > sameRequestMs) {
      onAgain(signal);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    first: promise,
    has_come: () => came_at !== undefined,
    release() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
