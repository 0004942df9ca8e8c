/**
 * The endpoints that this process holds, each with a lane. It opens a lane for a lease that was won, keeps the leases,
 * and gives back together the lanes that have nothing to do.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db.ts';
import type { JobLog } from '../../platform/job-handler.ts';
import { type Lease, LeaseKeeper } from '../../platform/lease-keeper.ts';
import { endDue, type Held, readRevisions, type Release, releaseLeases } from '../../platform/leases.ts';
import type { DueRow } from '../../platform/due-work.ts';
import { EndpointLane, type LaneParts } from './endpoint-lane.ts';

export type HeldLanesParts = Omit<LaneParts, 'queueMax' | 'onDone' | 'onGone'> & {
  db: Database;
  clock: Clock;
  log: JobLog;
  /** How long an endpoint is held when nothing more is heard of its process. */
  lease_ms: number;
  /** Endpoints that are served at a time. */
  lanes_max: number;
  /** Told when a lane has ended, or all that had nothing to do were given back. */
  onQuieter(): void;
};

/** Deliveries in memory: of all endpoints, and the least and the most of one. */
const memoryMax = 20_000;
const queueLeast = 32;
const queueMost = 1000;
/** Where all places are taken, a lane makes room after this time. */
const turnMs = 2000;

export class HeldLanes {
  readonly #parts: HeldLanesParts;
  readonly #lane_parts: LaneParts;
  readonly #leases: LeaseKeeper<EndpointLane>;
  readonly #lanes = new Map<string, EndpointLane>();
  /** Lanes that want to be given back. */
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
      queueMax: () => Math.min(Math.max(Math.floor(memoryMax / this.#lanes.size), queueLeast), queueMost),
      onDone: (lane) => this.#onDone(lane),
      onGone: (lane) => this.#onGone(lane),
    };
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

  /** The lane of an endpoint, if we hold it under this lease. */
  find(endpoint_id: string, lease_id: string | null): EndpointLane | undefined {
    const lane = this.#lanes.get(endpoint_id);
    return lane && lane.lease_id === lease_id ? lane : undefined;
  }

  /** Opens a lane for an endpoint that was won; whoever opens it sets it to work. */
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

  /** Claims endpoints that have something due and sets their lanes to work. @returns how many */
  async claim(rows: readonly DueRow[]): Promise<number> {
    const { won, lease } = await this.#leases.win(rows);
    for (const row of won) this.open(row, lease.sure_ms).step();
    return won.length;
  }

  /** Tells every lane what its revision is in the database by now. */
  async readRevisions(): Promise<() => void> {
    const held = [...this.#lanes.values()];
    const revisions = await readRevisions(this.#parts.db.index, held);
    return () => {
      for (const lane of held) lane.notice(revisions.get(lane.id) ?? 0);
    };
  }

  /** Closes the lanes that have had their turn. */
  makeRoom(): void {
    const now = performance.now();
    for (const lane of this.#lanes.values()) if (now - lane.begun_at > turnMs) lane.close();
  }

  /** Closes all lanes, and those that are opened from now on. */
  close(): void {
    this.#is_closing = true;
    for (const lane of this.#lanes.values()) lane.close();
  }

  /** What did not end in time is left to its lease. */
  stopRenewing(): void {
    this.#leases.stopRenewing();
  }

  /** Tries again what could not be given back. */
  retryGivingBack(): void {
    if (this.#finished.size > 0) void this.#giveBack();
  }

  #onRenewed(lane: EndpointLane, revision: number | undefined, sure_ms: number): void {
    if (revision !== undefined) {
      lane.held_until = sure_ms;
      lane.notice(revision);
    } else if (this.#lanes.get(lane.id) === lane && !this.#finished.has(lane)) {
      // It was taken over after the lease ran out. One that was given back meanwhile is finished.
      this.#drop(lane);
    }
  }

  #onDone(lane: EndpointLane): void {
    this.#finished.add(lane);
    if (this.#finished.size === 1) setImmediate(() => void this.#giveBack());
  }

  /** Its endpoint was deleted: nothing is due of it. */
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
    this.#parts.onQuieter();
  }

  /** Gives back the lanes that have nothing to do, together. */
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
      // The timer of the loop tries again.
      for (const { lane } of these) if (this.#lanes.get(lane.id) === lane) this.#finished.add(lane);
    } finally {
      this.#is_releasing = false;
      this.#parts.onQuieter();
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

/** A lane that wants to be given back; null when there is something to do after all. */
type Leaving = { lane: EndpointLane; row: Release | null };
