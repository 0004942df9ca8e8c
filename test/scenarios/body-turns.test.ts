/**
 * No body holds the event loop for long: whatever it holds, other calls get their turn. Counted is the processor time of
 * this thread in one turn of the loop, in parse times of the same machine, so that neither its load nor its speed decides.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { largestBody, type Operation } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { startApp } from '../harness.ts';
import { hostileBodies } from '../support/hostile-bodies.ts';
import { mcpRequest } from '../support/mcp-client.ts';

/** About 50 ms where reading half a million numbers takes 6. The dearest turn is at three floors once the code is warm. */
const floorsMax = 8;
/** What is dearer is told. */
const floorsTold = floorsMax / 2;
const tries = 4;

let dearest = 0;
let before = process.threadCpuUsage();
/** In each turn of the loop. It makes none: a loop that waits costs nothing. */
function watch(): void {
  const now = process.threadCpuUsage();
  dearest = Math.max(dearest, now.user + now.system - before.user - before.system);
  before = now;
  setImmediate(watch).unref();
}
watch();

/**
 * The dearest turn meanwhile, in floors. One good try of some is enough: code is compiled and memory is cleared.
 * @param machine microseconds of a floor. A turn that is too dear is compared with a new floor too: the machine may be slower by then
 */
async function dearestTurn(work: () => Promise<unknown>, machine: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries && best > floorsMax; i++) {
    await sleep(1);
    dearest = 0;
    await work();
    await sleep(1);
    const seen = dearest;
    best = Math.min(best, seen / (seen > machine * floorsMax ? Math.max(machine, floor()) : machine));
  }
  return best;
}

const numbers = `[${'1,'.repeat(500_000)}1]`;
const floorRuns = 10;

/** Many in one, as the system may count a thread's time in steps of four milliseconds. */
function floor(): number {
  const from = process.threadCpuUsage();
  for (let run = 0; run < floorRuns; run++) JSON.parse(numbers);
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / floorRuns;
}

/** The floor for all tests, measured once. */
let machine: number | undefined;

const line = { description: 'x', unit_price: 1.25, tax_rate: 21 };
const invoices = (count: number, lines: number) =>
  JSON.stringify({
    invoices: Array.from({ length: count }, () => ({
      type: 'F2',
      lines: Array.from({ length: lines }, () => line),
    })),
  });

const upload = (file: string, rest = '') => `{${rest}"content_base64":"${file}"}`;

/** As dear for each of their bytes as an upload's text may be. */
const hostileUploads = [
  ['a file of backslashes', upload('\\\\'.repeat(4_000_000))],
  ['a file of escaped slashes', upload('A\\/'.repeat(2_700_000))],
  ['a file of escapes', upload('\\u002B'.repeat(1_300_000))],
  ['a member without a file that comes 45,000 times', upload('', '"content_base64":"",'.repeat(45_000))],
  ['a member that comes 40,000 times', upload('', '"content_base64":"QUJD",'.repeat(40_000))],
] as const;

function bodiesOf({ name, upload }: Operation): readonly (readonly [what: string, body: string])[] {
  if (upload !== null) return [...hostileBodies, ...hostileUploads];
  if (name !== 'bulk_create_invoices') return hostileBodies;
  return [
    ...hostileBodies,
    ['28 invoices of 490 lines', invoices(28, 490)],
    ['100 invoices of 130 lines', invoices(100, 130)],
  ];
}

