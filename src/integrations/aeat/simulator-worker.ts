/**
 * Simulators in a thread: a message of a thousand large records may take seconds. Time and rows of a sandbox are asked
 * of the process, which has the database.
 */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type Identity, type SimulatorStore, startSimulator } from 'aeat-simulator';

export type SimulatorSettings = {
  schemas: string | null;
  hold_milliseconds: number;
  presenter: { tax_id: string; name: string };
};
/** `port` is for all that one simulator and its service say to each other. */
export type SimulatorWanted = { settings: SimulatorSettings; port: MessagePort };
export type SimulatorStarted = { url: string; ca: string; identity: Identity };
export type SimulatorAsked = { id: number; method: keyof SimulatorStore | 'now'; args: readonly unknown[] };
export type SimulatorTold =
  | { started: SimulatorStarted }
  | { refused: string }
  | { asked: SimulatorAsked }
  | { report: string };
/** `is_fault`: the process has reported it. */
export type SimulatorHeard = { id: number; answer?: unknown; is_fault?: true } | 'stop';

class ReportedFault extends Error {}

parentPort!.on('message', ({ settings, port }: SimulatorWanted) => {
  const tell = (told: SimulatorTold) => port.postMessage(told);
  serve(settings, port, tell).catch((error: unknown) => {
    tell({ refused: textOf(error) });
    port.close();
  });
});

async function serve(
  { schemas, hold_milliseconds, presenter }: SimulatorSettings,
  port: MessagePort,
  tell: (told: SimulatorTold) => void,
): Promise<void> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked_last = 0;
  const ask =
    (method: SimulatorAsked['method']) =>
    (...args: unknown[]): Promise<never> => {
      const answered = Promise.withResolvers<unknown>();
      asked_last += 1;
      waiting.set(asked_last, answered);
      tell({ asked: { id: asked_last, method, args } });
      return answered.promise as Promise<never>;
    };
  const simulator = await startSimulator({
    store: { find: ask('find'), findSystems: ask('findSystems'), save: ask('save'), list: ask('list') },
    now: ask('now'),
    schemas,
    hold_milliseconds,
    report(error) {
      if (!(error instanceof ReportedFault)) tell({ report: textOf(error) });
    },
  });
  port.on('message', (heard: SimulatorHeard) => {
    if (heard === 'stop') {
      void simulator.stop().then(() => port.close());
      return;
    }
    const { id, answer, is_fault } = heard;
    const answered = waiting.get(id);
    waiting.delete(id);
    if (is_fault) answered?.reject(new ReportedFault('reported'));
    else answered?.resolve(answer);
  });
  const identity = await simulator.clientIdentity(presenter.tax_id, presenter.name, 'collaborator');
  tell({ started: { url: simulator.url, ca: simulator.ca, identity } });
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
