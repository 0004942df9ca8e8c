/** Runs the simulator of sandboxes in a thread, so that no message holds the event loop of those who call. */
import { Worker } from 'node:worker_threads';
import type { SimulatorStore } from 'aeat-simulator';
import { compiledModules } from '../processes/compiled-modules.ts';
import type { SimulatorAsked, SimulatorHeard, SimulatorSettings, SimulatorTold } from './simulator-worker.ts';

export type SimulatorParts = SimulatorSettings & {
  store: SimulatorStore;
  now(company_id: string): Promise<Date>;
  /** Gets errors of store, clock and thread. */
  report(error: unknown): void;
  /** The thread has ended without stop(): messages on their way have no answer. */
  onGone(): void;
};

export type SimulatorThread = Extract<SimulatorTold, { started: object }>['started'] & {
  stop(): Promise<void>;
};

/** @throws what ended the thread before it had started */
export async function startSimulatorThread(parts: SimulatorParts): Promise<SimulatorThread> {
  const { schemas, hold_milliseconds, presenter, report } = parts;
  const settings: SimulatorSettings = { schemas, hold_milliseconds, presenter };
  const worker = new Worker(new URL('./simulator-worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
    execArgv: [],
    env: compiledModules(),
  });
  const started = Promise.withResolvers<Extract<SimulatorTold, { started: object }>['started']>();
  const ended = Promise.withResolvers<void>();
  let is_running = false;
  let is_stopping = false;
  worker.on('error', (error) => {
    if (is_running) report(error);
    else started.reject(error);
  });
  worker.once('exit', () => {
    started.reject(new Error('The thread of the authority simulator has ended.'));
    ended.resolve();
    if (is_running && !is_stopping) parts.onGone();
  });
  const answer = async (asked: SimulatorAsked) => {
    const heard = await answerOf(parts, asked);
    worker.postMessage(heard);
  };
  worker.on('message', (told: SimulatorTold) => {
    if ('asked' in told) void answer(told.asked);
    else if ('report' in told) report(new Error(told.report));
    else started.resolve(told.started);
  });
  const simulator = await started.promise;
  is_running = true;
  return {
    ...simulator,
    async stop() {
      is_stopping = true;
      worker.postMessage('stop' satisfies SimulatorHeard);
      await ended.promise;
    },
  };
}

async function answerOf(
  { store, now, report }: SimulatorParts,
  { id, method, args }: SimulatorAsked,
): Promise<SimulatorHeard> {
  try {
    const methods = { ...store, now } as Record<string, (...given: readonly unknown[]) => Promise<unknown>>;
    return { id, answer: await methods[method]!(...args) };
  } catch (error) {
    report(error);
    return { id, is_fault: true };
  }
}
