import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { allOf } from '../../../test/support/all-of.ts';
import { type ArrivedRequest, authorizationOf } from '../../../test/support/s3-signature.ts';
import { startS3Server } from '../../../test/support/s3-server.ts';
import { readBlobUrl, type S3Place } from './blob-place.ts';
import { s3Blobs } from './s3-blobs.ts';

const store = await startS3Server();
after(() => store.close());
/** This process may be busy, and is the store too. */
const patient = { connect_ms: 60_000, answer_ms: 60_000, pauses_ms: [100, 400] };

const opened: { close(): Promise<void> }[] = [];
after(() => Promise.all(opened.map((blobs) => blobs.close())));

function open(url: string, limits: Parameters<typeof s3Blobs>[1] = patient) {
  const blobs = s3Blobs(readBlobUrl(url) as S3Place, limits);
  opened.push(blobs);
  return blobs;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('given a bucket, what is put is got byte for byte, replaced, and gone once deleted', async () => {
  const blobs = open(store.urlOf({ prefix: '/casa/folio' }));
  const key = 'pdfs/0199c4a8/invoice/a4-abc.pdf';
  assert.equal(await blobs.get(key), undefined);
  const all = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 31) % 256);
  await blobs.put(key, all, 'application/pdf');
  assert.deepEqual(new Uint8Array((await blobs.get(key))!), all);
  await blobs.put(key, bytesOf('otra'), 'application/pdf');
  assert.equal(Buffer.from((await blobs.get(key))!).toString(), 'otra');
  // Another prefix of the bucket is another place.
  assert.equal(await open(store.urlOf()).get(key), undefined);
  assert.equal(Buffer.from((await open(store.urlOf()).get(`casa/folio/${key}`))!).toString(), 'otra');
  await blobs.delete(key);
  await blobs.delete(key);
  assert.equal(await blobs.get(key), undefined);
});

test("given more blobs than the store lists at a time, then each key comes once, without the prefix, and no other prefix's", async () => {
  const blobs = open(store.urlOf({ prefix: '/casa/muchos' }));
  await open(store.urlOf({ prefix: '/casa/muchos-otros' })).put('x.pdf', bytesOf('x'), 'application/pdf');
  const keys = Array.from({ length: 1003 }, (_, i) => `pdfs/${i % 7}/a_${i}.pdf`);
  const [put, filled] = [keys.slice(0, 10), keys.slice(10)];
  await Promise.all(put.map((key) => blobs.put(key, bytesOf(key), 'application/pdf')));
  store.fill(filled.map((key) => `casa/muchos/${key}`));
  assert.deepEqual((await allOf(blobs.keys())).sort(), keys.sort());
});

test("given what people put into the bucket, such as the folder that a provider's page makes, when keys are listed, then it is passed over", async (t) => {
  const keys = ['folio/', 'folio/pdfs/', 'folio/pdfs/a.pdf', 'folio/una nota &amp; m&#225;s.txt'];
  const page = (some: readonly string[], is_last: boolean): Turn => {
    const text = `${some.map((key) => `<Key>${key}</Key>`).join('')}<IsTruncated>${!is_last}</IsTruncated>`;
    return (response) => void response.writeHead(200).end(`<ListBucketResult>${text}</ListBucketResult>`);
  };
  const { blobs, seen, close } = await brokenStore(
    [page(keys, false), page(['folio/z.pdf'], true)],
    60_000,
    '/folio',
  );
  t.after(close);
  assert.deepEqual(await allOf(blobs.keys()), ['pdfs/a.pdf', 'z.pdf']);
  const marker = new URL(seen[1]!.split(' ')[1]!, 'http://x').searchParams.get('marker');
  assert.equal(marker, 'folio/una nota & más.txt', 'it goes on after the last one, whatever that is');
});

