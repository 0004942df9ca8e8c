/**
 * `packages/client` as others have it: built, packed, and installed in a folder outside. Its program and those of
 * docs/clients.md call the service, also through a line that breaks.
 */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { deliveryHeaders } from '../../src/modules/webhooks/rules/sign.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { clientSource, installClient } from '../support/client-package.ts';
import { type GivenAnswer, serveAnswers } from '../support/given-answers.ts';
import { findFreePort } from '../support/free-port.ts';
import { holdLock } from '../support/held-lock.ts';
import { projectRoot } from '../support/installation.ts';
import { inPhp, inPython, troubled, troubles } from '../support/page-programs.ts';
import { givenEndpoint, givenProducts, loopbackReceivers, TestReceiver } from '../support/test-receiver.ts';

const outside = mkdtempSync(join(tmpdir(), 'folio-client-'));
after(() => rmSync(outside, { recursive: true, force: true }));

/** Calls that the types must refuse stand under `@ts-expect-error`. */
const program = `
import { Folio, FolioConnectionError, FolioError, readWebhook, WebhookSignatureError } from 'folio-client';
import type { CodeOf, EventName, FolioEvent, Item } from 'folio-client';

export { Folio, FolioConnectionError, FolioError, readWebhook, WebhookSignatureError };

export const refused: CodeOf<'get_client'> = 'resource_not_found';
// @ts-expect-error No refusal of that operation.
export const strange: CodeOf<'get_client'> = 'invoice_already_paid';

export const heard: EventName[] = ['invoice.paid', 'webhook.ping'];

export function checkEvent(event: FolioEvent): void {
  const about: string | null = event.aggregate_id;
  if (event.type === 'payment.received') {
    const [payment, invoice]: string[] = [event.data.payment.id, event.data.invoice.id];
    const of_payments: FolioEvent<'payment.received'> = event;
    const resource: string | null = event.aggregate_id;
    // @ts-expect-error Of other events.
    void event.data.reversal;
    void [payment, invoice, of_payments, resource];
  } else if (event.type === 'payment.reversed') {
    const reason: 'issued_in_error' | string = event.data.reversal.reason;
    const amount: number = event.data.object.amount;
    void [reason, amount];
  } else if (event.type === 'webhook.ping') {
    const [endpoint, resource]: [string, null] = [event.data.webhook_endpoint.id, event.aggregate_id];
    void [endpoint, resource];
  }
  // @ts-expect-error No such event.
  if (event.type === 'invoice.issued') void 0;
  // @ts-expect-error Of some events alone.
  void event.data.invoice;
  // @ts-expect-error A ping has no resource.
  const always: string = event.aggregate_id;
  // @ts-expect-error An old event has no version.
  const version: string = event.api_version;
  void [about, always, version];
}

export async function checkTypes(folio: Folio): Promise<void> {
  const { data } = await folio.call('create_client', { body: { name: 'Norte SL' } });
  const id: string = data.id;
  await folio.call('get_account');
  const { json, etag, is_replayed } = await folio.exchange('get_client', { path: { client: id } });
  const [named, tag, again]: [string, string | null, boolean] = [json.data.name, etag, is_replayed];
  void [named, tag, again];
  // @ts-expect-error Without a tag nothing would be guarded.
  await folio.call('delete_client', { path: { client: id } }, { if_match: etag });
  for await (const one of folio.list('list_clients', { query: { limit: 2 } })) {
    const client: Item<'list_clients'> = one;
    const name: string | null = client.name;
    void name;
  }
  // @ts-expect-error The path has a parameter.
  await folio.call('get_client');
  // @ts-expect-error No such member.
  await folio.call('create_client', { body: { nombre: 'Norte SL' } });
  const open = ['issued', 'sent'] as const;
  folio.list('list_invoices', { query: { 'status[in]': open, 'client_id[in]': [id], 'number[in]': 'A,B' } });
  // @ts-expect-error No such state.
  folio.list('list_invoices', { query: { 'status[in]': ['open'] } });
  // @ts-expect-error One value alone.
  folio.list('list_invoices', { query: { status: ['issued'] } });
  // @ts-expect-error No list.
  folio.list('get_client', { path: { client: id } });
  // @ts-expect-error A file is no JSON.
  await folio.call('get_invoice_pdf', { path: { invoice: id } });
  // What was read may be sent back.
  const invoice = { path: { invoice: id } };
  await folio.call('update_invoice', { ...invoice, body: (await folio.call('get_invoice', invoice)).data });
  const recurrence = { path: { recurring_invoice: id } };
  const { data: read } = await folio.call('get_recurring_invoice', recurrence);
  await folio.call('update_recurring_invoice', { ...recurrence, body: read });
  const purchase = { path: { purchase_invoice: id } };
  const { data: bought } = await folio.call('get_purchase_invoice', purchase);
  await folio.call('update_purchase_invoice', { ...purchase, body: bought });
  try {
    await folio.call('get_client', { path: { client: id } });
  } catch (error) {
    if (!(error instanceof FolioError)) throw error;
    if (error.is('resource_not_found', 'insufficient_scope')) {
      const code: 'resource_not_found' | 'insufficient_scope' = error.code;
      void code;
    }
    // @ts-expect-error No code of the API.
    error.is('no_such_code');
  }
}
`;

