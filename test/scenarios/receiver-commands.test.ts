import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { type Event, isAuthentic } from '../../docs/receivers/verify.ts';
import { ApiClient, ApiFault } from '../../src/main/api-client.ts';
import { EventTail } from '../../src/main/event-tail.ts';
import { listen, listeningSecret } from '../../src/main/listen.ts';
import { emittedEventNames, eventList } from '../../src/modules/event-list.ts';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { eventFaults } from '../support/event-faults.ts';
import { findFreePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const startApp = onOwnDatabase();

const { triggers, other_ways } = eventList;

type Received = { headers: IncomingHttpHeaders; body: Buffer };

/** Answers with these statuses and repeats the last. */
async function givenReceiver(t: TestContext, statuses: number[] = [204]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(statuses[Math.min(received.length, statuses.length) - 1]!, {
      location: '/elsewhere',
    });
    response.end();
  });
  // Between two events a busy machine may take longer than a connection is kept by itself.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/hook`, received };
}

type Place = { app: App; company: TestCompany; installation: Installation };

async function givenPlace(t: TestContext): Promise<Place> {
  const app = await startApp(t);
  return { app, company: await app.given.company(), installation: await Installation.make(t) };
}

async function startListening(
  { app, company, installation }: Place,
  forward_to: string,
  ...more: string[]
): Promise<{ listening: ServiceProcess; secret: string }> {
  const to = ['--url', app.url, '--key', company.test_key, '--forward-to', forward_to];
  const listening = installation.begin(['listen', ...to, ...more]);
  await listening.says(/^Ready/m);
  const secret = /^Secret: (whsec_\S+)$/m.exec(listening.stdout)?.[1];
  assert.ok(secret);
  return { listening, secret };
}

const triggering = ({ app, company }: Place, ...args: string[]) => [
  'events',
  'trigger',
  ...args,
  '--url',
  app.url,
  '--key',
  company.test_key,
];

const trigger = (place: Place, ...args: string[]) => place.installation.run(triggering(place, ...args));

test('given a sandbox, when an event is triggered while listening, then the receiver gets all that came of it, signed', async (t) => {
  const place = await givenPlace(t);
  const { app, company } = place;
  await app.post('/v1/products', { key: company.test_key, body: { name: 'Mesa' } });
  const receiver = await givenReceiver(t);
  const { listening, secret } = await startListening(place, receiver.url);
  const { code, stdout, stderr } = await trigger(place, 'invoice.paid', '--json');
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  const triggered = JSON.parse(stdout) as { id: string; type: string; aggregate_id: string }[];
  assert.ok(triggered.some(({ type }) => type === 'invoice.paid'));
  await listening.says(new RegExp(triggered.map(({ id }) => `(?=[^]*${id}  204 in)`).join('')));

  const events = receiver.received.map(({ body }) => JSON.parse(body.toString()) as Event);
  assert.deepEqual(events.map(({ id }) => id).sort(), triggered.map(({ id }) => id).sort());
  const listed = (await app.get('/v1/events', { key: company.test_key })).body.data as Event[];
  for (const [i, { headers, body }] of receiver.received.entries()) {
    const event = events[i]!;
    assert.deepEqual(
      event,
      listed.find(({ id }) => id === event.id),
    );
    const signature = String(headers['service-signature']);
    assert.ok(isAuthentic(body, signature, secret));
    assert.ok(!isAuthentic(body, signature, `${secret}=`));
    assert.equal(new Stripe('sk_test').webhooks.constructEvent(body, signature, secret).id, event.id);
    assert.deepEqual(new Webhook(secret).verify(body.toString(), headers as Record<string, string>), event);
    assert.equal(headers['service-event-id'], event.id);
    assert.equal(headers['service-event-type'], event.type);
    assert.equal(headers['idempotency-key'], event.id);
    assert.match(String(headers['service-delivery-id']), /^[0-9a-f-]{36}$/);
  }
  for (const own of Map.groupBy(
    events as (Event & { aggregate_id: string; sequence: number })[],
    (e) => e.aggregate_id,
  ).values()) {
    const sequences = own.map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    );
  }

  const key = company.test_key;
  const body = { url: 'https://hooks.example.com/folio', enabled_events: ['payment.received'] };
  const { id } = (await app.post('/v1/webhook_endpoints', { key, body })).body.data;
  const asked = await app.post(`/v1/webhook_endpoints/${id}/test_event`, { key });
  const made = asked.body.data.event as Event & { test: boolean };
  await listening.says(new RegExp(`${made.id}  204 in`));
  const last = JSON.parse(String(receiver.received.at(-1)?.body)) as Event & { test: boolean };
  assert.deepEqual([last.id, last.test], [made.id, true], 'a test is no payment');
  listening.signal('SIGINT');
  assert.equal(await listening.exited(), 0);
  assert.equal(listening.stderr, '');
});

