/**
 * The loop that delivers events (specification, section 6; scale rules 14 and 15). Events of the outbox become
 * deliveries (fan-out.ts); an endpoint with something due is taken under a lease and served by a lane of its own
 * (endpoint-lane.ts), then given back with the time of what is due next. Several processes share the endpoints. It is
 * woken by commits of this process, by NOTIFY of others, and by a timer that alone would do.
 */
import { newId } from '../../kernel/uuid7.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, sqlState } from '../../platform/db.ts';
import { outboxNote } from '../../platform/commit-notes.ts';
import type { DueHint } from '../../platform/due-hint.ts';
import type { DueRow } from '../../platform/due-work.ts';
import { winDue } from '../../platform/leases.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { JobLog } from '../../platform/worker.ts';
import {
  endpointKind,
  findDueEndpoints,
  findOutboxes,
  forgetEndpoint,
  type Held,
  type Release,
  readRevisions,
  releaseHeld,
  renewHeld,
  skewMs,
} from './claims.store.ts';
import { EndpointLane, type LaneParts } from './endpoint-lane.ts';
import { type FanOut, fanOut, type Fed } from './fan-out.ts';
import type { ReceiverPort } from './ports.ts';
import { makeResultWriter } from './result-writer.ts';
import { makeWorkReader } from './work-reader.ts';

export type DeliveryLoopOptions = {
  db: Database;
  clock: Clock;
  ports: { receivers: ReceiverPort; secrets: SecretBox };
  log: JobLog;
  hint?: DueHint;
  /** Requests to one endpoint at a time. */
  concurrency?: number;
  /** Endpoints that are served at a time. */
  lanes_max?: number;
  /** Companies whose events are turned into deliveries at a time; each holds a connection. */
  fan_outs?: number;
  poll_ms?: number;
  /** How long an endpoint is held when nothing more is heard of its process. */
  lease_ms?: number;
  /** How long stop() waits for requests in flight. */
  stop_ms?: number;
};

