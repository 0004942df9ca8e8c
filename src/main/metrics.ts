/**
 * What monitors read of this process, together with what the database knows (docs/monitoring.md). No name of a company
 * is in it.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { PoolUse } from '../platform/db.ts';
import { type DatabaseSources, watchDatabase } from './database-metrics.ts';

/** A page for Prometheus, and its media type. */
export type MetricsPage = { body: string; type: string };

/** The metrics of one process, to be added to those of others. The `aggregator` of each gauge says how. */
export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

export type Metrics = {
  observe(operation: string, status: number, seconds: number): void;
  observeRuns(kind: string, outcome: string, runs: number): void;
  text(): Promise<MetricsPage>;
  values(): Promise<ProcessMetrics>;
};

export type MetricSources = DatabaseSources & {
  request_log_dropped(): number;
  connections(): PoolUse;
  printing(): { running: number; waiting: number };
  /** When the service's own certificate ends; null without one. */
  service_certificate_until: Date | null;
};

/** Gauges of the library under names of counters. */
const misnamed = ['handles', 'requests', 'resources'].map((name) => `nodejs_active_${name}_total`);

let process_registry: Registry | undefined;

/**
 * Memory, processor, event loop and garbage of this process. Made once: the library has no way to end the observers that it
 * starts, and each would keep the service that it was made for.
 */
function ofProcess(): Registry {
  if (process_registry) return process_registry;
  process_registry = new Registry();
  collectDefaultMetrics({ register: process_registry });
  for (const name of misnamed) process_registry.removeSingleMetric(name);
  return process_registry;
}

export function makeMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const all = [ofProcess(), registry];
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
  watchConnections(registers, sources);
  const runs = new Counter({
    name: 'folio_job_runs_total',
    help: 'Runs of jobs by kind and how they ended.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  new Gauge({
    name: 'folio_printing',
    help: 'Documents that are printed or wait for a printer, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = sources.printing();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  watchServiceCertificate(registers, sources);
  const readDatabase = watchDatabase(registry, sources);
  return {
    observe(operation, status, took) {
      requests.inc({ operation, status: String(status) });
      seconds.observe({ operation }, took);
    },
    observeRuns(kind, outcome, count) {
      runs.inc({ kind, outcome }, count);
    },
    async text() {
      await readDatabase();
      const pages = await Promise.all(all.map((one) => one.metrics()));
      return { body: pages.join('\n'), type: registry.contentType };
    },
    async values() {
      await readDatabase();
      const values = (await Promise.all(all.map((one) => one.getMetricsAsJSON()))).flat() as ProcessMetrics;
      // The library would average percentiles. The maximum shows a single process that stands still.
      return values.map((one) =>
        one.aggregator === 'average' ? Object.assign({}, one, { aggregator: 'max' }) : one,
      );
    },
  };
}

function watchConnections(registers: Registry[], sources: Pick<MetricSources, 'connections'>): void {
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
  new Gauge({
    name: 'folio_connections_short',
    help: '1 while calls or jobs wait for a connection and the process has none free, else 0.',
    // A sum would hide a process without a free connection behind the free ones of others.
    aggregator: 'max',
    registers,
    collect() {
      const { free, awaited } = sources.connections();
      this.set(awaited > 0 && free === 0 ? 1 : 0);
    },
  });
}

/** It is left out where the service has none. */
function watchServiceCertificate(
  registers: Registry[],
  { service_certificate_until: until, now }: Pick<MetricSources, 'service_certificate_until' | 'now'>,
): void {
  new Gauge({
    name: 'folio_service_certificate_left_seconds',
    help: "Seconds to the end of the service's own certificate; less than 0 once it has ended.",
    aggregator: 'min',
    registers,
    collect() {
      this.remove();
      if (until) this.set((until.getTime() - now().getTime()) / 1000);
    },
  });
}
