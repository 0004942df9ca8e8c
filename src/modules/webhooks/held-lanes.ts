/**
 * The endpoints that this process holds, each with a lane. Renews leases and releases idle lanes together.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import type { DueRow } from '../../platform/due-work.ts';
import type { JobLog } from '../../platform/job-handler.ts';
import { type Lease, LeaseKeeper } from '../../platform/lease-keeper.ts';
import { endDue, type Held, type Release, readRevisions, releaseLeases } from '../../platform/leases.ts';
import { EndpointLane, type LaneParts } from './endpoint-lane.ts';
import { HostShares } from './host-shares.ts';

export type HeldLanesParts = Omit<LaneParts, 'queueMax' | 'hosts' | 'shares' | 'onDone' | 'onGone'> & {
  db: Database;
  clock: Clock;
  log: JobLog;
  /** How long an endpoint stays held after its process falls silent. */
  lease_ms: number;
  lanes_max: number;
  /** A lane ended, or the idle ones were released. */
  onPlaceFree(): void;
};

type Bounds = { all: number; least: number; most: number };

/** Deliveries in memory: of all endpoints; least and most of one. */
const deliveriesBounds: Bounds = { all: 20_000, least: 32, most: 1000 };
/** Of their bodies. Most have some 600 bytes, but one with a large payment may have 60,000. */
const bytesBounds: Bounds = { all: 50_000_000, least: 32_000, most: 4_000_000 };
/** When no place is free, a lane gives its own away after this time. */
const turnMs = 2000;

export class HeldLanes {
  readonly #parts: HeldLanesParts;
  readonly #lane_parts: LaneParts;
  readonly #leases: LeaseKeeper<EndpointLane>;
  readonly #lanes = new Map<string, EndpointLane>();
  readonly #finished = new Set<EndpointLane>();
  #is_releasing = false;
  #is_closing = false;

  constructor(parts: HeldLanesParts) {
    const { db, clock, log, lease_ms } = parts;
    this.#parts = parts;
    this.#leases = new LeaseKeeper({
      sql: db.index,
      clock,
      log,
      lease_ms,
      onRenewed: (lane, revision, sure_ms) => this.#onRenewed(lane, revision, sure_ms),
    });
    this.#lane_parts = {
      ...parts,
      hosts: new HostShares(),
      shares: db.shares,
      queueMax: () => ({
        deliveries: this.#shareOf(deliveriesBounds),
        bytes: this.#shareOf(bytesBounds),
      }),
      onDone: (lane) => this.#onDone(lane),
      onGone: (lane) => this.#onGone(lane),
    };
  }

  #shareOf({ all, least, most }: Bounds): number {
    return Math.min(Math.max(Math.floor(all / this.#lanes.size), least), most);
  }

  get size(): number {
    return this.#lanes.size;
  }

  get ids(): readonly string[] {
    return [...this.#lanes.keys()];
  }

  get is_quiet(): boolean {
    return this.#lanes.size === 0 && !this.#is_releasing;
  }

  get has_room(): boolean {
    return this.#lanes.size < this.#parts.lanes_max;
  }

  newLease(): Lease {
    return this.#leases.newLease();
  }

  /** Undefined when we do not hold the endpoint under this lease. */
  find(endpoint_id: string, lease_id: string | null): EndpointLane | undefined {
    const lane = this.#lanes.get(endpoint_id);
    return lane && lane.lease_id === lease_id ? lane : undefined;
  }

  /** The caller starts the lane. */
  open(held: Held, sure_ms: number): EndpointLane {
    const former = this.#lanes.get(held.id);
    if (former) {
      former.end();
      this.#leases.letGo(former);
    }
    const lane = new EndpointLane(held, sure_ms, this.#lane_parts);
    this.#lanes.set(held.id, lane);
    this.#leases.keep(lane);
    if (this.#is_closing) lane.close();
    return lane;
  }

  async claim(rows: readonly DueRow[]): Promise<number> {
    const { won, lease } = await this.#leases.win(rows);
    for (const row of won) this.open(row, lease.sure_ms).step();
    return won.length;
  }

  async readRevisions(): Promise<() => void> {
    const held = [...this.#lanes.values()];
    const revisions = await readRevisions(this.#parts.db.index, held);
    return () => {
      for (const lane of held) lane.notice(revisions.get(lane.id) ?? 0);
    };
  }

  makeRoom(): void {
    const now = performance.now();
    for (const lane of this.#lanes.values()) if (now - lane.begun_at > turnMs) lane.close();
  }

  /** Also closes lanes opened later. */
  close(): void {
    this.#is_closing = true;
    for (const lane of this.#lanes.values()) lane.close();
  }

  /** All stay leased until the lease ends: another process repeats what is not stored. */
  abandon(): void {
    this.#is_closing = true;
    for (const lane of [...this.#lanes.values()]) this.#drop(lane);
  }

  /** Lanes that did not end stay leased until the lease ends. */
  stopRenewing(): void {
    this.#leases.stopRenewing();
  }

  retryGivingBack(): void {
    if (this.#finished.size > 0) void this.#giveBack();
  }

  #onRenewed(lane: EndpointLane, revision: number | undefined, sure_ms: number): void {
    if (revision !== undefined) {
      lane.held_until = sure_ms;
      lane.notice(revision);
    } else if (this.#lanes.get(lane.id) === lane && !this.#finished.has(lane)) {
      // Another process took it over after the lease ended. If it was released, it is done anyway.
      this.#drop(lane);
    }
  }

  #onDone(lane: EndpointLane): void {
    this.#finished.add(lane);
    if (this.#finished.size === 1) setImmediate(() => void this.#giveBack());
  }

  #onGone(lane: EndpointLane): void {
    const { db, log } = this.#parts;
    this.#drop(lane);
    endDue(db.index, lane).catch((error: unknown) =>
      log.warn({ err: error }, 'due work of an endpoint was left'),
    );
  }

  #drop(lane: EndpointLane): void {
    lane.end();
    this.#finished.delete(lane);
    this.#leases.letGo(lane);
    if (this.#lanes.get(lane.id) === lane) this.#lanes.delete(lane.id);
    this.#parts.onPlaceFree();
  }

  async #giveBack(): Promise<void> {
    if (this.#is_releasing) return;
    this.#is_releasing = true;
    let these: Leaving[] = [];
    try {
      while (this.#finished.size > 0) {
        these = [...this.#finished].map((lane) => ({ lane, row: lane.release() }));
        this.#finished.clear();
        await this.#release(these);
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'endpoints were not given back');
      for (const { lane } of these) if (this.#lanes.get(lane.id) === lane) this.#finished.add(lane);
      // The loop's timer tries again, but for one that stops: its endpoints stay leased until the lease ends.
      if (this.#is_closing) for (const lane of [...this.#finished]) this.#drop(lane);
    } finally {
      this.#is_releasing = false;
      this.#parts.onPlaceFree();
    }
  }

  async #release(these: readonly Leaving[]): Promise<void> {
    const { db } = this.#parts;
    const rows = these.flatMap(({ row }) => (row ? [row] : []));
    const released = await releaseLeases(db.index, rows);
    const kept = these.filter(({ lane }) => !released.has(lane.id)).map(({ lane }) => lane);
    const still_ours = await readRevisions(db.index, kept);
    for (const { lane } of these) {
      if (released.has(lane.id) || !still_ours.has(lane.id)) this.#drop(lane);
      else lane.resume();
    }
  }
}

/** `row` is null when the lane has work again. */
type Leaving = { lane: EndpointLane; row: Release | null };
