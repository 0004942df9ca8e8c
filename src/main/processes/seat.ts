/** A place that one process fills at a time. When it dies, another takes its place; when that dies too, after a pause. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending } from './messages.ts';

/** The pause before the next start grows with each process that ended soon. It stays at the last of these. */
export const pausesMs = [100, 500, 1000, 2000, 5000, 10_000, 30_000] as const;
/** A process that worked for so long has not ended soon. */
const soonMs = 60_000;

export type Sitter = {
  pid: number;
  exited: Promise<string>;
  end(how: Ending): Promise<void>;
};

export type SeatParts<S extends Sitter> = {
  /** For people: `API`. */
  name: string;
  /** Resolves when the new process is ready; nothing of it is left when it rejects. */
  start(): Promise<S>;
  onGone(sitter: S): void;
  say(line: string): void;
  /** For tests. */
  wait?: (ms: number) => Promise<unknown>;
  /** Monotonic, in milliseconds; for tests. */
  now?: () => number;
};

export class Seat<S extends Sitter> {
  readonly #parts: Required<SeatParts<S>>;
  readonly #leaving = new Set<S>();
  #current: S | null = null;
  #since = 0;
  #is_closed = false;
  #ended_soon = 0;

  constructor(parts: SeatParts<S>) {
    this.#parts = {
      // A wait to start another process does not keep this one alive.
      wait: (ms) => sleep(ms, undefined, { ref: false }),
      now: () => performance.now(),
      ...parts,
    };
  }

  /** Those that are there, also on their way out. */
  get all(): readonly S[] {
    return [...(this.#current ? [this.#current] : []), ...this.#leaving];
  }

  /** @param sitter has started */
  take(sitter: S): void {
    this.#current = sitter;
    this.#since = this.#parts.now();
    void this.#follow(sitter);
  }

  /**
   * Puts a new process in the place of the present one, which leaves once the new one is ready.
   * @throws what the start threw; the present one stays
   */
  async renew(): Promise<void> {
    const fresh = await this.#parts.start();
    const old = this.#current;
    if (this.#is_closed) return fresh.end('end');
    this.take(fresh);
    if (old) await this.#dismiss(old, 'leave');
  }

  /** Ends all. */
  async close(how: Ending): Promise<void> {
    this.#is_closed = true;
    await Promise.all(this.all.map((sitter) => sitter.end(how)));
  }

  async #dismiss(sitter: S, how: Ending): Promise<void> {
    this.#leaving.add(sitter);
    await sitter.end(how);
    this.#leaving.delete(sitter);
  }

  async #follow(sitter: S): Promise<void> {
    const how = await sitter.exited;
    this.#parts.onGone(sitter);
    if (this.#is_closed || this.#current !== sitter) return;
    this.#current = null;
    const { say, name, now } = this.#parts;
    say(`The process ${sitter.pid} (${name}) ended by itself (${how}). Another takes its place.`);
    this.#ended_soon = now() - this.#since >= soonMs ? 0 : this.#ended_soon + 1;
    await this.#refill();
  }

  /** Tries until a process sits here. The others work meanwhile. */
  async #refill(): Promise<void> {
    const { say, name, wait, start } = this.#parts;
    const isNeeded = () => !this.#is_closed && this.#current === null;
    for (;;) {
      await wait(pausesMs[Math.min(Math.max(this.#ended_soon - 1, 0), pausesMs.length - 1)]!);
      if (!isNeeded()) return;
      try {
        const fresh = await start();
        if (!isNeeded()) return await fresh.end('end');
        this.take(fresh);
        say(`The process ${fresh.pid} (${name}) has taken the place.`);
        return;
      } catch (error) {
        this.#ended_soon += 1;
        say(`No process (${name}) started: ${(error as Error).message} It is tried again.`);
      }
    }
  }
}
