/**
 * Turns outboxes into deliveries, a few companies at a time. Each takes one transaction, then goes to the end of the line;
 * companies that share one owner have half of the places (ADR 34).
 */

import { sqlStates } from '../../kernel/sql-states.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, sqlState } from '../../platform/db.ts';
import { halfOf } from '../../platform/fair-turns.ts';
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

export class OutboxEmptier {
  readonly #parts: EmptierParts;
  /** Companies being emptied; true: once more afterwards. */
  readonly #emptying = new Map<string, boolean>();
  /** In the order of their turns. */
  readonly #wanted = new Set<string>();
  readonly #running = new Map<string, number>();
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
    } else {
      this.#wanted.add(company_id);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    const { companies_max, db } = this.#parts;
    for (const company_id of this.#wanted) {
      if (this.#emptying.size >= companies_max) return;
      const owner_id = db.shares.ownerOf(company_id);
      if ((this.#running.get(owner_id) ?? 0) >= halfOf(companies_max)) continue;
      this.#wanted.delete(company_id);
      this.#emptying.set(company_id, false);
      this.#count(owner_id, 1);
      void this.#emptyOnce(company_id).then((is_more) => this.#onEmptied(company_id, owner_id, is_more));
    }
  }

  #count(owner_id: string, change: 1 | -1): void {
    const running = (this.#running.get(owner_id) ?? 0) + change;
    if (running > 0) this.#running.set(owner_id, running);
    else this.#running.delete(owner_id);
  }

  #onEmptied(company_id: string, owner_id: string, is_more: boolean): void {
    const is_wanted = is_more || this.#emptying.get(company_id) === true;
    this.#emptying.delete(company_id);
    this.#count(owner_id, -1);
    if (is_wanted && !this.#is_stopping) this.#wanted.add(company_id);
    this.#beginNext();
    this.#parts.onPlaceFree();
  }

  /** @returns whether more is left */
  async #emptyOnce(company_id: string): Promise<boolean> {
    const { db, clock, log, leaseForMore, onFed } = this.#parts;
    const lease = leaseForMore();
    try {
      const made = await fanOut({ db, clock }, company_id, lease);
      onFed(company_id, made, lease);
      return made.is_more;
    } catch (error) {
      // Two processes locked crosswise, and PostgreSQL ended one.
      if (sqlState(error) === sqlStates.deadlock) return true;
      log.warn({ err: error }, 'events were not turned into deliveries');
      return false;
    }
  }
}
