/**
 * Lends each connection to one borrower at a time. At most half of them are lent to one company, and companies that
 * wait take turns (ADR 34).
 */
import { halfOf } from './fair-turns.ts';
import { ConnectionLost } from './guarded-connection.ts';
import { Tally } from './tally.ts';

/** All the company's connections were busy, though others may be free. */
export class ShareSpent extends Error {
  constructor(company_id: string) {
    super(`The company ${company_id} uses its share of the connections.`);
  }
}

export type PoolBounds = {
  /** For a connection, when other companies hold them. */
  wait_ms: number;
  /** For a connection of a company that holds its share. */
  share_wait_ms: number;
  /** Calls of one company that wait at a time. */
  waiting_max: number;
};

const defaults: PoolBounds = { wait_ms: 10_000, share_wait_ms: 5000, waiting_max: 100 };

/** For good: to try again is in vain. */
export class PoolClosed extends ConnectionLost {
  override readonly code = 'CONNECTION_ENDED';

  constructor() {
    super('The service is stopping.');
  }
}

type Waiter<Member> = { goes_first: boolean; take(member: Member): void; refuse(error: Error): void };

export type Loan<Member> = { member: Member; owner: string | null };

/** Members by state, and who waits for one. */
export type PoolUse = { lent: number; free: number; awaited: number };

export type Borrower = {
  /** The company whose share it counts in; null: the service itself, which has no share. */
  owner: string | null;
  /** Goes before the company's other waiters. Background work, whose number is bounded elsewhere. */
  goes_first?: boolean;
};

export class ConnectionPool<Member> {
  readonly #bounds: PoolBounds;
  readonly #share: number;
  readonly #size: number;
  readonly #free: Member[];
  readonly #held = new Tally<string | null>();
  /** In the order of their turns: a company that was served goes to the end. */
  readonly #waiting = new Map<string | null, Waiter<Member>[]>();
  #is_closed = false;

  constructor(members: readonly Member[], bounds: Partial<PoolBounds> = {}) {
    this.#bounds = { ...defaults, ...bounds };
    this.#free = [...members];
    this.#size = members.length;
    this.#share = halfOf(members.length);
  }

  /**
   * @throws ShareSpent when the company's share stays spent, or too many of its calls wait
   * @throws ConnectionLost when none becomes free in ten seconds
   * @throws PoolClosed
   */
  borrow({ owner, goes_first = false }: Borrower): Promise<Loan<Member>> {
    if (this.#is_closed) return Promise.reject(new PoolClosed());
    const queue = this.#waiting.get(owner) ?? [];
    if (queue.length === 0 && this.#free.length > 0 && !this.#isSpent(owner))
      return Promise.resolve(this.#lend(owner));
    if (owner !== null && !goes_first && queue.length >= this.#bounds.waiting_max)
      return Promise.reject(new ShareSpent(owner));
    return new Promise((resolve, reject) => {
      const { share_wait_ms, wait_ms } = this.#bounds;
      const giveUp = (error: Error) => {
        this.#drop(owner, waiter);
        reject(error);
      };
      let timer = setTimeout(() => {
        if (owner !== null && this.#isSpent(owner)) return giveUp(new ShareSpent(owner));
        const lost = () => giveUp(new ConnectionLost('No connection became free in time.'));
        timer = setTimeout(lost, Math.max(0, wait_ms - share_wait_ms));
      }, share_wait_ms);
      const waiter: Waiter<Member> = {
        goes_first,
        take: (member) => {
          clearTimeout(timer);
          resolve({ member, owner });
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const after = goes_first ? queue.findIndex((other) => !other.goes_first) : -1;
      queue.splice(after === -1 ? queue.length : after, 0, waiter);
      this.#waiting.set(owner, queue);
    });
  }

  /** At this moment. */
  use(): PoolUse {
    let awaited = 0;
    for (const queue of this.#waiting.values()) awaited += queue.length;
    return { lent: this.#size - this.#free.length, free: this.#free.length, awaited };
  }

  giveBack({ member, owner }: Loan<Member>): void {
    this.#held.remove(owner);
    this.#free.push(member);
    this.#serveNext();
  }

  /** Refuses whoever waits or asks from now on. */
  close(): void {
    this.#is_closed = true;
    for (const queue of this.#waiting.values()) for (const waiter of queue) waiter.refuse(new PoolClosed());
    this.#waiting.clear();
  }

  #isSpent(owner: string | null): boolean {
    return owner !== null && this.#held.of(owner) >= this.#share;
  }

  #lend(owner: string | null): Loan<Member> {
    this.#held.add(owner);
    return { member: this.#free.pop() as Member, owner };
  }

  /** One connection became free, so one waiter can be served. */
  #serveNext(): void {
    for (const [owner, queue] of this.#waiting) {
      if (this.#isSpent(owner)) continue;
      const waiter = queue.shift();
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      waiter?.take(this.#lend(owner).member);
      return;
    }
  }

  #drop(owner: string | null, waiter: Waiter<Member>): void {
    const queue = this.#waiting.get(owner) ?? [];
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.#waiting.delete(owner);
  }
}
