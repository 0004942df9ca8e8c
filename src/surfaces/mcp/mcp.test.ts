/** The tools over the address, as the official client and requests by hand see them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { connectMcp } from '../../../test/support/mcp-client.ts';

test('given a key, when the official client lists the tools and reads an invoice, then it gets what REST answers', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const made = await app.post('/v1/invoices', { key: acme.live_key, body: { type: 'F2', lines } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const client = await connectMcp(t, app, acme.live_key);
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'get_invoice'));
  const answer = await client.callTool({ name: 'get_invoice', arguments: { invoice: id } });
  const rest = await app.get(`/v1/invoices/${id}`, { key: acme.live_key });
  assert.deepEqual(answer.structuredContent, rest.body);
});
