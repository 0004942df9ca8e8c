/**
 * Delivers events (ADR 17). The outbox becomes deliveries. An endpoint with due deliveries is leased, served
 * by its own lane, and released with the time of its next one. Processes share the endpoints. The timer alone
 * would do; commits of this process and NOTIFY of others only wake the loop sooner.
 */
import type { Clock } from '../../platform/clock.ts';
import { outboxNote } from '../../platform/commit-notes.ts';
import type { Database } from '../../platform/db.ts';
import type { DueHint } from '../../platform/due-hint.ts';
import { type DueRow, findCandidates } from '../../platform/due-work.ts';
import type { Lease } from '../../platform/lease-keeper.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { JobLog } from '../../platform/worker.ts';
import type { FanOut, FedEndpoint } from './fan-out.ts';
import { HeldLanes } from './held-lanes.ts';
import { endpointKind, findOutboxes, skewMs } from './outbox.store.ts';
import { OutboxEmptier } from './outbox-emptier.ts';
import type { ReceiverPort } from './ports.ts';
import { makeResultWriter, type ResultWriter } from './result-writer.ts';
import { makeWorkReader } from './work-reader.ts';

export type DeliveryLoopOptions = {
  db: Database;
  clock: Clock;
  ports: { receivers: ReceiverPort; secrets: SecretBox };
  log: JobLog;
  hint?: DueHint;
  concurrency?: number;
  lanes_max?: number;
  fan_outs?: number;
  poll_ms?: number;
  /** How long an endpoint stays held after its process falls silent. */
  lease_ms?: number;
  /** How long `stop` waits for requests. */
  stop_ms?: number;
};

export type DeliveryLoop = {
  start(): void;
  /** Waits for requests in flight, then releases everything. */
  stop(): Promise<void>;
  /**
   * Delivers until nothing is due. Needs no `start`.
   * @returns the number of attempts
   */
  runDue(company_id?: string): Promise<number>;
};

const defaults = {
  concurrency: 8,
  lanes_max: 2000,
  fan_outs: 4,
  poll_ms: 1000,
  lease_ms: 15_000,
  stop_ms: 30_000,
};
/** Most companies, and most endpoints, that one look finds. */
const candidatesMax = 500;
/** Ends `runDue` when a delivery fails each time. */
const roundsMax = 1000;

export function makeDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const loop = new Loop(options);
  return {
    start: () => loop.start(),
    stop: () => loop.stop(),
    runDue: (company_id) => loop.runDue(company_id),
  };
}

