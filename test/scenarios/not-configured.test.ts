/**
 * What lies outside of an invoice and is not built yet says so, and does nothing. One test for each: it fails, and is
 * deleted, when its part is built.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp } from '../harness.ts';

/** Issues an invoice with one option that asks for something outside. @returns its block, and what was left to do */
async function issueWith(t: TestContext, options: Record<string, unknown>, block: string) {
  const app = await startApp(t);
  const acme = await app.given.company();
  const body = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }], options };
  const countDue = async () => {
    const [row] = await app.sql<{ count: number }[]>`
      select count(*)::integer as count from due_work where company_id = ${acme.company_id}`;
    return row!.count;
  };
  const before = await countDue();
  const { status, body: answer, text } = await app.post('/v1/invoices', { key: acme.live_key, body });
  assert.equal(status, 201, text);
  const events = await app.eventTypes(acme, answer.data.id);
  return {
    app,
    key: acme.live_key,
    invoice: answer.data,
    block: answer.data[block],
    due: (await countDue()) - before,
    events,
  };
}

test('given no PDF is made, when one is waited for, then not_configured, and there is no address of it', async (t) => {
  const { invoice, block, due } = await issueWith(t, { wait_for_pdf: true }, 'pdf');
  assert.equal(invoice.status, 'issued');
  assert.deepEqual(block, { status: 'not_configured', url: null, expires_at: null });
  assert.equal(due, 0);
});

test('given no e-mail is sent, when sending is asked for, then not_configured, and the invoice is not marked as sent', async (t) => {
  const options = { send_automatically: true, send_to: 'ana@example.com' };
  const { app, key, invoice, block, due, events } = await issueWith(t, options, 'email');
  assert.deepEqual([invoice.status, invoice.sent_at ?? null], ['issued', null]);
  assert.deepEqual(block, { status: 'not_configured' });
  assert.equal(due, 0);
  assert.ok(!events.includes('invoice.sent'), events.join());
  const sent = await app.post(`/v1/invoices/${invoice.id}/send`, { key, body: { to: ['ana@example.com'] } });
  assert.deepEqual([sent.status, sent.body.data.status], [200, 'issued'], sent.text);
  assert.deepEqual(sent.body.data.email, { status: 'not_configured' });
});
