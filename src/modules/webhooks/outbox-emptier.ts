/** Turns outboxes into deliveries, a few companies at a time. */

import type { Clock } from '../../platform/clock.ts';
import { type Database, sqlState } from '../../platform/db.ts';
import type { JobLog } from '../../platform/job-handler.ts';
import type { Lease } from '../../platform/lease-keeper.ts';
import { type FanOut, fanOut } from './fan-out.ts';

export type EmptierParts = {
  db: Database;
  clock: Clock;
  log: JobLog;
  /** Each holds a connection. */
  companies_max: number;
  /** For free endpoints; undefined: no room for more. */
  leaseForMore(): Lease | undefined;
  onFed(company_id: string, made: FanOut, lease: Lease | undefined): void;
  onPlaceFree(): void;
};

const deadlock = '40P01';

export class OutboxEmptier {
  readonly #parts: EmptierParts;
  /** Companies being emptied; true: once more afterwards. */
  readonly #emptying = new Map<string, boolean>();
  readonly #wanted = new Set<string>();
  #is_stopping = false;

  constructor(parts: EmptierParts) {
    this.#parts = parts;
  }

  get companies(): readonly string[] {
    return [...this.#emptying.keys()];
  }

  get is_quiet(): boolean {
    return this.#emptying.size === 0 && this.#wanted.size === 0;
  }

  /** Running companies end after their transaction. */
  stop(): void {
    this.#is_stopping = true;
    this.#wanted.clear();
  }

  /** Now, or when a place is free. */
  empty(company_id: string): void {
    if (this.#is_stopping) return;
    if (this.#emptying.has(company_id)) {
      this.#emptying.set(company_id, true);
    } else if (this.#emptying.size >= this.#parts.companies_max) {
      this.#wanted.add(company_id);
    } else {
      this.#emptying.set(company_id, false);
      void this.#emptyOut(company_id).finally(() => this.#onEmptied(company_id));
    }
  }

  #onEmptied(company_id: string): void {
    this.#emptying.delete(company_id);
    const [next] = this.#wanted;
    if (next !== undefined) {
      this.#wanted.delete(next);
      this.empty(next);
    }
    this.#parts.onPlaceFree();
  }

  async #emptyOut(company_id: string): Promise<void> {
    const { db, clock, log, leaseForMore, onFed } = this.#parts;
    let is_more = true;
    while (is_more && !this.#is_stopping) {
      this.#emptying.set(company_id, false);
      const lease = leaseForMore();
      try {
        const made = await fanOut({ db, clock }, company_id, lease);
        onFed(company_id, made, lease);
        is_more = made.is_more || this.#emptying.get(company_id) === true;
      } catch (error) {
        // Two processes locked crosswise, and PostgreSQL ended one.
        if (sqlState(error) === deadlock) continue;
        log.warn({ err: error }, 'events were not turned into deliveries');
        return;
      }
    }
  }
}
