/** Threads that check chains, in turns: one check at a time for a company, two at a time in all. */
import { Worker } from 'node:worker_threads';
import type { ChainWalker, WalkPort } from '../../modules/verifactu/index.ts';
import { FairTurns } from '../../platform/fair-turns.ts';
import { compiledModules } from '../processes/compiled-modules.ts';
import type { WalkAnswered, WalkAsked } from './walk-worker.ts';

const limits = { at_once: 2, at_once_of_company: 1, waiting_max: 16, weight_max: 16, wait_ms: 30_000 };
/** A page of a hundred signed records takes a second. */
const pageMs = 60_000;

/** A thread takes half a second to start, so it stays this long for the next check. */
const idleMs = 10_000;

type Thread = {
  walker: ChainWalker;
  isGone(): boolean;
  forget(): Promise<unknown>;
  hold(): void;
  rest(): void;
  end(): void;
};

/** @param schemas the folder of the authority's own schemas */
export function makeWalkThreads(schemas: string | null): WalkPort {
  const turns = new FairTurns(limits);
  const idle: { thread: Thread; timer: NodeJS.Timeout }[] = [];

  function takeThread(): Thread {
    const known = idle.pop();
    if (!known) return startThread(schemas);
    clearTimeout(known.timer);
    if (known.thread.isGone()) return takeThread();
    known.thread.hold();
    return known.thread;
  }

  function keep(thread: Thread): void {
    thread.rest();
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.thread === thread),
        1,
      );
      thread.end();
    }, idleMs).unref();
    idle.push({ thread, timer });
  }

  async function runInThread<T>(check: (walker: ChainWalker) => Promise<T>): Promise<T> {
    const thread = takeThread();
    try {
      const result = await check(thread.walker);
      await thread.forget();
      keep(thread);
      return result;
    } catch (error) {
      thread.end();
      throw error;
    }
  }

  return {
    run(owner_id, check) {
      const work = () => runInThread(check);
      return owner_id === null ? work() : turns.take(owner_id, 1, work);
    },
  };
}

function startThread(schemas: string | null): Thread {
  const worker = new Worker(new URL('./walk-worker.ts', import.meta.url), {
    workerData: { schemas },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    execArgv: [],
    env: compiledModules(),
  });
  let is_gone = false;
  worker.once('exit', () => (is_gone = true));
  const ask = asker(worker);
  const walker = {
    beginRecords: (...args) => ask({ method: 'beginRecords', args }),
    checkRecords: (...args) => ask({ method: 'checkRecords', args }),
    beginEvents: (...args) => ask({ method: 'beginEvents', args }),
    checkEvents: (...args) => ask({ method: 'checkEvents', args }),
  } as ChainWalker;
  return {
    walker,
    isGone: () => is_gone,
    forget: () => ask({ method: 'forget', args: [] }),
    hold: () => worker.ref(),
    // The process may end meanwhile.
    rest: () => worker.unref(),
    end: () => void worker.terminate(),
  };
}

function asker(worker: Worker): (asked: WalkAsked) => Promise<unknown> {
  let waiting: PromiseWithResolvers<unknown> | undefined;
  let gone: Error | undefined;
  const fail = (error: Error) => {
    gone ??= error;
    waiting?.reject(error);
  };
  worker.on('message', (answered: WalkAnswered) => {
    if ('fault' in answered) waiting?.reject(new Error(answered.fault));
    else waiting?.resolve(answered.answer);
  });
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => fail(new Error('The thread that checks chains has ended.')));
  return async (asked) => {
    if (gone) throw gone;
    waiting = Promise.withResolvers();
    const late = setTimeout(() => fail(new Error(`A page was not checked in ${pageMs} ms.`)), pageMs);
    try {
      worker.postMessage(asked);
      return await waiting.promise;
    } finally {
      clearTimeout(late);
    }
  };
}