test('given an unknown access key or no such bucket, then the store refuses, and its words hold no secret', async () => {
  for (const [url, status] of [
    [store.urlOf({ access_key: 'another' }), 403],
    [store.urlOf({ bucket: 'otra' }), 404],
  ] as const) {
    const blobs = open(url);
    for (const attempt of [() => blobs.get('a'), () => blobs.put('a', bytesOf('a'), 'text/plain')])
      await assert.rejects(attempt, (error: Error) => {
        assert.match(error.message, new RegExp(`answered ${status}`));
        assert.doesNotMatch(error.message, /the-secret/);
        return true;
      });
  }
});

test('the signature of the documentation is worked out as it says', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const request = {
    method: 'GET',
    path: '/test.txt',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': empty,
      'x-amz-date': '20130524T000000Z',
      authorization: 'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=…',
    },
    body: Buffer.alloc(0),
  };
  const key = {
    access_key: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  };
  assert.match(
    authorizationOf(request, key),
    /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
  );
});

test('given a secret with signs, then what is sent is signed with it: address, day, region and content', async (t) => {
  const key = { access_key: 'AKIA', secret: 'a/b+c=', region: 'eu-south-2' };
  const sent: ArrivedRequest[] = [];
  const { url, close } = await serve((response, request, body) => {
    const { method = '', url: path = '', headers } = request;
    sent.push({ method, path, headers: headers as Record<string, string>, body });
    response.writeHead(200).end();
  });
  t.after(close);
  const blobs = open(
    `s3:${url.replace('//', `//AKIA:${encodeURIComponent(key.secret)}@`)}/cubo/casa?region=eu-south-2`,
  );
  await blobs.put('a/b.pdf', bytesOf('ñandú'), 'application/pdf');
  await blobs.get('a/b.pdf');
  await blobs.delete('a/b.pdf');
  assert.deepEqual(
    sent.map(({ method, path }) => `${method} ${path}`),
    ['PUT /cubo/casa/a/b.pdf', 'GET /cubo/casa/a/b.pdf', 'DELETE /cubo/casa/a/b.pdf'],
  );
  for (const request of sent) {
    assert.equal(request.headers.authorization, authorizationOf(request, key));
    assert.match(request.headers.authorization ?? '', /host;.*x-amz-content-sha256;x-amz-date/);
    assert.equal(
      request.headers['x-amz-content-sha256'],
      createHash('sha256').update(request.body).digest('hex'),
    );
  }
});

type Turn = (response: ServerResponse, request: IncomingMessage, body: Buffer) => void;

async function serve(answer: Turn) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    answer(response, request, Buffer.concat(parts));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * One answer per turn; further requests get the last.
 * @param answer_ms short only where no answer comes: this process answers too, and may be held up
 */
async function brokenStore(turns: readonly Turn[], answer_ms = 60_000, prefix = '') {
  const seen: string[] = [];
  const { url, close } = await serve((response, request, body) => {
    const turn = Math.min(seen.push(`${request.method} ${request.url}`), turns.length) - 1;
    turns[turn]!(response, request, body);
  });
  const quick = { connect_ms: 60_000, answer_ms, pauses_ms: [1, 2] };
  const blobs = open(`s3:${url.replace('//', '//key:secret@')}/cubo${prefix}`, quick);
  return { blobs, seen, close };
}

const says =
  (status: number): Turn =>
  (response) =>
    void response.writeHead(status).end('<Error/>');
const cuts: Turn = (response) => {
  response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy());
};
const hangsUp: Turn = (response) => void response.destroy();
const wasSlow: Turn = (response) =>
  void response.writeHead(400).end('<Error><Code>RequestTimeout</Code></Error>');
const isSilent: Turn = () => undefined;
const gives: Turn = (response) => void response.writeHead(200).end('entero');

