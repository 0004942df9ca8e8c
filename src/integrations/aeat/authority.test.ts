import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { testAuthority, testCertificates } from '../../../test/support/certificates.ts';
import { alta, chained, issuer } from '../../../test/support/verifactu-cases.ts';
import type { Message, SendingIdentity } from '../../modules/verifactu/index.ts';
import { answerBytesMax } from './no-answer.ts';
import { type AuthoritySettings, makeAuthority } from './authority.ts';
import { namespaces } from './names.ts';
import { writeRecord } from './record-text.ts';

type Seen = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  subject: string;
};

const person: SendingIdentity = { ...testCertificates.person(), kind: 'person' };
const seal: SendingIdentity = { ...testCertificates.seal(), kind: 'seal' };
const { private_key, certificate } = serverCertificate();
const message: Message = {
  environment: 'test',
  company_id: '01995b1e-6f7a-7c31-9c55-0d6f9c1f2a3b',
  taxpayer: issuer,
  is_incident: false,
  ends_on: null,
  records: [writeRecord(chained(alta())).xml],
};
const answer =
  `<e:Envelope xmlns:e="${namespaces.soap}"><e:Body><r:RespuestaRegFactuSistemaFacturacion xmlns:r="${namespaces.answer}">` +
  '<r:TiempoEsperaEnvio>60</r:TiempoEsperaEnvio><r:EstadoEnvio>Correcto</r:EstadoEnvio>' +
  '</r:RespuestaRegFactuSistemaFacturacion></e:Body></e:Envelope>';

/** Wants a client certificate and answers as told. `seen` is what reached it. */
async function startServer(respond: (response: ServerResponse, seen: Seen) => void) {
  const seen: Seen[] = [];
  const { root, issuer: middle } = testAuthority();
  const server = createServer(
    { key: private_key, cert: certificate, requestCert: true, ca: [root.certificate, middle.certificate] },
    async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const peer: PeerCertificate = (request.socket as TLSSocket).getPeerCertificate();
      const { method = '', url: path = '', headers } = request;
      const one = {
        method,
        path,
        headers,
        body: Buffer.concat(parts).toString(),
        subject: String(peer.subject.CN),
      };
      seen.push(one);
      respond(response, one);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/ws/VerifactuSOAP` };
}

function authorityAt(url: string, change: Partial<AuthoritySettings> = {}) {
  const simulator = { url, ca: certificate, identity: seal };
  const authority = makeAuthority({ aeat: 'none', certificate: null, simulator, ...change });
  after(() => authority.close());
  return authority;
}

test('given a server, when a message is sent, then it arrives with the certificate, the company and the exact records', async () => {
  const { seen, url } = await startServer((response) => response.end(answer));
  const authority = authorityAt(url);
  const result = await authority.send(message, person);
  assert.deepEqual(result, { kind: 'answer', csv: null, wait_seconds: 60, lines: [], raw: answer });
  await authority.send(message, seal);
  const [first, second] = seen;
  assert.ok(first && second);
  assert.equal(first.method, 'POST');
  assert.equal(first.path, `/ws/VerifactuSOAP?sandbox=${message.company_id}`);
  assert.equal(first.headers['content-type'], 'text/xml; charset=utf-8');
  assert.equal(first.headers.soapaction, '""');
  assert.ok(first.body.includes(message.records[0] ?? 'none'));
  assert.notEqual(first.subject, second.subject, 'each identity has its own connection');
  assert.equal(first.body, second.body);
});

test('given a server that fails, when a message is sent, then there is no answer and nothing is thrown', async () => {
  const failures: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(503).end('busy'),
    (response) => response.writeHead(500).end('<html></html>'),
    (response) => response.writeHead(500).end(answer),
    (response) => response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end(),
    (response) => response.end(answer.slice(0, 200)),
    (response) => response.end(''),
    (response) => response.destroy(),
    (response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write(answer.slice(0, 200), () => response.destroy());
    },
    (response) => response.end(Buffer.alloc(answerBytesMax + 1000, 32)),
  ];
  for (const [at, fail] of failures.entries()) {
    const { seen, url } = await startServer(fail);
    const result = await authorityAt(url).send(message, person);
    assert.equal(result.kind, 'no_answer', `failure ${at}`);
    assert.equal(seen.length, 1, `failure ${at}: sent once, and nothing followed`);
  }
});

test('given a fault with status 500, when a message is sent, then it is told', async () => {
  const text =
    `<e:Envelope xmlns:e="${namespaces.soap}"><e:Body><e:Fault><faultcode>e:Client</faultcode>` +
    '<faultstring>Codigo[4102].El XML no cumple el esquema.</faultstring></e:Fault></e:Body></e:Envelope>';
  const { url } = await startServer((response) => response.writeHead(500).end(text));
  const result = await authorityAt(url).send(message, person);
  assert.deepEqual(result, {
    kind: 'fault',
    is_client: true,
    code: '4102',
    message: 'Codigo[4102].El XML no cumple el esquema.',
    raw: text,
  });
});

test('given a server that answers 100 unasked before its answer, when messages are sent, then each is answered once', async () => {
  const ports = new Set<number | undefined>();
  const { seen, url } = await startServer((response) => {
    ports.add(response.socket?.remotePort);
    response.writeContinue();
    response.end(answer);
  });
  const authority = authorityAt(url);
  for (let n = 1; n <= 2; n++) {
    assert.equal((await authority.send(message, person)).kind, 'answer');
    assert.equal(seen.length, n);
    // undici lets a connection be used again a turn after its answer.
    await turnOfLoop();
  }
  assert.equal(ports.size, 1, 'over one connection');
});

test('given a server that never answers, when the time is over, then there is no answer', async () => {
  const { seen, url } = await startServer(() => {});
  const authority = authorityAt(url, { timeouts: { connect: 60_000, answer: 2_000 } });
  assert.equal((await authority.send(message, person)).kind, 'no_answer');
  assert.equal(seen.length, 1);
});

test('given as many messages as a worker has under way, then none waits for another', async () => {
  const open: ServerResponse[] = [];
  const { url } = await startServer((response) => {
    open.push(response);
    if (open.length === 16) for (const one of open) one.end(answer);
  });
  const authority = authorityAt(url, { timeouts: { connect: 60_000, answer: 60_000 } });
  const results = await Promise.all(Array.from({ length: 16 }, () => authority.send(message, seal)));
  assert.deepEqual(new Set(results.map((result) => result.kind)), new Set(['answer']));
});

test('given nobody there, another authority, or a key that is none, when a message is sent, then there is no answer', async () => {
  const { seen, url } = await startServer((response) => response.end(answer));
  const stranger = { url, ca: testAuthority().root.certificate, identity: seal };
  const results = await Promise.all([
    authorityAt('https://127.0.0.1:1/').send(message, person),
    authorityAt(url, { simulator: stranger }).send(message, person),
    authorityAt(url).send(message, { ...person, private_key: 'no key' }),
  ]);
  for (const result of results) {
    assert.ok(result.kind === 'no_answer');
    assert.doesNotMatch(result.message, /PRIVATE KEY/);
  }
  await assert.rejects(authorityAt(url).send({ ...message, records: [] }, person), RangeError);
  assert.equal(seen.length, 0);
});

test('given an authority that ends no handshake, when the service stops, then it does not wait for it', {
  timeout: 60_000,
}, async (t) => {
  const silent = createTcpServer().listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const arrived = once(silent, 'connection') as Promise<[Socket]>;
  const authority = authorityAt(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`, {
    timeouts: { connect: 600_000, answer: 600_000 },
  });
  const sent = authority.send(message, person);
  const [socket] = await arrived;
  t.after(() => socket.destroy());
  const ended = once(socket.on('error', () => undefined).resume(), 'close');
  await authority.close();
  await ended;
  assert.equal((await sent).kind, 'no_answer');
});

