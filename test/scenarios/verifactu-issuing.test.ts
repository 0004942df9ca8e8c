import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { findEventSchemaFaults } from '../../src/integrations/aeat/event-rules.ts';
import { type App, startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import {
  checkIntegrity,
  eventsOf,
  issueTicketOf,
  recordingCompany,
  recordOf,
} from '../support/recording-company.ts';
import { until } from '../support/worker-place.ts';

const line = { description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 };

test('given VeriFactu on, when tickets are issued, then each has its record and the chain holds', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  assert.equal(on.body.data.remission_mode, 'verifactu');

  const bodies = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.post('/v1/invoices', {
        key,
        body: { type: 'F2', lines: [line], options: { register_verifactu: true } },
      }),
    ),
  );
  for (const res of bodies) assert.equal(res.status, 201, res.text);
  const { verifactu } = bodies[0]!.body.data;
  assert.equal(verifactu.status, 'pending');
  assert.match(verifactu.huella, /^[0-9A-F]{64}$/);
  assert.match(verifactu.qr_url, /^https:\/\/prewww2\.aeat\.es\/.*&importe=121\.00$/);
  assert.ok(Buffer.from(verifactu.qr_png_base64, 'base64').subarray(1, 4).toString() === 'PNG');

  const company_id = acme.sandbox_company_id;
  const rows = await app.sql<
    {
      position: string;
      huella: string;
      previous_huella: string | null;
      number: string;
      xml: string;
      stamped_at: string;
    }[]
  >`select position, huella, previous_huella, number, xml, stamped_at from verifactu_records
     where company_id = ${company_id} order by position`;
  assert.equal(rows.length, 20);
  for (const [index, row] of rows.entries()) {
    assert.equal(Number(row.position), index + 1);
    assert.equal(row.previous_huella, index === 0 ? null : rows[index - 1]!.huella);
    const text =
      `IDEmisorFactura=${acme.tax_id}&NumSerieFactura=${row.number}&FechaExpedicionFactura=${day(row.stamped_at)}` +
      `&TipoFactura=F2&CuotaTotal=21.00&ImporteTotal=121.00&Huella=${row.previous_huella ?? ''}&FechaHoraHusoGenRegistro=${row.stamped_at}`;
    assert.equal(row.huella, createHash('sha256').update(text).digest('hex').toUpperCase());
  }
});

const day = (stamp: string) => stamp.slice(0, 10).split('-').reverse().join('-');

/** In chain order. */
async function stampsOf(app: App, company_id: string): Promise<string[]> {
  const rows = await app.sql<{ stamped_at: string }[]>`
    select stamped_at from verifactu_records where company_id = ${company_id} order by position`;
  return rows.map((row) => row.stamped_at);
}

test('given a clock that steps back, when tickets are issued, then stamps stand still, and over a minute the alarm is raised', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { key, id: company_id } = await recordingCompany(app);
  const alarm = async () => (await app.get('/v1/verifactu/config', { key })).body.data.alarm;
  await issueTicketOf(app, key);
  app.clock.advance(-60_000);
  await issueTicketOf(app, key);
  assert.equal(await alarm(), null);
  app.clock.advance(-1000);
  await issueTicketOf(app, key);
  assert.equal(await alarm(), 'clock_behind');
  app.clock.advance(122_000);
  await issueTicketOf(app, key);
  const still = '2026-05-20T12:00:00+02:00';
  assert.deepEqual(await stampsOf(app, company_id), [still, still, still, '2026-05-20T12:01:01+02:00']);
  assert.equal(await alarm(), 'clock_behind', 'until a check of everything');
  const check = await app.post('/v1/verifactu/integrity-checks', { key, body: {} });
  assert.deepEqual([check.body.data.is_intact, check.body.data.alarm], [true, null]);
});

