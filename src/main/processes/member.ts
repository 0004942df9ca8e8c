/** The supervisor's side of one process. */
import cluster, { type Worker } from 'node:cluster';
import { StartError } from '../start-error.ts';
import type { ProcessMetrics } from '../metrics.ts';
import { endingMs } from './ending-times.ts';
import { type Ending, type FromProcess, type Order, protocol, type ToProcess } from './messages.ts';

/** A process that is busy for longer counts with its last metrics. */
const valuesMs = 2000;
/** After so long an operator hears what a start waits for, and each minute after that. */
const silentStartMs = 30_000;
const startReminderMs = 60_000;
/** Loading the program takes two seconds. A process that has not loaded it after this time is given up. */
const loadMs = 60_000;

export type Member = {
  pid: number;
  /** Resolves when it is gone, with how: `code 1`, `SIGKILL`. */
  exited: Promise<string>;
  /** Hears when it asks for the metrics of all. */
  onPageWanted: (question: number) => void;
  /**
   * @returns the address it listens on
   * @throws StartError with what it says, or when it ends instead; it is killed if it does not load the program in a minute
   */
  start(order: Order): Promise<string>;
  tell(message: ToProcess): void;
  /** Its last metrics, if it does not answer in time. */
  metrics(): Promise<ProcessMetrics>;
  /** Also of a process that is gone. */
  lastMetrics(): ProcessMetrics;
  /** Resolves when it is gone; after its time it is killed. */
  end(how: Ending): Promise<void>;
  kill(): void;
};

export type MemberParts = {
  /** The role that it will have. It loads what the role needs before it gets the rest. */
  role: Order['role'];
  /** Added to this process's environment. */
  env?: Record<string, string>;
  /** For an operator. */
  say(line: string): void;
};

export function forkMember({ role, say, env }: MemberParts): Member {
  cluster.setupPrimary({ args: [role] });
  const worker: Worker = cluster.fork(env);
  const exit = Promise.withResolvers<string>();
  const loaded = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<string>();
  loaded.promise.catch(() => undefined);
  ready.promise.catch(() => undefined);
  const questions = new Map<number, (values: ProcessMetrics) => void>();
  let asked = 0;
  let is_loaded = false;
  let last: ProcessMetrics = [];

  const refuse = (error: Error) => {
    loaded.reject(error);
    ready.reject(error);
  };
  const tell = (message: ToProcess) => {
    // It may end at any moment, which `exited` tells.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  worker.on('error', refuse);
  worker.on('exit', (code, signal) => {
    const how = signal ?? `code ${code}`;
    refuse(new StartError(`A process of the service ended before it was ready (${how}).`));
    exit.resolve(how);
  });
  worker.on('message', (message: FromProcess) => {
    if (message.is === 'loaded') {
      is_loaded = true;
      if (message.protocol === protocol) loaded.resolve();
      else refuse(new StartError('The program was replaced by a version that needs a start of the whole.'));
    } else if (message.is === 'ready') ready.resolve(message.url);
    else if (message.is === 'refused') refuse(new StartError(message.sentence, message.may_pass));
    else if (message.is === 'page wanted') member.onPageWanted(message.question);
    else {
      last = message.values;
      if (message.is === 'values') questions.get(message.question)?.(last);
    }
  });

  const member: Member = {
    pid: worker.process.pid ?? 0,
    exited: exit.promise,
    onPageWanted: () => undefined,
    async start(order) {
      const release = tellOfWaiting(() =>
        say(
          `The process ${member.pid} is still starting: it ${is_loaded ? 'brings the database up to date and opens the port' : 'loads the program'}.`,
        ),
      );
      const timer = setTimeout(() => {
        refuse(
          new StartError(`The process ${member.pid} did not load the program within ${loadMs / 1000} s.`),
        );
        member.kill();
      }, loadMs);
      try {
        await loaded.promise;
        clearTimeout(timer);
        tell({ is: 'start', order });
        return await ready.promise;
      } finally {
        clearTimeout(timer);
        release();
      }
    },
    tell,
    async metrics() {
      const { promise, resolve } = Promise.withResolvers<ProcessMetrics>();
      const question = ++asked;
      if (!worker.isConnected()) return last;
      questions.set(question, resolve);
      const timer = setTimeout(() => resolve(last), valuesMs);
      tell({ is: 'values wanted', question });
      const values = await promise;
      clearTimeout(timer);
      questions.delete(question);
      return values;
    },
    lastMetrics: () => last,
    async end(how) {
      tell({ is: 'ending', how });
      const timer = setTimeout(() => {
        say(`The process ${member.pid} has not ended within ${endingMs[how] / 1000} s and is killed.`);
        member.kill();
      }, endingMs[how]);
      await exit.promise;
      clearTimeout(timer);
    },
    kill: () => worker.process.kill('SIGKILL'),
  };
  return member;
}

/** @returns a function that ends it */
function tellOfWaiting(tell: () => void): () => void {
  let timer = setTimeout(function again() {
    tell();
    timer = setTimeout(again, startReminderMs);
  }, silentStartMs);
  return () => clearTimeout(timer);
}