for (const [fault, turn] of Object.entries({
  'a 500': says(500),
  'a 503': says(503),
  'a 429': says(429),
  'a 408': says(408),
  'a 400 of a connection that was slow': wasSlow,
  'a connection that ends': hangsUp,
  'half a file': cuts,
  'no answer': isSilent,
})) {
  test(`given ${fault}, then it is tried again; and given up after three times`, async (t) => {
    const answer_ms = turn === isSilent ? 1500 : undefined;
    const [passing, lasting] = await Promise.all([
      brokenStore([turn, turn, gives], answer_ms),
      brokenStore([turn], answer_ms),
    ]);
    t.after(passing.close);
    t.after(lasting.close);
    const [passed] = await Promise.all([
      passing.blobs.get('a/b'),
      assert.rejects(lasting.blobs.get('a/b'), /GET http:\/\/127\.0\.0\.1:\d+\/cubo/),
    ]);
    assert.equal(Buffer.from(passed!).toString(), 'entero');
    assert.deepEqual(passing.seen, Array(3).fill('GET /cubo/a/b'));
    assert.equal(lasting.seen.length, 3);
  });
}

const interims: Turn = (response) => {
  response.writeEarlyHints({ link: '</x>; rel=preload' });
  response.writeContinue();
};

test('given a store that answers 100 and 103 unasked before its answer, then that counts, and what it holds comes byte for byte', async (t) => {
  // A file of what is passed over, as it may be at the start of whatever is read at a time.
  const held = Buffer.from('HTTP/1.1 100\r\n\r\n'.repeat(50_000));
  const { blobs, seen, close } = await brokenStore([
    (response, ...more) => {
      interims(response, ...more);
      response.writeHead(200).end();
    },
    (response, ...more) => {
      interims(response, ...more);
      response.writeHead(200, { 'content-length': held.length }).end(held);
    },
  ]);
  t.after(close);
  await blobs.put('a', bytesOf('a'), 'text/plain');
  for (let n = 0; n < 3; n++) assert.ok(held.equals(Buffer.from((await blobs.get('a'))!)));
  assert.deepEqual(seen, ['PUT /cubo/a', ...Array(3).fill('GET /cubo/a')]);
});

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
for (const said of [
  '<Error><Code>InternalError</Code></Error>',
  `${declaration}<Error><Code>SlowDown</Code></Error>`,
  `   \n${declaration}\n<Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>x</Code></Error>`,
  `\ufeff${declaration}<!-- x --><s3:Error xmlns:s3="x"/>`,
]) {
  test(`given a store that says ${JSON.stringify(said)} under status 200, then nothing was put, deleted or listed`, async (t) => {
    const says200: Turn = (response) => void response.writeHead(200).end(said);
    const done: Turn = (response) => void response.writeHead(200).end();
    const attempts: [string, (blobs: ReturnType<typeof open>) => Promise<unknown>][] = [
      ['PUT /cubo/a', (blobs) => blobs.put('a', bytesOf('a'), 'text/plain')],
      ['DELETE /cubo/a', (blobs) => blobs.delete('a')],
      ['GET /cubo?prefix=&marker=', (blobs) => allOf(blobs.keys())],
    ];
    for (const [request, attempt] of attempts) {
      const { blobs, seen, close } = await brokenStore([says200]);
      t.after(close);
      await assert.rejects(attempt(blobs), /was answered 200: .*Error/, request);
      assert.deepEqual(seen, Array(3).fill(request), 'it is asked again, as after a 500');
    }
    const passing = await brokenStore([says200, done]);
    t.after(passing.close);
    await passing.blobs.put('a', bytesOf('a'), 'text/plain');
    assert.equal(passing.seen.length, 2);
  });
}

test('given a file that begins with <Error>, then it is a file', async (t) => {
  const blobs = open(store.urlOf({ prefix: '/casa/error' }));
  await blobs.put('a.xml', bytesOf('<Error/>'), 'text/xml');
  assert.equal(Buffer.from((await blobs.get('a.xml'))!).toString(), '<Error/>');
  t.after(() => blobs.delete('a.xml'));
});

const list =
  (text: string): Turn =>
  (response) =>
    void response.writeHead(200).end(`<ListBucketResult>${text}</ListBucketResult>`);
