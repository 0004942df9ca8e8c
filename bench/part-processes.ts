/**
 * Part (r): several processes on one machine (`folio serve --processes`). Rates of 1, 2 and 4 processes of the API, what an
 * invoice costs of the processor, and what follows for machines with more of them.
 */
import { availableParallelism } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BegunCompany, beginCompany, createRequest } from './begun.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { type Child, startFolio } from './children.ts';
import { type LoadGenerator, makeLoadGenerator } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeFolder, openPlace, type Place, removeFolder } from './place.ts';
import { processorSeconds } from './processor-time.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

const part = '(r) several processes';
const callers = 64;
const companiesCount = 100;
const requestsUsual = 1600;
/** The embedded server has connections for all of them at a time. */
const poolSize = '6';

const counts = { one: 1, two: 2, four: 4 } as const;
type Name = keyof typeof counts;
const names = Object.keys(counts) as Name[];

/** Milliseconds of the processor for each invoice. */
type Cost = { service: number; database: number; callers: number };
type Run = { per_second: number; cost: Cost | null };

const argumentsOf = (count: number) => (count === 1 ? [] : ['--processes', String(count)]);

export async function measureProcesses(place: Place, options: BenchOptions): Promise<Figure[]> {
  return [...(await measureRates(place, options)), ...(await measureStarts(options))];
}

async function measureRates(place: Place, options: BenchOptions): Promise<Figure[]> {
  const acknowledged = new Acknowledged();
  const env = { FOLIO_POOL_SIZE: poolSize };
  const children = {} as Record<Name, Child>;
  const loads = {} as Record<Name, LoadGenerator>;
  try {
    for (const name of names) {
      const child = await startFolio(place.data_dir, undefined, 'api', env, argumentsOf(counts[name]));
      children[name] = child;
      loads[name] = makeLoadGenerator(child.url, callers);
    }
    const companies: BegunCompany[] = [];
    for (let i = 0; i < companiesCount; i++)
      companies.push(await beginCompany(place, loads.one, acknowledged));
    const requests = Math.ceil(requestsUsual * options.scale);
    const issue = (name: Name) => () =>
      issueAmong(companies, requests, { place, child: children[name], load: loads[name], acknowledged });
    const timed = await interleave(options.rounds, {
      one: issue('one'),
      two: issue('two'),
      four: issue('four'),
    });
    await checkInvoices(place.owner, acknowledged);
    options.say(`${acknowledged.count} invoices checked: no gap, no duplicate, totals right, none missing.`);
    return rateFigures(timed);
  } finally {
    await Promise.all(Object.values(loads).map((load) => load.close()));
    await Promise.all(Object.values(children).map((child) => child.stop()));
  }
}

function rateFigures(timed: Record<Name, Run[]>): Figure[] {
  const where = `${companiesCount} companies, ${callers} callers`;
  const rates = (name: Name) => timed[name].map((run) => run.per_second);
  const words = { one: 'one process', two: '2 processes', four: '4 processes' };
  const figures: Figure[] = names.map((name) => ({
    part,
    what: `${where}: ${words[name]}`,
    unit: 'requests/s',
    spread: spreadOf(rates(name)),
  }));
  const ratio = (name: Name) => ratioOf(rates(name), rates('one'));
  figures.push(
    { part, what: `${where}: 2 / 1`, unit: 'ratio', spread: ratio('two'), aim: { at_least: 1 } },
    { part, what: `${where}: 4 / 1`, unit: 'ratio', spread: ratio('four') },
  );
  const costs = timed.two.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0) return figures;
  for (const kind of ['service', 'database', 'callers'] as const)
    figures.push({
      part,
      what: `processor for an invoice, 2 processes: ${kind}`,
      unit: 'ms',
      spread: spreadOf(costs.map((cost) => cost[kind])),
    });
  return [...figures, ...modelFigures(costs, rates('two'))];
}

/**
 * A process of the API has one processor at most, and all share the machine. Locks and the disk are left out, so these are
 * upper bounds. The ratio says how near the bound this machine comes.
 */
function modelFigures(costs: readonly Cost[], measured: readonly number[]): Figure[] {
  const bound = (cost: Cost, processors: number, processes: number, has_callers: boolean) => {
    const whole = cost.service + cost.database + (has_callers ? cost.callers : 0);
    return 1000 * Math.min(processes / cost.service, processors / whole);
  };
  const here = availableParallelism();
  const model = ([processors, processes]: readonly [number, number]): Figure => ({
    part,
    what: `model: ${processors} processors, ${processes} processes, callers elsewhere`,
    unit: 'requests/s',
    spread: spreadOf(costs.map((cost) => bound(cost, processors, processes, false))),
  });
  const sizes = [
    [2, 2],
    [4, 2],
    [4, 4],
    [8, 4],
    [16, 8],
  ] as const;
  const onThis = costs.map((cost) => bound(cost, here, 2, true));
  return [
    { part, what: 'measured / model of this machine', unit: 'ratio', spread: ratioOf(measured, onThis) },
    ...sizes.map(model),
  ];
}

type Target = { place: Place; child: Child; load: LoadGenerator; acknowledged: Acknowledged };

async function issueAmong(
  companies: readonly BegunCompany[],
  requests: number,
  { place, child, load, acknowledged }: Target,
): Promise<Run> {
  const prepared = companies.map((company) => createRequest(company));
  const postmaster = Number(
    readFileSync(join(place.data_dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0],
  );
  const look = () => {
    const own = process.cpuUsage();
    return {
      service: processorSeconds(child.pid),
      database: processorSeconds(postmaster),
      callers: (own.user + own.system) / 1e6,
    };
  };
  const before = look();
  const { per_second, answers } = await load.run({
    concurrency: callers,
    requests,
    status: 201,
    make: (i) => prepared[i % prepared.length]!,
  });
  const after = look();
  for (const [i, text] of answers.entries())
    acknowledged.addAnswer(companies[i % companies.length]!.company_id, text);
  const each = (kind: keyof Cost) => ((Number(after[kind]) - Number(before[kind])) * 1000) / answers.length;
  const cost = { service: each('service'), database: each('database'), callers: each('callers') };
  return { per_second, cost: before.service === null ? null : cost };
}

/** Seconds to the first 200 of /readyz, with the database running. */
async function measureStarts(options: BenchOptions): Promise<Figure[]> {
  const data_dir = makeFolder();
  const place = await openPlace(data_dir);
  const start = (count: number) => async () => {
    const started = performance.now();
    const child = await startFolio(data_dir, undefined, 'all', {}, argumentsOf(count));
    const seconds = (performance.now() - started) / 1000;
    await child.stop();
    return seconds;
  };
  try {
    const timed = await interleave(options.rounds, { one: start(1), two: start(2) });
    return [
      { part, what: 'ready: one process', unit: 's', spread: spreadOf(timed.one) },
      { part, what: 'ready: 2 processes', unit: 's', spread: spreadOf(timed.two) },
      {
        part,
        what: 'ready: 2 / 1',
        unit: 'ratio',
        spread: ratioOf(timed.two, timed.one),
        aim: { at_most: 1.5 },
      },
    ];
  } finally {
    await place.close();
    removeFolder(data_dir);
  }
}
