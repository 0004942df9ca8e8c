/** The server is on loopback, which an operator's range allows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { shortRsaKey } from '../../../test/support/rsa-keys.ts';
import { makeServerCertificate, serverCertificate } from '../../../test/support/server-certificate.ts';
import { makeReceivers, noAnswerIn } from './receivers.ts';

const { private_key, certificate, ca } = serverCertificate();
const seen: { body: string; headers: IncomingMessage['headers']; from: string | undefined }[] = [];
const server = createServer({ key: private_key, cert: certificate }, (request, response) => {
  const chunks: Buffer[] = [];
  const from = request.socket.remoteAddress;
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seen.push({ body: Buffer.concat(chunks).toString(), headers: request.headers, from });
    answer(request.url ?? '', response);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const url = `https://localhost:${port}`;

/** What is no final answer of HTTP/1.1. */
const unreadables: Record<string, string> = {
  '/ssh': 'SSH-2.0-OpenSSH\r\n',
  '/upgrade': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  '/headers': `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(100)}\r\n`,
};

function answer(path: string, response: ServerResponse): void {
  if (path === '/slow') return;
  if (path === '/cut') return void response.destroy();
  const unreadable = unreadables[path];
  if (unreadable !== undefined) return void response.socket?.end(unreadable);
  if (path === '/redirect') return void response.writeHead(302, { location: `${url}/ok` }).end();
  if (path === '/large') return void response.writeHead(200).end('ñ'.repeat(1_000_000));
  if (path === '/drip') {
    response.writeHead(200);
    response.write('first');
    return;
  }
  response.writeHead(path === '/reset' ? 205 : 200).end('ok\0');
}

const allowed = makeReceivers({ allowed_ranges: ['127.0.0.1', '::1'], source_ips: [], ca });
after(async () => {
  await allowed.close();
  server.closeAllConnections();
  server.close();
});

/** So long that no busy machine needs it. */
const patient_ms = 60_000;

const outgoing = (path: string, timeout_ms = patient_ms) => ({
  url: url + path,
  headers: { 'content-type': 'application/json', 'service-event-id': 'x' },
  body: '{"a":"ñ"}',
  timeout_ms,
  source_ips: [],
});

test('given a receiver, when it answers, then status, start of the answer and duration are told', async () => {
  const result = await allowed.send(outgoing('/ok'));
  assert.deepEqual([result.status, result.body, result.error], [200, 'ok\uFFFD', null]);
  assert.equal(seen.at(-1)?.body, '{"a":"ñ"}');
  assert.equal(seen.at(-1)?.headers['service-event-id'], 'x');
});

const cases = [
  { path: '/redirect', status: 302, error: null },
  { path: '/reset', status: 205, error: null },
  { path: '/cut', status: null, error: /cerró la conexión/ },
  { path: '/ssh', status: null, error: /no se puede leer/ },
  { path: '/upgrade', status: null, error: /no se puede leer/ },
  { path: '/headers', status: null, error: /no se puede leer/ },
  // Long enough for the receiver to have seen the request.
  { path: '/slow', status: null, error: /Sin respuesta en 2 segundos\./, timeout_ms: 2000 },
] as const;
for (const { path, status, error, ...more } of cases) {
  test(`given a receiver at ${path}, when it is sent to, then ${status ?? 'no answer'} is told and nobody else is asked`, async (t) => {
    const fresh = makeReceivers({ allowed_ranges: ['127.0.0.1', '::1'], source_ips: [], ca });
    t.after(() => fresh.close());
    const before = seen.length;
    const result = await fresh.send(outgoing(path, 'timeout_ms' in more ? more.timeout_ms : patient_ms));
    assert.equal(result.status, status);
    if (error) assert.match(result.error ?? '', error);
    else assert.equal(result.error, null);
    assert.equal(seen.length, before + 1);
  });
}

