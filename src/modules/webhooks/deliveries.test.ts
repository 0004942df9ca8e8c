/** Deliveries, from the event to the log. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { type App, startApp, startOnce, type TestCompany } from '../../../test/harness.ts';
import {
  answering,
  deliveriesOf,
  givenEndpoint,
  givenProducts,
  loopbackReceivers,
  type Received,
  type TestEndpoint,
  TestReceiver,
} from '../../../test/support/test-receiver.ts';
import { until } from '../../../test/support/worker-place.ts';
import { retryDelaysMs } from './rules/schedule.ts';

type Given = { app: App; acme: TestCompany; receiver: TestReceiver; endpoint: TestEndpoint };

/** Each test has only the deliveries of its own company made. */
const startReaching = startOnce(loopbackReceivers());

async function given(t: TestContext, more: Record<string, unknown> = {}): Promise<Given> {
  const receiver = await TestReceiver.listen(t);
  const app = await startReaching();
  const acme = await app.given.company();
  const endpoint = await givenEndpoint(app, acme, `${receiver.url}/hook`, more);
  return { app, acme, receiver, endpoint };
}

const endpointPath = (id: string) => `/v1/webhook_endpoints/${id}`;

async function readEndpoint({ app, acme, endpoint }: Given) {
  return (await app.get(endpointPath(endpoint.id), { key: acme.live_key })).body.data;
}

function post({ app, acme, endpoint }: Given, action: string, body?: unknown) {
  const path = `${endpointPath(endpoint.id)}/${action}`;
  return app.post(path, { key: acme.live_key, ...(body === undefined ? {} : { body }) });
}

test('given an endpoint, when an event happens, then it is sent as the event log shows it, with the documented headers', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  const [product] = await givenProducts(app, acme, 1);
  assert.equal(await app.service.deliveries.runDue(acme.company_id), 1);
  const [received] = receiver.received as [Received];
  const log = await app.get(`/v1/events/${received.event.id}`, { key: acme.live_key });
  assert.deepEqual(received.event, { ...log.body.data, test: false });
  assert.equal(received.event.aggregate_id, product);
  assert.equal(received.event.livemode, true);
  const [delivery] = await deliveriesOf(app, acme, endpoint.id);
  const { headers } = received;
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['service-event-id'], received.event.id);
  assert.equal(headers['service-event-type'], 'product.created');
  assert.equal(headers['service-delivery-id'], delivery.id);
  assert.equal(headers['idempotency-key'], received.event.id);
  const seconds = Math.floor(app.clock.now().getTime() / 1000);
  assert.match(String(headers['service-signature']), new RegExp(`^t=${seconds},v1=[0-9a-f]{64}$`));

  const { id, duration_ms, request_headers, ...rest } = delivery;
  assert.deepEqual(rest, {
    object: 'webhook_delivery',
    webhook_endpoint_id: endpoint.id,
    event_id: received.event.id,
    event_type: 'product.created',
    test: false,
    status: 'delivered',
    attempt: 1,
    next_attempt_at: null,
    last_attempt_at: app.clock.now().toISOString(),
    response_status: 204,
    error: null,
    created_at: app.clock.now().toISOString(),
    request_body: received.raw,
    response_body: '',
  });
  assert.equal(typeof duration_ms, 'number');
  for (const [name, value] of Object.entries(request_headers))
    assert.equal(headers[name.toLowerCase()], value);
  assert.equal(await app.service.deliveries.runDue(acme.company_id), 0, 'it is sent once');
});

/** The stock libraries of receivers. */
function accepts(secret: string, { raw, headers }: Received): { stripe: boolean; standard: boolean } {
  const holds = (verify: () => unknown): boolean => {
    try {
      verify();
      return true;
    } catch {
      return false;
    }
  };
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const standard = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  return {
    stripe: holds(() =>
      new Stripe('sk').webhooks.constructEvent(raw, String(headers['service-signature']), secret),
    ),
    standard: holds(() => new Webhook(secret).verify(raw, standard)),
  };
}
const both = { stripe: true, standard: true };
const neither = { stripe: false, standard: false };