export type DeliveryLoop = {
  start(): void;
  /** Sends nothing more, waits for what is in flight and gives everything back. */
  stop(): Promise<void>;
  /**
   * Delivers what is due now, of one company or of all, until nothing is due; also without start().
   * @returns the number of attempts made
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
/** Rows of the outbox that are looked at for companies, and endpoints that are claimed at once. */
const candidatesMax = 500;
/** Deliveries in memory: of all endpoints, and the least and the most of one. */
const memoryMax = 20_000;
const queueLeast = 32;
const queueMost = 1000;
/** Where all places are taken, a lane makes room after this time. */
const turnMs = 2000;
/** What fails each time does not hold runDue() for ever. */
const roundsMax = 1000;
const deadlock = '40P01';

export function makeDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const { db, clock, log, hint, ports } = options;
  const { concurrency, lanes_max, fan_outs, poll_ms, lease_ms, stop_ms } = { ...defaults, ...options };
  const lanes = new Map<string, EndpointLane>();
  /** Companies whose outbox is being emptied; true: look again afterwards. */
  const emptying = new Map<string, boolean>();
  const wanted = new Set<string>();
  const finished = new Set<EndpointLane>();
  const waiters: (() => void)[] = [];
  const writer = makeResultWriter({ db, log });
  let sent = 0;
  let is_running = false;
  let is_stopping = false;
  let is_releasing = false;
  let looking: Promise<number> | undefined;
  let is_failing = false;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let unwatch: (() => void) | undefined;

  const lane_parts: LaneParts = {
    clock,
    log,
    reader: makeWorkReader({ db, clock }),
    writer,
    concurrency,
    queueMax: () => Math.min(Math.max(Math.floor(memoryMax / lanes.size), queueLeast), queueMost),
    receivers: ports.receivers,
    secrets: ports.secrets,
    onSent: () => void sent++,
    onDone(lane) {
      finished.add(lane);
      if (finished.size === 1) setImmediate(() => void giveBack());
    },
    onGone(lane) {
      drop(lane);
      forgetEndpoint(db.index, lane).catch((error: unknown) =>
        warn(error, 'due work of an endpoint was left'),
      );
    },
  };

  function warn(error: unknown, message: string): void {
    log.warn({ err: error }, message);
  }

  function newLease() {
    return {
      id: newId(),
      until: new Date(clock.now().getTime() + lease_ms),
      sure_ms: performance.now() + lease_ms,
    };
  }

  function open(held: Held, sure_ms: number): EndpointLane {
    lanes.get(held.id)?.end();
    const lane = new EndpointLane(held, sure_ms, lane_parts);
    lanes.set(held.id, lane);
    heartbeat ??= setInterval(() => void renew(), lease_ms / 3).unref();
    if (is_stopping) lane.close();
    return lane;
  }

  function drop(lane: EndpointLane): void {
    lane.end();
    finished.delete(lane);
    if (lanes.get(lane.id) === lane) lanes.delete(lane.id);
    if (lanes.size === 0) {
      clearInterval(heartbeat);
      heartbeat = undefined;
    }
    tellQuiet();
  }

  async function renew(): Promise<void> {
    const mine = [...lanes.values()];
    const { until, sure_ms } = newLease();
    try {
      const kept = await renewHeld(db.index, mine.map(heldOf), until);
      for (const lane of mine) {
        const revision = kept.get(lane.id);
        if (revision === undefined) {
          // Given back while this was under way, or taken over after the lease ran out.
          if (lanes.get(lane.id) === lane && !finished.has(lane)) drop(lane);
        } else {
          lane.held_until = sure_ms;
          lane.notice(revision);
        }
      }
    } catch (error) {
      warn(error, 'leases of endpoints were not renewed');
    }
  }

  /** Gives back the lanes that have nothing to do, together. */
  async function giveBack(): Promise<void> {
    if (is_releasing) return;
    is_releasing = true;
    let these: { lane: EndpointLane; row: Release | null }[] = [];
    try {
      while (finished.size > 0) {
        these = [...finished].map((lane) => ({ lane, row: lane.release() }));
        finished.clear();
        const rows = these.flatMap(({ row }) => (row ? [row] : []));
        const released = await releaseHeld(db.index, rows);
        const doubtful = these.filter(({ lane }) => !released.has(lane.id)).map(({ lane }) => lane);
        const still = await readRevisions(db.index, doubtful.map(heldOf));
        for (const { lane } of these) {
          if (released.has(lane.id) || !still.has(lane.id)) drop(lane);
          else lane.resume();
        }
      }
    } catch (error) {
      warn(error, 'endpoints were not given back');
      // The timer tries again.
      for (const { lane } of these) if (lanes.get(lane.id) === lane) finished.add(lane);
    } finally {
      is_releasing = false;
      tellQuiet();
    }
  }

  /** Turns the company's events into deliveries, and takes up what is due of it. */
  function empty(company_id: string): void {
    if (is_stopping) return;
    if (emptying.has(company_id)) return void emptying.set(company_id, true);
    if (emptying.size >= fan_outs) return void wanted.add(company_id);
    emptying.set(company_id, false);
    void emptyOut(company_id).finally(() => {
      emptying.delete(company_id);
      const [next] = wanted;
      if (next !== undefined) {
        wanted.delete(next);
        empty(next);
      }
      tellQuiet();
    });
  }

  async function emptyOut(company_id: string): Promise<void> {
    let is_more = true;
    while (is_more && !is_stopping) {
      emptying.set(company_id, false);
      const lease = lanes.size < lanes_max ? newLease() : undefined;
      try {
        const done = await fanOut({ db, clock }, company_id, lease);
        takeUp(company_id, done, lease);
        is_more = done.is_more || emptying.get(company_id) === true;
      } catch (error) {
        // Two that lock crosswise: one of them goes on.
        if (sqlState(error) === deadlock) continue;
        warn(error, 'events were not turned into deliveries');
        return;
      }
    }
  }

  function takeUp(
    company_id: string,
    { fed, dues }: FanOut,
    lease: ReturnType<typeof newLease> | undefined,
  ): void {
    let is_elsewhere = false;
    for (const one of fed) {
      const lane = lanes.get(one.endpoint.id);
      if (lane && lane.lease_id === one.lease_id) {
        lane.offer(one.endpoint, one.deliveries, {
          known: one.before?.revision ?? 0,
          revision: one.revision,
        });
      } else if (lease && one.lease_id === lease.id) {
        begin(company_id, one, lease);
      } else is_elsewhere = true;
    }
    const now = clock.now();
    const free: DueRow[] = [];
    for (const due of dues) {
      if (fed.some((one) => one.endpoint.id === due.id)) continue;
      const lane = lanes.get(due.id);
      if (lane && lane.lease_id === due.lease_id) lane.notice(due.revision);
      else if (due.lease_until && due.lease_until > now) is_elsewhere = true;
      else if (due.due_at && due.due_at <= now) free.push({ company_id, id: due.id, kind: endpointKind });
    }
    if (free.length > 0)
      void claim(free).catch((error: unknown) => warn(error, 'endpoints were not claimed'));
    if (is_elsewhere) hint?.notify();
  }

  /** A lane for an endpoint that was free: what was waiting for it already is read before what it is fed. */
  function begin(company_id: string, one: Fed, lease: { id: string; sure_ms: number }): void {
    const { before, endpoint, revision } = one;
    const lane = open({ company_id, id: endpoint.id, lease_id: lease.id }, lease.sure_ms);
    const soon = clock.now().getTime() + skewMs;
    const is_left = before && (before.lease_id !== null || (before.due_at?.getTime() ?? Infinity) <= soon);
    const known = before?.revision ?? revision;
    if (is_left) lane.step();
    else lane.offer(endpoint, one.deliveries, { known, revision, next_due_at: before?.due_at ?? null });
  }

  async function claim(rows: readonly DueRow[]): Promise<number> {
    const { id, until, sure_ms } = newLease();
    const won = await winDue(db.index, rows, { id, now: clock.now(), until });
    for (const row of won) open(row, sure_ms).step();
    return won.length;
  }

  /** Looks for work of all companies. @returns how much was found */
  async function lookAround(company_id?: string): Promise<number> {
    const now = clock.now();
    const room = Math.min(candidatesMax, lanes_max - lanes.size);
    if (room <= 0) makeRoom();
    const held = [...lanes.values()];
    const [companies, due, revisions] = await Promise.all([
      findOutboxes(db.index, { now, limit: candidatesMax, company_id }, [...emptying.keys()]),
      room > 0 ? findDueEndpoints(db.index, { now, limit: room, company_id }) : [],
      readRevisions(db.index, held.map(heldOf)),
    ]);
    for (const found of companies) empty(found);
    for (const lane of held) lane.notice(revisions.get(lane.id) ?? 0);
    const won = is_stopping ? 0 : await claim(due);
    if (finished.size > 0) void giveBack();
    return companies.length + won;
  }

  function makeRoom(): void {
    const now = performance.now();
    for (const lane of lanes.values()) if (now - lane.begun_at > turnMs) lane.close();
  }

  /** One look at a time; those who ask meanwhile share the next. */
  let again = false;
  function look(): void {
    if (is_stopping) return;
    if (looking) {
      again = true;
      return;
    }
    looking = lookAround()
      .then((found) => {
        is_failing = false;
        return found;
      })
      .catch((error: unknown) => {
        if (!is_failing) log.error({ err: error }, 'due deliveries could not be looked for');
        is_failing = true;
        return 0;
      })
      .finally(() => {
        looking = undefined;
        tellQuiet();
        if (again) {
          again = false;
          look();
        }
      });
  }

  function isQuiet(): boolean {
    return lanes.size === 0 && emptying.size === 0 && wanted.size === 0 && !looking && !is_releasing;
  }

  function tellQuiet(): void {
    if (isQuiet()) for (const settle of waiters.splice(0)) settle();
  }

  return {
    start() {
      if (is_running || is_stopping) return;
      is_running = true;
      unwatch = db.watchCommits(outboxNote, empty);
      hint?.listen(look);
      timer = setInterval(look, poll_ms);
      look();
    },
    async stop() {
      is_stopping = true;
      clearInterval(timer);
      unwatch?.();
      wanted.clear();
      for (const lane of lanes.values()) lane.close();
      let patience: NodeJS.Timeout | undefined;
      await Promise.race([
        new Promise<void>((resolve) => {
          waiters.push(resolve);
          tellQuiet();
        }),
        new Promise((resolve) => {
          patience = setTimeout(resolve, stop_ms);
        }),
      ]);
      clearTimeout(patience);
      clearInterval(heartbeat);
      writer.abandon();
      if (lanes.size > 0) log.error({ endpoints: [...lanes.keys()] }, 'deliveries did not end in time');
    },
    async runDue(company_id) {
      const before = sent;
      for (let rounds = 0; rounds < roundsMax && !is_stopping; rounds++) {
        await looking;
        if ((await lookAround(company_id)) === 0 && isQuiet()) break;
        await new Promise<void>((resolve) => {
          waiters.push(resolve);
          tellQuiet();
        });
      }
      return sent - before;
    },
  };
}

function heldOf({ company_id, id, lease_id }: EndpointLane): Held {
  return { company_id, id, lease_id };
}
