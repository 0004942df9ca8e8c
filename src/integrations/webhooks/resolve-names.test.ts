import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { type Resolve, resolverFor } from './resolve-names.ts';

const types = { A: 1, AAAA: 28 };
/** By name: the bytes of its addresses; null is never answered, an absent name is none. */
const known: Readonly<Record<string, { A?: number[]; AAAA?: number[] } | null>> = {
  'both.example': { A: [192, 0, 2, 7], AAAA: [32, 1, 13, 184, ...new Array<number>(11).fill(0), 9] },
  'four.example': { A: [192, 0, 2, 8] },
  'silent.example': null,
};

function nameOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]! > 0; at += 1 + query[at]!)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  return labels.join('.').toLowerCase();
}

/** RFC 1035, 4.1. */
function answerTo(query: Buffer): Buffer | null {
  const name = nameOf(query);
  if (known[name] === null) return null;
  const question = query.subarray(12, 12 + name.length + 2 + 4);
  const type = question.readUInt16BE(question.length - 4);
  const address = type === types.A ? known[name]?.A : known[name]?.AAAA;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(name in known ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(address ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const record = address
    ? Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address])
    : Buffer.alloc(0);
  return Buffer.concat([head, question, record]);
}

/** Long: this process answers too, and may be held up. */
async function givenNames(t: TestContext, timeout_ms = 30_000): Promise<Resolve> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = answerTo(query);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return resolverFor([], { servers: [`127.0.0.1:${socket.address().port}`], timeout_ms });
}

const ask = (resolve: Resolve, name: string, family?: number) =>
  new Promise<string>((done) => {
    resolve(name, family === undefined ? {} : { family }, (error, found = []) =>
      done(error ? 'none' : found.map((one) => `${one.family} ${one.address}`).join(', ')),
    );
  });

test('given names, when they are resolved, then all their addresses are told, or those of the family', async (t) => {
  const resolve = await givenNames(t);
  assert.equal(await ask(resolve, 'both.example'), '4 192.0.2.7, 6 2001:db8::9');
  assert.equal(await ask(resolve, 'both.example', 6), '6 2001:db8::9');
  assert.equal(await ask(resolve, 'four.example'), '4 192.0.2.8');
  assert.equal(await ask(resolve, 'four.example', 6), 'none');
  assert.equal(await ask(resolve, 'absent.example'), 'none');
});

test('given many names that nobody answers, when they are resolved, then files are read meanwhile', async (t) => {
  const resolve = await givenNames(t, 1000);
  let answered = 0;
  const asked = Array.from({ length: 20 }, () =>
    ask(resolve, 'silent.example').then((told) => {
      answered += 1;
      return told;
    }),
  );
  await readFile(import.meta.filename);
  assert.equal(answered, 0);
  assert.equal(await ask(resolve, 'four.example'), '4 192.0.2.8');
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['none']));
});

test('given private receivers, when their names are resolved, then the system is asked', async () => {
  const resolve = resolverFor(['127.0.0.1']);
  assert.match(await ask(resolve, 'localhost', 4), /^4 127\.0\.0\.1/);
  const all = await Promise.all(Array.from({ length: 10 }, () => ask(resolve, 'localhost', 4)));
  assert.deepEqual(new Set(all).size, 1);
});
