/**
 * The processes that print. They begin when something is to be printed and end after a while without work; there are
 * at most so many, each prints one document at a time, and a bounded number of documents waits for them.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PrintAnswer, PrintRequest } from './print-process.ts';
import type { EngineName } from './typesetter.ts';

export type PoolLimits = {
  processes_max: number;
  /** Documents that wait for a process, and the characters in them. */
  waiting_max: number;
  waiting_characters_max: number;
  /** For one document, from when a process has it. */
  seconds_max: number;
  /** A process is replaced after so many, or when it has grown by so many bytes since its first. */
  prints_max: number;
  growth_max: number;
  idle_seconds_max: number;
};

export type Printed = { pdf: Uint8Array; logo_fault: string | null };

export type Pool = {
  /**
   * A document on which a process ended has one more try, in a fresh one; one with a logo also when its time was over.
   * @returns undefined when too many wait
   * @throws PrintFault
   */
  print(request: PrintRequest): Promise<Printed> | undefined;
  /** Ends all processes; what is being printed is not. */
  close(): Promise<void>;
};

/**
 * `said` by the compiler, of the document; `late` and `fallen` are of the process, which may have been held or killed
 * whatever it printed; `no_process` where none could begin with it.
 */
type PrintFaultKind = 'said' | 'late' | 'fallen' | 'no_process';

/** A document that was not printed; the message says why, for the log. */
export class PrintFault extends Error {
  readonly kind: PrintFaultKind;

