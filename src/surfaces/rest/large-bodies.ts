/**
 * Large bodies of one owner are worked one after the other, with a rest as long as two of them: one is read in turns, and
 * several at once would take every second turn of the event loop for themselves (ADR 34).
 */
import { setImmediate as turn, setTimeout as rest } from 'node:timers/promises';

/**
 * Bytes from which a body waits for its turn. Sixty of 48 kB that came at once held the loop for half a second. A smaller one may be at
 * hand before its call is admitted (`readAtHand`), and is read no second time.
 */
export const largeBytes = 16_384;

/** Of smaller bodies, in one turn of the loop: sixty that came at once held it for a third of a second. */
const togetherBytes = 65_536;
/** A smaller one is not counted: an ordinary call waits for nobody, and sixty of them hold nobody for long. */
const countedBytes = 2048;

/** What has arrived in this turn of the loop. */
export class ArrivedInTurn {
  readonly #bytes = new Map<string, number>();

  /** @returns whether the owner's bodies are too many bytes to be worked in this turn */
  isTooMuch(owner_id: string, length: number): boolean {
    if (length < countedBytes) return false;
    if (this.#bytes.size === 0) setImmediate(() => this.#bytes.clear());
    const bytes = (this.#bytes.get(owner_id) ?? 0) + length;
    this.#bytes.set(owner_id, bytes);
    return bytes > togetherBytes;
  }
}

const restsFor = 2;
const restMaxMs = 100;
const readMaxMs = 1000;

export class LargeBodies {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Calls `begin` at once when no large body of the owner was worked just before.
   * @param begin settles when the body is read, if that takes several turns of the loop
   */
  takeTurn(owner_id: string, begin: () => Promise<void> | void): void {
    const before = this.#last.get(owner_id);
    const mine = before ? before.then(() => this.#work(begin)) : this.#work(begin);
    this.#last.set(owner_id, mine);
    void mine.then(() => {
      if (this.#last.get(owner_id) === mine) this.#last.delete(owner_id);
    });
  }

  async #work(begin: () => Promise<void> | void): Promise<void> {
    const begun_at = performance.now();
    // `begin` never settles for a call that ends before its body is read.
    await Promise.race([begin(), rest(readMaxMs, undefined, { ref: false })]);
    // The body is checked within these turns.
    for (let turns = 0; turns < 2; turns++) await turn();
    await rest(Math.min(restMaxMs, restsFor * (performance.now() - begun_at)));
  }
}
