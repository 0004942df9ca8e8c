/** Part (n): what recurrences that are not due cost the worker. */
import { setTimeout as wait } from 'node:timers/promises';
import { makeJobHandlers } from '../src/modules/jobs.ts';
import { dueKind } from '../src/platform/jobs.ts';
import { DuePicker } from '../src/platform/pick-due.ts';
import { startFolio } from './children.ts';
import { makeDue } from './copies.ts';
import { makeLoadGenerator } from './load.ts';
import type { BenchOptions } from './options.ts';
import { part } from './part-recurring.ts';
import { makeFolder, openPlace, type Place, removeFolder } from './place.ts';
import { copyRecurrences, makeModel } from './recurrences.ts';
import { type Figure, quantile, ratioOf, spreadOf } from './statistics.ts';

/** The loop looks some times. */
const idleMs = 3000;

/** Milliseconds of a look for work that finds none, at the median. */
async function timeLooks({ db }: Place, looks: number): Promise<number> {
  const picker = new DuePicker({ sql: db.index, batch: 16, shares: db.shares });
  const kinds = makeJobHandlers().map(({ kind }) => dueKind(kind));
  const ms: number[] = [];
  for (let look = 0; look < looks; look++) {
    const started = performance.now();
    await picker.pick({ kinds, held_back: [] }, new Date(), []);
    ms.push(performance.now() - started);
  }
  return quantile(ms, 0.5);
}

/** MB; empty on a system without `ps`. */
async function idleMemory(data_dir: string): Promise<number[]> {
  const folio = await startFolio(data_dir);
  await wait(idleMs);
  const megabytes = folio.resident();
  await folio.stop();
  return megabytes === null ? [] : [megabytes];
}

async function fill(place: Place, count: number): Promise<void> {
  const folio = await startFolio(place.data_dir);
  const load = makeLoadGenerator(folio.url, 1);
  const { company_id, client_id, ...company } = await place.makeCompany();
  const model = await makeModel(load, { company_id, client_id, ...company });
  await load.close();
  await folio.stop();
  await place.owner.unsafe(`
    create table bench_waiting as
    select '${company_id}'::uuid as company_id, '${client_id}'::uuid as client_id, gen_random_uuid() as id, i
      from generate_series(1, ${count}) i`);
  // Over a year.
  const at = `(date_trunc('day', now()) + (1 + x.i % 365) * interval '1 day' + interval '5 hours')`;
  const of = 'select * from bench_waiting';
  await makeDue(place.owner, (sql) => copyRecurrences(sql, model, { of, day: `${at}::date`, at }));
  await place.owner.unsafe('drop table bench_waiting');
  // As autovacuum does soon after.
  await place.owner.unsafe('vacuum analyze due_work, jobs, recurring_invoices');
}

export async function measureWaiting(options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 10_000 : 100_000;
  const looks = Math.ceil(400 * options.scale);
  const data_dir = makeFolder();
  try {
    const place = await openPlace(data_dir);
    try {
      const measure = async () => {
        const [ms, memory]: [number[], number[]] = [[], []];
        await timeLooks(place, looks);
        await idleMemory(data_dir);
        for (let round = 0; round < options.rounds; round++) {
          memory.push(...(await idleMemory(data_dir)));
          ms.push(await timeLooks(place, looks));
        }
        return { ms, memory };
      };
      const none = await measure();
      await fill(place, count);
      const many = await measure();
      const what = `${count.toLocaleString('en')} not due`;
      const grown = many.memory.map((megabytes, round) => megabytes - none.memory[round]!);
      return [
        { part, what: 'none: a look for work', unit: 'ms', spread: spreadOf(none.ms) },
        { part, what: `${what}: a look for work`, unit: 'ms', spread: spreadOf(many.ms) },
        {
          part,
          what: `${what}: a look for work / with none`,
          unit: 'ratio',
          spread: ratioOf(many.ms, none.ms),
          aim: { at_most: 1.2 },
        },
        ...(grown.length === 0
          ? []
          : [
              {
                part,
                what: `${what}: growth of the idle memory`,
                unit: 'MB',
                spread: spreadOf(grown),
                aim: { at_most: 5 },
              } as const,
            ]),
      ];
    } finally {
      await place.close();
    }
  } finally {
    removeFolder(data_dir);
  }
}