function installOutside(): void {
  installClient(outside);
  cpSync(join(projectRoot, 'docs/clients'), outside, { recursive: true });
  writeFileSync(join(outside, 'program.ts'), program);
  const readme = readFileSync(join(clientSource, 'README.md'), 'utf8');
  const [first = '', ...others] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text);
  const called = others.map(
    (text, place) =>
      `export async function run${place}(id: string, body: Uint8Array, signature: string): Promise<void> {\n${text}}\n`,
  );
  writeFileSync(join(outside, 'readme.ts'), first + called.join(''));
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    // TypeScript's own, of which the package is no part.
    skipDefaultLibCheck: true,
    typeRoots: [join(projectRoot, 'node_modules/@types')],
    types: ['node'],
  };
  writeFileSync(
    join(outside, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts', 'sell.ts', 'readme.ts'] }),
  );
  const compiled = spawnSync(
    process.execPath,
    [join(projectRoot, 'node_modules/typescript/bin/tsc'), '-p', outside],
    { encoding: 'utf8' },
  );
  assert.equal(compiled.status, 0, compiled.stdout);
}

/** A line to the service that loses answers: the request arrives, what comes back does not. */
async function openLine(t: TestContext, url: string) {
  const line = { url: '', lose: 0, lost: 0 };
  const { hostname, port } = new URL(url);
  const server = createServer((caller) => {
    const service = connect(Number(port), hostname);
    caller.pipe(service);
    service.on('data', (bytes) => {
      if (line.lost >= line.lose) return void caller.write(bytes);
      line.lost += 1;
      caller.destroy();
      service.destroy();
    });
    for (const [one, other] of [
      [caller, service],
      [service, caller],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}

/** What the program outside gives, with its types erased: the compiler has checked them there. */
type Given = {
  app: App;
  company: TestCompany;
  key: string;
  // biome-ignore lint/suspicious/noExplicitAny: a module that was built meanwhile
  load(name: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  [name: string]: any;
};

async function givenClient(t: TestContext): Promise<Given> {
  installOutside();
  const options = loopbackReceivers({ FOLIO_RATE_LIMITS: '{"free":[2,5]}' });
  const app = await startApp(t, { ...options, key_wait_ms: 50 });
  const company = await app.given.company();
  const { live_key: key } = company;
  const load = (name: string) => import(pathToFileURL(join(outside, name)).href);
  const library = await load('program.js');
  const folio = new library.Folio({ base_url: app.url, key });
  const clients = async () => (await app.get('/v1/clients?limit=100', { key })).body.data;
  const refusalOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => assert.fail('It was not refused.'),
      (thrown) => thrown,
    );
    assert.ok(error instanceof library.FolioError, String(error));
    return error;
  };
  return { app, company, key, load, folio, clients, refusalOf, ...library };
}

type Check = (t: TestContext, given: Given) => Promise<void>;

const losesNothing: Check = async (t, { app, key, folio, Folio, FolioConnectionError, clients }) => {
  const line = await openLine(t, app.url);
  line.lose = 2;
  const through = new Folio({ base_url: line.url, key });
  const { data } = await through.call('create_client', { body: { name: 'Norte SL' } });
  assert.equal(line.lost, 2);
  assert.deepEqual(
    (await clients()).map(({ id }: { id: string }) => id),
    [data.id],
  );
  line.lose = 100;
  const given_up = await new Folio({ base_url: line.url, key, retries: 1 })
    .call('create_client', { body: { name: 'Sur SL' } }, { idempotency_key: 'order-42' })
    .catch((error: unknown) => error);
  assert.ok(given_up instanceof FolioConnectionError);
  assert.deepEqual(given_up.attempted, {
    operation: 'create_client',
    attempts: 2,
    idempotency_key: 'order-42',
  });
  const nowhere = { base_url: `http://127.0.0.1:${await findFreePort()}`, key, retries: 0 };
  await assert.rejects(new Folio(nowhere).call('get_account'), {
    name: 'FolioConnectionError',
    message: /^get_account: no answer \(.*ECONNREFUSED.*\)\.$/,
  });
  const again = await folio.call(
    'create_client',
    { body: { name: 'Sur SL' } },
    { idempotency_key: 'order-42' },
  );
  assert.deepEqual((await clients())[0].id, again.data.id);
  assert.equal((await clients()).length, 2);
};

const tellsRefusals: Check = async (_t, { app, company, key, Folio, folio, clients, refusalOf }) => {
  const missing = await refusalOf(folio.call('get_client', { path: { client: company.company_id } }));
  assert.deepEqual(
    [missing.status, missing.code, missing.param, missing.attempted.attempts],
    [404, 'resource_not_found', 'client', 1],
  );
  assert.ok(missing.is('resource_not_found') && !missing.is('insufficient_scope'));
  const many = await refusalOf(folio.call('create_client', { body: { name: '', tax_id: 7 } }));
  assert.ok(
    many.issues.length >= 2 && many.issues.every(({ param }: { param: string }) => param),
    many.message,
  );
  assert.equal((await clients()).length, 2);
  for (const status of [200, 502]) {
    const portal = async () => new Response('<html>', { status });
    const call = new Folio({ base_url: app.url, key, fetch: portal, retries: 0 }).call('get_account');
    const { attempted: _, ...told } = await call.catch((error: unknown) => error);
    assert.deepEqual(told, { name: 'FolioConnectionError', status });
  }
};

const followsNoRedirect: Check = async (t, { key, Folio, FolioConnectionError }) => {
  const locked = JSON.stringify({ error: { code: 'resource_locked', request_id: 'req_1' } });
  const account = { status: 200, body: '{"data":{}}' };
  const between = await serveAnswers(t, { '/elsewhere': [account] });
  for (const status of [301, 302, 303, 304, 307, 308]) {
    const moved = { status, headers: { location: `${between.url}/elsewhere` }, body: locked };
    const place = await serveAnswers(t, { '/v1/clients': [moved] });
    const refused = await new Folio({ base_url: place.url, key })
      .call('create_client', { body: { name: 'Norte SL' } }, { idempotency_key: 'order-43' })
      .catch((error: unknown) => error);
    assert.ok(refused instanceof FolioConnectionError, String(refused));
    assert.deepEqual(
      [refused.status, refused.attempted.attempts, refused.attempted.idempotency_key],
      [status, 1, 'order-43'],
    );
    assert.ok(refused.message.includes(`${between.url}/elsewhere`), refused.message);
    assert.equal(place.seen.length, 1);
  }
  assert.deepEqual(between.seen, []);
  // What a browser shows of a redirect.
  const hidden = async () => ({
    status: 0,
    headers: new Headers(),
    arrayBuffer: async () => new ArrayBuffer(0),
  });
  const call = new Folio({ base_url: between.url, key, fetch: hidden }).call('get_account');
  await assert.rejects(call, FolioConnectionError);
};

const tellsOwnFaults: Check = async (_t, { app, key, Folio, FolioConnectionError, folio, refusalOf }) => {
  let sent = 0;
  const answering = (body: string, headers: Record<string, string> = {}, status = 200) =>
    new Folio({
      base_url: app.url,
      key,
      async fetch() {
        sent += 1;
        return new Response(body, { status, headers });
      },
    });
  const unsent = answering('').call('get_account', {}, { active_profile: 'compañía €' });
  await assert.rejects(unsent, TypeError);
  assert.equal(sent, 0);
  await assert.rejects(folio.call('get_account', {}, { if_match: '"€"' }), TypeError);

  // `..` would make it a call of another path, and what is left out the word undefined.
  for (const invoice of ['', '.', '..', undefined, null])
    for (const name of ['get_invoice', 'delete_invoice'])
      await assert.rejects(answering('{}').call(name, { path: { invoice } }), {
        name: 'TypeError',
        message: `${name}: path.invoice has no value that a path can carry.`,
      });
  assert.equal(sent, 0);

  // JavaScript has no types that would refuse it.
  for (const name of ['list_invoice', 'toString', undefined])
    await assert.rejects(answering('{}').call(name), {
      name: 'TypeError',
      message: `There is no operation ${name}.`,
    });
  assert.equal(sent, 0);

  for (const wrong of ['svc_test_1\nsvc_test_2', 'svc_test_€'])
    assert.throws(
      () => new Folio({ base_url: app.url, key: wrong }),
      (error) => error instanceof TypeError && !error.message.includes('svc_'),
    );

  // As a file of secrets has it.
  await new Folio({ base_url: app.url, key: `\n ${key}\n` }).call('get_account');

  // What a variable of the environment is that is not set.
  for (const missing of [undefined, '', ' '])
    assert.throws(() => new Folio({ base_url: app.url, key: missing }), {
      name: 'TypeError',
      message: 'There is no key.',
    });
  for (const base_url of [undefined, '', 'folio.example.com', 'localhost:3000', '/v1'])
    assert.throws(() => new Folio({ base_url, key }), {
      name: 'TypeError',
      message: /^base_url must begin with https?:/,
    });

  const disposition = `attachment; filename="factura.pdf"; filename*=UTF-8''%E0%A4%A`;
  const invoice = { path: { invoice: 'x' } };
  const file = await answering('%PDF', { 'content-disposition': disposition }).file(
    'get_invoice_pdf',
    invoice,
  );
  assert.equal(file.file_name, 'factura.pdf');

  const pages = [];
  for await (const page of answering('{"data":[]}').pages('list_clients')) if (pages.push(page) > 2) break;
  assert.equal(pages.length, 1);
  for (const body of ['{"data":{}}', 'null', '{}'])
    await assert.rejects(answering(body).list('list_clients').next(), FolioConnectionError);

  sent = 0;
  const error = JSON.stringify({ error: { code: 'service_unavailable', request_id: 'req_1', message: 'x' } });
  const in_an_hour = new Date(Date.now() + 3_600_000).toUTCString();
  const refused = await refusalOf(answering(error, { 'retry-after': in_an_hour }, 503).call('get_account'));
  assert.equal(sent, 1);
  assert.ok(refused.retry_after_seconds > 3500 && refused.retry_after_seconds <= 3600);
};

const tellsTags: Check = async (_t, { key, folio, app, Folio, refusalOf }) => {
  const { data } = await folio.call('create_client', { body: { name: 'Oeste SL' } });
  const path = { client: data.id };
  const { json, etag, is_replayed, request_id } = await folio.exchange('get_client', { path });
  assert.deepEqual([json.data, is_replayed], [data, false]);
  assert.match(request_id, /^req_/);
  const guarded = { if_match: etag, idempotency_key: 'oeste' };
  const change = (options: object) =>
    folio.exchange('update_client', { path, body: { phone: '1' } }, options);
  const first = await change(guarded);
  assert.equal(first.etag, null);
  const repeated = await change(guarded);
  assert.deepEqual([repeated.json, repeated.is_replayed], [first.json, true]);
  assert.equal((await refusalOf(change({ if_match: etag }))).code, 'precondition_failed');
  await folio.call('delete_client', { path });
  const bare = new Folio({ base_url: app.url, key, fetch: async () => new Response('{}') });
  const { json: _, ...told } = await bare.exchange('get_account');
  assert.deepEqual(told, { status: 200, etag: null, is_replayed: false, request_id: null });
};

const waitsForLocked: Check = async (t, { app, company, key, Folio }) => {
  const lock = await holdLock(
    t,
    app,
    (sql) => sql`
        insert into idempotency_keys (company_id, key, operation, body_hash, created_at, expires_at)
        values (${company.company_id}, 'held', 'x', '', now(), now() + interval '1 day')`,
  );
  const seen: number[] = [];
  const watching = new Folio({
    base_url: app.url,
    key,
    async fetch(input: URL, init: RequestInit) {
      const response = await fetch(input, init);
      seen.push(response.status);
      if (response.status === 409) await lock.release();
      return response;
    },
  });
  await watching.call('create_client', { body: { name: 'Este SL' } }, { idempotency_key: 'held' });
  assert.deepEqual(seen, [409, 201]);
};

const waitsForRate: Check = async (_t, { app, Folio, refusalOf }) => {
  const { live_key } = await app.given.company({ plan: 'free' });
  const settings = { base_url: app.url, key: live_key };
  const spent = new Folio({ ...settings, wait_max_ms: 0 });
  await spent.call('get_account');
  await spent.call('get_account');
  const refused = await refusalOf(spent.call('get_account'));
  assert.deepEqual(
    [refused.code, refused.status, refused.attempted.attempts],
    ['rate_limit_exceeded', 429, 1],
  );
  assert.ok(refused.retry_after_seconds! > 0 && refused.retry_after_seconds! <= 60);
  const seen: (string | null)[] = [];
  // The service's clock goes on in place of the caller's wait.
  const patient = new Folio({
    ...settings,
    async fetch(input: URL, init: RequestInit) {
      const { status, headers, body } = await fetch(input, init);
      seen.push(headers.get('retry-after'));
      if (status !== 429) return new Response(body, { status, headers });
      app.clock.advance(Number(headers.get('retry-after')) * 1000);
      return new Response(body, {
        status,
        headers: { ...Object.fromEntries(headers), 'retry-after': '0' },
      });
    },
  });
  assert.equal((await patient.call('get_account')).data.object, 'api_key');
  assert.deepEqual([seen.length, seen[1]], [2, null]);
  assert.ok(Number(seen[0]) > 0);
};

const asksForSeveral: Check = async (_t, { app, key, Folio }) => {
  const asked: (string | null)[] = [];
  const folio = new Folio({
    base_url: app.url,
    key,
    async fetch(input: URL) {
      asked.push(input.searchParams.get('number[in]'));
      return new Response('{"data":[]}');
    },
  });
  const several = (numbers: unknown) =>
    folio.call('list_invoices', { query: { 'number[in]': numbers, 'client_id[in]': undefined } });
  await several(['F-1', 'F-2']);
  await several('F-1,F-2');
  assert.deepEqual(asked, ['F-1,F-2', 'F-1,F-2']);
  // It would be two values, or the filter would be another.
  for (const wrong of [['F-1,F-2'], ['F-1', undefined], [['F-1']]])
    await assert.rejects(several(wrong), {
      name: 'TypeError',
      message: /^number\[in\] takes texts without a comma/,
    });
  assert.equal(asked.length, 2);
};

const goesOverPages: Check = async (_t, { app, key, Folio }) => {
  const seen: string[] = [];
  const counting = new Folio({
    base_url: app.url,
    key,
    fetch: (input: URL, init: RequestInit) => {
      seen.push(input.search);
      return fetch(input, init);
    },
  });
  const names: string[] = [];
  for await (const { name } of counting.list('list_clients', { query: { limit: 2 } })) {
    names.push(name);
    if (names.length === 2) assert.equal(seen.length, 1);
  }
  assert.deepEqual(names, ['Este SL', 'Sur SL', 'Norte SL']);
  assert.equal(seen.length, 2);
  assert.match(seen[1]!, /limit=2&starting_after=[\w-]{36}/);
  const found = [];
  for await (const page of counting.pages('list_invoices', {
    query: { 'created[gte]': new Date('2020-01-01'), metadata: { pedido: '7' } },
  }))
    found.push(page.data.length);
  assert.deepEqual(
    [found, decodeURIComponent(seen[2]!)],
    [[0], '?created[gte]=2020-01-01T00:00:00.000Z&metadata[pedido]=7'],
  );
};

const endsOnDemand: Check = async (t, { app, key, Folio }) => {
  const line = await openLine(t, app.url);
  line.lose = 100;
  const ending = new AbortController();
  const call = new Folio({ base_url: line.url, key, wait_max_ms: 1e9, retries: 1000 }).call(
    'get_account',
    {},
    { signal: ending.signal },
  );
  while (line.lost === 0) await new Promise(setImmediate);
  ending.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
};

const readsDeliveries: Check = async (t, { app, company, readWebhook, WebhookSignatureError }) => {
  const receiver = await TestReceiver.listen(t);
  const { id, secret } = await givenEndpoint(app, company, `${receiver.url}/hook`);
  const [product] = await givenProducts(app, company, 1);
  assert.equal(await app.service.deliveries.runDue(company.company_id), 1);
  const [{ raw, headers }] = receiver.received as [(typeof receiver.received)[0]];
  const signature = String(headers['service-signature']);
  const now = app.clock.now().getTime() / 1000;
  for (const body of [raw, Buffer.from(raw)]) {
    const event = await readWebhook(body, signature, secret, now);
    assert.deepEqual([event.type, event.aggregate_id], ['product.created', product]);
  }
  await readWebhook(raw, signature, ['whsec_other', secret], now);
  const sent_at = app.clock.now();
  const rotated = deliveryHeaders({
    delivery_id: 'd',
    event_id: 'e',
    event_type: 'x',
    body: raw,
    sent_at,
    secrets: ['whsec_new', secret],
  });
  await readWebhook(raw, rotated['Service-Signature'], secret, now);
  const wrong: [string, string | undefined, string, number][] = [
    [`${raw} `, signature, secret, now],
    [raw, signature, 'whsec_other', now],
    [raw, undefined, secret, now],
    [raw, signature.replace(/,v1=.*/, ''), secret, now],
    [raw, signature, secret, now + 302],
    [raw, signature, secret, now - 302],
  ];
  for (const args of wrong) await assert.rejects(readWebhook(...args), WebhookSignatureError);
  for (const none of [undefined, '', [], [secret, '']])
    await assert.rejects(readWebhook(raw, signature, none, now), {
      name: 'TypeError',
      message: 'There is no secret.',
    });
  await app.post(`/v1/webhook_endpoints/${id}/ping`, { key: company.live_key });
  assert.equal(await app.service.deliveries.runDue(company.company_id), 1);
  const ping = receiver.received[1]!;
  const pinged = await readWebhook(ping.raw, String(ping.headers['service-signature']), secret, now);
  assert.deepEqual([pinged.type, pinged.aggregate_id], ['webhook.ping', null]);
};

const runsPrograms: Check = async (t, { app, company, key, clients, load }) => {
  const answers: Record<string, GivenAnswer[]> = {};
  const between = await serveAnswers(t, answers);
  const env = { ...process.env, FOLIO_URL: app.url, FOLIO_API_KEY: key, BETWEEN: between.url };
  Object.assign(process.env, { FOLIO_URL: app.url, FOLIO_API_KEY: key });
  const { sell, taxIds, nameOf } = await load('sell.js');
  const sold = await sell('pedido-1');
  assert.match(sold, /^\S+-000001 29.7$/);
  assert.equal(await sell('pedido-1'), sold);
  assert.deepEqual(await taxIds(), []);
  const [{ id }] = await clients();
  assert.deepEqual([await nameOf(id), await nameOf(company.company_id)], ['Este SL', null]);
  const languages = { python3: ['-c', inPython], php: ['-r', inPhp] };
  for (const [language, args] of Object.entries(languages)) {
    const is_here = spawnSync(language, ['--version']).status === 0;
    await t.test(language, { skip: !is_here && `no ${language} here` }, async () => {
      Object.assign(answers, troubles(between.url));
      between.seen.length = 0;
      const { stdout } = await promisify(execFile)(language, args, { cwd: outside, env });
      const [first, second, told = ''] = stdout.split('\n');
      assert.equal(first, sold);
      assert.match(second!, /^\S+-000002 29.7$/);
      const keyOf = (path: string) =>
        between.seen.find((one) => one.path === path)?.headers['idempotency-key'];
      const moved = `301 leads elsewhere: ${between.url}/elsewhere`;
      assert.deepEqual(JSON.parse(told), {
        '/flaky': 'done',
        '/moved': ['NoAnswer', moved, 'clave-7'],
        '/portal': ['NoAnswer', '200 is not of the API', 'clave-7'],
        '/cut': 'done',
        '/wrong': ['Refused', 'parameter_invalid. name: Falta el campo. email: No es un correo.', 'clave-7'],
        '/ahead': ['Refused', 'service_unavailable.', 'clave-7'],
        '/later': ['Refused', 'service_unavailable.', keyOf('/later')],
      });
      assert.deepEqual(
        between.seen.map(({ path }) => path),
        [...Array(5).fill('/flaky'), '/cut', ...troubled.slice(1), '/later'],
      );
      assert.deepEqual(new Set(between.seen.map(({ body }) => body)), new Set(['{}']));
      const keys = between.seen.slice(0, -1).map(({ headers }) => headers['idempotency-key']);
      assert.deepEqual(new Set(keys), new Set(['clave-7']));
    });
  }
};

const checks: Record<string, Check> = {
  'then an answer that is lost is asked for again with the same key, and the change is made once':
    losesNothing,
  'then a refusal is an error with its code, and is not sent again': tellsRefusals,
  'then a redirect is told and not followed': followsNoRedirect,
  'then faults of the caller, and answers that no list is, end the call at once': tellsOwnFaults,
  'then the tag of what was read guards a change of it, and a repetition is told': tellsTags,
  'then resource_locked is waited for': waitsForLocked,
  'then 429 is waited for as Retry-After says, unless that is too long': waitsForRate,
  'then several values of a filter are joined, if the service would read the same ones': asksForSeveral,
  'then a list goes over all pages, asking for each when it is wanted': goesOverPages,
  'then a caller ends a call, its waits too': endsOnDemand,
  'then it tells a delivery of the service from any other': readsDeliveries,
  'then the programs of the page sell once, in each language that is installed here': runsPrograms,
};

test('given the packed client in a folder outside, when it calls the service', async (t) => {
  const given = await givenClient(t);
  for (const [name, check] of Object.entries(checks)) await t.test(name, (inner) => check(inner, given));
});
