import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { request } from 'undici';
import { findFreePort } from '../../test/support/free-port.ts';
import { makeEnding } from './ending.ts';
import { listenAt } from './listen-at.ts';

const both = async () => ['127.0.0.1', '127.0.0.2'];

function givenApp(t: TestContext) {
  const app = Fastify();
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  app.get('/', async () => {
    ask();
    await promise;
    return 'whole';
  });
  const ending = makeEnding({
    apps: [app],
    stopListening: () => undefined,
    stopBackground: async () => undefined,
    sayLastWords: async () => undefined,
    closeAll: async () => undefined,
  });
  t.after(() => ending.stop());
  return { app, ending, asked, answer };
}

for (const way of ['drain', 'leave'] as const)
  test(`given a host of two addresses and a request at the second, when the service ends by ${way}, then it is answered, and both take no more`, async (t) => {
    const { app, ending, asked, answer } = givenApp(t);
    const port = await findFreePort();
    assert.equal(await listenAt(app, { host: 'localhost', port }, both), `http://127.0.0.1:${port}`);
    const call = request(`http://127.0.0.2:${port}/`, { reset: true });
    await asked;
    let has_ended = false;
    const hurry = new AbortController();
    const end = (way === 'drain' ? ending.drain(0, 5000) : ending.leave(5000, hurry.signal)).then(() => {
      has_ended = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(has_ended, false);
    answer();
    assert.equal(await (await call).body.text(), 'whole');
    await end;
    await ending.stop();
    for (const host of await both())
      await assert.rejects(request(`http://${host}:${port}/`), { code: 'ECONNREFUSED' });
  });

test('given a host of two addresses, one of which another program has, when a service listens there, then it is refused', async (t) => {
  const { app } = givenApp(t);
  const other = createServer().listen(0, '127.0.0.2');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  await assert.rejects(listenAt(app, { host: 'localhost', port }, both), { code: 'EADDRINUSE' });
});
