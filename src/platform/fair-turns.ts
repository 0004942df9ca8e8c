/**
 * Companies take turns at what they share: one piece of work each, and a company never has more than its share at a
 * time or waiting. So what one company asks for delays nobody else. A sandbox's work is its owner's.
 *
 * The turns are of this process, as are the printers and threads behind them: two processes serve twice as much, and
 * half of each is half of all.
 */
import { commonErrors as c } from '../kernel/common.errors.ts';
import { fail, type Problem } from '../kernel/problem.ts';
import { Tally } from './tally.ts';

export type TurnLimits = {
  /** Work of all at a time, and of one company. */
  at_once: number;
  at_once_of_company: number;
  /** Waiting work of all, and its weight. One company may use half of each. */
  waiting_max: number;
  weight_max: number;
  /** Nobody waits longer. */
  wait_ms: number;
};

/** `is_own`: the company's share is used up. Else too much work of all waits. */
export class TurnsFull extends Error {
  readonly is_own: boolean;

  constructor(is_own: boolean) {
    super(is_own ? "The company's share is used up." : 'Too much work waits.');
    this.is_own = is_own;
  }
}

const shareOfWaiting = 1 / 2;

/** Half of what is shared, and at least one. */
export function halfOf(at_once: number): number {
  return Math.max(1, Math.floor(at_once / 2));
}

type Waiting = { weight: number; begin(): void };
type Queue = { waiting: Waiting[]; weight: number };

export class FairTurns {
  readonly #limits: TurnLimits;
  /** In the order of their turns. */
  readonly #queues = new Map<string, Queue>();
  readonly #running = new Tally<string>();
  #running_all = 0;
  #waiting = 0;
  #weight = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Work of all at this moment. */
  use(): { running: number; waiting: number } {
    return { running: this.#running_all, waiting: this.#waiting };
  }

  /**
   * @param owner_id the live company, whose sandbox counts with it
   * @param weight of the work while it waits
   * @throws TurnsFull
   */
  async take<T>(owner_id: string, weight: number, work: () => Promise<T>): Promise<T> {
    if (this.#hasRoom(owner_id)) this.#start(owner_id);
    else await this.#wait(owner_id, weight);
    try {
      return await work();
    } finally {
      this.#end(owner_id);
    }
  }

  #hasRoom(owner_id: string): boolean {
    const { at_once, at_once_of_company } = this.#limits;
    return this.#running_all < at_once && this.#running.of(owner_id) < at_once_of_company;
  }

  #start(owner_id: string): void {
    this.#running_all += 1;
    this.#running.add(owner_id);
  }

  #end(owner_id: string): void {
    this.#running_all -= 1;
    this.#running.remove(owner_id);
    this.#comesLast(owner_id);
    this.#beginNext();
  }

  #wait(owner_id: string, weight: number): Promise<void> {
    const { waiting_max, weight_max, wait_ms } = this.#limits;
    const queue = this.#queues.get(owner_id) ?? { waiting: [], weight: 0 };
    const isOver = (count: number, sum: number, share: number) =>
      count >= waiting_max * share || (count > 0 && sum + weight > weight_max * share);
    if (isOver(queue.waiting.length, queue.weight, shareOfWaiting)) throw new TurnsFull(true);
    if (isOver(this.#waiting, this.#weight, 1)) throw new TurnsFull(false);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const patience = setTimeout(() => {
      this.#takeOut(owner_id, one);
      reject(new TurnsFull(this.#running.of(owner_id) >= this.#limits.at_once_of_company));
    }, wait_ms);
    const one: Waiting = {
      weight,
      begin: () => {
        clearTimeout(patience);
        resolve();
      },
    };
    queue.waiting.push(one);
    queue.weight += weight;
    this.#queues.set(owner_id, queue);
    this.#waiting += 1;
    this.#weight += weight;
    return promise;
  }

  #takeOut(owner_id: string, one: Waiting): void {
    const queue = this.#queues.get(owner_id);
    const at = queue?.waiting.indexOf(one) ?? -1;
    if (!queue || at === -1) return;
    queue.waiting.splice(at, 1);
    queue.weight -= one.weight;
    if (queue.waiting.length === 0) this.#queues.delete(owner_id);
    this.#waiting -= 1;
    this.#weight -= one.weight;
  }

  /** After its turn. */
  #comesLast(owner_id: string): void {
    const queue = this.#queues.get(owner_id);
    if (queue && this.#queues.delete(owner_id)) this.#queues.set(owner_id, queue);
  }

  #beginNext(): void {
    for (const [owner_id, queue] of this.#queues) {
      if (!this.#hasRoom(owner_id)) continue;
      const [next] = queue.waiting as [Waiting];
      this.#takeOut(owner_id, next);
      this.#start(owner_id);
      next.begin();
      return;
    }
  }
}

/** @returns the refusal of a call whose work got no turn; any other error as it is */
export function turnRefusal(error: unknown, seconds: number): Problem | unknown {
  if (!(error instanceof TurnsFull)) return error;
  const details = { retry_after_seconds: seconds, values: { seconds } };
  return fail(error.is_own ? c.company_share_exceeded : c.service_unavailable, details);
}
