/** A connection that was kept may end while a request goes out on it. The peers speak TLS, and HTTP by hand. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { createServer, type TLSSocket } from 'node:tls';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { makeReceivers, noAnswerIn, type ReceiverSettings } from './receivers.ts';

const { private_key, certificate, ca } = serverCertificate();

/** The `nth` request of a connection has come as a whole. */
type Turn = (socket: TLSSocket, nth: number, path: string) => void;

const ok: Turn = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
/** Answers the first request of each connection. */
const thenEnds =
  (end: Turn): Turn =>
  (socket, nth, path) =>
    (nth === 1 ? ok : end)(socket, nth, path);

async function given(t: TestContext, turn: Turn, more: Partial<ReceiverSettings> = {}) {
  /** By connection and path. */
  const seen: string[] = [];
  const peer = { turn };
  const sockets: TLSSocket[] = [];
  const server = createServer({ key: private_key, cert: certificate }, (socket) => {
    const connection = sockets.push(socket.on('error', () => undefined));
    let text = '';
    let nth = 0;
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const [head = '', body] = text.split('\r\n\r\n');
      if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      text = '';
      const path = head.split(' ')[1] ?? '';
      seen.push(`${connection} ${path}`);
      nth += 1;
      peer.turn(socket, nth, path);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receivers = makeReceivers({ allowed_ranges: ['127.0.0.1', '::1'], source_ips: [], ca, ...more });
  t.after(async () => {
    await receivers.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const send = async (path: string, timeout_ms = 60_000) => {
    const request = { url: url + path, headers: {}, body: '{}', timeout_ms, source_ips: [] };
    const { status, error } = await receivers.send(request);
    // undici lets a connection be used again a turn after its answer.
    await turnOfLoop();
    return status ?? error;
  };
  return { seen, peer, send, url, receivers };
}

const cut = 'El receptor cerró la conexión sin responder.';

for (const [fault, end] of Object.entries<Turn>({
  'is ended': (socket) => socket.end(),
  'is cut': (socket) => socket.destroy(),
})) {
  test(`given a kept connection that ${fault} as a request comes, then it is sent once more, on a new one`, async (t) => {
    const { seen, send } = await given(t, thenEnds(end));
    assert.deepEqual([await send('/a'), await send('/b'), await send('/c')], [200, 200, 200]);
    assert.deepEqual(seen, ['1 /a', '1 /b', '2 /b', '3 /c']);
  });
}

test('given a kept connection that ends as a document is asked for, then it is asked for once more', async (t) => {
  const { seen, receivers, url } = await given(
    t,
    thenEnds((socket) => socket.end()),
  );
  const bounds = { timeout_ms: 60_000, bytes_max: 100 };
  for (const path of ['/a', '/b']) {
    assert.equal((await receivers.fetchDocument(url + path, bounds))?.bytes.toString(), 'ok');
    await turnOfLoop();
  }
  assert.deepEqual(seen, ['1 /a', '1 /b', '2 /b']);
});

test('given a receiver that hangs up on each request, beside one that answers, then it has one request twice and the others once', async (t) => {
  const { seen, peer, send } = await given(t, (socket, nth, path) =>
    path === '/bad' ? void socket.end() : ok(socket, nth, path),
  );
  assert.equal(await send('/good'), 200);
  for (let i = 0; i < 3; i++) {
    assert.equal(await send('/bad'), cut);
    assert.equal(await send('/good'), 200);
  }
  const bad = seen.filter((one) => one.endsWith(' /bad'));
  assert.equal(bad.length, 4);
  assert.equal(new Set(bad).size, 4, 'each on a connection of its own');
  peer.turn = ok;
  assert.equal(await send('/bad'), 200);
  const before = seen.length;
  peer.turn = (socket) => socket.end();
  assert.equal(await send('/bad'), cut);
  assert.equal(seen.length, before + 2, 'it had answered');
});

test('given a receiver that hangs up on a new connection, then it has each request once', async (t) => {
  const { seen, send } = await given(t, (socket) => socket.end());
  assert.deepEqual([await send('/a'), await send('/a'), await send('/b')], [cut, cut, cut]);
  assert.deepEqual(seen, ['1 /a', '2 /a', '3 /b']);
});

test('given a kept connection that ends within an answer, then it is not sent again', async (t) => {
  const { seen, send } = await given(
    t,
    thenEnds((socket) => void socket.end('HTTP/1.1 2')),
  );
  assert.equal(await send('/a'), 200);
  assert.equal(typeof (await send('/b')), 'string');
  assert.deepEqual(seen, ['1 /a', '1 /b']);
});

test('given a kept connection that ends and a new one without an answer, then both have the time of one', async (t) => {
  const { seen, peer, send } = await given(t, ok);
  assert.equal(await send('/a', 5000), 200);
  peer.turn = (socket, nth) => void (nth > 1 && socket.end());
  assert.equal(await send('/b', 5000), noAnswerIn(5));
  assert.deepEqual(seen, ['1 /a', '1 /b', '2 /b']);
});

test('given a name that has become private since its connection was made, when that ends, then it is not sent again', async (t) => {
  const addresses = ['127.0.0.1', '10.0.0.7'];
  const resolve = (_name: string, _options: object, done: (e: null, all: object[]) => void) =>
    done(null, [{ address: addresses.shift(), family: 4 }]);
  const { seen, send } = await given(
    t,
    thenEnds((socket) => socket.end()),
    { resolve: resolve as never },
  );
  assert.equal(await send('/a'), 200);
  assert.match(String(await send('/b')), /nombre del receptor/);
  assert.deepEqual(seen, ['1 /a', '1 /b']);
  assert.deepEqual(addresses, []);
});

const interims: Record<string, readonly string[]> = {
  'a 100 before it': ['HTTP/1.1 100 Continue\r\n\r\n', ''],
  'a 100 with headers before it': ['HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n', ''],
  'a 100 and a 103 before it': [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n',
  ],
  'a 103 and two of 100 before it': [
    'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
  ],
  'a 100 in pieces before it': [...'HTTP/1.1 100 Continue\r\n\r\n'],
};
for (const [what, parts] of Object.entries(interims)) {
  for (const is_apart of [false, true]) {
    test(`given an answer with ${what}, ${is_apart ? 'read apart' : 'all at once'}, then it is read, and its connection is kept`, async (t) => {
      const { seen, peer, send } = await given(t, (socket) => {
        const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
        if (!is_apart) return void socket.write(parts.join('') + final);
        for (const part of parts) socket.write(part);
        setImmediate(() => socket.write(final));
      });
      assert.deepEqual([await send('/a'), await send('/b')], [200, 200]);
      assert.deepEqual(seen, ['1 /a', '1 /b']);
      peer.turn = (socket) => void socket.end(parts.join(''));
      assert.equal(await send('/c'), cut);
      assert.equal(seen.length, 3, 'an answer had begun');
    });
  }
}
