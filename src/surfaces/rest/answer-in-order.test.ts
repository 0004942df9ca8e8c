import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { until } from '../../../test/support/worker-place.ts';

const head = (line: string, key = 'none') =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
const readOf = (path: string, key?: string) => `${head(`GET ${path}`, key)}\r\n`;

async function connectTo(app: App): Promise<{ socket: Socket; answers: () => string[]; text: () => string }> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  await once(socket, 'connect');
  return { socket, text: () => text, answers: () => text.match(/HTTP\/1.1 \d+/g) ?? [] };
}

test('given a creation and a list sent together, when both are answered, then the list has what was created', async (t) => {
  const app = await startApp(t);
  const { live_key } = await app.given.company();
  const { socket, answers, text } = await connectTo(app);
  const body = JSON.stringify({ name: 'Librería Norte' });
  const creation = `${head('POST /v1/clients', live_key)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const list = readOf('/v1/clients', live_key);
  socket.write(list + creation + list);
  await until(() => answers().length === 3);
  socket.destroy();
  assert.deepEqual(answers(), ['HTTP/1.1 200', 'HTTP/1.1 201', 'HTTP/1.1 200']);
  assert.equal(text().split('Librería Norte').length - 1, 2, 'the first list is empty');
});

test('given ninety requests sent at once, when another caller asks, then it is answered before the last of them', async (t) => {
  const app = await startApp(t);
  const [many, one] = [await connectTo(app), await connectTo(app)];
  let answered_before = -1;
  one.socket.once('data', () => {
    answered_before = many.answers().length;
  });
  many.socket.write(readOf('/nothing').repeat(90));
  one.socket.write(readOf('/nothing'));
  await until(() => many.answers().length === 90 && answered_before >= 0);
  for (const { socket } of [many, one]) socket.destroy();
  assert.ok(answered_before < 90, `${answered_before} of 90`);
});

test('given more requests than may wait on a connection, when those are answered, then it is closed, and the last answer says so', async (t) => {
  const app = await startApp(t);
  const { socket, answers, text } = await connectTo(app);
  const closed = once(socket, 'close');
  socket.write(readOf('/nothing').repeat(1000));
  await closed;
  assert.equal(answers().length, 101);
  assert.deepEqual(new Set(answers()), new Set(['HTTP/1.1 404']));
  const [last, ...others] = text().split('HTTP/1.1 ').reverse();
  assert.match(last!, /^connection: close\r$/im);
  assert.ok(others.every((answer) => !/^connection: close\r$/im.test(answer)));
});