for (const operation of catalog.filter(({ body_limit }) => body_limit >= largestBody))
  test(`given bodies of a mebibyte that are dear, when ${operation.name} is sent them, then none holds the event loop`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const path = operation.path.replace(/:\w+/g, newId());
    const method = operation.method as 'POST' | 'PUT';
    machine ??= Math.min(floor(), floor());
    for (const [what, text] of bodiesOf(operation)) {
      // To write a long text as bytes would count in the same loop.
      const raw = Buffer.from(text);
      const turn = await dearestTurn(async () => {
        // Reading the answer would count in the same loop.
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const answer = await request(new URL(path, app.url), { method, headers, body: raw });
        await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
        assert.ok(answer.statusCode < 500, `${what}: ${answer.statusCode}`);
      }, machine);
      const said = `${what}: ${turn.toFixed(1)} floors of some ${machine} µs in one turn`;
      assert.ok(turn <= floorsMax, said);
      if (turn > floorsTold) t.diagnostic(said);
    }
  });

test('given 28 invoices of 490 lines, when a tool is called to make them, and called again, then neither answer holds the event loop', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  machine ??= Math.min(floor(), floor());
  const args = { ...(JSON.parse(invoices(28, 490)) as object), idempotency_key: newId() };
  const call = mcpRequest('tools/call', { name: 'bulk_create_invoices', arguments: args });
  const raw = Buffer.from(JSON.stringify(call.body));
  const headers = { ...call.headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (const which of ['made', 'made before']) {
    const turn = await dearestTurn(async () => {
      const answer = await request(new URL('/mcp', app.url), { method: 'POST', headers, body: raw });
      await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
      assert.equal(answer.statusCode, 200);
    }, machine);
    const said = `${which}: ${turn.toFixed(1)} floors of some ${machine} µs in one turn`;
    assert.ok(turn <= floorsMax, said);
    if (turn > floorsTold) t.diagnostic(said);
  }
});

test('given an invoice with as many large payments as it may have, when it is read in any way, or marked with a key, then no answer holds the event loop', async (t) => {
  const app = await startApp(t, { env: { FOLIO_MCP_LEGACY: 'api_keys' } });
  const { live_key: key, company_id } = await app.given.company();
  machine ??= Math.min(floor(), floor());
  const body = { type: 'F2', lines: [{ ...line, unit_price: 1000 }], options: { issue: true } };
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  await app.sql`
    insert into payments (company_id, id, invoice_id, amount, payment_date, payment_method, metadata, created_at, updated_at)
    select ${company_id}, gen_random_uuid(), ${id}, 1, '2026-01-01', 'cash',
           (select jsonb_object_agg(lpad(k::text, 40, 'x'), repeat('ñ', 500)) from generate_series(1, 50) k), now(), now()
      from generate_series(1, 500)`;
  const json = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const called = { name: 'get_invoice', arguments: { invoice: id } };
  const tool = mcpRequest('tools/call', called);
  const of_old = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: called };
  const asked = [
    ['read', `/v1/invoices/${id}`, { method: 'GET', headers: json }],
    ['listed', '/v1/invoices?limit=100', { method: 'GET', headers: json }],
    [
      'asked for',
      '/mcp',
      { method: 'POST', headers: { ...tool.headers, ...json }, body: JSON.stringify(tool.body) },
    ],
    [
      'asked for in an older revision',
      '/mcp',
      {
        method: 'POST',
        headers: { ...json, accept: 'application/json, text/event-stream' },
        body: JSON.stringify(of_old),
      },
    ],
  ] as const;
  const keyed = () => ({ method: 'POST', headers: { ...json, 'idempotency-key': newId() } }) as const;
  for (const [which, path, options] of [
    ...asked,
    ['marked', `/v1/invoices/${id}/mark-sent`, null] as const,
  ]) {
    const turn = await dearestTurn(async () => {
      const answer = await request(new URL(path, app.url), options ?? keyed());
      let bytes = 0;
      for await (const part of answer.body) bytes += (part as Buffer).length;
      assert.equal(answer.statusCode, 200, which);
      assert.ok(bytes > 25_000_000, `${which}: ${bytes} bytes`);
    }, machine);
    const said = `${which}: ${turn.toFixed(1)} floors of some ${machine} µs in one turn`;
    assert.ok(turn <= floorsMax, said);
    if (turn > floorsTold) t.diagnostic(said);
  }
});
