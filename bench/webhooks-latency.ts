/**
 * Time from the 201 of an invoice to the first byte at the receiver. The floor: from a row's commit with
 * NOTIFY to the first byte of the listener's request. Idle: one at a time with pauses. Half load: half the
 * service's rate with deliveries. Beside the floor the service makes as many for a company without endpoint,
 * so that both have the same machine.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { newId } from '../src/kernel/uuid7.ts';
import { latestVersion } from '../src/kernel/versions.ts';
import { createRequest } from './begun.ts';
import { bareNotify, startHelper } from './children.ts';
import { type LoadRequest, WrongResult } from './load.ts';
import { makeMembers } from './members.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, quantile, ratioOf, spreadOf } from './statistics.ts';
import { machineMs } from './talk.ts';
import type { Arrival } from './webhook-receiver.ts';
import { makeAudience, type Stage } from './webhook-stage.ts';

const callers = 32;
const pauseMs = 15;
const patience_ms = 60_000;
const secondsAtHalf = 3;

/** Answers when the maker had the confirmation. */
type Make = () => Promise<{ id: string; at_ms: number }>;

export async function compareLatency(
  part: string,
  place: Place,
  stage: Stage,
  options: BenchOptions,
): Promise<Figure[]> {
  const { owner } = place;
  await owner`create table bench_messages (id uuid primary key, body text not null)`;
  await owner`grant select, insert on bench_messages to folio_service`;
  const company = await makeAudience(stage, place, 1);
  const [endpoint] = company.endpoints;
  const bare = await startHelper(bareNotify, {
    ...stage.trust,
    BENCH_TARGET: JSON.stringify(place.target),
    BENCH_URL: endpoint!.url,
    BENCH_SECRET: endpoint!.secret,
  });
  const pool = new Pool(stage.folio.url, { connections: 512, pipelining: 1 });
  const members = makeMembers(place.target, 10);
  const silent = createRequest(await place.makeCompany());
  const heard = createRequest(company);
  const issue = async (request: LoadRequest) => {
    const answer = await pool.request({ ...request, body: request.body! });
    const at_ms = machineMs();
    const text = await answer.body.text();
    if (answer.statusCode !== 201)
      throw new WrongResult(`An invoice was answered ${answer.statusCode}: ${text}`);
    return { id: (JSON.parse(text) as { data: { id: string } }).data.id, at_ms };
  };
  const folio: Make = () => issue(heard);
  const row: Make = async () => {
    const id = newId();
    const body = JSON.stringify(messageOf(id));
    await members.with((sql) =>
      Promise.all([
        sql.unsafe('begin').execute(),
        sql`insert into bench_messages (id, body) values (${id}, ${body})`.execute(),
        sql`select pg_notify('bench_messages', ${id})`.execute(),
        sql.unsafe('commit').execute(),
      ]),
    );
    return { id, at_ms: machineMs() };
  };
  const rowBesideInvoice: Make = async () => {
    const [made] = await Promise.all([row(), issue(silent)]);
    return made;
  };
  try {
    const count = Math.ceil(100 * options.scale);
    const full = await fullRate(stage, folio, options);
    const atHalf = (make: Make) => () => paced(stage, make, full / 2, options);
    const rounds = await interleave(options.rounds, {
      idle_folio: () => oneByOne(stage, folio, count),
      idle_bare: () => oneByOne(stage, row, count),
      half_folio: atHalf(folio),
      half_bare: atHalf(rowBesideInvoice),
      alone_bare: atHalf(row),
    });
    const p50 = (of: number[][]) => of.map((ms) => quantile(ms, 0.5));
    const figure = (what: string, spread: Figure['spread'], unit: Figure['unit'] = 'ms'): Figure => ({
      part,
      what,
      unit,
      spread,
    });
    const aim = { at_most: 5 };
    const { idle_folio, idle_bare, half_folio, half_bare, alone_bare } = rounds;
    return [
      figure('201 to first byte, idle: Folio, p50', spreadOf(p50(idle_folio))),
      figure('idle: Folio, p99', spreadOf(idle_folio.map((ms) => quantile(ms, 0.99)))),
      figure('idle: bare LISTEN/NOTIFY, p50', spreadOf(p50(idle_bare))),
      { ...figure('idle: Folio / bare', ratioOf(p50(idle_folio), p50(idle_bare)), 'ratio'), aim },
      figure('issued and delivered, 32 callers: Folio', spreadOf([full]), 'invoices/s'),
      figure('201 to first byte, half load: Folio, p50', spreadOf(p50(half_folio))),
      figure('half load: Folio, p99', spreadOf(half_folio.map((ms) => quantile(ms, 0.99)))),
      figure('half load: bare LISTEN/NOTIFY beside issuing, p50', spreadOf(p50(half_bare))),
      {
        ...figure(
          'half load: Folio / bare beside issuing',
          ratioOf(p50(half_folio), p50(half_bare)),
          'ratio',
        ),
        aim,
      },
      figure('half load: bare LISTEN/NOTIFY alone, p50', spreadOf(p50(alone_bare))),
      figure('half load: Folio / bare alone', ratioOf(p50(half_folio), p50(alone_bare)), 'ratio'),
    ];
  } finally {
    await Promise.all([pool.close(), members.close(), bare.stop()]);
  }
}

