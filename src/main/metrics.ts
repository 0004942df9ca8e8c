import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe(operation: string, status: number, seconds: number): void;
  text(): Promise<{ body: string; type: string }>;
};

export function makeMetrics(sources: { request_log_dropped(): number }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'folio_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'folio_request_seconds',
    help: 'Time to answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20],
    registers: [registry],
  });
  new Gauge({
    name: 'folio_request_log_dropped',
    help: 'Request log entries that were not written.',
    registers: [registry],
    collect() {
      this.set(sources.request_log_dropped());
    },
  });
  return {
    observe(operation, status, took) {
      requests.inc({ operation, status: String(status) });
      seconds.observe({ operation }, took);
    },
    text: async () => ({ body: await registry.metrics(), type: registry.contentType }),
  };
}
