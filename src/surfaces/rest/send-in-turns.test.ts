/** The largest piece of an answer that is handed over at a time: nothing else is done until the system has copied it. */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { request } from 'undici';
import { startApp } from '../../../test/harness.ts';
import { mcpRequest } from '../../../test/support/mcp-client.ts';

const pieceMax = 65_536;

let largest = 0;
subscribe('http.server.request.start', (message) => {
  const { response } = message as { response: ServerResponse };
  for (const name of ['write', 'end'] as const) {
    const handOver = response[name].bind(response) as (piece?: unknown, ...more: unknown[]) => never;
    response[name] = (piece?: unknown, ...more: unknown[]) => {
      if (typeof piece === 'string' || piece instanceof Uint8Array) largest = Math.max(largest, piece.length);
      return handOver(piece, ...more);
    };
  }
});

type Answer = { status: number; length: number; bytes: Buffer };

async function ask(url: URL, options: Parameters<typeof request>[1]): Promise<Answer> {
  largest = 0;
  const { statusCode: status, headers, body } = await request(url, options);
  return { status, length: Number(headers['content-length']), bytes: Buffer.from(await body.arrayBuffer()) };
}

function isSentInTurns({ status, length, bytes }: Answer, least: number): void {
  assert.ok(status < 300, `${status}`);
  assert.equal(length, bytes.length);
  assert.ok(bytes.length > least, `${bytes.length}`);
  assert.ok(largest <= pieceMax, `${largest} bytes at a time`);
}

const authorized = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

test('given products with long names, when a call makes many lines of them, then its answer goes out in pieces, also that of a tool', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { body } = await app.post('/v1/products', { key, body: { name: '漢'.repeat(250), unit_price: 1 } });
  const lines = Array.from({ length: 490 }, () => ({ product_id: body.data.id, tax_rate: 21 }));
  const args = {
    invoices: [
      { type: 'F2', lines },
      { type: 'F2', lines },
    ],
  };
  const bulk = await ask(new URL('/v1/invoices/bulk-create', app.url), {
    method: 'POST',
    headers: authorized(key),
    body: JSON.stringify(args),
  });
  isSentInTurns(bulk, 1_500_000);
  assert.equal(JSON.parse(bulk.bytes.toString()).data.successful, 2);
  const call = mcpRequest('tools/call', { name: 'bulk_create_invoices', arguments: args });
  const tool = await ask(new URL('/mcp', app.url), {
    method: 'POST',
    headers: { ...call.headers, ...authorized(key) },
    body: JSON.stringify(call.body),
  });
  isSentInTurns(tool, 3_000_000);
  assert.equal(JSON.parse(tool.bytes.toString()).result.structuredContent.data.successful, 2);
});

test('given a scan of megabytes, when it is fetched, then it goes out in pieces, and HEAD tells its length', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4_000_000, 0x20)]);
  const made = await app.post('/v1/purchase_scans', {
    key,
    body: { file_name: 'a.pdf', content_base64: file.toString('base64') },
  });
  const url = new URL(`/v1/purchase_scans/${made.body.data.id}/file`, app.url);
  const answer = await ask(url, { headers: authorized(key) });
  isSentInTurns(answer, 4_000_000);
  assert.ok(answer.bytes.equals(file));
  const { statusCode, headers } = await request(url, { method: 'HEAD', headers: authorized(key) });
  assert.deepEqual([statusCode, headers['content-length']], [200, String(file.length)]);
});