test('given a rotated secret, when a delivery is retried, then both sign while valid, and stock libraries accept either', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  receiver.behaviour = answering(500);
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  const [first] = receiver.received as [Received];
  assert.deepEqual(accepts(endpoint.secret, first), both);
  assert.deepEqual(accepts(`whsec_${Buffer.alloc(32).toString('base64')}`, first), neither);
  const rotated = await post(all, 'rotate_secret');
  const { secret } = rotated.body.data;
  app.clock.advance(60_000);
  await app.service.deliveries.runDue(acme.company_id);
  const second = receiver.received[1]!;
  assert.deepEqual(accepts(secret, second), both);
  assert.deepEqual(accepts(endpoint.secret, second), both);
  const signatures = String(second.headers['service-signature']).split(',v1=').slice(1);
  assert.equal(signatures.length, 2);
  assert.deepEqual(
    [second.event.id, second.raw],
    [first.event.id, first.raw],
    'the same event, byte by byte',
  );
  assert.notEqual(second.headers['service-signature'], first.headers['service-signature']);
  // The libraries use the machine's clock, so allow the last one some tolerance.
  app.clock.advance(24 * 3_600_000);
  await app.service.deliveries.runDue(acme.company_id);
  const third = receiver.received[2]!;
  assert.equal(String(third.headers['service-signature']).split(',v1=').length, 2, 'the old one is over');
  const lenient = (key: string) => () =>
    new Stripe('sk').webhooks.constructEvent(third.raw, String(third.headers['service-signature']), key, 1e6);
  assert.doesNotThrow(lenient(secret));
  assert.throws(lenient(endpoint.secret));
});

test('given a receiver that closes its kept connection as an event comes, then it has the event at once, by its first attempt', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  const known = new WeakSet<object>();
  receiver.behaviour = (received, response) => {
    const { socket } = response.req;
    if (known.has(socket)) return void socket.destroy();
    known.add(socket);
    answering(204)(received, response);
  };
  for (let n = 1; n <= 2; n++) {
    await givenProducts(app, acme, 1);
    assert.equal(await app.service.deliveries.runDue(acme.company_id), 1);
  }
  const deliveries = await deliveriesOf(app, acme, endpoint.id);
  for (const { status, attempt, error } of deliveries)
    assert.deepEqual([status, attempt, error], ['delivered', 1, null]);
  const ids = receiver.received.map(({ headers }) => headers['service-delivery-id']);
  const [first, second] = deliveries;
  assert.deepEqual(ids, [first.id, second.id, second.id]);
  assert.equal((await readEndpoint(all)).consecutive_failures, 0);
});

test('given a receiver that always fails, when time passes, then there are eight attempts at their times, and no more', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  receiver.behaviour = answering(503, 'later');
  await givenProducts(app, acme, 1);
  const began = app.clock.now();
  for (const [done, delay] of [...retryDelaysMs, null].entries()) {
    await app.service.deliveries.runDue(acme.company_id);
    assert.equal(receiver.received.length, done + 1);
    const [delivery] = await deliveriesOf(app, acme, endpoint.id);
    const at = app.clock.now();
    assert.deepEqual(
      [
        delivery.attempt,
        delivery.status,
        delivery.response_status,
        delivery.response_body,
        delivery.next_attempt_at,
      ],
      [
        done + 1,
        delay === null ? 'failed_permanently' : 'failed',
        503,
        'later',
        delay === null ? null : new Date(at.getTime() + delay).toISOString(),
      ],
    );
    const stored = await readEndpoint(all);
    assert.deepEqual(
      [stored.consecutive_failures, stored.failing_since, stored.last_success_at],
      [done + 1, began.toISOString(), null],
    );
    if (delay === null) break;
    app.clock.advance(delay - 1);
    assert.equal(await app.service.deliveries.runDue(acme.company_id), 0, 'not a millisecond early');
    app.clock.advance(1);
  }
  app.clock.advance(90 * 24 * 3_600_000);
  assert.equal(await app.service.deliveries.runDue(acme.company_id), 0);
  assert.equal(new Set(receiver.received.map((one) => one.event.id)).size, 1);
});

