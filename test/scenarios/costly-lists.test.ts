/** What a list may cost: a statement's time, and the bytes of a page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineList } from '../../src/kernel/list-operation.ts';
import { pageAnswer } from '../../src/kernel/page.ts';
import { Shape, Uuid } from '../../src/kernel/schema.ts';
import { startApp } from '../harness.ts';
import { callTool } from '../support/mcp-client.ts';
import { assertRefused } from '../support/resource-checks.ts';

const slowList = defineList({
  name: 'list_sleepers',
  path: '/v1/sleepers',
  scope: 'developers:read',
  tag: 'developers',
  summary: 'Lista lo que tarda.',
  mcp: true,
  filters: {},
  item: Shape({ id: Uuid }),
  async list({ tx }, { page }) {
    await tx`select pg_sleep(60)`;
    return pageAnswer([], page, (row) => row);
  },
});

test('given a list that reads too much, when its time is out, then it is refused with what to do, and the next call is served', async (t) => {
  const app = await startApp(t, { fresh: true, more_operations: [slowList], env: { FOLIO_POOL_SIZE: '2' } });
  const { live_key: key } = await app.given.company();
  const refused = await app.get('/v1/sleepers', { key });
  assertRefused(refused, 422, 'list_too_costly');
  assert.match(refused.body.error.message, /created\[gte\] y created\[lte\]/);
  const { error } = (await callTool(app, key, 'list_sleepers', {})).body;
  assert.equal(error.data.code, 'list_too_costly');
  assert.match(error.data.message, /created_gte y created_lte/);
  assert.match(error.message, /created_gte y created_lte/);
  assert.equal((await app.get('/v1/clients', { key })).status, 200);
});

test('given documents of many long lines, when they are listed, then a page ends at 2 MB and the pages hold all', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made: string[] = [];
  const line = { description: 'Descripción larga. '.repeat(12), unit_price: 1, tax_rate: 21 };
  for (let i = 0; i < 8; i++) {
    const body = { type: 'F2', lines: Array.from({ length: 500 }, () => line) };
    const answer = await app.post('/v1/invoices', { key, body });
    assert.equal(answer.status, 201, answer.text.slice(0, 300));
    made.unshift(answer.body.data.id);
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '100', ...(cursor ? { starting_after: cursor } : {}) };
    const { body, bytes } = await app.get('/v1/invoices', { key, query });
    assert.ok(bytes.length < 2_100_000, `${bytes.length} bytes`);
    assert.ok(body.data.length > 0 && body.data.length < 8);
    for (const { id, lines } of body.data) {
      assert.equal(lines.length, 500);
      seen.push(id);
    }
    assert.equal(body.next_cursor, body.has_more ? seen.at(-1) : null);
    cursor = body.next_cursor;
  } while (cursor);
  assert.deepEqual(seen, made);
});
