/**
 * Sends to one endpoint. Lanes share nothing, so a dead endpoint slows only its own. What is in memory stays
 * due in the database, so that another process can take over.
 */
import { type Held, neverDue, type Release } from '../../platform/leases.ts';
import type { SharePort } from '../../platform/share-owners.ts';
import type { JobLog } from '../../platform/worker.ts';
import type { Sendable } from './deliveries.store.ts';
import type { ResultWriter } from './result-writer.ts';
import { type HostPlace, type HostShares, hostOf } from './host-shares.ts';
import { nextDelivery } from './rules/next-delivery.ts';
import { openTarget, sendDelivery, type SendParts, type Target } from './send-delivery.ts';
import type { EndpointRow } from './webhooks.rows.ts';
import type { WorkReader } from './work-reader.ts';

export type QueueMax = { deliveries: number; bytes: number };

export type LaneParts = SendParts & {
  log: JobLog;
  reader: WorkReader;
  writer: ResultWriter;
  hosts: HostShares;
  shares: SharePort;
  concurrency: number;
  /** Most deliveries in memory now, and of their bodies. One delivery may go beyond. */
  queueMax(): QueueMax;
  /** The lane has nothing to do or must stop. */
  onDone(lane: EndpointLane): void;
  /** The endpoint was deleted. */
  onGone(lane: EndpointLane): void;
  onSent(): void;
};

/** The queue is refilled at this share of its maximum. */
const queueLow = 0.25;
/** The lane waits while so many results are not stored. */
const unstoredMax = 512;
/** A change of the endpoint takes effect within `freshMs`, so it is read again after `refreshMs`. */
const freshMs = 100;
const refreshMs = 60;

export class EndpointLane {
  readonly company_id: string;
  readonly id: string;
  readonly lease_id: string;
  readonly begun_at = performance.now();
  /** On the process's monotonic clock. */
  held_until: number;
  readonly #parts: LaneParts;
  #revision = -1;
  /** More may be due than what is in memory. */
  #is_behind = true;
  /** Everything due up to here was read; null: nothing was. Void once another process adds. */
  #place: { at: Date; id: string } | null = null;
  #next_due = Number.POSITIVE_INFINITY;
  #endpoint: { is_enabled: boolean; failures: number; target: Target | Error } | null = null;
  #fresh_at = Number.NEGATIVE_INFINITY;
  #is_reading = false;
  #is_closing = false;
  #is_releasing = false;
  #is_over = false;
  #running = 0;
  #unstored = 0;
  readonly #queue: Sendable[] = [];
  /**
   * Due times of deliveries queued, in flight or not yet stored. Only a replay makes the lane read one again.
   */
  readonly #at_hand = new Map<string, number>();
  readonly #firsts = new Set<string>();

  constructor(held: Held, held_until: number, parts: LaneParts) {
    this.company_id = held.company_id;
    this.id = held.id;
    this.lease_id = held.lease_id;
    this.held_until = held_until;
    this.#parts = parts;
  }