test('given a handshake that does not end, when a request or a fetch has waited its time, then it is over, and nothing is sent later', async (t) => {
  const waiting: Socket[] = [];
  const silent = createTcpServer((socket) => waiting.push(socket.on('error', () => undefined))).listen(
    0,
    '127.0.0.1',
  );
  await once(silent, 'listening');
  const there = `https://localhost:${(silent.address() as AddressInfo).port}/ok`;
  t.after(() => {
    for (const socket of waiting) socket.destroy();
    silent.close();
  });
  const before = seen.length;
  const [result] = await Promise.all([
    allowed.send({ ...outgoing('', 1000), url: there }),
    once(silent, 'connection'),
  ]);
  assert.deepEqual([result.status, result.error], [null, noAnswerIn(1)]);
  assert.equal(await allowed.fetchDocument(there, { timeout_ms: 200, bytes_max: 5120 }), undefined);
  const [first] = waiting as [Socket];
  const onward = connect(port, '127.0.0.1');
  onward.on('error', () => undefined);
  first.pipe(onward).pipe(first);
  if (!first.closed) await new Promise((resolve) => first.once('close', resolve));
  await allowed.send(outgoing('/ok'));
  assert.equal(seen.length, before + 1);
});

test('given a handshake that does not end, when the service stops, then the connection is closed', {
  timeout: 30_000,
}, async (t) => {
  const silent = createTcpServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const there = `https://localhost:${(silent.address() as AddressInfo).port}/ok`;
  const stopping = makeReceivers({ allowed_ranges: ['127.0.0.1', '::1'], source_ips: [], ca });
  const arrived = once(silent, 'connection');
  const sent = stopping.send({ ...outgoing(''), url: there });
  const [socket] = (await arrived) as [Socket];
  const ended = new Promise((resolve) =>
    socket
      .on('error', () => undefined)
      .once('close', resolve)
      .resume(),
  );
  await stopping.close();
  await ended;
  assert.equal((await sent).status, null);
});

test('given a first request for which a client of HTTP is still loaded, when the service stops, then it is not sent', async () => {
  const before = seen.length;
  const stopping = makeReceivers({ allowed_ranges: ['127.0.0.1', '::1'], source_ips: [], ca });
  const sent = stopping.send(outgoing('/ok'));
  await stopping.close();
  const { status, error } = await sent;
  assert.deepEqual([status, typeof error, seen.length], [null, 'string', before]);
});

test('given a wait of one second or more, then it is told in the singular or the plural', () => {
  assert.equal(noAnswerIn(1), 'Sin respuesta en 1 segundo.');
  assert.equal(noAnswerIn(30), 'Sin respuesta en 30 segundos.');
});

test('given an answer without end, when it is read, then 4 KB are kept and no character is cut', async () => {
  const { status, body } = await allowed.send(outgoing('/large'));
  assert.equal(status, 200);
  assert.equal(body, 'ñ'.repeat(2048));
  const drip = await allowed.send(outgoing('/drip'));
  assert.deepEqual([drip.status, drip.body], [200, 'first']);
});

test('given a certificate that nobody vouches for, when it is sent to, then it is refused', async () => {
  const strict = makeReceivers({ allowed_ranges: ['127.0.0.1', '::1'], source_ips: [] });
  const before = seen.length;
  const result = await strict.send(outgoing('/ok'));
  await strict.close();
  assert.match(result.error ?? '', /certificado/);
  assert.equal(seen.length, before);
});

