import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';

const lines = [{ description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 }];

test('given an invoice, then every answer has its public address once it is issued, always the same one', async (t) => {
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: 'https://facturas.example/casa/' } });
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = (
    await app.post('/v1/clients', { key, body: { name: 'Librería Norte SL', tax_id: 'A58818501' } })
  ).body.data;
  const address = /^https:\/\/facturas\.example\/casa\/i\/[\w-]{66}$/;

  const draft = (await app.post('/v1/invoices', { key, body: { client_id: client.id, lines } })).body.data;
  assert.equal(draft.public_url, null);
  const echoed = await app.put(`/v1/invoices/${draft.id}`, {
    key,
    body: { ...draft, notes: 'Otra', client_id: client.id },
  });
  assert.deepEqual([echoed.status, echoed.body.data.public_url], [200, null], echoed.text);

  const headers = { 'Idempotency-Key': 'emitir-1' };
  const issue = () => app.post(`/v1/invoices/${draft.id}/issue`, { key, headers });
  const { public_url } = (await issue()).body.data;
  assert.match(public_url, address);
  const payment = await app.post(`/v1/invoices/${draft.id}/payments`, {
    key,
    body: { amount: 10, payment_method: 'cash' },
  });
  assert.equal(payment.status, 201, payment.text);
  const same = {
    replayed: await issue(),
    got: await app.get(`/v1/invoices/${draft.id}`, { key }),
    sent: await app.post(`/v1/invoices/${draft.id}/mark-sent`, { key }),
    marked_again: await app.post(`/v1/invoices/${draft.id}/mark-sent`, { key }),
    labelled: await app.put(`/v1/invoices/${draft.id}`, { key, body: { public_url, tags: ['uno'] } }),
  };
  for (const [name, answer] of Object.entries(same)) {
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    assert.equal(answer.body.data.public_url, public_url, name);
  }
  const changed = await app.put(`/v1/invoices/${draft.id}`, {
    key,
    body: { public_url: 'https://facturas.example/i/x' },
  });
  assert.deepEqual([changed.status, changed.body.error.param], [409, 'public_url']);

  const duplicate = await app.post(`/v1/invoices/${draft.id}/duplicate`, { key });
  assert.deepEqual([duplicate.status, duplicate.body.data.public_url], [201, null]);
  const corrective = await app.post(`/v1/invoices/${draft.id}/corrective`, {
    key,
    body: { correction: { type: 'differences' }, lines: [{ ...lines[0], quantity: -1, unit_price: 5 }] },
  });
  assert.equal(corrective.status, 201, corrective.text);
  assert.match(corrective.body.data.public_url, address);
  assert.notEqual(corrective.body.data.public_url, public_url);

  const ticket = { type: 'F2', lines, external_id: 'caja-1', options: { issue: true } };
  const first = (await app.post('/v1/invoices', { key, body: ticket })).body.data;
  assert.match(first.public_url, address);
  const second = await app.post('/v1/invoices', { key, body: ticket });
  assert.deepEqual([second.status, second.body.data.public_url], [200, first.public_url]);
  const bulk = await app.post('/v1/invoices/bulk-create', {
    key,
    body: { invoices: [ticket, { ...ticket, external_id: 'caja-2' }, { type: 'F2', lines }] },
  });
  assert.equal(bulk.status, 200, bulk.text);
  const [existing, made, drafted] = bulk.body.data.invoices;
  assert.equal(existing.public_url, first.public_url);
  assert.match(made.public_url, address);
  assert.equal(drafted.public_url, null);
  const substitute = await app.post('/v1/invoices/substitute-simplified', {
    key,
    body: { simplified_invoice_uuids: [first.id], client_id: client.id },
  });
  assert.equal(substitute.status, 201, substitute.text);
  assert.match(substitute.body.data.public_url, address);

  const annulled = await app.post(`/v1/invoices/${made.id}/annul`, { key });
  assert.equal(annulled.body.data.public_url, made.public_url);
  const { data } = (await app.get('/v1/invoices', { key, query: { limit: '100' } })).body;
  const listed = new Map(
    data.map((one: { id: string; public_url: string | null }) => [one.id, one.public_url]),
  );
  for (const one of [same.got.body.data, corrective.body.data, first, made, substitute.body.data])
    assert.equal(listed.get(one.id), one.public_url);
  assert.deepEqual(
    data
      .filter((one: { status: string }) => one.status === 'draft')
      .map((one: { public_url: null }) => one.public_url),
    [null, null],
  );
  assert.equal(new Set(listed.values()).size, data.length - 1, 'each its own');
});