test('given a delivery that failed or arrived, when it is replayed, then its attempts are counted from nothing', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  receiver.behaviour = answering(400);
  await givenProducts(app, acme, 1);
  for (const delay of [0, ...retryDelaysMs]) {
    app.clock.advance(delay);
    await app.service.deliveries.runDue(acme.company_id);
  }
  const [failed] = await deliveriesOf(app, acme, endpoint.id);
  assert.equal(failed.status, 'failed_permanently');
  receiver.behaviour = answering(200);
  for (const count of [9, 10]) {
    const replayed = await post(all, `deliveries/${failed.id}/replay`);
    assert.deepEqual([replayed.body.data.status, replayed.body.data.attempt], ['queued', 0]);
    await app.service.deliveries.runDue(acme.company_id);
    assert.equal(receiver.received.length, count);
    const [again] = await deliveriesOf(app, acme, endpoint.id);
    assert.deepEqual([again.status, again.attempt, again.event_id], ['delivered', 1, failed.event_id]);
    app.clock.advance(1);
  }
  const stored = await readEndpoint(all);
  assert.deepEqual([stored.consecutive_failures, stored.failing_since], [0, null]);
  assert.notEqual(stored.last_success_at, null);
  const log = await app.get('/v1/audit-log', { key: acme.live_key, query: { limit: '10' } });
  const replays = log.body.data.filter(
    (entry: { action: string }) => entry.action === 'webhook_delivery.replayed',
  );
  assert.deepEqual(
    replays.map(({ target, details }: { target: { id: string }; details: { status: string } }) => [
      target.id,
      details.status,
    ]),
    [
      [failed.id, 'delivered'],
      [failed.id, 'failed_permanently'],
    ],
  );
});

test('given a delivery on its way, when it is replayed, then it is sent again, whatever becomes of the first', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  await givenProducts(app, acme, 1);
  const first = Promise.withResolvers<ServerResponse>();
  receiver.behaviour = (_received, response) => first.resolve(response);
  const run = app.service.deliveries.runDue(acme.company_id);
  const response = await first.promise;
  const [on_its_way] = await deliveriesOf(app, acme, endpoint.id);
  app.clock.advance(1);
  assert.equal((await post(all, `deliveries/${on_its_way.id}/replay`)).status, 202);
  // Another event proves that the loop has seen everything while the first request is open.
  const next = Promise.withResolvers<void>();
  receiver.behaviour = (received, later) => {
    answering(200)(received, later);
    next.resolve();
  };
  await givenProducts(app, acme, 1);
  const again = app.service.deliveries.runDue(acme.company_id);
  await next.promise;
  response.writeHead(500).end();
  await Promise.all([run, again]);
  const ids = receiver.received.map(({ event }) => event.id);
  assert.deepEqual([ids.length, ids.filter((id) => id === on_its_way.event_id).length], [3, 2]);
  const [ended] = await deliveriesOf(app, acme, endpoint.id);
  assert.deepEqual([ended.status, ended.attempt, ended.response_status], ['delivered', 1, 200]);
});

for (const [title, behaviour, status, told] of [
  ['200', answering(200), 'delivered', 200],
  ['201', answering(201), 'delivered', 201],
  ['202', answering(202), 'delivered', 202],
  ['204', answering(204), 'delivered', 204],
  ['203', answering(203), 'failed', 203],
  ['205', answering(205), 'failed', 205],
  ['206', answering(206), 'failed', 206],
  [
    '302',
    (_: Received, response: { writeHead(s: number, h: object): { end(): void } }) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    'failed',
    302,
  ],
  ['304', answering(304), 'failed', 304],
  ['410', answering(410), 'failed', 410],
  ['a closed connection', (_: Received, response: { destroy(): void }) => response.destroy(), 'failed', null],
] as [string, TestReceiver['behaviour'], string, number | null][]) {
  test(`given a receiver that answers ${title}, when it is sent to, then the delivery is ${status}`, async (t) => {
    const { app, acme, receiver, endpoint } = await given(t);
    receiver.behaviour = behaviour;
    await givenProducts(app, acme, 1);
    await app.service.deliveries.runDue(acme.company_id);
    const [delivery] = await deliveriesOf(app, acme, endpoint.id);
    assert.deepEqual([delivery.status, delivery.response_status], [status, told]);
    assert.equal(delivery.error !== null, told === null);
    assert.equal(receiver.received.length, 1, 'nothing else is asked');
  });
}

