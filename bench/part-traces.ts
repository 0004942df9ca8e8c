/**
 * Part (t): what traces cost: the same service with a collector and without one, in turns. The collector is a process of its own
 * and throws away what it gets, but shares the machine.
 */
import { startCollector, startFolio } from './children.ts';
import { invoiceBody } from './fixtures.ts';
import { makeLoadGenerator } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(t) traces';
const callers = 16;
/** Many short turns: what the machine does besides meets all alike. */
const slices = 3;
const names = { again: 'another without', on: 'every tenth trace', all: 'all traces' } as const;

/** Of the service alone: what else the machine does is not in it. */
async function processorSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

export async function measureTraces(place: Place, options: BenchOptions): Promise<Figure[]> {
  const collector = await startCollector();
  const start = (env: Record<string, string> = {}) =>
    startFolio(place.data_dir, options.profile_dir, 'all', env);
  const services = {
    off: await start(),
    // Another of the same: what differs is noise.
    again: await start(),
    on: await start({ FOLIO_OTEL_ENDPOINT: collector.url }),
    all: await start({ FOLIO_OTEL_ENDPOINT: collector.url, FOLIO_OTEL_PERCENT: '100' }),
  };
  const loads = Object.entries(services).map(
    ([name, { url }]) => [name, makeLoadGenerator(url, callers)] as const,
  );
  const figures: Figure[] = [];
  try {
    const { key, client_id } = await place.makeCompany();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = invoiceBody(client_id);
    const [, toOff] = loads[0]!;
    const made = await toOff.run({
      concurrency: 1,
      requests: 1,
      status: 201,
      make: () => ({ method: 'POST', path: '/v1/invoices', headers, body }),
    });
    const { id } = (JSON.parse(made.answers[0]!) as { data: { id: string } }).data;
    const kinds = {
      'create and issue': { requests: 300, status: 201, method: 'POST', path: '/v1/invoices', body },
      'GET one invoice': {
        requests: 900,
        status: 200,
        method: 'GET',
        path: `/v1/invoices/${id}`,
        body: undefined,
      },
    } as const;
    for (const [what, { requests, status, method, path, body: sent }] of Object.entries(kinds)) {
      const count = (is_warm_up: boolean) => Math.ceil((requests * options.scale) / (is_warm_up ? 3 : 1));
      const used: Record<string, number[]> = {};
      const rates = await interleave(
        options.rounds * slices,
        Object.fromEntries(
          loads.map(([name, load]) => [
            name,
            async (is_warm_up: boolean) => {
              const make = () => ({ method, path, headers, ...(sent === undefined ? {} : { body: sent }) });
              const { url } = services[name as keyof typeof services];
              const before = await processorSeconds(url);
              const asked = count(is_warm_up);
              const { per_second } = await load.run({ concurrency: callers, requests: asked, status, make });
              const spent = (await processorSeconds(url)) - before;
              if (!is_warm_up) used[name] = [...(used[name] ?? []), spent / asked];
              return per_second;
            },
          ]),
        ) as Record<keyof typeof services, (is_warm_up: boolean) => Promise<number>>,
      );
      const { off = [] } = used;
      figures.push(
        { part, what: `${what}: without traces`, unit: 'requests/s', spread: spreadOf(rates.off) },
        ...(['again', 'on', 'all'] as const).flatMap((name): Figure[] => [
          {
            part,
            what: `${what}: ${names[name]} / without`,
            unit: 'ratio',
            spread: ratioOf(rates[name], rates.off),
          },
          {
            part,
            what: `${what}: processor time, ${names[name]} / without`,
            unit: 'ratio',
            spread: ratioOf(used[name] ?? [], off),
            ...(name === 'on' ? { aim: { at_most: 1.1 } } : {}),
          },
        ]),
      );
    }
  } finally {
    await Promise.all(loads.map(([, load]) => load.close()));
    await Promise.all([...Object.values(services), collector].map((child) => child.stop()));
  }
  return figures;
}
