/**
 * Processes that work for the service, one request at a time each. They start with the first request and end after a
 * while without work. Their number is bounded (ADR 23). Callers bound how much waits (ADR 35).
 */
import type { ChildProcess } from 'node:child_process';
import {
  type Answered,
  beginWork,
  closeSeat,
  endSeat,
  openSeat,
  ProcessFault,
  restSeat,
  type Seat,
  type SeatEvents,
  slowDown,
  startTimer,
  type Work,
} from './process-seat.ts';

export type PoolLimits = {
  processes_max: number;
  seconds_max: number;
  /** For a process that says when it is ready. */
  start_seconds_max?: number;
  /** A process is replaced after so many requests, or so many bytes of growth. */
  requests_max: number;
  growth_max: number;
  /** Bytes of memory at which a process is ended at once, where the system tells them. */
  resident_max?: number;
  idle_seconds_max: number;
};

export type PoolRules<Q> = {
  start(): ChildProcess;
  /** As the log says it: `print`, `printed`. */
  verb: string;
  done: string;
  /** Whether a request whose process ended, or that took too long, gets one more try in a fresh process. */
  triesAgain(request: Q, why: 'late' | 'fallen'): boolean;
  /** Takes several times as long as a usual one. When left out, none does. */
  isLong?(request: Q): boolean;
};

export type Pool<Q, A> = {
  /** @throws ProcessFault */
  run(request: Q): Promise<A>;
  /** Requests in the processes and waiting ones fail. */
  close(): Promise<void>;
};

export function makePool<Q, A>(
  { start, verb, done, triesAgain, isLong = () => false }: PoolRules<Q>,
  limits: PoolLimits,
): Pool<Q, A> {
  const waiting: Work<Q, A>[] = [];
  const seats = new Set<Seat<Q, A>>();
  const on: SeatEvents<Q, A> = { ready: beginTime, answered: take, lost: giveUp };
  const bounds = { ...limits, done };
  let is_closed = false;

  function run(request: Q): Promise<A> {
    if (is_closed) return Promise.reject(serviceEnds());
    const work: Work<Q, A> = { request, done: Promise.withResolvers(), is_second_try: false };
    waiting.push(work);
    advance();
    return work.done.promise;
  }

  function advance(): void {
    while (waiting.length > 0) {
      const seat = seatFor(waiting[0]!);
      if (seat === 'none now') return;
      const work = waiting.shift()!;
      if (seat instanceof ProcessFault) {
        work.done.reject(seat);
        continue;
      }
      if (isLong(work.request)) slowDown(seat);
      beginWork(seat, work, bounds, on);
    }
  }

  /** Long requests keep to slow seats while there is room, and leave the others as they are. */
  function seatFor({ request, is_second_try }: Work<Q, A>): Seat<Q, A> | 'none now' | ProcessFault {
    const idle = [...seats].filter((seat) => seat.work === null);
    const wanted = idle.find(({ is_slow }) => is_slow === isLong(request));
    if (is_second_try && idle.length > 0) {
      remove(wanted ?? idle[0]!);
      return addSeat();
    }
    if (wanted) return wanted;
    const added = addSeat();
    return added instanceof ProcessFault || added === 'none now' ? (idle[0] ?? added) : added;
  }

  function addSeat(): Seat<Q, A> | 'none now' | ProcessFault {
    if (seats.size >= limits.processes_max) return 'none now';
    try {
      const seat = openSeat(start(), on);
      seats.add(seat);
      return seat;
    } catch (cause) {
      // The machine has no room for another process. The running ones go on; with none, nothing would start what waits.
      return seats.size > 0
        ? 'none now'
        : new ProcessFault('no_process', `no process to ${verb} with`, { cause });
    }
  }

  function beginTime(seat: Seat<Q, A>): void {
    seat.is_ready = true;
    if (seat.work) startTimer(seat, bounds, on);
  }

  function take(seat: Seat<Q, A>, answer: Answered<A>): void {
    if (!seat.work) return;
    endWork(seat, seat.work, answer);
    if (isWorn(seat, answer, limits)) remove(seat);
    else if (waiting.length === 0) restSeat(seat, limits.idle_seconds_max, () => remove(seat));
    advance();
  }

  /** The request may get one more try, before those that wait. */
  function giveUp(seat: Seat<Q, A>, fault: ProcessFault): void {
    const { work } = seat;
    seat.work = null;
    remove(seat);
    const { kind } = fault;
    const may_try_again = (kind === 'late' || kind === 'fallen') && work && triesAgain(work.request, kind);
    if (work && (work.is_second_try || !may_try_again)) work.done.reject(fault);
    else if (work) waiting.unshift({ ...work, is_second_try: true });
    advance();
  }

  function remove(seat: Seat<Q, A>): void {
    seats.delete(seat);
    endSeat(seat);
  }

  return {
    run,
    async close() {
      is_closed = true;
      for (const work of waiting.splice(0)) work.done.reject(serviceEnds());
      const closing = [...seats].map((seat) => closeSeat(seat, serviceEnds()));
      seats.clear();
      await Promise.all(closing);
    },
  };
}

function endWork<Q, A>(seat: Seat<Q, A>, work: Work<Q, A>, answer: Answered<A>): void {
  clearTimeout(seat.timer);
  clearInterval(seat.watch);
  seat.work = null;
  seat.requests++;
  if ('fault' in answer) work.done.reject(new ProcessFault('said', answer.fault));
  else work.done.resolve(answer.done);
}

/** Whether the process is to be replaced. */
function isWorn<Q, A>(
  seat: Seat<Q, A>,
  answer: Answered<A>,
  { requests_max, growth_max }: PoolLimits,
): boolean {
  if (answer.is_spent || seat.requests >= requests_max) return true;
  if ('fault' in answer) return false;
  seat.first_resident ||= answer.resident;
  return answer.resident - seat.first_resident > growth_max;
}

const serviceEnds = () => new ProcessFault('no_process', 'the service ends');
