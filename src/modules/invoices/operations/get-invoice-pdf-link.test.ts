import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { TestPrinter } from '../../../../test/support/test-printer.ts';

const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
const dayMs = 86_400_000;

test('given an address of a PDF, then it opens without a key, in its format and as it stands then, for a day of real time', async (t) => {
  const printer = new TestPrinter();
  const app = await startApp(t, { wrap_ports: printer.wrap });
  app.clock.set('2026-12-01T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.test_key;
  // The sandbox's clock does not move the expiry.
  await app.put('/v1/sandbox/clock', { key, body: { now: '2031-01-01T10:00:00Z', frozen: true } });
  const { id } = (await app.post('/v1/invoices', { key, body: { type: 'F2', lines } })).body.data;
  const linkOf = async (format?: string) => {
    const query = format ? { query: { format } } : {};
    const answer = await app.get(`/v1/invoices/${id}/pdf-link`, { key, ...query });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.body.data), ['object', 'id', 'url', 'expires_at']);
    assert.equal(Date.parse(answer.body.data.expires_at), app.clock.now().getTime() + dayMs);
    assert.ok(answer.body.data.url.startsWith(`${app.url}/pdf/`), answer.body.data.url);
    return new URL(answer.body.data.url).pathname;
  };
  const [plain, narrow] = [await linkOf(), await linkOf('ticket_58')];
  assert.equal(printer.printed.length, 0);
  const draft = await app.get(plain);
  assert.deepEqual([draft.status, draft.headers['content-type']], [200, 'application/pdf']);
  assert.ok(draft.bytes.equals((await app.get(`/v1/invoices/${id}/pdf`, { key })).bytes));
  assert.equal((await app.get(narrow)).bytes.toString().split('\n')[1], 'ticket_58');
  assert.equal(printer.printed.length, 2);

  await app.post(`/v1/invoices/${id}/issue`, { key });
  const issued = await app.get(plain, { headers: { 'if-none-match': String(draft.headers.etag) } });
  assert.deepEqual([issued.status, issued.headers.etag === draft.headers.etag], [200, false]);
  const held = await app.get(plain, { headers: { 'if-none-match': String(issued.headers.etag) } });
  assert.equal(held.status, 304);

  app.clock.advance(dayMs - 1);
  assert.equal((await app.get(plain)).status, 200);
  app.clock.advance(1);
  assert.equal((await app.get(plain)).status, 410);

  const other = (await app.post('/v1/invoices', { key, body: { type: 'F2', lines } })).body.data.id;
  const { url } = (await app.get(`/v1/invoices/${other}/pdf-link`, { key })).body.data;
  assert.equal((await app.get(url)).status, 200);
  assert.equal((await app.delete(`/v1/invoices/${other}`, { key })).status, 200);
  assert.equal((await app.get(url)).status, 404, 'a draft that was deleted');
});