test('given a choice of events, when others happen too, then only the chosen ones are forwarded, and the secret stays', async (t) => {
  const place = await givenPlace(t);
  const receiver = await givenReceiver(t, [500, 302, 200]);
  const chosen = ['--events', 'client.updated,payment.*', '--events', 'product.created'];
  const { listening, secret } = await startListening(place, receiver.url, ...chosen);
  const types = ['client.updated', 'payment.received', 'product.created'];
  const triggered = await place.installation.runAll(types.map((type) => triggering(place, type)));
  assert.deepEqual(
    triggered.map(({ code }) => code),
    [0, 0, 0],
  );
  await listening.says(/client\.updated {2}\S+ {2}500 in \d+ ms, a failure/);
  await listening.says(/payment\.received {2}\S+ {2}302 in \d+ ms, a failure/);
  await listening.says(/product\.created {2}\S+ {2}200 in \d+ ms\n/);
  assert.equal(receiver.received.length, 3);
  listening.signal('SIGTERM');
  assert.equal(await listening.exited(), 0);
  const again = await startListening(place, receiver.url);
  assert.equal(again.secret, secret);
  assert.ok(!listening.stdout.includes(place.company.test_key));
});

test('given nobody at the address, when an event happens, then the line says so and the next one is tried', async (t) => {
  const place = await givenPlace(t);
  const { listening } = await startListening(place, `http://127.0.0.1:${await findFreePort()}/hook`);
  assert.equal((await trigger(place, 'client.created')).code, 0);
  await listening.says(/client\.created {2}\S+ {2}no answer \(ECONNREFUSED\)/);
  assert.equal((await trigger(place, 'product.created')).code, 0);
  await listening.says(/product\.created {2}\S+ {2}no answer \(ECONNREFUSED\)/);
});

test('every emitted event can be triggered or has another way', () => {
  const told = [...Object.keys(triggers), ...Object.keys(other_ways)];
  assert.deepEqual(told.sort(), [...emittedEventNames].sort());
});

for (const [type, act] of Object.entries(triggers)) {
  test(`given a sandbox, when ${type} is triggered twice, then it happens twice`, async (t) => {
    const app = await startApp(t);
    const company = await app.given.company();
    const api = new ApiClient(app.url, company.test_key);
    const tail = new EventTail(api);
    await tail.start();
    for (const _ of ['once', 'twice']) {
      await act(api);
      const events = await tail.read();
      assert.ok(
        events.some((event) => event.type === type),
        events.map((event) => event.type).join(', '),
      );
      for (const { object: _object, created, ...row } of events)
        assert.deepEqual(eventFaults({ ...row, created_at: created } as never), []);
    }
  });
}

