/** For long work in steps: other calls of the process get a turn once this one has held it for some milliseconds. */
import { setImmediate as turn } from 'node:timers/promises';

const turnMs = 10;

export function makeGivingWay(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await turn();
    since = performance.now();
  };
}
