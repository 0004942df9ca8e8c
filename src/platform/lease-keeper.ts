/** One process's leases: renews them, and knows how long each is sure. */
import type { Sql } from 'postgres';
import { newId } from '../kernel/uuid7.ts';
import type { Clock } from './clock.ts';
import type { DueRow } from './due-work.ts';
import type { JobLog } from './job-handler.ts';
import { type Claimed, type Held, renewLeases, winDue } from './leases.ts';

export type Lease = {
  id: string;
  until: Date;
  /** When the lease may end, by this process's monotonic clock. */
  sure_ms: number;
};

type Options<H> = {
  sql: Sql;
  clock: Clock;
  log: JobLog;
  lease_ms: number;
  /** For each row after a renewal. @param revision undefined when the row is no longer ours */
  onRenewed?(held: H, revision: number | undefined, sure_ms: number): void;
};

export class LeaseKeeper<H extends Held> {
  readonly #options: Options<H>;
  readonly #held = new Set<H>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options<H>) {
    this.#options = options;
  }

  get held(): readonly H[] {
    return [...this.#held];
  }

  get size(): number {
    return this.#held.size;
  }

  newLease(): Lease {
    const { clock, lease_ms } = this.#options;
    return {
      id: newId(),
      until: new Date(clock.now().getTime() + lease_ms),
      sure_ms: performance.now() + lease_ms,
    };
  }

  /** The rows are renewed from `keep` on. */
  async win(rows: readonly DueRow[]): Promise<{ won: Claimed[]; lease: Lease }> {
    const { sql, clock } = this.#options;
    const lease = this.newLease();
    return { won: await winDue(sql, rows, { ...lease, now: clock.now() }), lease };
  }

  keep(held: H): void {
    this.#held.add(held);
    this.#timer ??= setInterval(() => void this.#renew(), this.#options.lease_ms / 3).unref();
  }

  letGo(held: H): void {
    this.#held.delete(held);
    if (this.#held.size === 0) this.stopRenewing();
  }

  /** Leaves held rows until their lease ends. */
  stopRenewing(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #renew(): Promise<void> {
    const { sql, log, onRenewed } = this.#options;
    const mine = this.held;
    const { until, sure_ms } = this.newLease();
    try {
      const kept = await renewLeases(sql, mine, until);
      for (const held of mine) onRenewed?.(held, kept.get(held.id), sure_ms);
    } catch (error) {
      log.warn({ err: error }, 'leases were not renewed');
    }
  }
}
