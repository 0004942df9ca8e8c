/**
 * Processes start with the first document and end after a while without work. Their number is bounded (ADR 23). Who
 * asks bounds what waits (ADR 35).
 */
import type { ChildProcess } from 'node:child_process';
import type { PrintAnswer, PrintRequest } from './print-process.ts';
import {
  beginJob,
  closeSeat,
  endSeat,
  type Job,
  openSeat,
  type Printed,
  PrintFault,
  restSeat,
  type Seat,
  slowDown,
} from './printing-seat.ts';

/** A document with more lines is long: it takes several times as long as a usual one. */
const shortLines = 40;

export type PoolLimits = {
  processes_max: number;
  seconds_max: number;
  /** A process is replaced after so many documents, or so many bytes of growth. */
  prints_max: number;
  growth_max: number;
  idle_seconds_max: number;
};

export type Pool = {
  /**
   * A document whose process ended gets one more try in a fresh process; a late one only with a logo.
   * @throws PrintFault
   */
  print(request: PrintRequest): Promise<Printed>;
  /** Documents in the processes and waiting ones fail. */
  close(): Promise<void>;
};

export function makePool(start: () => ChildProcess, limits: PoolLimits): Pool {
  const waiting: Job[] = [];
  const seats = new Set<Seat>();
  const on = { answered: take, lost: giveUp };
  let is_closed = false;

  function print(request: PrintRequest): Promise<Printed> {
    if (is_closed) return Promise.reject(serviceEnds());
    const job: Job = { request, done: Promise.withResolvers(), is_second_try: false };
    waiting.push(job);
    advance();
    return job.done.promise;
  }

  function advance(): void {
    while (waiting.length > 0) {
      const next = waiting[0]!;
      const seat = seatFor(next);
      if (seat === 'none now') return;
      const job = waiting.shift()!;
      if (seat instanceof PrintFault) {
        job.done.reject(seat);
        continue;
      }
      if (isLong(job)) slowDown(seat);
      beginJob(seat, job, limits.seconds_max, on);
    }
  }

  /** Long documents keep to slow seats while there is room, and leave the others as they are. */
  function seatFor(job: Job): Seat | 'none now' | PrintFault {
    const idle = [...seats].filter((seat) => seat.job === null);
    const wanted = idle.find(({ is_slow }) => is_slow === isLong(job));
    if (job.is_second_try && idle.length > 0) {
      remove(wanted ?? idle[0]!);
      return addSeat();
    }
    if (wanted) return wanted;
    const added = addSeat();
    return added instanceof PrintFault || added === 'none now' ? (idle[0] ?? added) : added;
  }

  function addSeat(): Seat | 'none now' | PrintFault {
    if (seats.size >= limits.processes_max) return 'none now';
    try {
      const seat = openSeat(start(), on);
      seats.add(seat);
      return seat;
    } catch (cause) {
      // The machine has no room for another process. Those that run go on; with none, nobody would come back here.
      return seats.size > 0
        ? 'none now'
        : new PrintFault('no_process', 'no process to print with', { cause });
    }
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
    else if (waiting.length === 0) restSeat(seat, limits.idle_seconds_max, () => remove(seat));
    advance();
  }

  function isWorn(seat: Seat, answer: PrintAnswer): boolean {
    if (seat.prints >= limits.prints_max) return true;
    if ('fault' in answer) return false;
    seat.first_resident ||= answer.resident;
    return answer.resident - seat.first_resident > limits.growth_max;
  }

  /** The document may get one more try, before those that wait. */
  function giveUp(seat: Seat, fault: PrintFault, may_try_again: boolean): void {
    const { job } = seat;
    seat.job = null;
    remove(seat);
    if (job && (job.is_second_try || !may_try_again)) job.done.reject(fault);
    else if (job) waiting.unshift({ ...job, is_second_try: true });
    advance();
  }

  function remove(seat: Seat): void {
    seats.delete(seat);
    endSeat(seat);
  }

  return {
    print,
    async close() {
      is_closed = true;
      for (const job of waiting.splice(0)) job.done.reject(serviceEnds());
      const closing = [...seats].map((seat) => closeSeat(seat, serviceEnds()));
      seats.clear();
      await Promise.all(closing);
    },
  };
}

const isLong = ({ request }: Job) => request.document.lines.length > shortLines;

const serviceEnds = () => new PrintFault('no_process', 'the service ends');
