import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { findEventSchemaFaults } from '../../../integrations/aeat/event-rules.ts';
import { silentLog } from '../../../../test/support/worker-place.ts';
import { makePorts } from '../../../main/ports.ts';
import { makeSecretBox } from '../../../platform/secrets.ts';
import { logClosingSummaries } from '../event-log/closing-summaries.ts';
import { type App, startApp } from '../../../../test/harness.ts';
import { removeCertificate, storeCertificate } from '../../../../test/support/company-certificates.ts';
import {
  checkIntegrity,
  eventsOf,
  issueTicket,
  type RecordingCompany,
  recordingCompany,
} from '../../../../test/support/recording-company.ts';

const hourMs = 3_600_000;

async function list(app: App, { key }: RecordingCompany, query: Record<string, string> = {}) {
  const res = await app.get('/v1/verifactu/events', { key, query });
  assert.equal(res.status, 200, res.text);
  return res.body.data as {
    id: string;
    type: string;
    status: string;
    position: number;
    last_error: string;
  }[];
}

const typesOf = (events: readonly { type: string }[]) => events.map((event) => event.type);

test('given events, when they are listed, then newest first, by type and by time', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await checkIntegrity(app, acme);
  assert.deepEqual(typesOf(await list(app, acme)), ['05', '03', '01']);
  assert.deepEqual(typesOf(await list(app, acme, { type: '03' })), ['03']);
  const later = new Date(app.clock.now().getTime() + hourMs).toISOString();
  assert.deepEqual(await list(app, acme, { 'occurred[gte]': later }), []);
  assert.deepEqual(typesOf(await list(app, acme, { 'occurred[lt]': later, limit: '1' })), ['05']);
  assert.deepEqual(await list(app, acme, { status: 'pending' }), []);

  const [last] = await list(app, acme);
  const one = await app.get(`/v1/verifactu/events/${last!.id}`, { key: acme.key });
  assert.equal(one.status, 200, one.text);
  const [row] = (await eventsOf(app, acme)).slice(-1);
  assert.deepEqual(
    [one.body.data.position, one.body.data.huella, one.body.data.status],
    [3, row!.huella, 'logged'],
  );
  const text = await app.get(`/v1/verifactu/events/${last!.id}/xml`, { key: acme.key });
  assert.deepEqual(
    [text.status, text.text, text.headers['content-type']],
    [200, row!.xml, 'application/xml'],
  );
});

test("given another company's event, when it is asked for or retried, then 404", async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const other = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const [event] = await list(app, other);
  for (const id of [event!.id, randomUUID()]) {
    assert.equal((await app.get(`/v1/verifactu/events/${id}`, { key: acme.key })).status, 404);
    assert.equal((await app.get(`/v1/verifactu/events/${id}/xml`, { key: acme.key })).status, 404);
    assert.equal((await app.post(`/v1/verifactu/events/${id}/retry`, { key: acme.key })).status, 404);
  }
});

test('given nobody who can sign, when something happens, then its events wait and enter the log in order', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await removeCertificate(app, acme.id);
  const check = await checkIntegrity(app, acme);
  assert.equal(check.is_intact, true);
  assert.deepEqual(typesOf(await eventsOf(app, acme)), ['01']);
  const waiting = await list(app, acme, { status: 'pending' });
  assert.deepEqual(typesOf(waiting), ['05', '03']);
  assert.match(waiting[0]!.last_error, /certificado/);
  assert.doesNotMatch(waiting[0]!.last_error, /factura/, 'what waits is an event');

  const { id } = waiting[0]!;
  const retry = () => app.post(`/v1/verifactu/events/${id}/retry`, { key: acme.key });
  for (let attempts = 1; attempts <= 5; attempts++) {
    const res = await retry();
    assert.deepEqual([res.status, res.body.data.status, res.body.data.attempts], [200, 'pending', attempts]);
  }
  const refused = await retry();
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.error.param],
    [409, 'max_retries_exceeded', 'event'],
  );

  // The service goes on by itself, even after the user's last retry.
  await storeCertificate(app, acme.id, acme.tax_id);
  app.clock.advance(6 * hourMs);
  await app.service.worker.runDue(acme.id);
  const logged = await eventsOf(app, acme);
  assert.deepEqual(typesOf(logged), ['01', '03', '05', '10']);
  assert.equal(logged[2]!.id, id, 'it keeps its id');
  assert.match(logged[2]!.xml, /<ev:OtrosDatosEvento>Ocurrido el \d{4}-/);
  assert.deepEqual(await list(app, acme, { status: 'pending' }), []);
  const again = await retry();
  assert.deepEqual(
    [again.status, again.body.error.code, again.body.error.param],
    [409, 'invalid_status_transition', 'event'],
  );
  assert.equal((await checkIntegrity(app, acme)).is_intact, true);
});