  /**
   * Takes deliveries that this process just made.
   * @param given.known the revision before them. A lane that knows another first reads what it missed
   * @param given.next_due_at for a new lane: when its other deliveries are due
   */
  offer(
    row: EndpointRow,
    deliveries: readonly Sendable[],
    given: { known: number; revision: number; next_due_at?: Date | null },
  ): void {
    this.#is_releasing = false;
    if (given.next_due_at !== undefined && this.#revision === -1) {
      this.#revision = given.known;
      this.#is_behind = false;
      this.#next_due = given.next_due_at?.getTime() ?? Number.POSITIVE_INFINITY;
    }
    const max = this.#parts.queueMax();
    const fits =
      this.#queue.length + deliveries.length <= max.deliveries &&
      bytesOf(this.#queue) + bytesOf(deliveries) <= max.bytes;
    if (this.#is_behind || !fits || this.#revision !== given.known || row.status === 'disabled') {
      this.#is_behind = true;
      // Additions of this process come after all that it added before.
      if (this.#revision === given.known) this.#revision = given.revision;
    } else {
      this.#revision = given.revision;
      this.#learn(row);
      this.#append(deliveries);
    }
    this.step();
  }

  notice(revision: number): void {
    if (revision > this.#revision && !this.#is_releasing) this.#fallBehind();
    this.step();
  }

  /** Stops sending. Asks to be released once all results are stored. */
  close(): void {
    this.#is_closing = true;
    this.step();
  }

  /** Called when another process has the endpoint, or it was released. */
  end(): void {
    this.#is_over = true;
    this.#queue.length = 0;
    this.#parts.hosts.forget(this.id);
  }

  /** @returns null when there is work again */
  release(): Release | null {
    if (!this.#isDone()) {
      this.#is_releasing = false;
      return null;
    }
    const { company_id, id, lease_id } = this;
    const held = { company_id, id, lease_id };
    // The rest is due now.
    if (this.#is_behind || this.#queue.length > 0)
      return { ...held, due_at: this.#parts.clock.now().toISOString() };
    const is_waiting = this.#endpoint?.is_enabled === true && this.#next_due !== Number.POSITIVE_INFINITY;
    return {
      ...held,
      due_at: is_waiting ? new Date(this.#next_due).toISOString() : neverDue,
      revision: this.#revision,
    };
  }

  /** The release failed because something was added meanwhile. */
  resume(): void {
    this.#is_releasing = false;
    this.#fallBehind();
    this.step();
  }

  /** Another process added something that may be due at any place. */
  #fallBehind(): void {
    this.#is_behind = true;
    this.#place = null;
  }

  step(): void {
    if (this.#is_over || this.#is_releasing) return;
    if (this.#needsRead()) void this.#read();
    while (this.#maySend()) {
      const at = nextDelivery(this.#queue, this.#state(), this.#parts.clock.now());
      if (at === -1 || !this.#beginAtHost()) break;
      const [delivery] = this.#queue.splice(at, 1) as [Sendable];
      void this.#send(delivery);
    }
    if (this.#isDone()) {
      this.#is_releasing = true;
      this.#parts.onDone(this);
    }
  }

  #beginAtHost(): boolean {
    return this.#parts.hosts.begin(this.id, { ...this.#placeAtHost(), retry: () => this.step() });
  }

  #placeAtHost(): HostPlace {
    const target = this.#endpoint?.target;
    const host = target && 'url' in target ? hostOf(target.url) : '';
    return { owner_id: this.#parts.shares.ownerOf(this.company_id), host };
  }

  #state() {
    const is_failing = (this.#endpoint?.failures ?? 0) > 0;
    return {
      running: this.#running,
      firsts: this.#firsts,
      is_failing,
      concurrency: this.#parts.concurrency,
    };
  }

  #isFresh(within_ms = freshMs): boolean {
    return this.#endpoint !== null && performance.now() - this.#fresh_at < within_ms;
  }

  #hasRoom(): boolean {
    return this.#running < this.#parts.concurrency && this.#unstored < unstoredMax;
  }

  #maySend(): boolean {
    const may = !this.#is_closing && this.#queue.length > 0 && this.#hasRoom() && this.#isFresh();
    return may && this.#endpoint?.is_enabled === true && performance.now() < this.held_until;
  }

  /** Something may be due that is not in memory. */
  #isOwing(): boolean {
    return this.#is_behind || this.#next_due <= this.#parts.clock.now().getTime();
  }

  #needsRead(): boolean {
    if (this.#is_reading || this.#is_closing || !this.#hasRoom()) return false;
    if (this.#queue.length > 0 && !this.#isFresh(refreshMs)) {
      return nextDelivery(this.#queue, this.#state(), this.#parts.clock.now()) !== -1;
    }
    return this.#wantsMore();
  }

  #wantsMore(): boolean {
    if (!this.#isOwing()) return false;
    const { deliveries, bytes } = this.#parts.queueMax();
    return this.#queue.length <= queueLow * deliveries && bytesOf(this.#queue) <= queueLow * bytes;
  }

  #isDone(): boolean {
    if (this.#is_reading || this.#running > 0 || this.#unstored > 0) return false;
    return this.#is_closing || (this.#queue.length === 0 && !this.#isOwing());
  }

  #learn(row: EndpointRow): void {
    const { status, consecutive_failures } = row;
    // Results not yet stored are newer than the row.
    const failures = this.#unstored > 0 && this.#endpoint ? this.#endpoint.failures : consecutive_failures;
    this.#endpoint = { is_enabled: status === 'enabled', failures, target: this.#open(row) };
    this.#fresh_at = performance.now();
  }

  #open(row: EndpointRow): Target | Error {
    try {
      return openTarget(this.company_id, row, this.#parts);
    } catch (error) {
      this.#parts.log.error(
        { err: error, endpoint_id: this.id },
        'the secret of an endpoint cannot be opened',
      );
      return error as Error;
    }
  }

  #append(deliveries: readonly Sendable[]): void {
    for (const delivery of deliveries) {
      const due_at = delivery.next_attempt_at.getTime();
      const known = this.#at_hand.get(delivery.id);
      if (known === due_at) continue;
      // It was replayed: unqueue the earlier one. If in flight, its result will not be stored.
      if (known !== undefined) this.#unqueue(delivery.id);
      this.#at_hand.set(delivery.id, due_at);
      this.#queue.push(delivery);
    }
  }

  #unqueue(id: string): void {
    const at = this.#queue.findIndex((delivery) => delivery.id === id);
    if (at !== -1) this.#queue.splice(at, 1);
  }

  /** A replay made meanwhile stays at hand. */
  #forget({ id, next_attempt_at }: Sendable): void {
    if (this.#at_hand.get(id) === next_attempt_at.getTime()) this.#at_hand.delete(id);
  }

  #dropQueue(): void {
    for (const { id } of this.#queue.splice(0)) this.#at_hand.delete(id);
  }

  async #read(): Promise<void> {
    const { reader, log, onGone } = this.#parts;
    this.#is_reading = true;
    // A limit of 0 reads the endpoint alone.
    const max = this.#parts.queueMax();
    const limit = this.#wantsMore() ? max.deliveries - this.#queue.length : 0;
    const bytes = max.bytes - bytesOf(this.#queue);
    try {
      const after = this.#place;
      const at_hand = after === null && limit > 0 ? [...this.#at_hand].map(atHandText) : [];
      const work = await reader.read(this.company_id, { id: this.id, at_hand, after, limit, bytes });
      if (this.#is_over) return;
      if (!work.endpoint) {
        this.end();
        onGone(this);
        return;
      }
      this.#learn(work.endpoint);
      this.#fresh_at = work.sent_at;
      const is_whole = after === null;
      if (work.revision > this.#revision) this.#fallBehind();
      // A read from a place misses what others added. Then everything is read again.
      if (limit > 0 && (is_whole || work.revision <= this.#revision)) {
        const { is_full } = work;
        const last = work.deliveries.at(-1);
        this.#place = is_full && last ? placeOf(last) : null;
        // Only a read from the beginning, at the newest known revision, proves that nothing is left.
        this.#is_behind = is_full || !is_whole || work.revision < this.#revision;
        this.#append(work.deliveries);
      }
      this.#revision = Math.max(this.#revision, work.revision);
      const next_due = work.next_due_at?.getTime() ?? Number.POSITIVE_INFINITY;
      // Keep a time that lies ahead. If it has passed, this read covered it.
      const is_behind_it = limit > 0 && this.#next_due <= work.now.getTime();
      if (is_behind_it || next_due < this.#next_due) this.#next_due = next_due;
      if (work.endpoint.status === 'disabled') {
        this.#dropQueue();
        this.#is_behind = false;
        this.#next_due = Number.POSITIVE_INFINITY;
      }
    } catch (error) {
      // The loop's timer tries again.
      log.warn({ err: error, endpoint_id: this.id }, 'deliveries of an endpoint could not be read');
      this.#is_reading = false;
      return;
    }
    this.#is_reading = false;
    this.step();
  }

  async #send(delivery: Sendable): Promise<void> {
    const first_of = delivery.attempt === 0 ? delivery.aggregate_id : null;
    const place = this.#placeAtHost();
    this.#running++;
    if (first_of !== null) this.#firsts.add(first_of);
    this.#parts.onSent();
    const result = await sendDelivery(delivery, this.#endpoint!.target, this.#parts);
    this.#running--;
    if (first_of !== null) this.#firsts.delete(first_of);
    this.#unstored++;
    this.#endpoint!.failures = result.is_success ? 0 : this.#endpoint!.failures + 1;
    void this.#parts.writer.add(this.company_id, result).then(() => {
      this.#unstored--;
      const next_due = result.next_attempt_at?.getTime() ?? Number.POSITIVE_INFINITY;
      this.#next_due = Math.min(this.#next_due, next_due);
      this.#forget(delivery);
      this.step();
    });
    this.#parts.hosts.end(this.id, place);
    this.step();
  }
}

/** About: a letter counts as one byte. */
function bytesOf(deliveries: readonly Sendable[]): number {
  return deliveries.reduce((sum, { request_body }) => sum + request_body.length, 0);
}

function atHandText([id, due_at]: [string, number]): string {
  return `${id} ${due_at}`;
}

function placeOf({ next_attempt_at, id }: Sendable): { at: Date; id: string } {
  return { at: next_attempt_at, id };
}
