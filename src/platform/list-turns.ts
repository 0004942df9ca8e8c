/**
 * While others call too, a company's lists take turns: two are worked at a time, the rest wait in their order. So a
 * company that asks for many pages at once does not delay another's call in the event loop or the database (ADR 34).
 * Other calls do not wait: those that commit together gain by it.
 */

export type ListTurnBounds = {
  /** Lists of one company that are worked at a time, while others call. */
  at_once: number;
  /** Lists of one company that wait. */
  waiting_max: number;
  /** A list that takes longer keeps its turn no longer: a slow one blocks none of its company. */
  turn_ms: number;
  /** So long after its last call a company still counts as one that calls. */
  company_ms: number;
};

const defaults: ListTurnBounds = { at_once: 2, waiting_max: 200, turn_ms: 100, company_ms: 1000 };

/** May be called again. */
export type EndTurn = () => void;

/** Too many lists of the company wait. */
export class TurnsTaken extends Error {}

type Line = { running: number; waiting: (() => void)[] };

export class ListTurns {
  readonly #bounds: ListTurnBounds;
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();
  /** The last caller, and the last call of another company. */
  #last = { owner_id: '', at: Number.NEGATIVE_INFINITY };
  #other_at = Number.NEGATIVE_INFINITY;

  /** @param now monotonic, in ms */
  constructor(bounds: Partial<ListTurnBounds> = {}, now: () => number = () => performance.now()) {
    this.#bounds = { ...defaults, ...bounds };
    this.#now = now;
  }

  /**
   * @param owner_id whose share the list counts in
   * @returns what ends the turn; it ends by itself after `turn_ms`
   * @throws TurnsTaken
   */
  async take(owner_id: string): Promise<EndTurn> {
    this.note(owner_id);
    const line = this.#lines.get(owner_id) ?? { running: 0, waiting: [] };
    if (line.waiting.length >= this.#bounds.waiting_max) throw new TurnsTaken();
    this.#lines.set(owner_id, line);
    const { promise, resolve } = Promise.withResolvers<void>();
    line.waiting.push(resolve);
    this.#serve(owner_id, line);
    await promise;
    return this.#begin(owner_id, line);
  }

  /** For every call, to know whether several companies call. */
  note(owner_id: string): void {
    if (this.#last.owner_id !== owner_id) this.#other_at = this.#last.at;
    this.#last = { owner_id, at: this.#now() };
  }

  #begin(owner_id: string, line: Line): EndTurn {
    let has_ended = false;
    const end = () => {
      if (has_ended) return;
      has_ended = true;
      clearTimeout(timer);
      line.running -= 1;
      this.#serve(owner_id, line);
      if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(owner_id);
    };
    const timer = setTimeout(end, this.#bounds.turn_ms).unref();
    return end;
  }

  #serve(owner_id: string, line: Line): void {
    while (line.waiting.length > 0 && this.#hasRoom(owner_id, line)) {
      line.running += 1;
      line.waiting.shift()!();
    }
  }

  #hasRoom(owner_id: string, { running }: Line): boolean {
    if (running < this.#bounds.at_once) return true;
    const other_at = this.#last.owner_id === owner_id ? this.#other_at : this.#last.at;
    return this.#now() - other_at > this.#bounds.company_ms;
  }
}
