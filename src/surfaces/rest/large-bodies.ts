/**
 * Large bodies of one owner are worked one after the other, with a rest as long as two of them: reading and checking one
 * holds the event loop for some thirty milliseconds, and several in a row would hold others for all of that (ADR 34).
 */
import { setImmediate as turn, setTimeout as rest } from 'node:timers/promises';

/** Bytes from which a body waits for its turn. */
export const largeBytes = 65_536;

const restsFor = 2;
const restMaxMs = 100;

export class LargeBodies {
  readonly #last = new Map<string, Promise<void>>();

  /** Calls `begin` at once when no large body of the owner was worked just before. */
  takeTurn(owner_id: string, begin: () => void): void {
    const before = this.#last.get(owner_id);
    const mine = before ? before.then(() => this.#work(begin)) : this.#work(begin);
    this.#last.set(owner_id, mine);
    void mine.then(() => {
      if (this.#last.get(owner_id) === mine) this.#last.delete(owner_id);
    });
  }

  async #work(begin: () => void): Promise<void> {
    const begun_at = performance.now();
    begin();
    // It is read and checked within these.
    for (let turns = 0; turns < 2; turns++) await turn();
    await rest(Math.min(restMaxMs, restsFor * (performance.now() - begun_at)));
  }
}