test('given an event that waits, when it is retried with a certificate, then it and those before it are logged', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await removeCertificate(app, acme.id);
  await checkIntegrity(app, acme);
  const [waiting] = await list(app, acme, { status: 'pending' });
  await storeCertificate(app, acme.id, acme.tax_id);
  const res = await app.post(`/v1/verifactu/events/${waiting!.id}/retry`, { key: acme.key });
  assert.deepEqual([res.status, res.body.data.status, res.body.data.position], [200, 'logged', 3]);
  assert.deepEqual(typesOf(await eventsOf(app, acme)), ['01', '03', '05']);
});

test('given six hours of operation, when they have passed, then a summary counts what was recorded since the one before', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await issueTicket(app, acme);
  const second = await issueTicket(app, acme);
  const summarise = async () => {
    app.clock.advance(6 * hourMs);
    await app.service.worker.runDue(acme.id);
    return (await eventsOf(app, acme)).at(-1)!;
  };
  const first = await summarise();
  assert.equal(first.type, '10');
  assert.match(first.xml, /<ev:TipoEvento>01<\/ev:TipoEvento><ev:NumeroDeEventos>1</);
  assert.match(first.xml, /<ev:NumeroDeRegistrosFacturacionAltaGenerados>2</);
  assert.match(first.xml, /<ev:SumaCuotaTotalAlta>42\.22</);
  assert.match(first.xml, /<ev:SumaImporteTotalAlta>243\.22</);

  const annulled = await app.post(`/v1/invoices/${second.id}/annul`, { key: acme.key });
  assert.equal(annulled.status, 200, annulled.text);
  const next = await summarise();
  assert.match(next.xml, /<ev:NumeroDeRegistrosFacturacionAltaGenerados>0</);
  assert.match(next.xml, /<ev:NumeroDeRegistrosFacturacionAnulacionGenerados>1</);
  assert.match(next.xml, /RegistroFacturacionInicialPeriodo/);

  const empty = await summarise();
  assert.match(empty.xml, /<ev:TipoEvento>10<\/ev:TipoEvento><ev:NumeroDeEventos>0</);
  assert.doesNotMatch(empty.xml, /RegistroFacturacionInicialPeriodo/);
  assert.deepEqual(typesOf(await eventsOf(app, acme)), ['01', '10', '10', '10']);
  assert.equal((await checkIntegrity(app, acme)).is_intact, true);
});