test('given a receiver that says nothing, when timeout_seconds have passed, then the attempt has failed', async (t) => {
  const { app, acme, receiver, endpoint } = await given(t, { timeout_seconds: 1 });
  receiver.behaviour = () => undefined;
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  const [delivery] = await deliveriesOf(app, acme, endpoint.id);
  assert.deepEqual([delivery.status, delivery.response_status], ['failed', null]);
  assert.match(delivery.error, /Sin respuesta en 1 segundo\./);
});

test('given endpoints with names, a family and all, when events happen, then each gets those of its list', async (t) => {
  const { app, acme, receiver } = await given(t);
  for (const [path, enabled_events] of [
    ['/named', ['product.updated', 'client.created']],
    ['/other', ['client.*']],
    ['/all', ['*']],
  ] as const)
    await givenEndpoint(app, acme, receiver.url + path, { enabled_events });
  const [id] = await givenProducts(app, acme, 1);
  await app.put(`/v1/products/${id}`, { key: acme.live_key, body: { name: 'Mesa' } });
  await app.service.deliveries.runDue(acme.company_id);
  const types = (path: string) => receiver.at(path).map((one) => one.event.type);
  assert.deepEqual(types('/hook'), ['product.created', 'product.updated']);
  assert.deepEqual(types('/named'), ['product.updated']);
  assert.deepEqual(types('/other'), []);
  assert.deepEqual(types('/all'), ['product.created', 'product.updated']);
});

test('given another company and a sandbox, when events happen, then each gets only its own, and a sandbox gets none', async (t) => {
  const { app, acme, receiver } = await given(t);
  const other = await app.given.company();
  await givenEndpoint(app, other, `${receiver.url}/other`);
  await givenEndpoint(app, { live_key: acme.test_key }, `${receiver.url}/sandbox`);
  await givenProducts(app, other, 1);
  await givenProducts(app, { live_key: acme.test_key }, 1);
  for (const { company_id, sandbox_company_id } of [acme, other]) {
    await app.service.deliveries.runDue(company_id);
    await app.service.deliveries.runDue(sandbox_company_id);
  }
  assert.deepEqual(
    receiver.received.map((one) => one.path),
    ['/other'],
  );
});

test('given a sandbox endpoint, when it is pinged, then the ping arrives, signed, and is in no event log', async (t) => {
  const { app, acme, receiver } = await given(t);
  const sandbox = { live_key: acme.test_key };
  const endpoint = await givenEndpoint(app, sandbox, `${receiver.url}/sandbox`);
  const asked = await app.post(`${endpointPath(endpoint.id)}/ping`, { key: acme.test_key });
  assert.equal(asked.status, 202, asked.text);
  await app.service.deliveries.runDue(acme.sandbox_company_id);
  const [ping] = receiver.at('/sandbox') as [Received];
  assert.deepEqual(
    [ping.event.type, ping.event.livemode, ping.event.test, ping.event.object],
    ['webhook.ping', false, false, 'event'],
  );
  assert.deepEqual(accepts(endpoint.secret, ping), both);
  const [delivery] = await deliveriesOf(app, sandbox, endpoint.id);
  assert.deepEqual([delivery.event_id, delivery.status], [null, 'delivered']);
  assert.equal((await app.get(`/v1/events/${ping.event.id}`, { key: acme.test_key })).status, 404);
});

test('given two endpoints, when a test event is asked of one, then it goes to that one, marked as a test', async (t) => {
  const all = await given(t);
  const { app, acme, receiver } = all;
  await givenEndpoint(app, acme, `${receiver.url}/other`);
  const asked = await post(all, 'test_event', { type: 'product.updated' });
  assert.equal(asked.status, 202, asked.text);
  await app.service.deliveries.runDue(acme.company_id);
  assert.deepEqual(
    receiver.received.map((one) => [one.path, one.event.type, one.event.test, one.event.livemode]),
    [['/hook', 'product.updated', true, true]],
  );
  assert.equal(
    (await app.get(`/v1/events/${receiver.received[0]?.event.id}`, { key: acme.live_key })).status,
    200,
  );
});

