import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { limitConnections } from './connection-limit.ts';

test('given as many connections as leave files for the rest, when more come, then these are closed, the log says so once, and room is used again', async (t) => {
  const server = createServer((socket) => socket.write('served')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lines: string[] = [];
  limitConnections(server, (line) => lines.push(line), 4);
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    t.after(() => socket.destroy());
    return socket;
  };
  t.after(() => server.close());
  const served = [open(), open()] as const;
  await Promise.all(served.map((socket) => once(socket, 'data')));
  await Promise.all([open(), open()].map((socket) => once(socket.resume(), 'close')));
  assert.deepEqual(lines, [
    'Connections of callers are closed at once: 2 are open, and this process may open 4 files (ulimit -n).',
  ]);

  // Only what is open counts.
  const gone = Promise.withResolvers<void>();
  served[0].destroy();
  const look = () =>
    server.getConnections((_error, count) => (count < 2 ? gone.resolve() : setImmediate(look)));
  look();
  await gone.promise;
  await once(open(), 'data');
});
