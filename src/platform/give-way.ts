/**
 * For long work in steps: other calls of the process get a turn once this one has held it for some milliseconds. Works
 * that give way stand in one line, as they share one event loop. Only one goes on in each turn of the loop: five in the
 * same turn would hold others five times as long.
 */
import { setImmediate as turn, setTimeout as rest } from 'node:timers/promises';
import type { Steps } from '../kernel/steps.ts';

const turnMs = 5;
/** A statement of another call is sent and answered meanwhile. */
const restMs = 2;

export type GiveWay = () => Promise<void>;

/** Calls of the process that are at work. */
let at_work = 0;

/** @returns call it at the call's end; once is enough */
export function countCall(): () => void {
  let is_counted = true;
  at_work += 1;
  return () => {
    if (is_counted) at_work -= 1;
    is_counted = false;
  };
}

const line: (() => void)[] = [];
let is_served = false;

function myTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  line.push(resolve);
  if (!is_served) {
    is_served = true;
    void serveLine();
  }
  return promise;
}

async function serveLine(): Promise<void> {
  do {
    // A call that is alone waits for nobody.
    if (at_work > 1) await rest(restMs);
    line.shift()!();
    // The work goes on before this is over, and what arrived meanwhile is read.
    await turn();
  } while (line.length > 0);
  is_served = false;
}

/** Between two parts of a work that hold others for some milliseconds each. */
export const giveWayNow: GiveWay = myTurn;

/** @param now monotonic, in milliseconds; for tests */
export function makeGivingWay(now = () => performance.now()): GiveWay {
  let since = now();
  return async () => {
    if (now() - since < turnMs) return;
    await myTurn();
    since = now();
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
