/** The simulator answers sandbox companies; nobody answers live ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';

const line = { description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 };

async function turnOn(app: App, key: string): Promise<void> {
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
}

/** A frozen clock runs due work and skips the authority's waits. */
async function freeze(app: App, key: string): Promise<void> {
  const res = await app.put('/v1/sandbox/clock', { key, body: { now: null, frozen: true } });
  assert.ok(res.status === 200 || res.status === 202, res.text);
}

test('given tickets of a sandbox company, some of which wait, when its clock stops, then the authority has accepted each', async (t) => {
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
    // The authority answers a first message, and wants the next one a minute later.
    if (n === 2) await app.service.worker.runDue(acme.sandbox_company_id);
  }
  await app.service.worker.runDue(acme.sandbox_company_id);
  const { body: sent } = await app.get('/v1/verifactu/stats', { key });
  assert.deepEqual([sent.data.by_status.accepted, sent.data.by_status.pending], [3, 2]);
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
  for (let hours = 0; hours < 48; hours++) {
    await app.service.worker.runDue(acme.company_id);
    app.clock.advance(3_600_000);
  }
  const { verifactu } = (await app.get(`/v1/invoices/${res.body.data.id}`, { key })).body.data;
  assert.deepEqual([verifactu.status, verifactu.aeat_status, verifactu.csv], ['pending', null, null]);
  const config = await app.get('/v1/verifactu/config', { key });
  assert.deepEqual(
    [config.body.data.authority_configured, config.body.data.block_reason],
    [false, 'authority_not_configured'],
  );
  const [record] = (await app.get('/v1/verifactu/records', { key })).body.data;
  assert.deepEqual(
    [record.status, record.is_blocked, record.block_reason, record.csv],
    ['pending', true, 'authority_not_configured', null],
  );
  const stats = (await app.get('/v1/verifactu/stats', { key })).body.data;
  assert.deepEqual(
    [stats.by_status.pending, stats.by_status.accepted, stats.blocked_incident_count, stats.block_reason],
    [1, 0, 1, 'authority_not_configured'],
  );
  const told = await app.get('/v1/events', { key });
  assert.deepEqual(
    told.body.data.filter((event: { type: string }) => event.type.startsWith('invoice.verifactu')),
    [],
  );
  const batches = await app.sql`select 1 from verifactu_batches where company_id = ${acme.company_id}`;
  assert.equal(batches.length, 0, 'no message was even written down');
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