test('given queued deliveries, when the endpoint is disabled, then they wait, and go out once it is enabled again', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  await givenEndpoint(app, acme, `${receiver.url}/other`);
  receiver.behaviour = answering(500);
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  app.clock.advance(1000);
  // Not yet a delivery.
  await givenProducts(app, acme, 1);
  app.clock.advance(1000);
  await post(all, 'disable');
  app.clock.advance(1000);
  // Not for a disabled endpoint.
  await givenProducts(app, acme, 1);
  receiver.behaviour = answering(200);
  for (const delay of retryDelaysMs) {
    await app.service.deliveries.runDue(acme.company_id);
    app.clock.advance(delay);
  }
  assert.equal(receiver.at('/hook').length, 1);
  assert.equal(receiver.at('/other').length, 4);
  const held = await deliveriesOf(app, acme, endpoint.id);
  assert.deepEqual(
    held.map((one) => one.status),
    ['failed', 'queued'],
  );
  await post(all, 'enable');
  await app.service.deliveries.runDue(acme.company_id);
  assert.equal(receiver.at('/hook').length, 3);
  const sent = await deliveriesOf(app, acme, endpoint.id);
  assert.deepEqual(
    sent.map((one) => [one.status, one.attempt]),
    [
      ['delivered', 2],
      ['delivered', 1],
    ],
  );
});

test('given an outbox that waits, when an endpoint is disabled and enabled meanwhile, then it gets what happened while it was enabled', async (t) => {
  const all = await given(t);
  const { app, acme, receiver } = all;
  const heard: string[] = [];
  for (let time = 0; time < 3; time++) {
    heard.push(...(await givenProducts(app, acme, 1)));
    await post(all, 'disable');
    await givenEndpoint(app, acme, `${receiver.url}/other`);
    app.clock.advance(1000);
    await givenProducts(app, acme, 1);
    app.clock.advance(1000);
    await post(all, 'enable');
  }
  heard.push(...(await givenProducts(app, acme, 1)));
  await app.service.deliveries.runDue(acme.company_id);
  const got = receiver.at('/hook').map(({ event }) => event.aggregate_id);
  assert.deepEqual(got.toSorted(), heard.toSorted());
});

test('given a process whose clock is behind, when it writes events, then an endpoint gets those after it was made, and no others', async (t) => {
  const { app, acme, receiver } = await given(t);
  const before = await givenProducts(app, acme, 1);
  app.clock.advance(-30_000);
  await givenEndpoint(app, acme, `${receiver.url}/new`);
  app.clock.advance(-30_000);
  const after = await givenProducts(app, acme, 1);
  app.clock.advance(60_000);
  await app.service.deliveries.runDue(acme.company_id);
  const got = (path: string) => receiver.at(path).map(({ event }) => event.aggregate_id);
  assert.deepEqual(got('/new'), after);
  assert.deepEqual(got('/hook').toSorted(), [...before, ...after].toSorted());
});

test('given failed deliveries, when the endpoint is deleted, then nothing more goes out and nothing is left due', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  receiver.behaviour = answering(500);
  await givenProducts(app, acme, 3);
  await app.service.deliveries.runDue(acme.company_id);
  assert.equal(receiver.received.length, 3);
  assert.equal((await app.delete(endpointPath(endpoint.id), { key: acme.live_key })).status, 200);
  app.clock.advance(retryDelaysMs[0]!);
  assert.equal(await app.service.deliveries.runDue(acme.company_id), 0);
  const [row] = await app.sql<{ due: number; kept: number }[]>`
    select (select count(*) from due_work where company_id = ${acme.company_id} and kind in ('event', 'endpoint'))::integer as due,
           (select count(*) from webhook_deliveries where company_id = ${acme.company_id})::integer as kept`;
  assert.deepEqual(row, { due: 0, kept: 0 });
});

