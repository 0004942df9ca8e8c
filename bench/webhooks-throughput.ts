/** Deliveries per second: against a bare outbox loop, and with one endpoint of ten dead. */
import { bareOutbox, startHelper } from './children.ts';
import type { BenchOptions } from './options.ts';
import type { Place } from './place.ts';
import { type Figure, interleave, ratioOf, spreadOf } from './statistics.ts';
import {
  addEvents,
  type Audience,
  checkDeliveries,
  makeAudience,
  makeEndpoint,
  type Stage,
  untilDelivered,
  wake,
} from './webhook-stage.ts';

/** Rounds are long, so three tell as much as five short ones. */
const roundsMax = 3;

function countOf({ is_quick }: BenchOptions, is_warm_up: boolean): number {
  const count = is_quick ? 4000 : 20_000;
  return is_warm_up ? count / 4 : count;
}

const perCompany = 10;

/** 20,000 deliveries to 1, 10 and 100 endpoints; the hundred belong to ten companies. */
export async function compareThroughput(
  part: string,
  place: Place,
  stage: Stage,
  options: BenchOptions,
): Promise<Figure[]> {
  const { owner } = place;
  await owner`create table bench_outbox (like due_work including all)`;
  await owner`grant select, insert, update, delete on bench_outbox to folio_service`;
  const bare = await startHelper(bareOutbox, { ...stage.trust, BENCH_TARGET: JSON.stringify(place.target) });
  const figures: Figure[] = [];
  try {
    for (const endpoints of [1, 10, 100]) {
      const mine = await audiences(stage, place, endpoints);
      const theirs = await audiences(stage, place, endpoints);
      const total = { folio: 0, bare: 0 };
      const rates = await interleave(Math.min(roundsMax, options.rounds), {
        folio: async (is_warm_up) => {
          const count = countOf(options, is_warm_up);
          total.folio += count;
          return perSecond(stage, place, mine, count, 'due_work', () => wake(owner));
        },
        bare: async (is_warm_up) => {
          const count = countOf(options, is_warm_up);
          total.bare += count;
          const run = {
            companies: theirs.map((one) => ({ company_id: one.company_id, endpoints: one.endpoints })),
          };
          return perSecond(stage, place, theirs, count, 'bench_outbox', () => bare.ask(run));
        },
      });
      await checkDeliveries(owner, mine, total.folio);
      await checkDeliveries(owner, theirs, total.bare);
      const where = endpoints === 1 ? '1 endpoint' : `${endpoints} endpoints`;
      figures.push(
        { part, what: `${where}: Folio`, unit: 'deliveries/s', spread: spreadOf(rates.folio) },
        { part, what: `${where}: bare outbox loop`, unit: 'deliveries/s', spread: spreadOf(rates.bare) },
        {
          part,
          what: `${where}: Folio / bare`,
          unit: 'ratio',
          spread: ratioOf(rates.folio, rates.bare),
          aim: { at_least: 0.5 },
        },
      );
    }
  } finally {
    await bare.stop();
  }
  return figures;
}

async function audiences(stage: Stage, place: Place, endpoints: number): Promise<Audience[]> {
  const companies = Math.ceil(endpoints / perCompany);
  const made: Audience[] = [];
  for (let i = 0; i < companies; i++) made.push(await makeAudience(stage, place, endpoints / companies));
  return made;
}

/** @param count deliveries to all counted endpoints; any other endpoint gets as many as one of these */
async function perSecond(
  stage: Stage,
  place: Place,
  companies: readonly Audience[],
  count: number,
  outbox: 'due_work' | 'bench_outbox',
  begin: () => Promise<unknown>,
): Promise<number> {
  const endpoints = companies.reduce((sum, one) => sum + one.endpoints.length, 0);
  await stage.receiver.ask({ ask: 'reset' });
  await addEvents(place.owner, companies, count / endpoints, outbox);
  const started = performance.now();
  await Promise.all([begin(), untilDelivered(stage, place.owner, companies, count)]);
  return count / ((performance.now() - started) / 1000);
}

/** Nine endpoints beside a tenth that answers, never answers, or does not exist. */
export async function compareDead(
  part: string,
  place: Place,
  stage: Stage,
  options: BenchOptions,
): Promise<Figure[]> {
  const company = await makeAudience(stage, place, perCompany - 1);
  const headers = { authorization: `Bearer ${company.key}` };
  let total = 0;
  const round = (tenth: string | null) => async (is_warm_up: boolean) => {
    // Half as many: more rounds tell more here.
    const count = (countOf(options, is_warm_up) / 2 / perCompany) * (perCompany - 1);
    total += count;
    const endpoint = tenth === null ? null : await makeEndpoint(stage, company, tenth);
    const rate = await perSecond(stage, place, [company], count, 'due_work', () => wake(place.owner));
    if (endpoint) {
      const path = `/v1/webhook_endpoints/${endpoint.id}`;
      const make = () => ({ method: 'DELETE', path, headers }) as const;
      await stage.toFolio.run({ concurrency: 1, requests: 1, status: 200, make });
      await stage.receiver.ask({ ask: 'reset' });
    }
    return rate;
  };
  const rates = await interleave(options.rounds, {
    alive: round('/beside'),
    dead: round('/dead'),
    none: round(null),
  });
  await checkDeliveries(place.owner, [company], total);
  const what = (text: string) => `nine of ten endpoints: ${text}`;
  return [
    { part, what: what('the tenth answers'), unit: 'deliveries/s', spread: spreadOf(rates.alive) },
    { part, what: what('the tenth never answers'), unit: 'deliveries/s', spread: spreadOf(rates.dead) },
    { part, what: what('there is no tenth'), unit: 'deliveries/s', spread: spreadOf(rates.none) },
    {
      part,
      what: what('dead tenth / answering tenth'),
      unit: 'ratio',
      spread: ratioOf(rates.dead, rates.alive),
      aim: { at_least: 0.95 },
    },
    { part, what: what('dead tenth / no tenth'), unit: 'ratio', spread: ratioOf(rates.dead, rates.none) },
  ];
}
