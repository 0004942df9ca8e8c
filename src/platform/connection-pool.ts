/** Lends each connection to one borrower at a time, in the order of asking. */
import { ConnectionLost } from './guarded-connection.ts';

const waitMs = 10_000;

export class ConnectionPool<Member> {
  readonly #free: Member[];
  readonly #waiting: { take(member: Member): void; refuse(error: Error): void }[] = [];

  constructor(members: readonly Member[]) {
    this.#free = [...members];
  }

  /** @throws ConnectionLost when none becomes free in ten seconds */
  borrow(): Promise<Member> {
    const member = this.#free.pop();
    if (member) return Promise.resolve(member);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(new ConnectionLost('No connection became free in ten seconds.'));
      }, waitMs);
      const entry = {
        take: (m: Member) => {
          clearTimeout(timer);
          resolve(m);
        },
        refuse: (error: Error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.push(entry);
    });
  }

  giveBack(member: Member): void {
    const next = this.#waiting.shift();
    if (next) next.take(member);
    else this.#free.push(member);
  }

  close(): void {
    for (const entry of this.#waiting.splice(0)) entry.refuse(new ConnectionLost('The service is stopping.'));
  }
}
