/**
 * The metrics of all processes as of one. The counts of ended processes stay in the sums: monitors take a falling
 * counter for a new one, and its whole value for new requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MetricsPage, ProcessMetrics } from '../metrics.ts';

type Source = { metrics(): Promise<ProcessMetrics> };

export type CrewMetrics = {
  /** Loads the code that adds up, before another version of the program may take its place. */
  load(): Promise<void>;
  /** @param values the last of a process that is gone */
  keep(values: ProcessMetrics): void;
  text(): Promise<MetricsPage>;
};

/** Anybody may ask, and the process that adds up also accepts connections. So it adds up at most once a second. */
const pauseMs = 1000;

const counted: readonly string[] = ['counter', 'histogram'];

export function makeCrewMetrics(sources: () => readonly Source[]): CrewMetrics {
  let gone: Promise<ProcessMetrics> = Promise.resolve([]);
  let next: Promise<MetricsPage> | undefined;
  let began_at = -pauseMs;

  async function collect(): Promise<MetricsPage> {
    await sleep(Math.max(0, began_at + pauseMs - performance.now()));
    next = undefined;
    began_at = performance.now();
    // A process that ends meanwhile still counts among the sources.
    const before = gone;
    const values = await Promise.all(sources().map((source) => source.metrics()));
    const registry = await aggregate([...values, await before]);
    return { body: await registry.metrics(), type: registry.contentType };
  }

  return {
    async load() {
      await library();
    },
    keep(values) {
      const kept = values.filter(({ type }) => counted.includes(String(type)));
      gone = gone.then((before) => added([before, kept]));
    },
    text() {
      next ??= collect();
      return next;
    },
  };
}

/** No caller waits for it at a start. */
const library = () => import('prom-client');

async function aggregate(all: readonly ProcessMetrics[]) {
  const { AggregatorRegistry } = await library();
  return AggregatorRegistry.aggregate([...all]);
}

async function added(all: readonly ProcessMetrics[]): Promise<ProcessMetrics> {
  const registry = await aggregate(all);
  return registry.getMetricsAsArray() as unknown as ProcessMetrics;
}
