import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { type KeptText, sendKept } from './kept-texts.ts';

test('given a text that cannot be compressed, when a coding is asked for, then it comes as it is under its plain tag', async (t) => {
  const bytes = Buffer.from('x'.repeat(5000));
  const failure = Promise.reject<Buffer>(new Error('no memory'));
  // Nobody looks at it before the first answer.
  failure.catch(() => undefined);
  const text: KeptText = { bytes, tag: 'tag', compressed: new Map([['br', failure]]) };
  const app = Fastify();
  t.after(() => app.close());
  app.get('/', (_request, reply) => sendKept(reply, 'text/plain', Promise.resolve(text)));
  const ask = (headers: Record<string, string> = {}) =>
    app.inject({ url: '/', headers: { 'accept-encoding': 'br', ...headers } });

  const { statusCode, headers, rawPayload } = await ask();
  assert.deepEqual([statusCode, rawPayload], [200, bytes]);
  assert.deepEqual(
    [headers['content-encoding'], headers.etag, headers.vary, headers['content-length']],
    [undefined, '"tag"', 'Accept-Encoding', '5000'],
  );
  assert.equal((await ask({ 'if-none-match': '"tag"' })).statusCode, 304);
});
