/** One printing process and its current document. */
import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PrintAnswer, PrintRequest } from './print-process.ts';
import type { EngineName } from './typesetter.ts';

export type Printed = { pdf: Uint8Array; logo_fault: string | null };

/**
 * `said`: the compiler refused the document. `late`, `fallen`: the process failed, perhaps for another reason.
 * `no_process`: none could begin.
 */
type PrintFaultKind = 'said' | 'late' | 'fallen' | 'no_process';

/** The message is for the log. */
export class PrintFault extends Error {
  readonly kind: PrintFaultKind;

  constructor(kind: PrintFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export type Job = {
  request: PrintRequest;
  done: PromiseWithResolvers<Printed>;
  /** Needs a process that has printed nothing yet. */
  is_second_try: boolean;
};

export type Seat = {
  child: ChildProcess;
  job: Job | null;
  prints: number;
  first_resident: number;
  /** For long documents: whoever waits for a short one or an answer has the processors first. */
  is_slow: boolean;
  timer: NodeJS.Timeout | undefined;
};

export type SeatEvents = {
  /** The document is printed or refused. */
  answered(seat: Seat, answer: PrintAnswer): void;
  lost(seat: Seat, fault: PrintFault, may_try_again: boolean): void;
};

/** Of -20 to 19: about a tenth of a processor that another process wants. */
const slowPriority = 10;

const script = fileURLToPath(new URL('./print-process.ts', import.meta.url));
const no_system_fonts = fileURLToPath(new URL('./no-system-fonts.conf', import.meta.url));

export function startPrinting(engine: EngineName, templates: string): ChildProcess {
  return fork(script, [engine, templates], {
    execArgv: [],
    // Without the service's secrets, and without the machine's fonts, packages and network.
    env: { FONTCONFIG_FILE: no_system_fonts, HOME: '/dev/null', HTTPS_PROXY: 'http://127.0.0.1:9' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

export function openSeat(child: ChildProcess, on: SeatEvents): Seat {
  const seat: Seat = { child, job: null, prints: 0, first_resident: 0, is_slow: false, timer: undefined };
  child.on('message', (answer: PrintAnswer) => on.answered(seat, answer));
  const lose = (why: string) => on.lost(seat, new PrintFault('fallen', why), true);
  child.once('exit', (code, signal) => lose(`its process ended (${signal ?? code})`));
  child.once('error', (error) => lose(error.message));
  return seat;
}

/** For good: only an administrator may raise a priority. */
export function slowDown(seat: Seat): void {
  if (seat.is_slow) return;
  seat.is_slow = true;
  try {
    if (seat.child.pid !== undefined) setPriority(seat.child.pid, slowPriority);
  } catch {
    // It has ended, or the system allows no change.
  }
}

export function beginJob(seat: Seat, job: Job, seconds_max: number, on: SeatEvents): void {
  clearTimeout(seat.timer);
  seat.job = job;
  seat.child.ref();
  seat.child.channel?.ref();
  seat.timer = setTimeout(() => {
    const fault = new PrintFault('late', `not printed within ${seconds_max} s`);
    // A second try pays only with a logo, which can be left out afterwards.
    on.lost(seat, fault, job.request.document.logo !== null);
  }, seconds_max * 1000);
  // A request that cannot be sent shows as the end of the process.
  seat.child.send(job.request, () => undefined);
}

/** A process at rest keeps no program from ending. */
export function restSeat(seat: Seat, idle_seconds_max: number, tooLong: () => void): void {
  seat.child.unref();
  seat.child.channel?.unref();
  seat.timer = setTimeout(tooLong, idle_seconds_max * 1000).unref();
}

export function endSeat(seat: Seat): void {
  clearTimeout(seat.timer);
  seat.child.kill('SIGKILL');
}

/** Waits for the end of the process. Its document fails with the fault. */
export async function closeSeat(seat: Seat, fault: PrintFault): Promise<void> {
  seat.job?.done.reject(fault);
  seat.job = null;
  const { promise, resolve } = Promise.withResolvers<void>();
  if (seat.child.exitCode !== null || seat.child.signalCode !== null) resolve();
  seat.child.ref();
  seat.child.once('exit', () => resolve());
  endSeat(seat);
  return promise;
}
