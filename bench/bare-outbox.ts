/**
 * The floor of deliveries: only the service's statements, headers and state changes. One transaction moves up
 * to 500 events from the outbox to deliveries. Eight requests at a time go to an endpoint. A second
 * transaction stores results and the endpoints' health. A company has two batches at a time. There are no
 * leases, schedules, order, address checks or time limits; a crash loses work.
 */
import { Agent, request } from 'undici';
import { newId } from '../src/kernel/uuid7.ts';
import {
  type AttemptResult,
  type DeliveryContent,
  insertDeliveries,
  type Sendable,
  storeResults,
} from '../src/modules/webhooks/deliveries.store.ts';
import { eventBody } from '../src/modules/webhooks/delivery-body.ts';
import { deliveryHeaders } from '../src/modules/webhooks/index.ts';
import { healthChange } from '../src/modules/webhooks/rules/health.ts';
import { setCompanyText } from '../src/platform/db.ts';
import type { EventRow } from '../src/modules/events/index.ts';
import { makeMembers } from './members.ts';
import { answerParent } from './talk.ts';

export type BareEndpoint = { id: string; url: string; secret: string };
export type BareRun = { companies: { company_id: string; endpoints: BareEndpoint[] }[] };

const eventsMax = 500;
const deliveriesMax = 1000;
const perEndpoint = 8;
const batchesMax = 2;

const members = makeMembers(JSON.parse(process.env.BENCH_TARGET ?? '{}') as object, 10);
const dispatcher = new Agent({ connections: 128, pipelining: 1 });

type Job = { delivery: Sendable; endpoint: BareEndpoint; done(result: AttemptResult): void };

async function empty({ company_id, endpoints }: BareRun['companies'][number]): Promise<void> {
  const lanes = new Map(endpoints.map(({ id }) => [id, { jobs: [] as Job[], running: 0 }]));

  function serve(id: string): void {
    const lane = lanes.get(id)!;
    while (lane.running < perEndpoint && lane.jobs.length > 0) {
      const job = lane.jobs.shift()!;
      lane.running++;
      void attempt(job).then((result) => {
        lane.running--;
        job.done(result);
        serve(id);
      });
    }
  }

  async function batch(): Promise<boolean> {
    const deliveries = await claim(company_id, endpoints);
    if (deliveries.length === 0) return false;
    void finish(deliveries);
    return true;
  }

  const finishing = new Set<Promise<void>>();
  function finish(deliveries: Sendable[]): void {
    const sent = deliveries.map((delivery) => {
      const endpoint = endpoints.find(({ id }) => id === delivery.endpoint_id)!;
      return new Promise<AttemptResult>((done) => {
        lanes.get(endpoint.id)!.jobs.push({ delivery, endpoint, done });
      });
    });
    for (const { id } of endpoints) serve(id);
    const finished = Promise.all(sent)
      .then((results) => store(company_id, results))
      .finally(() => finishing.delete(finished));
    finishing.add(finished);
  }

  while (await batch()) if (finishing.size >= batchesMax) await Promise.race(finishing);
  await Promise.all(finishing);
}

function claim(company_id: string, endpoints: readonly BareEndpoint[]): Promise<Sendable[]> {
  const limit = Math.min(eventsMax, Math.ceil(deliveriesMax / endpoints.length));
  return members.with(async (sql) => {
    const [, , events] = await Promise.all([
      sql.unsafe('begin').execute(),
      sql.unsafe(setCompanyText(company_id)).execute(),
      sql<EventRow[]>`
        with taken as (
          delete from bench_outbox as d where d.company_id = ${company_id} and d.id = any(array(
            select o.id from bench_outbox o where o.company_id = ${company_id} and o.kind = 'event'
             order by o.id limit ${limit} for update skip locked))
          returning d.id)
        select e.id, e.type, e.aggregate_id, e.sequence, e.api_version, e.livemode, e.is_test, e.data, e.correlation_id, e.created_at
          from events e where e.company_id = ${company_id} and e.id = any(array(select taken.id from taken))
         order by e.id`.execute(),
    ]);
    const now = new Date();
    const contents: DeliveryContent[] = events.map((event) => ({
      event_id: event.id,
      event_type: event.type,
      aggregate_id: event.aggregate_id,
      is_test: false,
      traceparent: null,
      request_body: eventBody(event),
    }));
    const planned = contents.flatMap((_, content) =>
      endpoints.map(({ id }) => ({ id: newId(), endpoint_id: id, content })),
    );
    await Promise.all([
      insertDeliveries(sql, company_id, contents, planned, now),
      sql.unsafe('commit').execute(),
    ]);
    return planned.map(({ id, endpoint_id, content }) => {
      const { is_test: _, ...rest } = contents[content]!;
      return { ...rest, id, endpoint_id, attempt: 0, next_attempt_at: now };
    });
  });
}

async function attempt({ delivery, endpoint }: Job): Promise<AttemptResult> {
  const sent_at = new Date();
  const started = performance.now();
  const headers = deliveryHeaders({
    delivery_id: delivery.id,
    event_id: delivery.event_id!,
    event_type: delivery.event_type,
    body: delivery.request_body,
    sent_at,
    secrets: [endpoint.secret],
  });
  const { url } = endpoint;
  const answer = await request(url, { method: 'POST', headers, body: delivery.request_body, dispatcher });
  const response_body = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
  return {
    delivery,
    status: 'delivered',
    attempt: 1,
    next_attempt_at: null,
    ended_at: new Date(),
    is_success: true,
    response_status: answer.statusCode,
    duration_ms: Math.round(performance.now() - started),
    request_headers: headers,
    response_body,
    error: null,
  };
}

async function store(company_id: string, results: readonly AttemptResult[]): Promise<void> {
  const by_endpoint = Map.groupBy(results, (result) => result.delivery.endpoint_id);
  const health = [...by_endpoint].map(([id, ends]) => ({ id, ...healthChange(ends) }));
  await members.with((sql) =>
    Promise.all([
      sql.unsafe('begin').execute(),
      sql.unsafe(setCompanyText(company_id)).execute(),
      storeResults(sql, company_id, results, health),
      sql.unsafe('commit').execute(),
    ]),
  );
}

answerParent<BareRun>({}, async ({ companies }) => {
  await Promise.all(companies.map(empty));
  return null;
});
