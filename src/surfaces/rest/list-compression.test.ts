import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { makeListCompression } from './list-compression.ts';

const text = JSON.stringify(Array.from({ length: 2000 }, (_, i) => ({ name: `Cliente ${i}` })));

type Sent = { coding: string | undefined; text: string };

const faults: string[] = [];

/** Calls of one company, sent at once. */
function callOf(company_id: string): { request: FastifyRequest; reply: FastifyReply; sent: () => Sent } {
  const headers = new Map<string, unknown>();
  let body: Buffer | string = '';
  const reply = {
    getHeader: (name: string) => headers.get(name),
    header: (name: string, value: unknown) => {
      headers.set(name, value);
      return reply;
    },
    send: (payload: Buffer | string) => {
      body = payload;
      return reply;
    },
  };
  const request = {
    headers: { 'accept-encoding': 'gzip' },
    log: { error: (_: object, what: string) => void faults.push(what) },
    state: { visit: { caller: { company_id } } },
  };
  const sent = () => {
    const coding = headers.get('Content-Encoding') as string | undefined;
    return { coding, text: coding ? gunzipSync(body as Buffer).toString() : String(body) };
  };
  return { request: request as never, reply: reply as never, sent };
}

test('given more lists of an owner than its share holds, then the rest go out as they are, and another owner has its turn', async () => {
  const limits = { at_once: 2, at_once_of_company: 1, waiting_max: 8, weight_max: 1e9, wait_ms: 10_000 };
  const send = makeListCompression({ ownerOf: (id) => id.slice(0, 1) }, limits);
  const mine = Array.from({ length: 9 }, (_, i) => callOf(`a${i}`));
  const other = callOf('b');
  await Promise.all([...mine, other].map(({ request, reply }) => send(request, reply, [Buffer.from(text)])));
  const codings = mine.map(({ sent }) => sent().coding);
  assert.deepEqual(codings, [...Array(5).fill('gzip'), ...Array(4).fill(undefined)]);
  assert.equal(other.sent().coding, 'gzip');
  for (const { sent } of [...mine, other]) assert.equal(sent().text, text);
});

test('given a compression that fails, then the list goes out as it is, and the log says so', async () => {
  const send = makeListCompression({ ownerOf: (id) => id }, undefined, () =>
    Promise.reject(new Error('no memory')),
  );
  const call = callOf('a');
  await send(call.request, call.reply, [Buffer.from(text)]);
  assert.deepEqual(call.sent(), { coding: undefined, text });
  assert.deepEqual(faults, ['a list goes out uncompressed']);
});
