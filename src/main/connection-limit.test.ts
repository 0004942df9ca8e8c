import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { limitConnections } from './connection-limit.ts';

test('given as many connections to two servers as leave files for the rest, when more come, then these are closed, the log says so once, and room is used again', async (t) => {
  const server = createServer((socket) => socket.write('served')).listen(0, '127.0.0.1');
  // As that of another address of the first one.
  const door = createServer((socket) => server.emit('connection', socket)).listen(0, '127.0.0.1');
  await Promise.all([server, door].map((one) => once(one, 'listening')));
  const lines: string[] = [];
  limitConnections([server, door], (line) => lines.push(line), 4);
  const open = (to = server) => {
    const { port } = to.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    t.after(() => socket.destroy());
    return socket;
  };
  t.after(() => [server, door].map((one) => one.close()));
  const served = [open(), open(door)] as const;
  await Promise.all(served.map((socket) => once(socket, 'data')));
  const told = (socket: Socket) =>
    Promise.race(['data', 'close'].map((event) => once(socket, event).then(() => event)));
  assert.deepEqual(await Promise.all([open(), open(door)].map(told)), ['close', 'close']);
  assert.deepEqual(lines, [
    'Connections of callers are closed at once: 2 are open, and this process may open 4 files (ulimit -n).',
  ]);

  // Only what is open counts.
  const gone = Promise.withResolvers<void>();
  served[0].destroy();
  const look = () =>
    server.getConnections((_error, count) => (count < 1 ? gone.resolve() : setImmediate(look)));
  look();
  await gone.promise;
  await once(open(), 'data');
});
