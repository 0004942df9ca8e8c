import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
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

/** Takes no connection before `begin`. Two wait then, and the system drops the first packet of a third, which comes again a second later. */
async function startBusyServer(t: TestContext) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const server = require('node:net').createServer((socket) => socket.resume());
     server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(workerData, 0, 0);
     });`,
    { eval: true, workerData: gate },
  );
  const begin = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  const [port] = (await once(worker, 'message')) as [number];
  const waiting = [1, 2].map(() => connectTo(port, '127.0.0.1'));
  t.after(async () => {
    begin();
    for (const socket of waiting) socket.destroy();
    await worker.terminate();
  });
  await Promise.all(waiting.map((socket) => once(socket, 'connect')));
  return { port, begin };
}

test('given a host of two addresses, one slow and one that refuses, then the slow one has its time', async (t) => {
  const { port, begin } = await startBusyServer(t);
  const asked = Promise.withResolvers<void>();
  const connect = connectorOf({
    timeout: 60_000,
    lookup: (_name: string, _options: object, done: (error: null, found: object[]) => void) => {
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
      asked.resolve();
    },
  } as never);
  const made = new Promise<[Error | null, Socket | null]>((resolve) =>
    connect({ hostname: 'both.example', protocol: 'http:', port: String(port) }, (...told) => resolve(told)),
  );
  await asked.promise;
  // The first packet is on its way.
  await turnOfLoop();
  begin();
  const [error, socket] = await made;

  socket?.destroy();
  assert.equal(error, null);
});