class Loop {
  readonly #options: DeliveryLoopOptions & typeof defaults;
  readonly #writer: ResultWriter;
  readonly #lanes: HeldLanes;
  readonly #emptier: OutboxEmptier;
  readonly #waiting: (() => void)[] = [];
  #sent = 0;
  #is_running = false;
  #is_stopping = false;
  #is_failing = false;
  #looking: Promise<number> | undefined;
  /** A look was asked for during another. */
  #is_asked = false;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(given: DeliveryLoopOptions) {
    const options = { ...defaults, ...given };
    const { db, clock, log, ports, fan_outs } = options;
    const onPlaceFree = () => this.#tellQuiet();
    this.#options = options;
    this.#writer = makeResultWriter({ db, log, onClosed: () => this.#lanes.abandon() });
    this.#lanes = new HeldLanes({
      ...options,
      ...ports,
      reader: makeWorkReader({ db, clock }),
      writer: this.#writer,
      onSent: () => void this.#sent++,
      onPlaceFree,
    });
    this.#emptier = new OutboxEmptier({
      db,
      clock,
      log,
      companies_max: fan_outs,
      leaseForMore: () => (this.#lanes.has_room ? this.#lanes.newLease() : undefined),
      onFed: (company_id, made, lease) => this.#assignToLanes(company_id, made, lease),
      onPlaceFree,
    });
  }

  start(): void {
    if (this.#is_running || this.#is_stopping) return;
    const { db, hint, poll_ms } = this.#options;
    const look = () => this.#look();
    this.#is_running = true;
    this.#unwatch = db.watchCommits(outboxNote, (company_id) => this.#emptier.empty(company_id));
    hint?.listen(look);
    this.#timer = setInterval(look, poll_ms);
    look();
  }

  async stop(): Promise<void> {
    const { log, stop_ms } = this.#options;
    this.#is_stopping = true;
    clearInterval(this.#timer);
    this.#unwatch?.();
    this.#emptier.stop();
    this.#lanes.close();
    let patience: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      patience = setTimeout(resolve, stop_ms);
    });
    await Promise.race([this.#untilQuiet(), late]);
    clearTimeout(patience);
    this.#lanes.stopRenewing();
    this.#writer.abandon();
    if (this.#lanes.size > 0) log.error({ endpoints: this.#lanes.ids }, 'deliveries did not end in time');
  }

  async runDue(company_id?: string): Promise<number> {
    const before = this.#sent;
    for (let rounds = 0; rounds < roundsMax && !this.#is_stopping; rounds++) {
      await this.#looking;
      if ((await this.#lookAround(company_id)) === 0 && this.#isQuiet()) break;
      await this.#untilQuiet();
    }
    return this.#sent - before;
  }

  #assignToLanes(company_id: string, { fed, dues }: FanOut, lease: Lease | undefined): void {
    let is_elsewhere = false;
    for (const one of fed) {
      const lane = this.#lanes.find(one.endpoint.id, one.lease_id);
      const known = one.before?.revision ?? 0;
      if (lane) lane.offer(one.endpoint, one.deliveries, { known, revision: one.revision });
      else if (lease && one.lease_id === lease.id) this.#openFed(company_id, one, lease);
      else is_elsewhere = true;
    }
    const now = this.#options.clock.now();
    const free: DueRow[] = [];
    for (const due of dues) {
      if (fed.some((one) => one.endpoint.id === due.id)) continue;
      const lane = this.#lanes.find(due.id, due.lease_id);
      if (lane) lane.notice(due.revision);
      else if (due.lease_until && due.lease_until > now) is_elsewhere = true;
      else if (due.due_at && due.due_at <= now) free.push({ company_id, id: due.id, kind: endpointKind });
    }
    if (free.length > 0) this.#claimFree(free);
    if (is_elsewhere) this.#options.hint?.notify();
  }

  #claimFree(free: readonly DueRow[]): void {
    this.#lanes
      .claim(free)
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'endpoints were not claimed'));
  }

  /** What already waits is read before the new deliveries. */
  #openFed(company_id: string, { before, endpoint, revision, deliveries }: FedEndpoint, lease: Lease): void {
    const lane = this.#lanes.open({ company_id, id: endpoint.id, lease_id: lease.id }, lease.sure_ms);
    const soon = this.#options.clock.now().getTime() + skewMs;
    const is_left = before && (before.lease_id !== null || (before.due_at?.getTime() ?? Infinity) <= soon);
    const known = before?.revision ?? revision;
    if (is_left) lane.step();
    else lane.offer(endpoint, deliveries, { known, revision, next_due_at: before?.due_at ?? null });
  }

  /** @returns companies and endpoints found */
  async #lookAround(company_id?: string): Promise<number> {
    const { db, clock, lanes_max } = this.#options;
    const now = clock.now();
    const room = Math.min(candidatesMax, lanes_max - this.#lanes.size);
    if (room <= 0) this.#lanes.makeRoom();
    const [companies, due, tellRevisions] = await Promise.all([
      findOutboxes(db.index, { now, limit: candidatesMax, company_id }, this.#emptier.companies),
      room > 0 ? findCandidates(db.index, { kinds: [endpointKind], now, limit: room, company_id }) : [],
      this.#lanes.readRevisions(),
    ]);
    for (const found of companies) this.#emptier.empty(found);
    tellRevisions();
    const won = this.#is_stopping ? 0 : await this.#lanes.claim(due);
    this.#lanes.retryGivingBack();
    return companies.length + won;
  }

  /** One look at a time. Requests meanwhile share the next one. */
  #look(): void {
    if (this.#is_stopping) return;
    if (this.#looking) {
      this.#is_asked = true;
      return;
    }
    this.#looking = this.#lookSafely().finally(() => {
      this.#looking = undefined;
      this.#tellQuiet();
      if (!this.#is_asked) return;
      this.#is_asked = false;
      this.#look();
    });
  }

  /** Logs a database failure once, until a look succeeds again. */
  async #lookSafely(): Promise<number> {
    try {
      const found = await this.#lookAround();
      this.#is_failing = false;
      return found;
    } catch (error) {
      if (!this.#is_failing)
        this.#options.log.error({ err: error }, 'due deliveries could not be looked for');
      this.#is_failing = true;
      return 0;
    }
  }

  #isQuiet(): boolean {
    return this.#lanes.is_quiet && this.#emptier.is_quiet && !this.#looking;
  }

  #untilQuiet(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#tellQuiet();
    });
  }

  #tellQuiet(): void {
    if (this.#isQuiet()) for (const settle of this.#waiting.splice(0)) settle();
  }
}
