/** Owners that send slowly leave room for those that wait (ADR 58). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { blankPdf } from '../../../test/support/scan-samples/pdf-text.ts';

const path = '/v1/purchase_scans';
/** Fills the file up to a size that shows who is faster. */
const paper = Buffer.concat([blankPdf(1), Buffer.alloc(60_000, '%')]);
const body = JSON.stringify({ file_name: 'a.pdf', content_base64: paper.toString('base64') });

type Slow = { socket: Socket; answer: Promise<string> };

/** @param sent characters of the body, which never ends by itself */
async function sendSlowly(t: TestContext, url: string, key: string, sent: number): Promise<Slow> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, sent)}`,
  );
  const answer = once(socket, 'data').then(([chunk]) => String(chunk).slice(9, 12));
  return { socket, answer };
}

/** @returns sends the rest at once */
function sendSteadily(t: TestContext, socket: Socket, sent: number): () => void {
  let at = sent;
  // The body lasts longer than anybody waits here.
  const timer = setInterval(() => {
    socket.write(body.slice(at, at + 20));
    at += 20;
  }, 20);
  t.after(() => clearInterval(timer));
  return () => {
    clearInterval(timer);
    socket.write(body.slice(at));
  };
}

test('given all places held by owners that send slowly, when others come, then the slowest give way, one for each', async (t) => {
  const app = await startApp(t, { body_bounds: { place_seconds: 0.1 } });
  const keyOf = async () => (await app.given.company()).live_key;
  const slow: Slow[] = [];
  // Of all it has its place first, so that only its pace keeps it.
  const fast_key = await keyOf();
  const fast = await sendSlowly(t, app.url, fast_key, 60);
  const sendRest = sendSteadily(t, fast.socket, 60);
  slow.push(await sendSlowly(t, app.url, fast_key, 60));
  for (let owner = 1; owner < 6; owner++) {
    const key = await keyOf();
    slow.push(await sendSlowly(t, app.url, key, 60), await sendSlowly(t, app.url, key, 60));
  }
  const answered: string[] = [];
  for (const { answer } of slow) void answer.then((status) => answered.push(status));
  const key = await keyOf();
  for (let at = 0; at < 100 && answered.length === 0; at++) {
    const content_base64 = Buffer.concat([paper, Buffer.from(`${at}`)]).toString('base64');
    const { status, text } = await app.post(path, { key, body: { file_name: 'a.pdf', content_base64 } });
    assert.equal(status, 201, text);
  }
  assert.deepEqual(answered, ['408']);
  sendRest();
  assert.equal(await fast.answer, '201');
  // Else the service would wait for their bodies before it ends.
  for (const { socket } of slow) socket.destroy();
});