test('given more deliveries than one transaction deletes, when their endpoint is deleted, then it is gone at once, and they go part by part', async (t) => {
  const { app, acme, receiver, endpoint } = await given(t);
  const key = acme.live_key;
  const { company_id } = acme;
  const kept = await givenEndpoint(app, acme, `${receiver.url}/kept`);
  await app.sql`
    insert into webhook_deliveries (company_id, id, endpoint_id, event_type, status, attempt, next_attempt_at, request_body, created_at)
    select ${company_id}, gen_random_uuid(), ${endpoint.id}, 'webhook.ping', 'failed', 1, ${app.clock.now()}, '{}', ${app.clock.now()}
      from generate_series(1, 2500)`;
  await app.sql`update webhook_endpoints set failing_since = now() where id = ${endpoint.id}`;
  assert.equal((await app.delete(endpointPath(endpoint.id), { key })).status, 200);
  for (const path of [endpointPath(endpoint.id), `${endpointPath(endpoint.id)}/deliveries`])
    assert.equal((await app.get(path, { key })).status, 404, path);
  assert.equal((await app.post(`${endpointPath(endpoint.id)}/enable`, { key })).status, 404);
  assert.equal((await app.delete(endpointPath(endpoint.id), { key })).status, 404);
  const list = await app.get('/v1/webhook_endpoints', { key });
  assert.deepEqual(
    list.body.data.map(({ id }: TestEndpoint) => id),
    [kept.id],
  );
  const after = await app.get('/v1/webhook_endpoints', { key, query: { starting_after: endpoint.id } });
  assert.equal(after.body.error.code, 'parameter_invalid_cursor');
  await givenProducts(app, acme, 1);
  assert.equal(await app.service.deliveries.runDue(company_id), 1);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/kept'],
  );
  const left = async () => {
    const [row] = await app.sql`
      select (select count(*) from webhook_endpoints where company_id = ${company_id})::integer as endpoints,
             (select count(*) from webhook_deliveries where company_id = ${company_id})::integer as deliveries,
             (select count(*) from watched where company_id = ${company_id})::integer as watched`;
    return row;
  };
  for (const deliveries of [2501, 1501, 501]) {
    assert.deepEqual(await left(), { endpoints: 2, deliveries, watched: 0 });
    await app.service.worker.runDue(company_id, 1);
  }
  assert.deepEqual(await left(), { endpoints: 1, deliveries: 1, watched: 0 });
});

test('given many events of one product, when they are sent, then they arrive in the order of their sequence', async (t) => {
  const { app, acme, receiver } = await given(t);
  const [id] = await givenProducts(app, acme, 1);
  for (let n = 0; n < 30; n++)
    await app.put(`/v1/products/${id}`, { key: acme.live_key, body: { name: `Mesa ${n}` } });
  receiver.behaviour = (_, response) =>
    void setTimeout(() => response.writeHead(200).end(), Math.random() * 5);
  await app.service.deliveries.runDue(acme.company_id);
  assert.deepEqual(
    receiver.received.map((one) => one.event.sequence),
    Array.from({ length: 31 }, (_, n) => n + 1),
  );
  assert.equal(receiver.open_max, 1);
});

test('given an event whose first attempt failed, when its product has later events, then they do not wait for the retry', async (t) => {
  const { app, acme, receiver } = await given(t);
  const [id] = await givenProducts(app, acme, 1);
  await app.put(`/v1/products/${id}`, { key: acme.live_key, body: { name: 'Mesa' } });
  receiver.behaviour = ({ event }, response) =>
    void response.writeHead(event.sequence === 1 ? 500 : 200).end();
  await app.service.deliveries.runDue(acme.company_id);
  app.clock.advance(retryDelaysMs[0]!);
  await app.service.deliveries.runDue(acme.company_id);
  assert.deepEqual(
    receiver.received.map((one) => one.event.sequence),
    [1, 2, 1],
  );
});

test('given many events, when the endpoint is well, then some are sent at a time, and one once it fails', async (t) => {
  const { app, acme, receiver } = await given(t);
  await givenProducts(app, acme, 40);
  // None is answered before so many have come: on a slow machine they would not be seen together.
  const held: (() => void)[] = [];
  receiver.behaviour = (_, response) => void held.push(() => response.writeHead(200).end());
  const ended = app.service.deliveries.runDue(acme.company_id);
  await until(() => receiver.open === 8);
  receiver.behaviour = (_, response) => void setTimeout(() => response.writeHead(200).end(), 10);
  for (const answer of held) answer();
  await ended;
  assert.equal(receiver.received.length, 40);
  assert.equal(receiver.open_max, 8);
  receiver.behaviour = answering(500);
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  receiver.open_max = 0;
  await givenProducts(app, acme, 20);
  receiver.behaviour = (_, response) => void setTimeout(() => response.writeHead(500).end(), 5);
  await app.service.deliveries.runDue(acme.company_id);
  assert.equal(receiver.received.length, 61, 'none is left out');
  assert.equal(receiver.open_max, 1);
});