test('given events that show up late and behind others, when the log is followed, then each is told once', async () => {
  const log: { id: string; aggregate_id: string; sequence: number }[] = [];
  const add = (...ids: string[]) =>
    void log.push(...ids.map((id, i) => ({ id, aggregate_id: id, sequence: i })));
  const calls: string[] = [];
  // An API log in pages of two.
  const api = {
    async call(_method: string, _path: string, { query }: { query: Record<string, string> }) {
      calls.push(query.starting_after ?? '');
      const sorted = log.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      if (query.sort === '-created') sorted.reverse();
      const after = sorted.filter(({ id }) => id > (query.starting_after ?? '') || query.sort === '-created');
      const data = after.slice(0, 2);
      const has_more = after.length > 2;
      const headers = { 'ratelimit-policy': '"read";q=60;w=60' };
      return { body: { data, has_more, next_cursor: has_more ? data.at(-1)!.id : null }, headers };
    },
  };
  let now = 0;
  const tail = new EventTail(api as never, () => now);
  const read = async () => (await tail.read()).map(({ id }) => id);
  add('a', 'b', 'c');
  await tail.start();
  assert.deepEqual(await read(), []);
  add('e', 'g', 'h', 'k');
  assert.deepEqual(await read(), ['e', 'g', 'h', 'k']);
  now += 20_000;
  add('f', 'd');
  assert.deepEqual(await read(), ['d', 'f'], 'behind those read already');
  now += 15_000;
  add('m');
  assert.deepEqual(await read(), ['m']);
  calls.length = 0;
  assert.deepEqual(await read(), []);
  assert.deepEqual(calls, ['k'], 'what is settled is not read again');
  assert.equal(tail.pause_ms, 4000, 'a quarter of the reads');
});

test('given a service that goes away and comes back, when listening, then it is waited for and nothing is lost', async (t) => {
  const receiver = await givenReceiver(t);
  const row = {
    object: 'event',
    type: 'client.created',
    aggregate_id: 'c',
    sequence: 1,
    data: {},
    created: '',
  };
  const page = (...data: object[]) => ({ body: { data, has_more: false, next_cursor: null }, headers: {} });
  const answers = [
    () => page(),
    () => {
      throw new ApiFault('There is no answer.', null);
    },
    () => {
      throw new ApiFault('Too many.', 429, 1);
    },
    () => page({ ...row, id: 'e' }),
  ];
  const end = new AbortController();
  const said: string[] = [];
  await listen({
    api: { call: async () => (answers.shift() ?? (() => page({ ...row, id: 'e' })))() } as never,
    forward_to: receiver.url,
    enabled_events: ['*'],
    secret: listeningSecret('svc_test_x'),
    say(line) {
      said.push(line.replace(/^[\d:]+ {2}| in \d+ ms$/g, ''));
      if (said.length === 4) end.abort();
    },
    signal: end.signal,
  });
  assert.deepEqual(said, [
    'Ready: waiting for events. Ctrl-C ends it.',
    'There is no answer. Trying again.',
    'The service is back.',
    'client.created  e  204',
  ]);
});

test('given a key that is revoked while listening, when the log is read, then it ends with the refusal', async () => {
  const answers = [() => ({ body: { data: [], has_more: false, next_cursor: null }, headers: {} })];
  const refuse = () => {
    throw new ApiFault('GET /v1/events: 401', 401);
  };
  const listening = listen({
    api: { call: async () => (answers.shift() ?? refuse)() } as never,
    forward_to: 'http://127.0.0.1:9',
    enabled_events: ['*'],
    secret: listeningSecret('svc_test_x'),
    say: () => undefined,
    signal: new AbortController().signal,
  });
  await assert.rejects(listening, /401/);
});

