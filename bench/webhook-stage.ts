/** A receiver, companies with endpoints, and waiting events. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { newId } from '../src/kernel/uuid7.ts';
import { latestVersion } from '../src/kernel/versions.ts';
import { insertRows } from '../src/platform/rows.ts';
import { serverCertificate } from '../test/support/server-certificate.ts';
import type { BareEndpoint } from './bare-outbox.ts';
import { type Child, type Helper, startFolio, startHelper, webhookReceiver } from './children.ts';
import { eventColumns } from './fixtures.ts';
import { type LoadGenerator, makeLoadGenerator, WrongResult } from './load.ts';
import type { BenchOptions } from './options.ts';
import type { BenchCompany, Place } from './place.ts';
import type { ReceiverQuestion } from './webhook-receiver.ts';

export type Stage = {
  folio: Child;
  toFolio: LoadGenerator;
  receiver: { ask<T>(question: ReceiverQuestion): Promise<T> };
  /** Without a path. */
  url: string;
  /** To trust the receiver's certificate. */
  trust: { NODE_EXTRA_CA_CERTS: string };
  close(): Promise<void>;
};

export async function openStage(place: Place, options: BenchOptions): Promise<Stage> {
  const { private_key, certificate, ca } = serverCertificate();
  const dir = join(place.data_dir, '..', 'receiver');
  mkdirSync(dir, { recursive: true });
  const NODE_EXTRA_CA_CERTS = join(dir, 'ca.pem');
  writeFileSync(NODE_EXTRA_CA_CERTS, ca);
  const receiver: Helper & { begun: { port: number } } = await startHelper(webhookReceiver, {
    BENCH_KEY: private_key,
    BENCH_CERTIFICATE: certificate,
  });
  const folio = await startFolio(place.data_dir, options.profile_dir, 'all', {
    NODE_EXTRA_CA_CERTS,
    FOLIO_WEBHOOK_ALLOWED_RANGES: '127.0.0.1,::1',
  });
  const toFolio = makeLoadGenerator(folio.url, 32);
  return {
    folio,
    toFolio,
    receiver,
    url: `https://127.0.0.1:${receiver.begun.port}`,
    trust: { NODE_EXTRA_CA_CERTS },
    async close() {
      await toFolio.close();
      await folio.stop();
      await receiver.stop();
    },
  };
}

export type Audience = BenchCompany & { endpoints: BareEndpoint[] };

const headersOf = ({ key }: BenchCompany) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

/** For `invoice.created`, through the API. */
export async function makeEndpoint(
  { toFolio, url }: Stage,
  company: BenchCompany,
  path: string,
): Promise<BareEndpoint> {
  const body = JSON.stringify({
    url: url + path,
    enabled_events: ['invoice.created'],
    timeout_seconds: 30,
  });
  const make = () =>
    ({ method: 'POST', path: '/v1/webhook_endpoints', headers: headersOf(company), body }) as const;
  const { answers } = await toFolio.run({ concurrency: 1, requests: 1, status: 201, make });
  return (JSON.parse(answers[0]!) as { data: BareEndpoint }).data;
}

export async function makeAudience(stage: Stage, place: Place, count: number): Promise<Audience> {
  const company = await place.makeCompany();
  const endpoints: BareEndpoint[] = [];
  for (let i = 0; i < count; i++) endpoints.push(await makeEndpoint(stage, company, `/counted/${i}`));
  return { ...company, endpoints };
}

const dueColumns = { id: 'uuid', kind: 'text', order_key: 'uuid', due_at: 'timestamptz' };
const chunk = 5000;

/**
 * One transaction.
 * @param outbox `due_work`, or the floor's table of the same shape
 */
export async function addEvents(
  owner: Sql,
  companies: readonly Audience[],
  count: number,
  outbox: 'due_work' | 'bench_outbox',
): Promise<void> {
  const created_at = new Date().toISOString();
  await owner.begin(async (tx) => {
    const sql = tx as unknown as Sql;
    for (const { company_id } of companies) {
      for (let from = 0; from < count; from += chunk) {
        const events = Array.from({ length: Math.min(chunk, count - from) }, () => eventOf(created_at));
        await insertRows(sql, company_id, 'events', eventColumns, events);
        const rows = events.map((e) => ({
          id: e.id,
          kind: 'event',
          order_key: e.aggregate_id,
          due_at: created_at,
        }));
        await insertRows(sql, company_id, outbox, dueColumns, rows);
      }
    }
  });
}

function eventOf(created_at: string) {
  const aggregate_id = newId();
  return {
    id: newId(),
    type: 'invoice.created',
    aggregate_id,
    sequence: 1,
    api_version: latestVersion,
    livemode: true,
    data: { invoice: { id: aggregate_id } },
    correlation_id: newId(),
    created_at,
  };
}

const patience_ms = 120_000;

/**
 * Also waits for their results to be stored.
 * @throws WrongResult for a delivery that came twice
 */
export async function untilDelivered(
  { receiver }: Stage,
  owner: Sql,
  companies: readonly Audience[],
  count: number,
): Promise<void> {
  const different = await receiver.ask<number>({ ask: 'await', count, patience_ms });
  if (different !== count) throw new WrongResult(`Of ${count} deliveries ${different} are different ones.`);
  for (const { company_id, endpoints } of companies) {
    const ids = endpoints.map(({ id }) => id);
    const isWaiting = async () => {
      const [row] = await owner`
        select 1 from webhook_deliveries w
         where w.company_id = ${company_id} and w.endpoint_id = any(${ids}::uuid[]) and w.next_attempt_at is not null
         limit 1`;
      return row !== undefined;
    };
    const until = performance.now() + patience_ms;
    while (await isWaiting()) {
      if (performance.now() > until) throw new WrongResult('Results of deliveries are not stored.');
      await wait(2);
    }
  }
}

/** As the service's processes wake each other. */
export async function wake(owner: Sql): Promise<void> {
  await owner`select pg_notify('folio_deliveries', 'bench')`;
}

/** @throws WrongResult unless each delivery was stored as a success at its first attempt */
export async function checkDeliveries(
  owner: Sql,
  companies: readonly Audience[],
  count: number,
): Promise<void> {
  const ids = companies.flatMap((one) => one.endpoints.map(({ id }) => id));
  const [row] = await owner<{ all: number; right: number }[]>`
    select count(*)::int as all,
           (count(*) filter (where status = 'delivered' and attempt = 1 and response_status = 200
                               and response_body = 'ok' and request_headers ? 'Service-Signature'))::int as right
      from webhook_deliveries
     where company_id = any(${companies.map((one) => one.company_id)}::uuid[]) and endpoint_id = any(${ids}::uuid[])`;
  if (row!.all !== count || row!.right !== count)
    throw new WrongResult(`Of ${count} deliveries ${row!.all} are stored and ${row!.right} rightly.`);
}