/** Shaped as the service's event: both send the same bytes. */
function messageOf(id: string) {
  return {
    id,
    object: 'event',
    type: 'invoice.created',
    aggregate_id: id,
    sequence: 1,
    api_version: latestVersion,
    livemode: true,
    test: false,
    data: { invoice: { id } },
    created: new Date().toISOString(),
    correlation_id: id,
  };
}

/** @returns milliseconds from creation to arrival, by delivery */
async function latencies(stage: Stage, made: readonly { id: string; at_ms: number }[]): Promise<number[]> {
  await stage.receiver.ask({ ask: 'await', count: made.length, patience_ms });
  const arrivals = await stage.receiver.ask<Arrival[]>({ ask: 'take' });
  const at = new Map(
    arrivals.map(({ body, at_ms }) => [
      (JSON.parse(body) as { data: { invoice: { id: string } } }).data.invoice.id,
      at_ms,
    ]),
  );
  return made.map(({ id, at_ms }) => {
    const arrived = at.get(id);
    if (arrived === undefined || arrivals.length !== made.length)
      throw new WrongResult(`Of ${made.length} made ${arrivals.length} arrived, ${id} as ${arrived}.`);
    return arrived - at_ms;
  });
}

async function oneByOne(stage: Stage, make: Make, count: number): Promise<number[]> {
  await stage.receiver.ask({ ask: 'reset' });
  const made: { id: string; at_ms: number }[] = [];
  for (let i = 0; i < count; i++) {
    made.push(await make());
    await wait(pauseMs);
  }
  return latencies(stage, made);
}

/** Made and arrived per second. */
async function fullRate(stage: Stage, make: Make, options: BenchOptions): Promise<number> {
  const rates: number[] = [];
  for (const seconds of [1, options.is_quick ? 1 : 3]) {
    await stage.receiver.ask({ ask: 'reset' });
    const started = performance.now();
    let count = 0;
    const caller = async (): Promise<void> => {
      for (; performance.now() - started < seconds * 1000; count++) await make();
    };
    await Promise.all(Array.from({ length: callers }, caller));
    await stage.receiver.ask({ ask: 'await', count, patience_ms });
    rates.push(count / ((performance.now() - started) / 1000));
  }
  return rates.at(-1)!;
}

/** Does not wait for earlier ones. */
async function paced(stage: Stage, make: Make, per_second: number, options: BenchOptions): Promise<number[]> {
  await stage.receiver.ask({ ask: 'reset' });
  const count = Math.ceil(per_second * secondsAtHalf * options.scale);
  const made: ReturnType<Make>[] = [];
  const started = performance.now();
  while (made.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - started) / 1000) * per_second));
    while (made.length < due) made.push(make());
    await wait(1);
  }
  return latencies(stage, await Promise.all(made));
}
