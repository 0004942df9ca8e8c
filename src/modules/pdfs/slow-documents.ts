/**
 * Documents whose printing took too long. They are not printed again for minutes, however often they are asked for.
 * Later the machine may be quicker. A changed document has another key.
 */

const restMs = 5 * 60_000;
const documentsMax = 1000;

export class SlowDocuments {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @returns seconds until it is printed again */
  add(key: string): number {
    const [oldest] = this.#until.keys();
    if (this.#until.size >= documentsMax && oldest !== undefined) this.#until.delete(oldest);
    this.#until.set(key, this.#now() + restMs);
    return restMs / 1000;
  }

  /** 0: it may be printed. */
  secondsOf(key: string): number {
    const left = (this.#until.get(key) ?? 0) - this.#now();
    if (left > 0) return Math.ceil(left / 1000);
    this.#until.delete(key);
    return 0;
  }
}
