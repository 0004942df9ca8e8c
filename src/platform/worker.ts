/**
 * The loop that does background work (request path, "Background loops"; scale rules 14 and 15): it claims due
 * jobs of all companies under a lease, runs some at a time, and keeps its leases while they run. Several
 * processes work side by side; what a dead one held is taken over. One job's run is in run-job.ts.
 */
import type { Ports } from '../kernel/ports.ts';
import { newId } from '../kernel/uuid7.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db.ts';
import type { DueHint } from './due-hint.ts';
import {
  type CandidateQuery,
  type Claimed,
  type DueRow,
  findCandidates,
  isBeingDone,
  releaseLeases,
  renewLeases,
  winDue,
} from './due-work.ts';
import { FairRound } from './fair-round.ts';
import type { JobHandler, JobLog } from './job-handler.ts';
import { dueKind } from './jobs.ts';
import { runJob } from './run-job.ts';

export type { JobCtx, JobHandler, JobLog } from './job-handler.ts';
export { ensureSchedule } from './jobs.ts';

export type WorkerOptions = {
  db: Database;
  clock: Clock;
  ports: Ports;
  handlers: readonly JobHandler[];
  log: JobLog;
  /** Jobs claimed at once. */
  batch?: number;
  poll_ms?: number;
  /** How long a claim holds when nothing more is heard of its worker. */
  lease_ms?: number;
  /** Jobs that run at a time; each holds a connection. */
  concurrency?: number;
  /** Jobs that call outside at a time: they wait for others and hold no connection meanwhile. */
  outside_concurrency?: number;
  /** The same for lanes of their own (`OutsidePart.lane`), by name. */
  lane_concurrency?: Readonly<Record<string, number>>;
  /** How long stop() waits for what runs; after that its leases run out by themselves. */
  stop_ms?: number;
  /** Which companies this process prefers, where several share the work. */
  share?: { index: number; count: number };
  hint?: DueHint;
};

export type Worker = {
  start(): void;
  /** Claims nothing more, finishes what runs (for some time at most) and gives back the rest. */
  stop(): Promise<void>;
  /**
   * Runs what is due now, of one company or of all, one after the other in due order, until nothing is due.
   * Waits for what another loop is at, for some seconds. Needs no start().
   * @param runs_max the bound; when so many were run, more may be due
   * @returns the number of runs, failed ones included
   */
  runDue(company_id?: string, runs_max?: number): Promise<number>;
  /** Whether work of the company is due now, or was and is being done. */
  hasDue(company_id: string): Promise<boolean>;
  /** Says that work was committed: looks at once, and lets the other processes know. */
  wake(): void;
};

const defaults = {
  batch: 16,
  poll_ms: 1000,
  lease_ms: 60_000,
  concurrency: 4,
  outside_concurrency: 16,
  own_lane_concurrency: 4,
  stop_ms: 30_000,
  runs_max: 10_000,
};
type Lane = { kinds: readonly string[]; concurrency: number; queue: Claimed[]; running: number };

/** Names of the lanes that every worker has. */
const insideLane = 'inside';
const outsideLane = 'outside';