const page = '<Key>a</Key><Key>b</Key><IsTruncated>true</IsTruncated>';
for (const [what, turns] of Object.entries({
  'is a page of a proxy': [(response) => void response.writeHead(200).end('<html>Sign in</html>')],
  'is empty': [(response) => void response.writeHead(200).end()],
  'says that there are more, and names none': [list('<IsTruncated>true</IsTruncated>')],
  'begins anew each time': [list(page), list(page)],
} satisfies Record<string, Turn[]>)) {
  test(`given a list that ${what}, then it fails: a copy of it would lack files`, {
    timeout: 60_000,
  }, async (t) => {
    const { blobs, close } = await brokenStore(turns);
    t.after(close);
    await assert.rejects(allOf(blobs.keys()), /GET http:\/\/127\.0\.0\.1:\d+\/cubo was answered 200: /);
  });
}

test('given a store that ends no handshake, then requests do not wait for one another', {
  timeout: 30_000,
}, async (t) => {
  const waiting = new Set<Socket>();
  const store = createTcpServer().listen(0, '127.0.0.1');
  t.after(() => store.close());
  await once(store, 'listening');
  const { port } = store.address() as AddressInfo;
  const blobs = open(`s3:https://key:secret@127.0.0.1:${port}/cubo`, { ...patient, pauses_ms: [] });
  const all = new Promise<void>((resolve) =>
    store.on('connection', (socket) => {
      waiting.add(socket);
      if (waiting.size === 3) resolve();
    }),
  );
  const asked = ['a', 'b', 'c'].map((key) => assert.rejects(blobs.get(key), /no answer/));
  await all;
  for (const socket of waiting) socket.destroy();
  await Promise.all(asked);
});

test('given a first request for which a client of HTTP is still loaded, when the store is closed, then it is not sent', async (t) => {
  const { blobs, seen, close } = await brokenStore([gives]);
  t.after(close);
  const asked = assert.rejects(blobs.get('a'), /no answer/);
  await blobs.close();
  await asked;
  assert.deepEqual(seen, []);
});

test('given a store that ends no handshake, when it is closed, then the connection is, and nobody waits for it', {
  timeout: 60_000,
}, async (t) => {
  const store = createTcpServer().listen(0, '127.0.0.1');
  t.after(() => store.close());
  await once(store, 'listening');
  const { port } = store.address() as AddressInfo;
  const slow = { connect_ms: 600_000, answer_ms: 600_000, pauses_ms: [] };
  const blobs = open(`s3:https://key:secret@127.0.0.1:${port}/cubo`, slow);
  const arrived = once(store, 'connection') as Promise<[Socket]>;
  const asked = assert.rejects(blobs.get('a'), /no answer/);
  const [socket] = await arrived;
  t.after(() => socket.destroy());
  const ended = once(socket.on('error', () => undefined).resume(), 'close');
  await blobs.close();
  await ended;
  await asked;
});

test('given a 403, then it is not tried again', async (t) => {
  const { blobs, seen, close } = await brokenStore([says(403)]);
  t.after(close);
  await assert.rejects(blobs.put('a', bytesOf('a'), 'application/pdf'), /answered 403: <Error\/>/);
  assert.deepEqual(seen, ['PUT /cubo/a']);
});

test('given a store that repeats what it was sent, then its words are told without access key and secret', async (t) => {
  const { blobs, close } = await brokenStore([
    (response, request) => {
      const said = `<Code>InvalidAccessKeyId</Code>\n<Id>key</Id> ${request.headers.authorization} secret`;
      response.writeHead(403).end(said + ' '.repeat(1000) + 'x'.repeat(1000));
    },
  ]);
  t.after(close);
  await assert.rejects(blobs.get('a'), ({ message }: Error) => {
    assert.match(message, /answered 403: <Code>InvalidAccessKeyId<\/Code> <Id>…<\/Id> AWS4-HMAC-SHA256/);
    assert.doesNotMatch(message, /Credential=key|secret/);
    assert.ok(message.length < 400);
    return true;
  });
});
