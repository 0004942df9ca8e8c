/**
 * The metrics of all processes as of one. What processes that are gone have counted stays in the sums: a counter that
 * falls is taken for a new one, and its whole value for new requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { MetricsPage, ProcessMetrics } from '../metrics.ts';

type Source = { metrics(): Promise<ProcessMetrics> };

export type CrewMetrics = {
  /** @param values the last of a process that is gone */
  keep(values: ProcessMetrics): void;
  text(): Promise<MetricsPage>;
};

/** Anybody may ask, and who adds up is who accepts connections: it does so once a second at most. */
const pauseMs = 1000;

const counted: readonly string[] = ['counter', 'histogram'];

export function makeCrewMetrics(sources: () => readonly Source[]): CrewMetrics {
  let gone: ProcessMetrics = [];
  let next: Promise<MetricsPage> | undefined;
  let began_at = -pauseMs;

  async function collect(): Promise<MetricsPage> {
    await sleep(Math.max(0, began_at + pauseMs - performance.now()));
    next = undefined;
    began_at = performance.now();
    // Whoever goes meanwhile is among the sources.
    const before = gone;
    const values = await Promise.all(sources().map((source) => source.metrics()));
    const registry = AggregatorRegistry.aggregate([...values, before]);
    return { body: await registry.metrics(), type: registry.contentType };
  }

  return {
    keep(values) {
      const kept = values.filter(({ type }) => counted.includes(String(type)));
      gone = added([gone, kept]);
    },
    text() {
      next ??= collect();
      return next;
    },
  };
}

function added(all: readonly ProcessMetrics[]): ProcessMetrics {
  const registry = AggregatorRegistry.aggregate([...all]);
  return registry.getMetricsAsArray() as unknown as ProcessMetrics;
}