test('given no-verifactu mode and a clock that steps back over a minute, when it records, then the log tells it once for each alarm', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const { key } = acme;
  const { id } = await issueTicketOf(app, key);
  const anomalies = async () => {
    const logged = (await eventsOf(app, acme)).filter(({ type }) => type === '04');
    assert.deepEqual(
      logged.flatMap(({ xml }) => findEventSchemaFaults(xml)),
      [],
    );
    return logged.map(({ xml }) => [
      /<ev:TipoAnomalia>(\d+)</.exec(xml)?.[1],
      /<ev:RegistroFacturacionAnomalo>.*<ev:NumSerieFactura>([^<]*)</.exec(xml)?.[1],
    ]);
  };
  app.clock.advance(-60_000);
  await issueTicketOf(app, key);
  assert.deepEqual(await anomalies(), []);
  app.clock.advance(-1000);
  const { number } = await issueTicketOf(app, key);
  await issueTicketOf(app, key);
  assert.deepEqual(await anomalies(), [['13', number]]);

  app.clock.advance(122_000);
  assert.equal((await checkIntegrity(app, acme)).alarm, null);
  const record = await recordOf(app, key, id);
  app.clock.advance(-122_000);
  const mended = await app.post(`/v1/verifactu/records/${record.id}/subsanar`, { key });
  assert.equal(mended.status, 201, mended.text);
  assert.deepEqual(await anomalies(), [
    ['13', number],
    ['13', mended.body.data.invoice.number],
  ]);
  app.clock.advance(122_000);
  assert.deepEqual((await checkIntegrity(app, acme)).faults, []);
});

test('given no-verifactu mode and a clock that steps back, when two records are mended at once, then the log tells one alarm', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const { key } = acme;
  const paths: string[] = [];
  for (const _ of 'ab') {
    const record = await recordOf(app, key, (await issueTicketOf(app, key)).id);
    paths.push(`/v1/verifactu/records/${record.id}/subsanar`);
  }
  app.clock.advance(-61_000);
  const held = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${acme.id} for update`,
  );
  const mending = paths.map((path) => app.post(path, { key }));
  await until(async () => (await waitersOf(app)) === 2);
  await held.release();
  assert.deepEqual(
    (await Promise.all(mending)).map(({ status }) => status),
    [201, 201],
  );
  assert.equal((await eventsOf(app, acme)).filter(({ type }) => type === '04').length, 1);
});

test('given a company in the Canary Islands, when it issues at midnight in Madrid, then day and stamp are those of the islands', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T22:30:00Z');
  const { key, id: company_id } = await recordingCompany(app);
  const madrid = await issueTicketOf(app, key);
  const other = await recordingCompany(app);
  await app.put('/v1/account/company', { key: other.key, body: { time_zone: 'Atlantic/Canary' } });
  const canary = await issueTicketOf(app, other.key);
  assert.deepEqual([madrid.issued_on, canary.issued_on], ['2026-05-21', '2026-05-20']);
  assert.deepEqual(await stampsOf(app, company_id), ['2026-05-21T00:30:00+02:00']);
  assert.deepEqual(await stampsOf(app, other.id), ['2026-05-20T23:30:00+01:00']);
});

test('given VeriFactu planned for 1 January, when an issue waits over midnight, then it has its record', async (t) => {
  const app = await startApp(t, { fresh: true });
  app.clock.set('2026-12-31T22:59:50Z');
  const acme = await app.given.company();
  const key = acme.test_key;
  const planned = await app.put('/v1/verifactu/settings', {
    key,
    body: { enabled: true, effective_on: '2027-01-01' },
  });
  assert.deepEqual([planned.status, planned.body.data.enabled], [200, false], planned.text);
  const body = { type: 'F2', lines: [line], options: { register_verifactu: true } };
  const before = await app.post('/v1/invoices', { key, body });
  assert.equal(before.body.data.verifactu.status, 'disabled');

  const held = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${acme.sandbox_company_id} for update`,
  );
  const issuing = app.post('/v1/invoices', { key, body });
  await until(async () => (await waitersOf(app)) > 0);
  app.clock.set('2026-12-31T23:00:10Z');
  await held.release();
  const { status, body: answer } = await issuing;
  assert.deepEqual(
    [status, answer.data.issued_on, answer.data.verifactu.status],
    [201, '2027-01-01', 'pending'],
  );
});
