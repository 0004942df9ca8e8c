import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recordingCompany, issueTicketOf, recordOf } from '../../../../test/support/recording-company.ts';
import { assertHidesForeignIds, assertNeedsScope } from '../../../../test/support/resource-checks.ts';

const path = (id: string) => `/v1/invoices/${id}/verifactu`;

test('given an issued invoice, when its record is read, then it comes with its QR as a picture and the legend', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const lines = [{ description: 'Pan', quantity: 1, unit_price: 1, tax_rate: 4 }];
  const body = { type: 'F2', lines, options: { register_verifactu: true } };
  const { data: invoice } = (await app.post('/v1/invoices', { key, body })).body;
  const { qr_png_base64, legend, ...record } = (await app.get(path(invoice.id), { key })).body.data;
  assert.deepEqual(
    [qr_png_base64, legend, record.qr_url, record.huella],
    ['qr_png_base64', 'legend', 'qr_url', 'huella'].map((name) => invoice.verifactu[name]),
  );
  const read = await app.get(`/v1/verifactu/records/${record.id}`, { key });
  assert.deepEqual(read.body.data, record);
  const stored = await app.get(`/v1/invoices/${invoice.id}`, { key });
  assert.equal(stored.body.data.verifactu.huella, record.huella);
});

test('given an annulled invoice, when its record is read, then it is the last one, that of the annulment', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const ticket = await issueTicketOf(app, key);
  await app.post(`/v1/invoices/${ticket.id}/annul`, { key, body: {} });
  const { kind, legend } = await recordOf(app, key, ticket.id);
  assert.deepEqual([kind, legend], ['anulacion', 'Factura verificable en la sede electrónica de la AEAT']);
});

test('given an invoice from before VeriFactu was on, when it is annulled, then it has no QR, and no legend below one', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const ticket = await issueTicketOf(app, key);
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const annulled = await app.post(`/v1/invoices/${ticket.id}/annul`, { key, body: {} });
  const record = await recordOf(app, key, ticket.id);
  assert.equal(record.kind, 'anulacion');
  for (const { qr_url, qr_png_base64, legend } of [annulled.body.data.verifactu, record])
    assert.deepEqual([qr_url, qr_png_base64, legend], [null, null, null]);
});

test('given an invoice without a record, or of another company, when its record is read, then there is none', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [
    await recordingCompany(app, { environment: 'live' }),
    await recordingCompany(app, { environment: 'live' }),
  ];
  const foreign = await issueTicketOf(app, other.key);
  await assertHidesForeignIds(app, 'GET', path, foreign.id, { key: acme.key });
  const lines = [{ description: 'Pan', quantity: 1, unit_price: 1, tax_rate: 4 }];
  const draft = await app.post('/v1/invoices', { key: acme.key, body: { type: 'F2', lines } });
  await assertHidesForeignIds(app, 'GET', path, draft.body.data.id, { key: acme.key });
  await assertNeedsScope(app, other, 'verifactu:read', 'GET', path(foreign.id));
});
