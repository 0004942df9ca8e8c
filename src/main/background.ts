/** The work that no caller waits for. */
import type { Sql } from 'postgres';
import { emailLane } from '../modules/emails/index.ts';
import { makeJobHandlers } from '../modules/jobs.ts';
import { scanLane } from '../modules/purchase-scans/index.ts';
import type { Family } from '../modules/sales/index.ts';
import { type DeliveryLoop, makeDeliveryLoop } from '../modules/webhooks/index.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Clock } from '../platform/clock.ts';
import { dueNote, outboxNote } from '../platform/commit-notes.ts';
import type { Database } from '../platform/db.ts';
import { makeDueHint } from '../platform/due-hint.ts';
import type { Engine } from '../platform/engine.ts';
import {
  type JobHandler,
  type JobLog,
  makeWorker,
  type Worker,
  type WorkerOptions,
} from '../platform/worker.ts';

export type BackgroundOptions = {
  db: Database;
  clock: Clock;
  ports: Ports;
  log: JobLog;
  engine: Engine;
  listener: Sql | null;
  families: readonly Family[];
  more_jobs: readonly JobHandler[];
  wrap_job: (handler: JobHandler) => JobHandler;
  mail_connections: number;
  outside_concurrency: number | undefined;
  answer_pauses_ms: readonly number[] | undefined;
  observe: NonNullable<WorkerOptions['observe']>;
};

export type Background = {
  worker: Worker;
  deliveries: DeliveryLoop;
  /** Listens for commits, and works if `works`. @returns what ends the worker's listening */
  start(works: boolean): () => void;
  stop(): Promise<unknown>;
};

export function makeBackground(options: BackgroundOptions): Background {
  const { db, clock, ports, log, engine, listener, outside_concurrency, answer_pauses_ms } = options;
  const worker = makeWorker({
    db,
    clock,
    ports,
    handlers: [...makeJobHandlers(options.families), ...options.more_jobs].map(options.wrap_job),
    log,
    observe: options.observe,
    runCall: (call) => engine.runAsSystem(call),
    ...(listener ? { hint: makeDueHint(listener) } : {}),
    // One message for each mail connection, so that none waits for one. At least two, because one owner has half.
    lane_concurrency: {
      [emailLane]: Math.max(2, options.mail_connections),
      [scanLane]: ports.scan_reader.at_once,
    },
    ...(outside_concurrency ? { outside_concurrency } : {}),
    ...(answer_pauses_ms ? { answer_pauses_ms } : {}),
  });
  const hint = listener ? makeDueHint(listener, 'folio_deliveries') : null;
  const deliveries = makeDeliveryLoop({ db, clock, ports, log, ...(hint ? { hint } : {}) });
  const { mail, account_log } = ports.people;
  return {
    worker,
    deliveries,
    stop: () => Promise.all([worker, deliveries, mail, account_log].map((loop) => loop.stop())),
    start(works) {
      const unwatch = db.watchCommits(dueNote, () => worker.wake());
      if (works) {
        worker.start();
        deliveries.start();
        mail.start();
        account_log.start();
      } else if (hint) db.watchCommits(outboxNote, () => hint.notify());
      return unwatch;
    },
  };
}