test('given a first message for which a client of HTTP is still loaded, when the service stops, then it is not sent', async () => {
  const { seen, url } = await startServer((response) => response.end(answer));
  const authority = authorityAt(url);
  const sent = authority.send(message, person);
  await authority.close();
  assert.deepEqual(await sent, { kind: 'no_answer', message: 'the service ends' });
  assert.equal(seen.length, 0);
});

test('given settings, when it is asked who answers, then each environment has only its own', async () => {
  const { seen, url } = await startServer((response) => response.end(answer));
  const sandbox = authorityAt(url);
  assert.equal(sandbox.isConfigured('test'), true);
  assert.equal(sandbox.isConfigured('live'), false);
  assert.equal(await sandbox.serviceIdentity('test'), seal);
  assert.equal(await sandbox.serviceIdentity('live'), null);
  const result = await sandbox.send({ ...message, environment: 'live' }, person);
  assert.deepEqual(result, { kind: 'no_answer', message: 'no authority is configured' });
  assert.equal(seen.length, 0, 'a live company never reaches the simulator');

  const live = authorityAt(url, { aeat: 'production', certificate: person, simulator: null });
  assert.equal(live.isConfigured('live'), true);
  assert.equal(live.isConfigured('test'), false);
  assert.equal(await live.serviceIdentity('live'), person);
  assert.equal(await live.serviceIdentity('test'), null);
});

test('given environments, when a QR is asked, then sandbox and preproduction lead to the test page', () => {
  const invoice = { tax_id: 'B12345674', number: '1', issued_on: '2026-11-21', total: '121.00' };
  const host = (aeat: AuthoritySettings['aeat'], environment: 'live' | 'test') =>
    new URL(authorityAt('https://127.0.0.1:1/', { aeat }).qrUrl(environment, 'verifactu', invoice)).host;
  assert.equal(host('production', 'live'), 'www2.agenciatributaria.gob.es');
  assert.equal(host('none', 'live'), 'www2.agenciatributaria.gob.es');
  assert.equal(host('preproduction', 'live'), 'prewww2.aeat.es');
  assert.equal(host('production', 'test'), 'prewww2.aeat.es');
});