/** Refused before anything is done. */
const misuses: readonly [string[], RegExp][] = [
  [['listen'], /Missing --key \(or FOLIO_API_KEY\), --forward-to\./],
  [['listen', '--key', 'svc_test_x'], /Missing --forward-to\./],
  [['listen', '--key', 'svc_test_x', '--forward-to', 'localhost:4000'], /--forward-to must be an address/],
  [['listen', '--key', 'ñ', '--forward-to', 'http://localhost:4000'], /--key must be an API key/],
  [
    [
      'listen',
      '--key',
      'svc_test_x',
      '--forward-to',
      'http://localhost:4000',
      '--events',
      'invoice.*,invoice.won',
    ],
    /--events: "invoice\.won" is no event of the catalogue/,
  ],
  [['events'], /"folio events" goes on with trigger\./],
  [['events', 'trigger', 'invoice.paid'], /Missing --key \(or FOLIO_API_KEY\)\./],
  [['events', 'trigger', 'invoice.won', '--key', 'svc_test_x'], /There is no event "invoice\.won"/],
  [
    ['events', 'trigger', 'order.invoiced', '--key', 'svc_test_x'],
    /order\.invoiced is not emitted by this version/,
  ],
  [['events', 'trigger', 'invoice.overdue', '--key', 'svc_test_x'], /cannot be triggered .* sandbox clock/],
  [['events', 'trigger', 'invoice.paid', '--key', 'svc_live_x'], /Only in the sandbox/],
  [['api', 'GET', '/v1/invoices'], /Missing --key \(or FOLIO_API_KEY\)\./],
  [['api', 'FETCH', '/v1/invoices', '--key', 'svc_test_x'], /The method must be one of GET, POST,/],
  ...['', 'v1/invoices', '//elsewhere.example/v1', 'http://elsewhere.example/', '/v1/a b'].map(
    (path): [string[], RegExp] => [
      ['api', 'GET', path, '--key', 'svc_test_x'],
      /The path must begin with one slash/,
    ],
  ),
  [['api', 'GET', '/v1/invoices', '--key', 'svc_test_x', '--limit'], /Parameter --limit has no value\./],
  [['api', 'GET', '/v1/invoices', '3', '--key', 'svc_test_x'], /Parameters are --NAME VALUE: "3" is none\./],
  [['api', 'POST', '/v1/clients', '--key', 'svc_test_x', '--data', '{name}'], /--data must be JSON\./],
  [
    ['api', 'POST', '/v1/clients', '--key', 'svc_test_x', '--idempotency-key', 'ñ'],
    /--idempotency-key must be visible ASCII\./,
  ],
  [['api', 'GET', '/v1/invoices', '--key', 'svc_test_x', '--url', 'localhost'], /--url must be an address/],
];

