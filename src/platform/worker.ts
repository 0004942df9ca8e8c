/**
 * The loop of background work: claims due jobs of all companies under a lease, and runs some at a time. Another
 * process takes over what a dead one held (ADR 7).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Ports } from '../kernel/ports.ts';
import { traced } from '../kernel/tracing.ts';
import { newId } from '../kernel/uuid7.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db.ts';
import type { DueHint } from './due-hint.ts';
import { driveAgainMs, endDriven, findDriven, markDriven } from './driven-companies.ts';
import { type DueRow, findCandidates, isBeingDone } from './due-work.ts';
import type { CallRunner } from './job-calls.ts';
import type { JobHandler, JobLog } from './job-handler.ts';
import { insideLane, JobLanes, outsideLane } from './job-lanes.ts';
import { dueKind } from './jobs.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { type Claimed, releaseLeases } from './leases.ts';
import { DuePicker, type Share } from './pick-due.ts';
import { type Outcome, runJob } from './run-job.ts';
import { runTogether, type TogetherRun } from './run-together.ts';
import { SharedRuns } from './shared-runs.ts';

export type { JobCtx, JobHandler, JobLog, TogetherCtx } from './job-handler.ts';
export { ensureSchedule, insertSchedule } from './jobs.ts';

export type WorkerOptions = {
  db: Database;
  clock: Clock;
  ports: Ports;
  handlers: readonly JobHandler[];
  log: JobLog;
  runCall?: CallRunner;
  batch?: number;
  poll_ms?: number;
  /** Counted from when the worker was last heard of. */
  lease_ms?: number;
  /** Each running job holds a connection. */
  concurrency?: number;
  /** These hold no connection while they wait. */
  outside_concurrency?: number;
  /** Lanes of their own (`OutsidePart.lane`), by name. */
  lane_concurrency?: Readonly<Record<string, number>>;
  /** After that, leases of running jobs run out. */
  stop_ms?: number;
  share?: Share;
  hint?: DueHint;
  /** Before an answer from outside is written down again, when the database was away or busy. */
  answer_pauses_ms?: readonly number[];
  /** Hears how runs ended. */
  observe?(kind: string, outcome: Outcome, runs: number): void;
};

