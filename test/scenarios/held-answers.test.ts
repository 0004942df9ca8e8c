/** Answers that nobody reads are held in memory: of one owner a share, and none for ever. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Ports } from '../../src/kernel/ports.ts';
import { type App, startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { askMcp, mcpRequest } from '../support/mcp-client.ts';
import { givenPaidInvoice } from '../support/paid-invoice.ts';
import { issuePublic } from '../support/public-invoices.ts';
import { until } from '../support/worker-place.ts';

/** Its answer has 14 MB, more than what the system keeps for a connection. */
const payments = 500;

type Post = { headers: Record<string, string>; body: string };
type Ask = (app: App, key: string, path: string, post?: Post) => Socket;

/** Asks, and reads nothing. Before a service starts: its end waits for answers, and comes after the end of these. */
function unreadCalls(t: TestContext): Ask {
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return (app, key, path, post) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    sockets.push(socket);
    // It is cut.
    socket.on('error', () => undefined);
    socket.pause();
    const { headers = {}, body = '' } = post ?? {};
    const own = {
      host: new URL(app.url).host,
      authorization: `Bearer ${key}`,
      'content-length': body.length,
    };
    const told = Object.entries({ ...headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${post ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${told.join('')}\r\n${body}`);
    return socket;
  };
}

/** Of an answer of which no more is read than its beginning. */
function statusOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('The connection ended before an answer.')));
    socket.once('data', (bytes) => {
      socket.pause();
      resolve(bytes.toString('latin1').slice(9, 12));
    });
    socket.resume();
  });
}

/** @returns where it is read */
async function givenFile(app: App, key: string): Promise<string> {
  const content_base64 = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(14_000_000)]).toString(
    'base64',
  );
  const body = { file_name: 'a.pdf', content_base64 };
  const scan = await app.post('/v1/purchase_scans', { key, body });
  assert.equal(scan.status, 201, scan.text);
  return `/v1/purchase_scans/${scan.body.data.id}/file`;
}

async function statusOfCall(app: App, key: string): Promise<number> {
  return (await app.get('/v1/series', { key })).status;
}

test("given an answer beyond its company's share that is not read, when calls follow, then those of the company are refused and others answered, until its caller goes away", async (t) => {
  const askUnread = unreadCalls(t);
  const app = await startApp(t, { fresh: true, answer_bounds: { answer_bytes: 1_000_000 } });
  const { live_key: key, company_id } = await app.given.company();
  const { live_key: other } = await app.given.company();
  const id = await givenPaidInvoice(app, key, company_id, payments);
  const socket = askUnread(app, key, `/v1/invoices/${id}`);

  await until(async () => (await statusOfCall(app, key)) === 429);

  const refused = await app.post('/v1/clients', { key, body: { name: 'Uno' } });
  assert.equal(refused.body.error.code, 'company_share_exceeded');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal(await statusOfCall(app, other), 200);
  socket.destroy();
  await until(async () => (await statusOfCall(app, key)) === 200);
});

test("given what a tool answered beyond its company's share that is not read, when calls follow, then those of the company are refused over REST and to tools, until its caller goes away", async (t) => {
  const askUnread = unreadCalls(t);
  const app = await startApp(t, { fresh: true, answer_bounds: { answer_bytes: 1_000_000 } });
  const { live_key: key, company_id } = await app.given.company();
  const { live_key: other } = await app.given.company();
  const id = await givenPaidInvoice(app, key, company_id, payments);
  const tool = mcpRequest('tools/call', { name: 'get_invoice', arguments: { invoice: id } });
  const headers = { ...tool.headers, 'content-type': 'application/json' };
  const socket = askUnread(app, key, '/mcp', { headers, body: JSON.stringify(tool.body) });

  await until(async () => (await statusOfCall(app, key)) === 429);

  const args = { name: 'create_client', arguments: { name: 'Uno' } };
  for (const [method, params] of [['tools/call', args] as const, ['tools/list', {}] as const]) {
    const refused = await askMcp(app, method, params, { key });
    assert.equal(refused.status, 429, refused.text);
    assert.equal(refused.body.error.data.code, 'company_share_exceeded');
  }
  assert.equal((await askMcp(app, 'tools/call', args, { key: other })).status, 200);
  socket.destroy();
  await until(async () => (await askMcp(app, 'tools/call', args, { key })).status === 200);
});

test("given an invoice with a long answer, when one call that marks it is sent again and again at once and no answer is read, then those after its company's share are refused", async (t) => {
  const askUnread = unreadCalls(t);
  const env = { FOLIO_POOL_SIZE: '3' };
  const app = await startApp(t, { fresh: true, env, answer_bounds: { answer_bytes: 1_000_000 } });
  const { live_key: key, company_id } = await app.given.company();
  const path = `/v1/invoices/${await givenPaidInvoice(app, key, company_id, payments)}/mark-sent`;
  const headers = { 'idempotency-key': 'uno' };
  const ask = () => statusOf(askUnread(app, key, path, { headers, body: '' }));

  const statuses = await Promise.all(Array.from({ length: 6 }, ask));

  assert.ok(statuses.includes('200'), String(statuses));
  assert.ok(statuses.includes('429'), String(statuses));
});

test("given calls that wait, when their company's share is spent before they have acted, then they are refused and nothing is done", async (t) => {
  const askUnread = unreadCalls(t);
  const app = await startApp(t, { fresh: true, answer_bounds: { answer_bytes: 1_000_000 } });
  const { live_key: key } = await app.given.company();
  const file = await givenFile(app, key);
  const lines = [{ description: 'Consultoría', unit_price: 100, tax_rate: 21 }];
  const made = async (path: string, body: object) =>
    `${path}/${(await app.post(path, { key, body })).body.data.id}`;
  const client = await made('/v1/clients', { name: 'Uno' });
  const [marked, draft] = await Promise.all(
    [true, false].map((issue) => made('/v1/invoices', { type: 'F2', lines, options: { issue } })),
  );
  // It finds nothing to do the second time.
  assert.equal((await app.post(`${marked}/mark-sent`, { key })).status, 200);
  const read = () =>
    Promise.all([client, draft!].map(async (path) => (await app.get(path, { key })).body.data));
  const before = await read();
  const lock = await holdLock(t, app, (sql) => sql`lock table invoices, contacts`);
  const asked = [
    app.put(client, { key, body: { name: 'Dos' } }),
    app.post(`${draft}/mark-sent`, { key }),
    app.post(`${marked}/mark-sent`, { key }),
  ];
  await until(async () => (await waitersOf(app)) === asked.length);
  const socket = askUnread(app, key, file);
  await until(async () => (await statusOfCall(app, key)) === 429);

  await lock.release();

  for (const refused of await Promise.all(asked)) {
    assert.equal(refused.status, 429, refused.text);
    assert.equal(refused.body.error.code, 'company_share_exceeded');
  }
  socket.destroy();
  await until(async () => (await statusOfCall(app, key)) === 200);
  assert.deepEqual(await read(), before);
});

test("given a draft that a repeated creation issues, when its company's share is spent before it has committed, then what it did is answered", async (t) => {
  const askUnread = unreadCalls(t);
  const app = await startApp(t, { fresh: true, answer_bounds: { answer_bytes: 1_000_000 } });
  const { live_key: key, company_id } = await app.given.company();
  const id = await givenPaidInvoice(app, key, company_id, payments);
  const lines = [{ description: 'Consultoría', unit_price: 100, tax_rate: 21 }];
  const create = (options: object) =>
    app.post('/v1/invoices', { key, body: { type: 'F2', external_id: 'caja-1', lines, options } });
  assert.equal((await create({})).status, 201);
  // Its last writes wait.
  const lock = await holdLock(t, app, (sql) => sql`lock table events in share mode`);
  const issuing = create({ issue: true });
  await until(async () => (await waitersOf(app)) > 0);
  askUnread(app, key, `/v1/invoices/${id}`);
  await until(async () => (await statusOfCall(app, key)) === 429);

  await lock.release();

  const issued = await issuing;
  assert.equal(issued.status, 200, issued.text);
  assert.notEqual(issued.body.data.number, null);
});

function withLargePdfs(ports: Ports): Ports {
  const print = async () => ({ bytes: Buffer.alloc(14_000_000), is_final: true });
  return { ...ports, printer: { ...ports.printer, edition: 'large', print } };
}

async function open(app: App, page: string): Promise<number> {
  // A document is opened sixty times in a minute at most.
  app.clock.advance(60_000);
  return (await app.get(page)).status;
}

test('given a document beyond the share of its company that a visitor does not read, when others open pages, then those of the company are refused, and its calls and the pages of others answered', async (t) => {
  const askUnread = unreadCalls(t);
  const bounds = { answer_bytes: 1_000_000 };
  const app = await startApp(t, { fresh: true, answer_bounds: bounds, wrap_ports: withLargePdfs });
  const { live_key: key } = await app.given.company();
  const { live_key: other } = await app.given.company();
  const [page, of_other] = await Promise.all(
    [key, other].map(async (of) => new URL((await issuePublic(app, of)).public_url).pathname),
  );
  const socket = askUnread(app, key, `${page}/pdf`);

  await until(async () => (await open(app, page!)) === 429);

  app.clock.advance(60_000);
  const refused = await app.get(`${page}/pdf`);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal(await statusOfCall(app, key), 200);
  assert.equal(await open(app, of_other!), 200);
  socket.destroy();
  await until(async () => (await open(app, page!)) === 200);
});

test('given a document that a visitor does not read, when others open pages of its company, then those of other documents are shown', async (t) => {
  const askUnread = unreadCalls(t);
  const bounds = { answer_bytes: 50_000_000 };
  const app = await startApp(t, { fresh: true, answer_bounds: bounds, wrap_ports: withLargePdfs });
  const { live_key: key } = await app.given.company();
  const [page, second] = await Promise.all(
    [1, 2].map(async () => new URL((await issuePublic(app, key)).public_url).pathname),
  );
  askUnread(app, key, `${page}/pdf`);

  await until(async () => (await open(app, page!)) === 429);

  assert.equal(await open(app, second!), 200);
});

test('given a long page, when visitors open it at once and do not read it, then those after the share of its company are refused', async (t) => {
  const askUnread = unreadCalls(t);
  const wrap_ports = (ports: Ports): Ports => {
    const { invoice } = ports.documents;
    const find: typeof invoice.find = async (...of) => {
      const found = await invoice.find(...of);
      const line = { ...found!.document.lines[0]!, description: '"'.repeat(5000) };
      return { ...found!, document: { ...found!.document, lines: Array.from({ length: 500 }, () => line) } };
    };
    return { ...ports, documents: { ...ports.documents, invoice: { ...invoice, find } } };
  };
  const app = await startApp(t, { fresh: true, answer_bounds: { answer_bytes: 1_000_000 }, wrap_ports });
  const { live_key: key } = await app.given.company();
  const page = new URL((await issuePublic(app, key)).public_url).pathname;

  const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf(askUnread(app, key, page))));

  assert.deepEqual(statuses.sort(), ['200', '429', '429', '429']);
});

test('given a file beyond the share of its company that is not read, when calls follow, then they are refused', async (t) => {
  const askUnread = unreadCalls(t);
  const app = await startApp(t, { fresh: true, answer_bounds: { answer_bytes: 1_000_000 } });
  const { live_key: key } = await app.given.company();
  const socket = askUnread(app, key, await givenFile(app, key));

  await until(async () => (await statusOfCall(app, key)) === 429);

  socket.destroy();
  await until(async () => (await statusOfCall(app, key)) === 200);
});

test('given an answer of which nothing is read, when its time is over, then it is cut', async (t) => {
  const askUnread = unreadCalls(t);
  const app = await startApp(t, { fresh: true, answer_bounds: { unread_seconds: 1 } });
  const { live_key: key, company_id } = await app.given.company();
  const id = await givenPaidInvoice(app, key, company_id, payments);
  const socket = askUnread(app, key, `/v1/invoices/${id}`);

  // A line end before a request means nothing. To write it tells that the connection has ended.
  await until(() => {
    if (!socket.destroyed) socket.write('\r\n');
    return socket.destroyed;
  });
  assert.equal(await statusOfCall(app, key), 200);
});

test('given an answer that is read all the time, but slowly, then it is not cut', async (t) => {
  const app = await startApp(t, { fresh: true, answer_bounds: { unread_seconds: 4 } });
  const { live_key: key, company_id } = await app.given.company();
  await givenPaidInvoice(app, key, company_id, payments);
  const answer = await fetch(`${app.url}/v1/invoices`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  });

  let length = 0;
  let asked = 0;
  for await (const bytes of answer.body!) {
    length += bytes.length;
    if (length < asked) continue;
    // Each time as much as lets the system take more. The rest waits in the service for longer than nothing may be read.
    asked = length + 4_000_000;
    await setTimeout(2000);
  }

  assert.equal(length, Number(answer.headers.get('content-length')));
});