test('given nine healthy endpoints and a silent one, when events happen, then the nine do not wait for the tenth', async (t) => {
  const { app, acme, receiver } = await given(t, { timeout_seconds: 30 });
  for (let n = 0; n < 9; n++) await givenEndpoint(app, acme, `${receiver.url}/well`);
  await givenProducts(app, acme, 20);
  const told = Promise.withResolvers<void>();
  const silent: (() => void)[] = [];
  receiver.behaviour = ({ path }, response) => {
    if (path === '/hook') silent.push(() => response.writeHead(200).end());
    else response.writeHead(200).end();
    if (receiver.at('/well').length === 180) told.resolve();
  };
  const ended = app.service.deliveries.runDue(acme.company_id);
  await told.promise;
  await until(() => silent.length >= 8);
  assert.equal(silent.length, 8, 'the tenth has its share of requests and no more');
  receiver.behaviour = answering(200);
  for (const answer of silent) answer();
  assert.equal(await ended, 200);
});

test('given endpoints with an ip_allowlist, when events are delivered, then each receiver sees an address of its list', async (t) => {
  const receiver = await TestReceiver.listen(t);
  const app = await startApp(t, loopbackReceivers({ FOLIO_EGRESS_IPS: '127.0.0.2,127.0.0.3' }));
  const acme = await app.given.company();
  const lists: [path: string, ip_allowlist: string[], from: RegExp][] = [
    ['/second', ['127.0.0.3'], /^127\.0\.0\.3$/],
    ['/first', ['127.0.0.2/32', '198.51.100.0/24'], /^127\.0\.0\.2$/],
    ['/either', ['127.0.0.2/31'], /^127\.0\.0\.[23]$/],
    ['/any', [], /^127\./],
  ];
  const ids = new Map<string, string>();
  for (const [path, ip_allowlist] of lists)
    ids.set(path, (await givenEndpoint(app, acme, receiver.url + path, { ip_allowlist })).id);
  await givenProducts(app, acme, 2);
  await app.service.deliveries.runDue(acme.company_id);
  const froms = (path: string) => receiver.at(path).map(({ from }) => from ?? '');
  for (const [path, , from] of lists) {
    assert.equal(froms(path).length, 2, path);
    for (const seen of froms(path)) assert.match(seen, from, path);
  }
  const body = { ip_allowlist: ['127.0.0.2'] };
  const at = `/v1/webhook_endpoints/${ids.get('/second')}`;
  assert.equal((await app.put(at, { key: acme.live_key, body })).status, 200);
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  assert.deepEqual(froms('/second'), ['127.0.0.3', '127.0.0.3', '127.0.0.2']);
});

test('given ended deliveries, when 30 days have passed, then the daily work deletes them and keeps the waiting ones', async (t) => {
  const all = await given(t);
  const { app, acme, receiver, endpoint } = all;
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  receiver.behaviour = answering(500);
  await givenProducts(app, acme, 1);
  await app.service.deliveries.runDue(acme.company_id);
  await post(all, 'disable');
  const day = 24 * 3_600_000;
  app.clock.advance(29 * day);
  await app.service.worker.runDue(acme.company_id);
  assert.equal((await deliveriesOf(app, acme, endpoint.id)).length, 2);
  app.clock.advance(2 * day);
  await app.service.worker.runDue(acme.company_id);
  assert.deepEqual(
    (await deliveriesOf(app, acme, endpoint.id)).map((one) => one.status),
    ['failed'],
  );
});

test('given more deliveries of 30 days ago than one transaction deletes, when the daily work runs, then all of them are gone', async (t) => {
  const { app, acme, endpoint } = await given(t);
  await app.sql`
    insert into webhook_deliveries (company_id, id, endpoint_id, event_type, status, attempt, last_attempt_at, request_body, created_at)
    select ${acme.company_id}, gen_random_uuid(), ${endpoint.id}, 'webhook.ping', 'delivered', 1, ${app.clock.now()}, '{}', ${app.clock.now()}
      from generate_series(1, 5001)`;
  app.clock.advance(31 * 24 * 3_600_000);
  await app.service.worker.runDue(acme.company_id);
  const [row] = await app.sql<{ left: number }[]>`
    select count(*)::integer as left from webhook_deliveries where company_id = ${acme.company_id}`;
  assert.deepEqual(row, { left: 0 });
});