test('given key and address in the environment, when the API is called, then its answer is printed as it came', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const place = await Installation.make(t, { FOLIO_API_KEY: company.test_key, FOLIO_URL: `${app.url}/` });
  const file = join(dirname(place.data_dir), 'client.json');
  writeFileSync(file, '{"name": "Uno"}');
  const amount = '{"name": "Mesa", "unit_price": 1234567890.12}';
  const create = ['api', 'POST', '/v1/clients', '--data', `@${file}`, '--idempotency-key', 'uno', '--json'];
  const answers = await place.runAll([
    create,
    create,
    ['api', 'post', '/v1/clients', '--data', '{"name": "Dos\\u202e"}'],
    ['api', 'GET', '/v1/clients', '--limit=1', '--json', '--created[gte]', '2020-01-01T00:00:00Z'],
    ['api', 'POST', '/v1/products', '--data', amount],
    ['api', 'GET', '/v1/account', '--api-version', '2026-06-01', '--json'],
    ['api', 'GET', '/v1/clients?limit=1', '--json'],
    ['api', 'GET', `/v1/clients/${company.company_id}`],
    ['api', 'GET', '/v1/clients', '--colour', 'red'],
    ['api', 'GET', '/docs'],
    ['api', 'HEAD', '/v1/account'],
    ['api', 'HEAD', '/v1/account', '--json'],
    ['api', 'GET', '/v1/account', '--key', 'svc_test_none'],
    ['api', 'POST', '/v1/clients', '--data', '@/nowhere/client.json'],
    ['events', 'trigger', 'client.created', '--json'],
  ]);
  const [
    made,
    again,
    refused,
    listed,
    product,
    pinned,
    one,
    missing,
    wrong,
    page,
    head,
    headed,
    stranger,
    unread,
    triggered,
  ] = answers;
  const codes = answers.map(({ code }) => code);
  const all = answers.map(({ stderr }) => stderr).join('');
  assert.deepEqual(codes, [0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0], all);
  const { data } = JSON.parse(made!.stdout) as { data: { id: string; name: string } };
  assert.equal(data.name, 'Uno');
  assert.equal(JSON.parse(again!.stdout).data.id, data.id);
  assert.match(refused!.stderr, /^folio: POST \/v1\/clients: 422 \w+: [^\n]+ name: [^\n]+\n$/);
  assert.deepEqual(
    (JSON.parse(listed!.stdout) as { data: { id: string }[] }).data.map(({ id }) => id),
    [data.id],
  );
  assert.match(product!.stdout, /^\{\n {2}"data": \{\n[\s\S]*"unit_price": 1234567890\.12,?\n/);
  assert.equal(pinned!.code, 0, pinned!.stderr);
  assert.equal(JSON.parse(one!.stdout).data.length, 1);
  assert.match(missing!.stderr, /^folio: GET \/v1\/clients\/\S+: 404 resource_not_found: .* \(client\)\n$/);
  assert.match(wrong!.stderr, /: 422 parameter_unknown: |: 4\d\d \w+: /);
  assert.match(wrong!.stderr, /colour/);
  assert.match(head!.stdout, /^etag: /m);
  assert.match((JSON.parse(headed!.stdout) as { etag: string }).etag, /^"/);
  assert.match(page!.stdout, /^<!doctype html>/i);
  assert.match(stranger!.stderr, /: 401 /);
  assert.match(unread!.stderr, /^folio: \/nowhere\/client\.json cannot be read \(ENOENT\)\.\n$/);
  assert.equal((JSON.parse(triggered!.stdout) as { type: string }[])[0]?.type, 'client.created');
  assert.equal(place.databasePid(), undefined);
});

test('given a server that is not Folio, when the API is called, then the command says so', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const place = await Installation.make(t);
  const { port } = server.address() as { port: number };
  const to = ['--url', `http://127.0.0.1:${port}`, '--key', 'svc_test_x'];
  const given = [[], ['--json']];
  const answers = await place.runAll(given.map((more) => ['api', 'GET', '/v1/account', ...to, ...more]));
  for (const { code, stderr } of answers)
    assert.deepEqual([code, stderr], [1, 'folio: GET /v1/account: 200 is no answer of Folio.\n']);
});

test('given wrong words, when the commands are run, then each is refused in a sentence', async (t) => {
  const place = await Installation.make(t);
  const results = await place.runAll([...misuses.map(([args]) => args), ['events', 'trigger']]);
  const listed = results.pop();
  for (const [i, { code, stderr }] of results.entries()) {
    const [args, sentence] = misuses[i]!;
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /^folio: [^\n]+\n$/);
    assert.match(stderr, sentence);
  }
  assert.deepEqual(listed?.stdout.trim().split('\n'), Object.keys(triggers));
});

test('given no service, or a key that is none, when the commands are run, then they say so and end', async (t) => {
  const { app, company, installation } = await givenPlace(t);
  const to = ['--forward-to', 'http://127.0.0.1:9/hook'];
  const away = ['--url', installation.url];
  const unread = await app.given.apiKey(company, { scopes: ['clients:read'], environment: 'test' });
  const cases: [string[], RegExp][] = [
    [
      ['listen', ...to, ...away, '--key', company.test_key],
      /There is no answer from http:\S+ \(ECONNREFUSED\)/,
    ],
    [['events', 'trigger', 'client.created', ...away, '--key', company.test_key], /There is no answer from/],
    [['listen', ...to, '--url', app.url, '--key', 'svc_test_000000000000000000000000'], /401 /],
    [['listen', ...to, '--url', app.url, '--key', unread], /403 insufficient_scope/],
  ];
  const results = await installation.runAll(cases.map(([args]) => args));
  for (const [i, { code, stderr }] of results.entries()) {
    const [args, sentence] = cases[i]!;
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, /^folio: [^\n]+\n$/);
    assert.match(stderr, sentence);
  }
});
