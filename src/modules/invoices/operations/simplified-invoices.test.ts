/** A company that does not issue simplified invoices says so in its settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const ticket = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }] };
const issue = { options: { issue: true } };

test('given simplified invoices disabled, when one is asked for in any way, then it is refused and nothing is made', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const setting = (value: boolean) =>
    app.put('/v1/account/company', { key, body: { simplified_invoices_enabled: value } });
  const shown = await app.get('/v1/account/company', { key });
  assert.equal(shown.body.data.simplified_invoices_enabled, true);
  const stored = (await app.post('/v1/invoices', { key, body: { ...ticket, external_id: 'antes' } })).body
    .data;
  const full = (await app.post('/v1/invoices', { key, body: { ...ticket, type: 'F1' } })).body.data;
  assert.equal((await setting(false)).body.data.simplified_invoices_enabled, false);

  const refuse = (answer: Parameters<typeof assertRefused>[0]) =>
    assertRefused(answer, 422, 'simplified_invoices_disabled', 'type');
  refuse(await app.post('/v1/invoices', { key, body: ticket }));
  refuse(await app.post('/v1/invoices', { key, body: { ...ticket, ...issue } }));
  refuse(await app.put(`/v1/invoices/${full.id}`, { key, body: { type: 'F2' } }));
  refuse(await app.post(`/v1/invoices/${stored.id}/issue`, { key }));
  refuse(await app.post(`/v1/invoices/${stored.id}/mark-sent`, { key }));
  refuse(await app.post(`/v1/invoices/${stored.id}/send`, { key, body: { to: ['ana@example.com'] } }));
  const bulk = await app.post('/v1/invoices/bulk-create', { key, body: { invoices: [ticket] } });
  const [{ error_code, param }] = bulk.body.data.failures;
  assert.deepEqual([error_code, param], ['simplified_invoices_disabled', 'type']);
  const dry = await app.post('/v1/invoices', { key, body: { ...ticket, options: { dry_run: true } } });
  const can = await app.post(`/v1/invoices/${stored.id}/can-issue`, { key });
  for (const answer of [dry, can])
    assert.deepEqual(
      answer.body.data.reasons.map((reason: { code: string; param: string }) => [reason.code, reason.param]),
      [['simplified_invoices_disabled', 'type']],
    );

  // What exists stays: it can be edited, replayed and deleted.
  const edited = await app.put(`/v1/invoices/${stored.id}`, { key, body: { ...stored, notes: 'Gracias' } });
  assert.deepEqual([edited.status, edited.body.data.notes], [200, 'Gracias']);
  const again = await app.post('/v1/invoices', { key, body: { ...ticket, external_id: 'antes' } });
  assert.deepEqual([again.status, again.body.data.id], [200, stored.id]);
  assert.equal((await setting(true)).status, 200);
  assert.equal((await app.post(`/v1/invoices/${stored.id}/issue`, { key })).status, 200);
});

test('given simplified invoices issued before, when they are disabled, then they can be corrected and substituted', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = async () =>
    (await app.post('/v1/invoices', { key, body: { ...ticket, ...issue } })).body.data.id;
  const [first, second] = [await make(), await make()];
  const client = (await app.post('/v1/clients', { key, body: { name: 'Norte SL', tax_id: 'A58818501' } }))
    .body;
  const off = await app.put('/v1/account/company', { key, body: { simplified_invoices_enabled: false } });
  assert.equal(off.status, 200, off.text);
  const correction = { type: 'differences' };
  const corrective = await app.post(`/v1/invoices/${first}/corrective`, { key, body: { correction } });
  assert.deepEqual([corrective.status, corrective.body.data.type], [201, 'R5'], corrective.text);
  const body = { simplified_invoice_uuids: [second], client_id: client.data.id };
  assert.equal((await app.post('/v1/invoices/substitute-simplified', { key, body })).status, 201);
});
