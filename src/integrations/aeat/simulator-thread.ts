/** Runs the simulator of sandboxes in a thread, so that no message holds the event loop of those who call. */
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { SimulatorStore } from 'aeat-simulator';
import { compiledModules } from '../processes/compiled-modules.ts';
import type {
  SimulatorAsked,
  SimulatorHeard,
  SimulatorSettings,
  SimulatorStarted,
  SimulatorTold,
  SimulatorWanted,
} from './simulator-worker.ts';

export type SimulatorParts = SimulatorSettings & {
  store: SimulatorStore;
  now(company_id: string): Promise<Date>;
  /** Gets errors of store, clock and thread. */
  report(error: unknown): void;
  /** The thread has ended without stop(): messages on their way have no answer. */
  onGone(): void;
};

export type SimulatorThread = SimulatorStarted & { stop(): Promise<void> };

/** Of all services of this process: a thread takes half a second to start. */
let thread: { worker: Worker; gone: Promise<unknown> } | undefined;

/** @throws what ended the thread before the simulator had started, or why it did not start */
export async function startSimulatorThread(parts: SimulatorParts): Promise<SimulatorThread> {
  const { schemas, hold_milliseconds, presenter, report } = parts;
  const settings: SimulatorSettings = { schemas, hold_milliseconds, presenter };
  thread ??= startThread();
  const { worker, gone } = thread;
  const { port1: port, port2 } = new MessageChannel();
  const started = Promise.withResolvers<SimulatorStarted>();
  let is_running = false;
  let is_stopping = false;
  const closed = once(port, 'close').then(async () => {
    if (is_stopping) return;
    const fault = await gone;
    if (!is_running) return started.reject(fault);
    report(fault);
    parts.onGone();
  });
  const answer = async (asked: SimulatorAsked) => {
    const heard = await answerOf(parts, asked);
    port.postMessage(heard);
  };
  port.on('message', (told: SimulatorTold) => {
    if ('asked' in told) void answer(told.asked);
    else if ('report' in told) report(new Error(told.report));
    else if ('refused' in told) started.reject(new Error(told.refused));
    else started.resolve(told.started);
  });
  worker.postMessage({ settings, port: port2 } satisfies SimulatorWanted, [port2]);
  const simulator = await started.promise;
  is_running = true;
  return {
    ...simulator,
    async stop() {
      is_stopping = true;
      port.postMessage('stop' satisfies SimulatorHeard);
      await closed;
    },
  };
}

function startThread(): NonNullable<typeof thread> {
  const worker = new Worker(new URL('./simulator-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
    execArgv: [],
    env: compiledModules(),
  });
  // The port of a simulator keeps the process, and the thread is no reason to.
  worker.unref();
  const gone = new Promise<unknown>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', () => resolve(new Error('The thread of the authority simulator has ended.')));
  });
  void gone.then(() => {
    thread = undefined;
  });
  return { worker, gone };
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
