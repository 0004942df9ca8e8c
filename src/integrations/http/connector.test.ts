import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { connectorOf } from './connector.ts';

test('given connections that have ended, then nothing of them is kept until the service stops', async (t) => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stopping = new AbortController();
  const connect = connectorOf({ signal: stopping.signal });
  for (let count = 0; count < 3; count++) {
    const socket = await new Promise<Socket>((resolve, reject) =>
      connect({ hostname: '127.0.0.1', protocol: 'http:', port: String(port) }, (error, made) =>
        error === null ? resolve(made) : reject(error),
      ),
    );
    socket.resume();
    socket.end();
    await once(socket, 'close');
  }

  assert.equal(getEventListeners(stopping.signal, 'abort').length, 0);
});

test('given a service that has stopped, then no connection is made any more', async () => {
  const connect = connectorOf({ signal: AbortSignal.abort() });

  const fault = await new Promise<Error | null>((resolve) =>
    connect({ hostname: '127.0.0.1', protocol: 'http:', port: '9' }, (...told) => resolve(told[0])),
  );

  assert.equal(fault?.name, 'AbortError');
});