const readsMax = 5;
const othersPatienceMs = 10_000;
const othersPauseMs = 20;
const stopPauseMs = 5;
/** After so long anybody takes what is another share's: its process may be gone. */
const sharePatienceMs = 10_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws Error when two handlers claim one kind */
export function makeWorker(options: WorkerOptions): Worker {
  const { db, clock, ports, log, share, hint } = options;
  const { batch, poll_ms, lease_ms, concurrency, outside_concurrency, stop_ms } = { ...defaults, ...options };
  const handlers = new Map(options.handlers.map((h) => [dueKind(h.kind), h]));
  if (handlers.size < options.handlers.length) throw new Error('Two job handlers have one kind.');
  const kinds = [...handlers.keys()];

  const round = new FairRound(Math.max(1, Math.floor(batch / 4)));
  const held = new Set<Claimed>();
  /** Who waits for somebody outside keeps nobody waiting who does not, or who waits for somebody else. */
  const places: Readonly<Record<string, number>> = {
    [insideLane]: concurrency,
    [outsideLane]: outside_concurrency,
    ...options.lane_concurrency,
  };
  const laneOf = ({ outside }: JobHandler) => (outside ? (outside.lane ?? outsideLane) : insideLane);
  const lanes: Lane[] = [...Map.groupBy(options.handlers, laneOf)].map(([name, of]) => ({
    kinds: of.map((handler) => dueKind(handler.kind)),
    concurrency: places[name] ?? defaults.own_lane_concurrency,
    queue: [],
    running: 0,
  }));
  /** Companies whose work runDue does just now; the loop leaves them alone, so that due order holds. */
  const driven = new Map<string, number>();
  let heartbeat: NodeJS.Timeout | undefined;
  let looping: Promise<void> | undefined;
  let is_stopping = false;
  let is_woken = false;
  let rouse: () => void = () => undefined;

  function look(): void {
    is_woken = true;
    rouse();
  }

  const untilLease = (): Date => new Date(clock.now().getTime() + lease_ms);

  function keep(claimed: Claimed): void {
    held.add(claimed);
    heartbeat ??= setInterval(() => {
      renewLeases(db.index, [...held], untilLease()).catch((error: unknown) =>
        log.warn({ err: error }, 'leases not renewed'),
      );
    }, lease_ms / 3).unref();
  }

  function letGo(claimed: Claimed): void {
    held.delete(claimed);
    if (held.size > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
  }

  async function win(rows: readonly DueRow[]): Promise<Claimed[]> {
    const now = clock.now();
    const won = await winDue(db.index, rows, { id: newId(), now, until: new Date(now.getTime() + lease_ms) });
    for (const claimed of won) keep(claimed);
    return won;
  }

  async function run(claimed: Claimed): Promise<void> {
    const handler = handlers.get(claimed.kind);
    try {
      if (handler) await runJob({ db, clock, ports, log }, handler, claimed);
    } finally {
      letGo(claimed);
    }
  }

  /** Picks due rows in due order, but from no company more than its turns while others wait. */
  async function pick(of_kinds: readonly string[]): Promise<DueRow[]> {
    const now = clock.now();
    const picked: DueRow[] = [];
    const spare: DueRow[] = [];
    const seen = new Set<string>();
    const mine = share && { ...share, late: new Date(now.getTime() - sharePatienceMs) };
    for (let reads = 0; reads < readsMax && picked.length < batch; reads++) {
      const served = round.served();
      const query: CandidateQuery = {
        kinds: of_kinds,
        now,
        limit: batch,
        excluded: [...served, ...driven.keys()],
        share: mine,
      };
      const rows = await findCandidates(db.index, query);
      for (const row of rows) {
        if (seen.has(row.id)) continue;
        seen.add(row.id);
        (picked.length < batch && round.take(row.company_id) ? picked : spare).push(row);
      }
      if (rows.length < batch) {
        round.end();
        // Nobody else waits: those that have had their turns go on.
        if (rows.length > 0 || served.length === 0 || reads > 0) break;
      }
    }
    return [...picked, ...spare.slice(0, batch - picked.length)];
  }

  function begin(lane: Lane, claimed: Claimed): void {
    lane.running++;
    void run(claimed).finally(() => {
      lane.running--;
      look();
    });
  }

  /** Claims work for the lanes that have nothing to do. */
  async function fill(): Promise<void> {
    const idle = lanes.filter((lane) => lane.queue.length === 0 && lane.running < lane.concurrency);
    if (idle.length === 0) return;
    for (const claimed of await win(await pick(idle.flatMap((lane) => lane.kinds)))) {
      idle.find((lane) => lane.kinds.includes(claimed.kind))?.queue.push(claimed);
    }
  }

  async function loop(): Promise<void> {
    let is_failing = false;
    while (!is_stopping) {
      is_woken = false;
      try {
        await fill();
        is_failing = false;
      } catch (error) {
        if (!is_failing) log.error({ err: error }, 'due work could not be claimed');
        is_failing = true;
      }
      for (const lane of lanes) {
        while (!is_stopping && lane.queue.length > 0 && lane.running < lane.concurrency)
          begin(lane, lane.queue.shift()!);
      }
      if (!is_woken && !is_stopping) await rest();
    }
    const given_back = lanes.flatMap((lane) => lane.queue.splice(0));
    await releaseLeases(db.index, given_back).catch((error: unknown) =>
      log.warn({ err: error }, 'leases not given back'),
    );
    for (const claimed of given_back) letGo(claimed);
  }

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, poll_ms);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function runInOrder(company_id: string | undefined, runs_max: number): Promise<number> {
    let runs = 0;
    let patient_until = performance.now() + othersPatienceMs;
    while (runs < runs_max && !is_stopping) {
      const now = clock.now();
      const candidates = await findCandidates(db.index, { kinds, now, limit: 1, company_id });
      const [claimed] = await win(candidates);
      if (claimed) {
        await run(claimed);
        runs++;
        patient_until = performance.now() + othersPatienceMs;
      } else if (candidates.length === 0 && !(await isBeingDone(db.index, { kinds, now, company_id }))) {
        break;
      } else {
        if (performance.now() > patient_until) break;
        await pause(othersPauseMs);
      }
    }
    return runs;
  }

  return {
    start() {
      if (looping || is_stopping || kinds.length === 0) return;
      hint?.listen(look);
      looping = loop();
    },
    async stop() {
      is_stopping = true;
      rouse();
      await looping;
      const patient_until = performance.now() + stop_ms;
      while (held.size > 0 && performance.now() < patient_until) await pause(stopPauseMs);
      clearInterval(heartbeat);
      if (held.size > 0)
        log.error({ jobs: [...held].map((h) => h.id) }, 'jobs did not end, they are left to their leases');
    },
    async runDue(company_id, runs_max = defaults.runs_max) {
      if (kinds.length === 0) return 0;
      if (company_id !== undefined) driven.set(company_id, (driven.get(company_id) ?? 0) + 1);
      try {
        return await runInOrder(company_id, runs_max);
      } finally {
        const left = (driven.get(company_id ?? '') ?? 1) - 1;
        if (left > 0) driven.set(company_id ?? '', left);
        else driven.delete(company_id ?? '');
      }
    },
    async hasDue(company_id) {
      if (kinds.length === 0) return false;
      const query = { kinds, now: clock.now(), company_id };
      const [candidate] = await findCandidates(db.index, { ...query, limit: 1 });
      return candidate !== undefined || isBeingDone(db.index, query);
    },
    wake() {
      look();
      hint?.notify();
    },
  };
}