  constructor(kind: PrintFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

const script = fileURLToPath(new URL('./print-process.ts', import.meta.url));
const no_system_fonts = fileURLToPath(new URL('./no-system-fonts.conf', import.meta.url));

/** Starts a process that prints with this engine and the templates of this folder. */
export function startPrinting(engine: EngineName, templates: string): ChildProcess {
  return fork(script, [engine, templates], {
    execArgv: [],
    // Not the service's own settings, which hold its secrets; and no fonts, packages or network of the machine.
    env: { FONTCONFIG_FILE: no_system_fonts, HOME: '/dev/null', HTTPS_PROXY: 'http://127.0.0.1:9' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

type Job = {
  request: PrintRequest;
  characters: number;
  done: PromiseWithResolvers<Printed>;
  /** It is printed in a process that has printed nothing yet. */
  is_second_try: boolean;
};

/** A process, and what it prints at the moment. */
type Seat = {
  child: ChildProcess;
  job: Job | null;
  prints: number;
  first_resident: number;
  timer: NodeJS.Timeout | undefined;
};

export function makePool(start: () => ChildProcess, limits: PoolLimits): Pool {
  const waiting: Job[] = [];
  const seats = new Set<Seat>();
  let waiting_characters = 0;
  let is_closed = false;

  function print(request: PrintRequest): Promise<Printed> | undefined {
    if (is_closed) return Promise.reject(serviceEnds());
    const characters = charactersOf(request);
    const would_wait = waiting_characters + characters;
    if (waiting.length >= limits.waiting_max) return undefined;
    if (waiting.length > 0 && would_wait > limits.waiting_characters_max) return undefined;
    const job: Job = { request, characters, done: Promise.withResolvers(), is_second_try: false };
    waiting.push(job);
    waiting_characters = would_wait;
    advance();
    return job.done.promise;
  }

  /** Gives each document that waits to a process, as far as there are any. */
  function advance(): void {
    while (waiting.length > 0) {
      const idle = [...seats].find(({ job }) => job === null);
      if (idle && waiting[0]!.is_second_try) remove(idle);
      const seat = idle && seats.has(idle) ? idle : addSeat();
      if (seat === 'none now') return;
      const job = waiting.shift()!;
      waiting_characters -= job.characters;
      if (seat instanceof PrintFault) job.done.reject(seat);
      else begin(seat, job);
    }
  }

  function addSeat(): Seat | 'none now' | PrintFault {
    if (seats.size >= limits.processes_max) return 'none now';
    let child: ChildProcess;
    try {
      child = start();
    } catch (error) {
      // The machine has no room for it. Those that there are go on; without any nobody would come back to this.
      return seats.size > 0
        ? 'none now'
        : new PrintFault('no_process', 'no process to print with', { cause: error });
    }
    const seat: Seat = { child, job: null, prints: 0, first_resident: 0, timer: undefined };
    seats.add(seat);
    seat.child.on('message', (answer: PrintAnswer) => take(seat, answer));
    const lose = (why: string) => giveUp(seat, new PrintFault('fallen', why), true);
    seat.child.once('exit', (code, signal) => lose(`its process ended (${signal ?? code})`));
    seat.child.once('error', (error) => lose(error.message));
    return seat;
  }

  function begin(seat: Seat, job: Job): void {
    clearTimeout(seat.timer);
    seat.job = job;
    seat.child.ref();
    seat.child.channel?.ref();
    seat.timer = setTimeout(() => {
      const fault = new PrintFault('late', `not printed within ${limits.seconds_max} s`);
      // Only a logo is worth the time once more: without one nothing could be left out afterwards.
      giveUp(seat, fault, job.request.document.logo !== null);
    }, limits.seconds_max * 1000);
    // That it could not be sent shows as the end of the process.
    seat.child.send(job.request, () => undefined);
  }

  function take(seat: Seat, answer: PrintAnswer): void {
    const { job } = seat;
    if (!job) return;
    clearTimeout(seat.timer);
    seat.job = null;
    seat.prints++;
    if ('fault' in answer) job.done.reject(new PrintFault('said', answer.fault));
    else job.done.resolve(answer);
    if (isWorn(seat, answer)) remove(seat);
    else if (waiting.length === 0) rest(seat);
    advance();
  }

  function isWorn(seat: Seat, answer: PrintAnswer): boolean {
    if (seat.prints >= limits.prints_max) return true;
    if ('fault' in answer) return false;
    seat.first_resident ||= answer.resident;
    return answer.resident - seat.first_resident > limits.growth_max;
  }

  /** Without work it keeps nobody from ending, and ends itself after a while. */
  function rest(seat: Seat): void {
    seat.child.unref();
    seat.child.channel?.unref();
    seat.timer = setTimeout(() => remove(seat), limits.idle_seconds_max * 1000).unref();
  }

  /** A process of no more use: its document may have one more try in another one, before those that wait. */
  function giveUp(seat: Seat, fault: PrintFault, may_try_again: boolean): void {
    const { job } = seat;
    seat.job = null;
    remove(seat);
    if (job && (job.is_second_try || !may_try_again)) job.done.reject(fault);
    else if (job) {
      waiting.unshift({ ...job, is_second_try: true });
      waiting_characters += job.characters;
    }
    advance();
  }

  function remove(seat: Seat): void {
    clearTimeout(seat.timer);
    seats.delete(seat);
    seat.child.kill('SIGKILL');
  }

  return {
    print,
    async close() {
      is_closed = true;
      for (const job of waiting.splice(0)) job.done.reject(serviceEnds());
      waiting_characters = 0;
      await Promise.all(
        [...seats].map((seat) => {
          seat.job?.done.reject(serviceEnds());
          seat.job = null;
          const { promise, resolve } = Promise.withResolvers<void>();
          if (seat.child.exitCode !== null || seat.child.signalCode !== null) resolve();
          seat.child.ref();
          seat.child.once('exit', () => resolve());
          remove(seat);
          return promise;
        }),
      );
    },
  };
}

const serviceEnds = () => new PrintFault('no_process', 'the service ends');

/** Roughly: what a document takes while it waits. A logo is most of it. */
function charactersOf({ document }: PrintRequest): number {
  return 5_000 + document.lines.length * 500 + (document.logo?.base64.length ?? 0);
}
