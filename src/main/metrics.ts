/** What monitors are told (docs/monitoring.md). No name of a company is in it. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUse } from '../platform/db.ts';
import type { DueDepth } from '../platform/due-depth.ts';
import { remembered } from '../platform/remembered.ts';

export type Metrics = {
  observe(operation: string, status: number, seconds: number): void;
  text(): Promise<{ body: string; type: string }>;
};

export type MetricSources = {
  request_log_dropped(): number;
  connections(): PoolUse;
  /** Asks the database. */
  due(): Promise<DueDepth>;
  /** Of this process. */
  now(): Date;
};

/** Gauges of the library under names of counters. */
const misnamed = ['handles', 'requests', 'resources'].map((name) => `nodejs_active_${name}_total`);

/** Anybody may ask, so the database answers one look in so long. */
const rememberedMs = 5000;

export function makeMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const requests = new Counter({
    name: 'folio_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'folio_request_seconds',
    help: 'Time to answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20],
    registers,
  });
  new Gauge({
    name: 'folio_request_log_dropped',
    help: 'Request log entries that were not written.',
    registers,
    collect() {
      this.set(sources.request_log_dropped());
    },
  });
  new Gauge({
    name: 'folio_connections',
    help: 'Connections to the database that requests and jobs may use, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { lent, free } = sources.connections();
      this.set({ state: 'lent' }, lent);
      this.set({ state: 'free' }, free);
    },
  });
  new Gauge({
    name: 'folio_connections_awaited',
    help: 'Calls and jobs that wait for a connection.',
    registers,
    collect() {
      this.set(sources.connections().awaited);
    },
  });
  const readDue = watchDue(registry, sources);
  return {
    observe(operation, status, took) {
      requests.inc({ operation, status: String(status) });
      seconds.observe({ operation }, took);
    },
    async text() {
      await readDue();
      return { body: await registry.metrics(), type: registry.contentType };
    },
  };
}

/** Jobs of all processes, as the database knows them: each process tells the same. */
function watchDue(registry: Registry, { due, now }: MetricSources): () => Promise<void> {
  const registers = [registry];
  const jobs = new Gauge({
    name: 'folio_due_jobs',
    help: 'Jobs that are due and not in progress, by kind; 10,000 of the oldest are counted.',
    labelNames: ['kind'],
    registers,
  });
  const lag = new Gauge({
    name: 'folio_due_seconds',
    help: 'How long the oldest due job of a kind has waited.',
    labelNames: ['kind'],
    registers,
  });
  const skew = new Gauge({
    name: 'folio_clock_skew_seconds',
    help: "This machine's clock less the database's.",
    registers,
  });
  const reads = new Gauge({
    name: 'folio_database_answers',
    help: '1 when the database answered this look, else 0; the figures of jobs and clock are left out then.',
    registers,
  });
  return remembered(rememberedMs, async () => {
    jobs.reset();
    lag.reset();
    skew.remove();
    try {
      const depth = await due();
      for (const { kind, jobs: count, oldest_at } of depth.kinds) {
        jobs.set({ kind }, count);
        lag.set({ kind }, Math.max(0, (now().getTime() - oldest_at.getTime()) / 1000));
      }
      skew.set((now().getTime() - depth.now.getTime()) / 1000);
      reads.set(1);
    } catch {
      reads.set(0);
    }
  });
}