export type Worker = {
  start(): void;
  /** Gives back waiting jobs, and waits a while for running ones. */
  stop(): Promise<void>;
  /**
   * Runs what is due, of one company or of all, one by one in due order. Of jobs that run together each counts. Waits some
   * seconds for what another loop claimed. Of those who ask for a company at the same time, two look, and the others share the
   * next run. Needs no start().
   * @param runs_max after so many runs, more may be due
   * @returns the number of runs, failed ones included
   */
  runDue(company_id?: string, runs_max?: number): Promise<number>;
  /** True also for work that is being done. */
  hasDue(company_id: string): Promise<boolean>;
  /** Looks for work at once, and tells the other processes. */
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
const othersPatienceMs = 10_000;
const othersPauseMs = 20;
const stopPauseMs = 5;

/** @throws Error when two handlers have one kind */
export function makeWorker(options: WorkerOptions): Worker {
  const loop = new WorkerLoop(options);
  return {
    start: () => loop.start(),
    stop: () => loop.stop(),
    runDue: (company_id, runs_max) => loop.runDue(company_id, runs_max ?? defaults.runs_max),
    hasDue: (company_id) => loop.hasDue(company_id),
    wake: () => loop.wake(),
  };
}

class WorkerLoop {
  readonly #options: WorkerOptions & typeof defaults;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #kinds: readonly string[];
  readonly #leases: LeaseKeeper<Claimed>;
  readonly #picker: DuePicker;
  readonly #lanes: JobLanes;
  /** The loop leaves these companies to runDue, so that due order holds; those of others know by a row (driven-companies.ts). */
  readonly #driven = new Map<string, number>();
  readonly #drives_as = newId();
  readonly #in_order = new SharedRuns<number>();
  #looping: Promise<void> | undefined;
  #is_stopping = false;
  #is_woken = false;
  #is_failing = false;
  #rouse: () => void = () => undefined;

  constructor(given: WorkerOptions) {
    const options = { ...defaults, ...given };
    const { db, clock, log, lease_ms, handlers, batch, share } = options;
    this.#options = options;
    this.#handlers = new Map(handlers.map((h) => [dueKind(h.kind), h]));
    if (this.#handlers.size < handlers.length) throw new Error('Two job handlers have one kind.');
    this.#kinds = [...this.#handlers.keys()];
    this.#leases = new LeaseKeeper({ sql: db.index, clock, log, lease_ms });
    this.#picker = new DuePicker({ sql: db.index, batch, share, shares: db.shares });
    const places = {
      [insideLane]: options.concurrency,
      [outsideLane]: options.outside_concurrency,
      ...options.lane_concurrency,
    };
    const other_places = options.own_lane_concurrency;
    this.#lanes = new JobLanes(handlers, { places, other_places, waiting_max: batch, shares: db.shares });
  }

  start(): void {
    if (this.#looping || this.#is_stopping || this.#kinds.length === 0) return;
    this.#options.hint?.listen(() => this.#look());
    this.#looping = this.#loop();
  }

  async stop(): Promise<void> {
    const { stop_ms, log } = this.#options;
    this.#is_stopping = true;
    this.#rouse();
    await this.#looping;
    const patient_until = performance.now() + stop_ms;
    while (this.#leases.size > 0 && performance.now() < patient_until) await pause(stopPauseMs);
    this.#leases.stopRenewing();
    if (this.#leases.size > 0)
      log.error(
        { jobs: this.#leases.held.map((h) => h.id) },
        'jobs did not end, they are left to their leases',
      );
  }

  wake(): void {
    this.#look();
    this.#options.hint?.notify();
  }

  #look(): void {
    this.#lanes.lookAgain();
    this.#goOn();
  }

  #goOn(): void {
    this.#is_woken = true;
    this.#rouse();
  }

  async #loop(): Promise<void> {
    while (!this.#is_stopping) {
      this.#is_woken = false;
      await this.#claimMore();
      if (this.#is_stopping) break;
      this.#lanes.startQueued(
        (claimed) => this.#run(claimed),
        () => this.#goOn(),
      );
      if (!this.#is_woken) await this.#rest();
    }
    await this.#giveBack(this.#lanes.takeQueued());
  }

  /** A database that is away is logged once. */
  async #claimMore(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      const wanted = this.#lanes.wanted();
      if (wanted.kinds.length > 0) {
        const due = await this.#pick(wanted, clock.now());
        const admitted = this.#lanes.admit(due, wanted);
        for (const claimed of await this.#win(admitted)) this.#lanes.queue(claimed);
        // Behind those that are held back, others may wait.
        if (admitted.length < due.length) this.#is_woken = true;
      }
      this.#is_failing = false;
    } catch (error) {
      if (!this.#is_failing) log.error({ err: error }, 'due work could not be claimed');
      this.#is_failing = true;
    }
  }

  /** What other processes drive is told behind the look. Then another look finds what waits behind that. */
  async #pick(wanted: ReturnType<JobLanes['wanted']>, now: Date): Promise<DueRow[]> {
    const own = [...this.#driven.keys()];
    const elsewhere = new Set<string>();
    for (;;) {
      const due = await this.#picker.pick(wanted, now, [...own, ...elsewhere]);
      const driven = await findDriven(
        this.#options.db.index,
        [...new Set(due.map(({ company_id }) => company_id))].filter((id) => !elsewhere.has(id)),
        now,
      );
      if (driven.length === 0) return due;
      for (const id of driven) elsewhere.add(id);
    }
  }

  async #win(rows: Parameters<LeaseKeeper<Claimed>['win']>[0]): Promise<Claimed[]> {
    const { won } = await this.#leases.win(rows);
    for (const claimed of won) this.#leases.keep(claimed);
    return won;
  }

  /**
   * @param group of one kind and company
   * @param more_max others that may join it
   * @returns the number of runs
   */
  async #run(group: readonly Claimed[], more_max = Infinity): Promise<number> {
    const handler = this.#handlers.get(group[0]?.kind ?? '');
    const max = group.length + more_max;
    let waiting = [...group];
    let runs = 0;
    while (waiting.length > 0) {
      const win = async (rows: readonly DueRow[]) => {
        const won = await this.#win(rows);
        waiting.push(...won);
        return won;
      };
      const { over, alone } = handler?.outside?.together
        ? await this.#runTogether(handler, waiting, { max: max - runs, win })
        : { over: [], alone: waiting };
      for (const claimed of over) this.#leases.letGo(claimed);
      if (handler && over.length > 0) this.#options.observe?.(handler.kind, 'done', over.length);
      runs += over.length;
      const gone = new Set([...over, ...alone]);
      waiting = waiting.filter((one) => !gone.has(one));
      for (const claimed of alone) {
        // Those that would have run together are many.
        if (this.#is_stopping && runs > 0) {
          waiting.push(claimed);
          continue;
        }
        await this.#runAlone(handler, claimed);
        runs += 1;
      }
      if (this.#is_stopping) break;
    }
    await this.#giveBack(waiting);
    return runs;
  }

  #runTogether(
    handler: JobHandler,
    jobs: readonly Claimed[],
    how: Parameters<typeof runTogether>[3],
  ): Promise<TogetherRun> {
    const work = () => runTogether(this.#options, handler, jobs, how);
    return traced(`jobs ${handler.kind}`, 'consumer', { 'folio.count': jobs.length }, work, null);
  }

  async #runAlone(handler: JobHandler | undefined, claimed: Claimed): Promise<void> {
    try {
      if (!handler) return;
      const outcome = await runJob(this.#options, handler, claimed);
      this.#options.observe?.(handler.kind, outcome, 1);
    } finally {
      this.#leases.letGo(claimed);
    }
  }

  async #giveBack(claimed: readonly Claimed[]): Promise<void> {
    const { db, log } = this.#options;
    await releaseLeases(
      db.index,
      claimed.map(({ company_id, id, lease_id }) => ({ company_id, id, lease_id })),
    ).catch((error: unknown) => log.warn({ err: error }, 'leases not given back'));
    for (const one of claimed) this.#leases.letGo(one);
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#lanes.lookAgain();
        resolve();
      }, this.#options.poll_ms);
      this.#rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async runDue(company_id: string | undefined, runs_max: number): Promise<number> {
    if (this.#kinds.length === 0) return 0;
    if (company_id === undefined) return this.#runInOrder(undefined, runs_max);
    this.#driven.set(company_id, (this.#driven.get(company_id) ?? 0) + 1);
    try {
      // Each that waits for a job of another looks fifty times a second.
      return await this.#in_order.run(`${company_id} ${runs_max}`, () =>
        this.#runInOrder(company_id, runs_max),
      );
    } finally {
      const left = (this.#driven.get(company_id) ?? 1) - 1;
      if (left > 0) this.#driven.set(company_id, left);
      else {
        this.#driven.delete(company_id);
        await endDriven(this.#options.db.index, company_id, this.#drives_as).catch((error: unknown) =>
          this.#options.log.warn({ err: error, company_id }, 'the end of work in order was not told'),
        );
      }
    }
  }

  /** Its lease may run out: then others take part. */
  async #mark(company_id: string): Promise<void> {
    const { db, clock, log } = this.#options;
    await markDriven(db.index, company_id, this.#drives_as, clock.now()).catch((error: unknown) =>
      log.warn({ err: error, company_id }, 'others were not told of work in order'),
    );
  }

  async #runInOrder(company_id: string | undefined, runs_max: number): Promise<number> {
    if (company_id === undefined) return this.#runFirst(undefined, runs_max);
    // What made it due was committed with a mark of its own.
    let marked = this.#mark(company_id);
    const again = setInterval(() => {
      marked = this.#mark(company_id);
    }, driveAgainMs);
    try {
      return await this.#runFirst(company_id, runs_max);
    } finally {
      clearInterval(again);
      await marked;
    }
  }

  async #runFirst(company_id: string | undefined, runs_max: number): Promise<number> {
    const { db, clock } = this.#options;
    let runs = 0;
    let patient_until = performance.now() + othersPatienceMs;
    while (runs < runs_max && !this.#is_stopping) {
      const query = { kinds: this.#kinds, now: clock.now(), company_id };
      const candidates = await findCandidates(db.index, { ...query, limit: 1 });
      const [claimed] = await this.#win(candidates);
      if (claimed) {
        runs += await this.#run([claimed], runs_max - runs - 1);
        patient_until = performance.now() + othersPatienceMs;
      } else if (candidates.length === 0 && !(await isBeingDone(db.index, query))) {
        break;
      } else {
        if (performance.now() > patient_until) break;
        await pause(othersPauseMs);
      }
    }
    return runs;
  }

  async hasDue(company_id: string): Promise<boolean> {
    if (this.#kinds.length === 0) return false;
    const { db, clock } = this.#options;
    const query = { kinds: this.#kinds, now: clock.now(), company_id };
    const [candidate] = await findCandidates(db.index, { ...query, limit: 1 });
    return candidate !== undefined || isBeingDone(db.index, query);
  }
}
