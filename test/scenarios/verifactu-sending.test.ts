/** Records on their way to the authority: the simulator answers sandbox companies, and nobody answers for it elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';

const line = { description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 };

async function turnOn(app: App, key: string): Promise<void> {
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
}

/** Lets the company's clock stand still, which runs what is due and skips the authority's waits. */
async function freeze(app: App, key: string): Promise<void> {
  const res = await app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: true } });
  assert.ok(res.status === 200 || res.status === 202, res.text);
}

test('given tickets of a sandbox company, when the sender runs, then the authority has accepted each', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  await turnOn(app, key);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const res = await app.post('/v1/invoices', {
      key,
      body: { type: 'F2', lines: [line], options: { issue: true } },
    });
    assert.equal(res.status, 201, res.text);
    ids.push(res.body.data.id);
  }
  await freeze(app, key);
  await app.service.worker.runDue(acme.sandbox_company_id);
  for (const id of ids) {
    const { verifactu } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
    assert.deepEqual(
      [verifactu.status, verifactu.aeat_status, verifactu.error_code],
      ['accepted', 'Correcto', null],
    );
    assert.ok(verifactu.csv, 'the CSV is kept');
  }
  const events = await app.get('/v1/events', { key, query: { type: 'invoice.verifactu_submitted' } });
  assert.equal(events.body.data.length, 5);
});

test('given a live company and no authority, when tickets are issued, then nobody answers for it', async (t) => {
  const app = await startApp(t, {
    env: { FOLIO_PRODUCER_NAME: 'Folio SL', FOLIO_PRODUCER_TAX_ID: 'B12345674' },
  });
  const acme = await app.given.company();
  const key = acme.live_key;
  await turnOn(app, key);
  const res = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { register_verifactu: true } },
  });
  assert.equal(res.status, 201, res.text);
  await app.service.worker.runDue(acme.company_id);
  const { verifactu } = (await app.get(`/v1/invoices/${res.body.data.id}`, { key })).body.data;
  assert.deepEqual([verifactu.status, verifactu.aeat_status, verifactu.csv], ['pending', null, null]);
  const config = await app.get('/v1/verifactu/config', { key });
  assert.equal(config.body.data.authority_configured, false);
});

test('given an issued invoice that is annulled, when the sender runs, then the annulment was accepted after it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  await turnOn(app, key);
  const res = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const annulled = await app.post(`/v1/invoices/${res.body.data.id}/annul`, { key, body: {} });
  assert.equal(annulled.status, 200, annulled.text);
  await freeze(app, key);
  await app.service.worker.runDue(acme.sandbox_company_id);
  const rows = await app.sql<{ kind: string; status: string; aeat_error_code: string | null }[]>`
    select r.kind, s.status, s.aeat_error_code from verifactu_records r join verifactu_sendings s on s.record_id = r.id
     where r.company_id = ${acme.sandbox_company_id} order by r.position`;
  assert.deepEqual(
    rows.map((row) => [row.kind, row.status, row.aeat_error_code]),
    [
      ['alta', 'accepted', null],
      ['anulacion', 'accepted', null],
    ],
  );
});