const day = 86_400_000;
/** By the name that is sent to. */
const faultyCertificates = {
  'expired.example': [{ valid_until: new Date(Date.now() - day) }, /está caducado.* \(CERT_HAS_EXPIRED\)\.$/],
  'early.example': [
    { valid_from: new Date(Date.now() + day) },
    /todavía no está en vigor.* \(CERT_NOT_YET_VALID\)\.$/,
  ],
  'other.example': [{ name: 'somebody.example' }, /para otro nombre \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/],
  'self.example': [{ issuer: undefined }, /no lo firma ninguna autoridad \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/],
  'unknown.example': [
    { issuer: makeServerCertificate({ name: 'An unknown authority' }) },
    /intermedios.* \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\.$/,
  ],
  'client.example': [{ is_for_clients: true }, /no vale para un servidor.* \(INVALID_PURPOSE\)\.$/],
  'weak.example': [{ private_key: shortRsaKey() }, /no es válido \(EE certificate key too weak\)\.$/],
} as const satisfies Record<string, readonly [Parameters<typeof makeServerCertificate>[0], RegExp]>;

test('given a certificate that does not hold, when it is sent to, then its owner is told why, and gets nothing', async (t) => {
  // A server of our days would refuse a weak key of its own.
  const ciphers = 'DEFAULT@SECLEVEL=0';
  const contexts = new Map(
    Object.entries(faultyCertificates).map(([name, [wish]]) => {
      const made = makeServerCertificate({ name, issuer: serverCertificate(), private_key, ...wish });
      return [name, createSecureContext({ key: made.private_key, cert: made.certificate, ciphers })];
    }),
  );
  let requests = 0;
  const faulty = createServer(
    { ciphers, SNICallback: (name, done) => done(null, contexts.get(name)) },
    (_request, response) => {
      requests += 1;
      response.end();
    },
  ).listen(0, '127.0.0.1');
  await once(faulty, 'listening');
  const receivers = makeReceivers({
    allowed_ranges: ['127.0.0.1'],
    source_ips: [],
    ca,
    resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  t.after(async () => {
    await receivers.close();
    faulty.close();
  });
  const there = (faulty.address() as AddressInfo).port;
  for (const [name, [, told]] of Object.entries(faultyCertificates)) {
    const { error } = await receivers.send({ ...outgoing(''), url: `https://${name}:${there}/` });
    assert.match(error ?? '', /^El certificado del receptor no es válido/, name);
    assert.match(error ?? '', told, name);
  }
  assert.equal(requests, 0);
});

test('given a receiver that does not speak TLS, when it is sent to, then the connection is said not to be encrypted', async (t) => {
  const plain = createTcpServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  plain.listen(0, '127.0.0.1');
  t.after(() => plain.close());
  await once(plain, 'listening');
  const there = `https://localhost:${(plain.address() as AddressInfo).port}/`;
  const { error } = await allowed.send({ ...outgoing(''), url: there });
  assert.equal(error, 'No se pudo cifrar la conexión con el receptor (ERR_SSL_WRONG_VERSION_NUMBER).');
});

test('given private addresses, when they are sent to by number or by name, then nobody is asked', async () => {
  const closed = makeReceivers({ allowed_ranges: [], source_ips: [], ca });
  const before = seen.length;
  const targets = [
    `https://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f000001:${port}/`,
    `https://localhost:${port}/`,
    `https://localhost.:${port}/`,
    `https://127.0.0.1.:${port}/`,
    `http://127.0.0.1:${port}/`,
    'https://169.254.169.254/latest/meta-data',
  ];
  for (const target of targets) {
    assert.notEqual(closed.refusal(target), null, target);
    const result = await closed.send({ ...outgoing(''), url: target });
    assert.equal(result.status, null, target);
  }
  await closed.close();
  assert.equal(seen.length, before);
});

test('given DNS rebinding, when the name is connected to, then the checked address is the one connected to', async () => {
  let asked = 0;
  const rebinding = makeReceivers({
    allowed_ranges: [],
    source_ips: [],
    ca,
    resolve: ((_name: string, _options: object, done: (e: null, all: object[]) => void) => {
      asked += 1;
      done(null, [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
    }) as never,
  });
  const mixed = makeReceivers({
    allowed_ranges: [],
    source_ips: [],
    ca,
    resolve: ((_name: string, _options: object, done: (e: null, all: object[]) => void) =>
      done(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])) as never,
  });
  const before = seen.length;
  const target = `https://receiver.example:${port}/`;
  const first = await rebinding.send({ ...outgoing('', 300), url: target });
  const second = await rebinding.send({ ...outgoing('', 300), url: target });
  const both = await mixed.send({ ...outgoing('', 300), url: target });
  await Promise.all([rebinding.close(), mixed.close()]);
  assert.equal(first.status, null);
  assert.match(second.error ?? '', /no es pública/);
  assert.match(both.error ?? '', /no es pública/);
  assert.equal(seen.length, before);
});

test('given names that are absent, private or of no answer, when they are sent to, then nothing tells one from another', async () => {
  const answers = await Promise.all(
    [
      (_name: string, _options: object, done: (e: unknown, all?: object[]) => void) =>
        done(null, [{ address: '10.0.0.7', family: 4 }]),
      (_name: string, _options: object, done: (e: unknown, all?: object[]) => void) =>
        setTimeout(() => done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })), 20),
      (_name: string, _options: object, done: (e: unknown, all?: object[]) => void) =>
        setTimeout(() => done(Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' })), 40),
    ].map(async (resolve) => {
      const closed = makeReceivers({ allowed_ranges: [], source_ips: [], ca, resolve: resolve as never });
      const result = await closed.send({ ...outgoing(''), url: 'https://intranet.example/' });
      await closed.close();
      return result;
    }),
  );
  assert.match(answers[0]?.error ?? '', /nombre del receptor/);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

for (const source_ip of ['127.0.0.2', '127.0.0.3']) {
  test(`given ${source_ip} to choose from, when it is sent to, then the receiver sees that address`, async () => {
    const result = await allowed.send({ ...outgoing('/ok'), source_ips: [source_ip] });
    assert.equal(result.error, null);
    assert.equal(seen.at(-1)?.from, source_ip);
  });
}

const bounds = { timeout_ms: patient_ms, bytes_max: 5120 };

test('given a document, when it is fetched, then its bytes come, and no fault of the other side is told', async () => {
  const fetched = await allowed.fetchDocument(`${url}/ok`, bounds);
  assert.equal(fetched?.bytes.toString(), 'ok\0');
  for (const path of ['/reset', '/redirect', '/large', '/cut'])
    assert.equal(await allowed.fetchDocument(url + path, bounds), undefined, path);
  for (const path of ['/slow', '/drip'])
    assert.equal(await allowed.fetchDocument(url + path, { ...bounds, timeout_ms: 200 }), undefined, path);
});

test('given an address that is not public, or a name that leads to one, then no document is fetched', async () => {
  const guarded = makeReceivers({ allowed_ranges: [], source_ips: [], ca });
  const before = seen.length;
  for (const place of [`https://127.0.0.1:${port}/ok`, `${url}/ok`, `https://[::1]:${port}/ok`])
    assert.equal(await guarded.fetchDocument(place, bounds), undefined, place);
  assert.equal(seen.length, before);
  await guarded.close();
});

test('given an address whose host ends in a point, when it is sent to, then the server is asked for by its name without one', async (t) => {
  const asked: (string | false | null)[] = [];
  const named = createServer({ key: private_key, cert: certificate }, (_request, response) =>
    response.end('ok'),
  );
  named.on('secureConnection', (socket) => asked.push(socket.servername));
  named.listen(0, '127.0.0.1');
  await once(named, 'listening');
  const resolve = (_name: string, _options: object, done: (e: null, all: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  const receivers = makeReceivers({
    allowed_ranges: ['127.0.0.1'],
    source_ips: [],
    ca,
    resolve: resolve as never,
  });
  t.after(async () => {
    await receivers.close();
    named.closeAllConnections();
    named.close();
  });
  const { port: own } = named.address() as AddressInfo;
  const sent = await receivers.send({ ...outgoing(''), url: `https://receiver.example.:${own}/ok` });
  assert.deepEqual([sent.status, sent.error, asked], [200, null, ['receiver.example']]);
});
