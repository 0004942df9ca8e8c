/** One process and its current request. */
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

/**
 * `said`: the process refused the request. `late`, `large`, `fallen`: it took too much time or memory, or ended, perhaps for
 * another reason. `no_process`: none could begin.
 */
type ProcessFaultKind = 'said' | 'late' | 'large' | 'fallen' | 'no_process';

/** The message is for the log. */
export class ProcessFault extends Error {
  readonly kind: ProcessFaultKind;

  constructor(kind: ProcessFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** What a process sends back. `resident`: bytes of its memory after the request. `is_spent`: it should get no other. */
export type Answered<A> = ({ done: A; resident: number } | { fault: string }) & { is_spent?: boolean };

/** From a process whose time to start is not that of its first request. */
export type Ready = { is_ready: true };

export type Work<Q, A> = {
  request: Q;
  done: PromiseWithResolvers<A>;
  /** Needs a process that has done nothing yet. */
  is_second_try: boolean;
};

export type Seat<Q, A> = {
  child: ChildProcess;
  work: Work<Q, A> | null;
  requests: number;
  first_resident: number;
  is_ready: boolean;
  /** For long requests: short ones and answers get the processors first. */
  is_slow: boolean;
  timer: NodeJS.Timeout | undefined;
  watch: NodeJS.Timeout | undefined;
};

export type SeatEvents<Q, A> = {
  ready(seat: Seat<Q, A>): void;
  /** The request is done or refused. */
  answered(seat: Seat<Q, A>, answer: Answered<A>): void;
  lost(seat: Seat<Q, A>, fault: ProcessFault): void;
};

export type WorkBounds = {
  seconds_max: number;
  /** Until it says that it is ready. Undefined for a process that does not say so. */
  start_seconds_max?: number;
  resident_max?: number;
  done: string;
};

export function openSeat<Q, A>(child: ChildProcess, on: SeatEvents<Q, A>): Seat<Q, A> {
  const seat: Seat<Q, A> = {
    child,
    work: null,
    requests: 0,
    first_resident: 0,
    is_ready: false,
    is_slow: false,
    timer: undefined,
    watch: undefined,
  };
  child.on('message', (answer: Answered<A> | Ready) => {
    if ('is_ready' in answer) on.ready(seat);
    else on.answered(seat, answer);
  });
  const lose = (why: string) => on.lost(seat, new ProcessFault('fallen', why));
  child.once('exit', (code, signal) => lose(`its process ended (${signal ?? code})`));
  child.once('error', (error) => lose(error.message));
  return seat;
}

/** Of -20 to 19: about a tenth of a processor that another process wants. */
const slowPriority = 10;

/** For good: only an administrator may raise a priority. */
export function slowDown<Q, A>(seat: Seat<Q, A>): void {
  if (seat.is_slow) return;
  seat.is_slow = true;
  try {
    if (seat.child.pid !== undefined) setPriority(seat.child.pid, slowPriority);
  } catch {
    // It has ended, or the system allows no change.
  }
}

export function beginWork<Q, A>(
  seat: Seat<Q, A>,
  work: Work<Q, A>,
  bounds: WorkBounds,
  on: SeatEvents<Q, A>,
): void {
  const { resident_max, done } = bounds;
  seat.work = work;
  seat.child.ref();
  seat.child.channel?.ref();
  startTimer(seat, bounds, on);
  if (resident_max !== undefined)
    watchMemory(seat, resident_max, () =>
      on.lost(seat, new ProcessFault('large', `not ${done} within ${resident_max} bytes of memory`)),
    );
  // A request that cannot be sent shows as the end of the process.
  seat.child.send(work.request as object, () => undefined);
}

/** Begins anew when the process is ready. */
export function startTimer<Q, A>(
  seat: Seat<Q, A>,
  { seconds_max, start_seconds_max, done }: WorkBounds,
  on: SeatEvents<Q, A>,
): void {
  clearTimeout(seat.timer);
  const seconds = seat.is_ready ? seconds_max : (start_seconds_max ?? seconds_max);
  const late = new ProcessFault('late', `not ${done} within ${seconds} s`);
  seat.timer = setTimeout(() => on.lost(seat, late), seconds * 1000);
}

const watchMs = 50;
/** The usual size of a page. Only Linux has such a file: elsewhere only the growth is bounded. */
const pageBytes = 4096;

function watchMemory<Q, A>(seat: Seat<Q, A>, most: number, tooMuch: () => void): void {
  const { pid } = seat.child;
  const { work } = seat;
  const look = async () => {
    const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
    const resident = Number(text.split(' ')[1] ?? 0) * pageBytes;
    if (resident > most && seat.work === work) tooMuch();
  };
  seat.watch = setInterval(() => void look(), watchMs);
}

/** A process at rest keeps no program from ending. */
export function restSeat<Q, A>(seat: Seat<Q, A>, idle_seconds_max: number, tooLong: () => void): void {
  seat.child.unref();
  seat.child.channel?.unref();
  seat.timer = setTimeout(tooLong, idle_seconds_max * 1000).unref();
}

export function endSeat<Q, A>(seat: Seat<Q, A>): void {
  clearTimeout(seat.timer);
  clearInterval(seat.watch);
  seat.child.kill('SIGKILL');
}

/** Waits for the end of the process. Its request fails with the fault. */
export async function closeSeat<Q, A>(seat: Seat<Q, A>, fault: ProcessFault): Promise<void> {
  seat.work?.done.reject(fault);
  seat.work = null;
  const { promise, resolve } = Promise.withResolvers<void>();
  if (seat.child.exitCode !== null || seat.child.signalCode !== null) resolve();
  seat.child.ref();
  seat.child.once('exit', () => resolve());
  endSeat(seat);
  return promise;
}