test('given invoices whose sum is larger than the schema of events takes, when six hours have passed, then the summary holds the largest amount and its note the sum', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const client = await app.post('/v1/clients', {
    key: acme.key,
    body: { name: 'Librería Norte SL', tax_id: 'A58818501' },
  });
  const summarise = async (unit_price: number) => {
    const lines = [{ description: 'Cesión', unit_price, exemption_reason: 'E1' }];
    for (let i = 0; i < 2; i++)
      await issueTicket(app, acme, { type: 'F1', client_id: client.body.data.id, lines });
    app.clock.advance(6 * hourMs);
    await app.service.worker.runDue(acme.id);
    const last = (await eventsOf(app, acme)).at(-1)!;
    assert.equal(last.type, '10');
    assert.deepEqual(findEventSchemaFaults(last.xml), []);
    return last.xml;
  };
  const large = await summarise(999_999_999_999.99);
  assert.match(large, /<ev:SumaCuotaTotalAlta>0\.00</);
  assert.match(large, /<ev:SumaImporteTotalAlta>999999999999\.99</);
  assert.match(large, /<ev:OtrosDatosEvento>SumaImporteTotalAlta: 1999999999999\.98</);
  const negative = await summarise(-999_999_999_999.99);
  assert.match(negative, /<ev:SumaImporteTotalAlta>-999999999999\.99</);
  assert.match(negative, /<ev:OtrosDatosEvento>SumaImporteTotalAlta: -1999999999999\.98</);
  assert.doesNotMatch(await summarise(1), /OtrosDatosEvento/);
  assert.equal((await checkIntegrity(app, acme)).is_intact, true);
});

test('given a company whose name is longer than the schema of events takes, when something happens, then its event has the name as far as it fits', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  const name = `${'\u{1F600}'.repeat(119)}ñandú`;
  const named = await app.put('/v1/account/company', { key: acme.key, body: { name } });
  assert.equal(named.status, 200, named.text);
  await checkIntegrity(app, acme);
  const logged = (await eventsOf(app, acme)).slice(1);
  assert.deepEqual(typesOf(logged), ['03', '05']);
  for (const { xml } of logged) {
    assert.deepEqual(findEventSchemaFaults(xml), []);
    assert.match(xml, /<ev:ObligadoEmision><ev:NombreRazon>\u{1F600}{119}ñ</u);
  }
});

test('given no-verifactu mode, when it is left, then a summary and the end are logged and no summary follows', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await issueTicket(app, acme);
  const res = await app.put('/v1/verifactu/settings', { key: acme.key, body: { enabled: false } });
  assert.equal(res.status, 200, res.text);
  assert.deepEqual(typesOf(await eventsOf(app, acme)), ['01', '10', '02']);
  app.clock.advance(7 * hourMs);
  await app.service.worker.runDue(acme.id);
  assert.deepEqual(typesOf(await eventsOf(app, acme)), ['01', '10', '02']);
  const jobs =
    await app.sql`select 1 from jobs where company_id = ${acme.id} and kind = 'verifactu.event_log'`;
  assert.equal(jobs.length, 0, 'nothing is left to look after');
});

test('given nobody who can sign, when no-verifactu mode is left, then it is left and its end waits', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { remission_mode: 'no_verifactu' });
  await removeCertificate(app, acme.id);
  const res = await app.put('/v1/verifactu/settings', { key: acme.key, body: { enabled: false } });
  assert.equal(res.status, 200, res.text);
  assert.deepEqual(typesOf(await list(app, acme, { status: 'pending' })), ['02', '10']);
  await storeCertificate(app, acme.id, acme.tax_id);
  app.clock.advance(6 * hourMs);
  await app.service.worker.runDue(acme.id);
  assert.deepEqual(typesOf(await eventsOf(app, acme)), ['01', '10', '02']);
});

test('given companies in no-verifactu mode, when the service ends, then each has a summary of what it did', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [
    await recordingCompany(app, { remission_mode: 'no_verifactu' }),
    await recordingCompany(app, { remission_mode: 'no_verifactu' }),
  ];
  const sending = await recordingCompany(app);
  await issueTicket(app, acme);
  const secrets = makeSecretBox(app.config.FOLIO_SECRET_KEY ?? '');
  const { ports, close } = await makePorts(app.config, app.db, app.clock, secrets, silentLog);
  await logClosingSummaries(app.db, ports, app.clock, 60_000);
  await close();
  const last = (await eventsOf(app, acme)).at(-1)!;
  assert.match(last.xml, /<ev:NumeroDeRegistrosFacturacionAltaGenerados>1</);
  assert.deepEqual(typesOf(await eventsOf(app, other)), ['01', '10']);
  assert.deepEqual(typesOf(await eventsOf(app, sending)), []);
});
