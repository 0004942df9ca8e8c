/** Part (n): recurrences that are due, against bulk creations of as many invoices. */
import { setTimeout as wait } from 'node:timers/promises';
import { dueKind } from '../src/platform/jobs.ts';
import { Acknowledged, checkInvoices } from './checks.ts';
import { startFolio } from './children.ts';
import { makeDue } from './copies.ts';
import { bulkBody } from './fixtures.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import { copyRecurrences, makeModel, type Model, runKind } from './recurrences.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';

export const part = '(n) recurrences and expiry';
const batch = 100;
const callers = 32;
const patienceMs = 120_000;
const pauseMs = 5;

/** Waits until no job of the kind is due. @returns when the last one was over */
export async function untilNoneDue({ owner }: Place, kind: string): Promise<number> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const left =
      await owner`select 1 from due_work where kind = ${dueKind(kind)} and due_at <= now() limit 1`;
    if (left.length === 0) return performance.now();
    await wait(pauseMs);
  }
  throw new WrongResult(`Jobs of ${kind} are still due after ${patienceMs / 1000} s.`);
}

/** @param of SQL: rows with company_id, client_id and id. @returns invoices a second, from the wake-up until each job waits for its next day */
async function runDue(place: Place, model: Model, of: string, count: number): Promise<number> {
  const day = `(now() at time zone 'Europe/Madrid')::date`;
  const due = { of, day, at: "now() - interval '1 second'" };
  // A table, since its ids are made once.
  await place.owner.unsafe(`create table bench_due as ${of}`);
  const started = await makeDue(place.owner, (sql) =>
    copyRecurrences(sql, model, { ...due, of: 'select * from bench_due' }),
  );
  const ended = await untilNoneDue(place, runKind);
  await place.owner.unsafe('drop table bench_due');
  return count / ((ended - started) / 1000);
}

async function bulk(
  load: LoadGenerator,
  acknowledged: Acknowledged,
  companies: readonly BenchCompany[],
  { each, requests, concurrency }: { each: number; requests: number; concurrency: number },
): Promise<number> {
  const companyOf = (i: number) => companies[i % companies.length]!;
  const { per_second, answers } = await load.run({
    concurrency,
    requests,
    status: 200,
    make: (i) => ({
      method: 'POST',
      path: '/v1/invoices/bulk-create',
      headers: { authorization: `Bearer ${companyOf(i).key}`, 'content-type': 'application/json' },
      body: bulkBody(companyOf(i).client_id, each),
    }),
  });
  for (const [i, text] of answers.entries()) acknowledged.addBulkAnswer(companyOf(i).company_id, text, each);
  return per_second * each;
}

/** Each recurrence has made one invoice. */
async function addMade({ owner }: Place, acknowledged: Acknowledged, wanted: number): Promise<void> {
  const made = await owner<{ company_id: string; id: string; number: string }[]>`
    select o.company_id, i.id, i.number
      from recurring_occurrences o join invoices i on i.company_id = o.company_id and i.id = o.invoice_id
     where o.status = 'made'`;
  if (made.length !== wanted)
    throw new WrongResult(`${made.length} occurrences are made, ${wanted} were due.`);
  for (const { company_id, id, number } of made) acknowledged.add(company_id, id, number);
}

export async function measureRecurring(place: Place, options: BenchOptions): Promise<Figure[]> {
  const count = options.is_quick ? 200 : 1000;
  const acknowledged = new Acknowledged();
  const folio = await startFolio(place.data_dir, options.profile_dir);
  const load = makeLoadGenerator(folio.url, callers);
  try {
    const companies: BenchCompany[] = [];
    while (companies.length < count) companies.push(await place.makeCompany());
    const one = companies.slice(0, 1);
    const model = await makeModel(load, companies[0]!);
    const ids = `'{${companies.map(({ company_id }) => company_id).join(',')}}'::uuid[]`;
    const clients = `select company_id, id as client_id, gen_random_uuid() as id from contacts`;
    const places = [
      {
        what: `${count} in one company`,
        of: `select company_id, client_id, gen_random_uuid() as id from (${clients} where company_id = '${model.company_id}') c, generate_series(1, ${count})`,
        bulk: () => bulk(load, acknowledged, one, { each: batch, requests: count / batch, concurrency: 1 }),
      },
      {
        what: `${count} in ${count} companies`,
        of: `${clients} where company_id = any(${ids})`,
        bulk: () => bulk(load, acknowledged, companies, { each: 1, requests: count, concurrency: callers }),
      },
    ];
    const figures: Figure[] = [];
    for (const { what, of, bulk } of places) {
      const rates = await interleave(options.rounds, {
        run: () => runDue(place, model, of, count),
        bulk,
      });
      figures.push(
        { part, what: `${what}: recurrences`, unit: 'invoices/s', spread: spreadOf(rates.run) },
        { part, what: `${what}: bulk-create`, unit: 'invoices/s', spread: spreadOf(rates.bulk) },
        {
          part,
          what: `${what}: recurrences / bulk-create`,
          unit: 'ratio',
          spread: ratioOf(rates.run, rates.bulk),
          aim: { at_least: 0.5 },
        },
      );
    }
    await addMade(place, acknowledged, places.length * count * (options.rounds + 1));
    await checkInvoices(place.owner, acknowledged);
    options.say(`${acknowledged.count} invoices checked: no gap, no duplicate, totals right, none missing.`);
    return figures;
  } finally {
    await load.close();
    await folio.stop();
  }
}
