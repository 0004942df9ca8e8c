/** For long work in steps: other calls of the process get a turn once this one has held it for some milliseconds. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Steps } from '../kernel/steps.ts';

const turnMs = 10;

export type GiveWay = () => Promise<void>;

export function makeGivingWay(): GiveWay {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await turn();
    since = performance.now();
  };
}

/** Does the work, and gives way between its steps. */
export async function inTurns<T>(steps: Steps<T>, giveWay: GiveWay = makeGivingWay()): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await giveWay();
  }
}
