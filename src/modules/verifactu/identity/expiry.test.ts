import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type App, type StartOptions, startApp } from '../../../../test/harness.ts';
import {
  auditOf,
  giveCertificate,
  giveRepresentation,
} from '../../../../test/support/company-certificates.ts';
import { mailSettings, startMailServer } from '../../../../test/support/mail-server.ts';
import { meetInTransactions } from '../../../../test/support/meeting-transactions.ts';
import { dayIn } from '../../../kernel/dates.ts';
import type { Ports } from '../../../kernel/ports.ts';
import { warnOfEnds } from './expiry.ts';

const start = '2026-11-21T10:00:00.000Z';
const ends = { certificate: new Date('2027-04-10T15:00:00Z'), representation: '2027-03-31' };

async function given(t: TestContext, settings: Record<string, unknown>, options: StartOptions = {}) {
  const app = await startApp(t, options);
  app.clock.set(start);
  const acme = await app.given.company();
  for (const key of [acme.test_key, acme.live_key]) {
    const answer = await app.put('/v1/account/company', { key, body: settings });
    assert.equal(answer.status, 200, answer.text);
  }
  return { app, acme };
}

async function on(app: App, key: string, day: string): Promise<void> {
  const answer = await app.put('/v1/sandbox/clock', { key, body: { now: `${day}T12:00:00Z`, frozen: true } });
  assert.equal(answer.status, 200, answer.text);
}

async function outbox(app: App, key: string) {
  const listed = (await app.get('/v1/emails', { key, query: { limit: '100' } })).body.data.reverse();
  const whole = listed.map(
    async ({ id }: { id: string }) => (await app.get(`/v1/emails/${id}`, { key })).body.data,
  );
  return Promise.all(whole);
}

test('given a sandbox with an address, when its clock crosses the days, then each warning is one message, not sent', async (t) => {
  const { app, acme } = await given(t, { email: 'hola@acme.example' });
  const { test_key: key, tax_id } = acme;
  await giveRepresentation(app, key, { valid_until: ends.representation });
  await giveCertificate(app, acme, { valid_until: ends.certificate });
  const expected = [
    ['2027-03-01', 'representation_expiry', 'La representación de Acme SL acaba el 31/03/2027'],
    ['2027-03-11', 'certificate_expiry', 'El certificado de Acme SL caduca el 10/04/2027'],
    ['2027-03-24', 'representation_expiry', 'La representación de Acme SL acaba el 31/03/2027'],
    ['2027-04-03', 'certificate_expiry', 'El certificado de Acme SL caduca el 10/04/2027'],
  ];
  const days = '02-28 03-01 03-02 03-10 03-11 03-23 03-24 03-25 04-02 04-03 04-04 04-10 04-11 05-01'.split(
    ' ',
  );
  for (const day of days) {
    await on(app, key, `2027-${day}`);
    const seen = (await outbox(app, key)).map((one) => [
      dayIn('Europe/Madrid', new Date(one.created_at)),
      one.purpose,
      one.subject,
    ]);
    assert.deepEqual(
      seen,
      expected.filter(([on_day = '']) => on_day <= `2027-${day}`),
    );
  }
  const emails = await outbox(app, key);
  for (const one of emails) {
    assert.deepEqual(
      [one.status, one.reason, one.to, one.document, one.from_name, one.reply_to, one.attachments],
      ['not_sent', 'sandbox', ['hola@acme.example'], null, 'Folio', null, []],
    );
  }
  const rows = (last_day: string) => `Empresa: Acme SL\nNIF: ${tax_id}\nÚltimo día: ${last_day}`;
  const [representation = '', certificate = '', , last = ''] = emails.map((one) => one.text as string);
  assert.equal(
    representation,
    `SIN VALIDEZ FISCAL

Hola:

La representación con la que el servicio envía y firma los registros de facturación de Acme SL acaba el 31/03/2027.

Otorgue antes de ese día una nueva y regístrela en la configuración de VeriFactu, para que los registros se sigan enviando y firmando sin interrupción.

${rows('31/03/2027')}

-- 
Folio
`,
  );
  const certified = (remedy: string) => `SIN VALIDEZ FISCAL

Hola:

El certificado con el que Acme SL envía y firma sus registros de facturación caduca el 10/04/2027.

${remedy}

${rows('10/04/2027')}

-- 
Folio
`;
  const remedy =
    'Suba antes de ese día uno nuevo en la configuración de VeriFactu, para que los registros se sigan enviando y firmando sin interrupción.';
  assert.equal(certificate, certified(remedy));
  assert.equal(last, certified(`${remedy}\nEste es el último aviso.`));
  const told = [
    ...(await auditOf(app, key, 'verifactu_representation.expiring')),
    ...(await auditOf(app, key, 'verifactu_certificate.expiring')),
  ].map((entry) => [entry.details.days, entry.details.email_id]);
  const ids = emails.map((one) => one.id);
  assert.deepEqual(told, [
    [30, ids[0]],
    [7, ids[2]],
    [30, ids[1]],
    [7, ids[3]],
  ]);
});

test('given a company without an address, when a certificate ends soon, then the audit log says that nobody was written to', async (t) => {
  const { app, acme } = await given(t, { email: null });
  const { test_key: key } = acme;
  // A certificate that ends within the week gets only the warning of 7 days, at its upload.
  await giveCertificate(app, acme, { valid_until: new Date('2026-11-25T15:00:00Z') });
  const [entry, ...others] = await auditOf(app, key, 'verifactu_certificate.expiring');
  assert.deepEqual(entry.details, { days: 7, valid_until: '2026-11-25', email_id: null });
  assert.deepEqual([others, await outbox(app, key)], [[], []]);
  // A later address gets no mail about warnings already given.
  await app.put('/v1/account/company', { key, body: { email: 'hola@acme.example' } });
  await on(app, key, '2026-11-23');
  assert.deepEqual(await outbox(app, key), []);
});

test('given a live company and a mail server, when two look on its day, then it gets one message in its language', async (t) => {
  const mail = await startMailServer(t);
  let ports: Ports | undefined;
  const { app, acme } = await given(
    t,
    { email: 'hola@acme.example', language: 'ca' },
    { env: mailSettings(mail), wrap_ports: (made) => (ports = made) },
  );
  const { company_id, live_key } = acme;
  await giveCertificate(app, acme, { valid_until: ends.certificate }, live_key);
  const steps: [at: string, received: number][] = [
    ['2027-03-10T22:59:59Z', 0],
    ['2027-03-10T23:00:00Z', 1],
    ['2027-03-11T23:00:00Z', 1],
  ];
  for (const [at, received] of steps) {
    app.clock.set(at);
    await app.service.worker.runDue(company_id);
    assert.equal(mail.received.length, received, at);
  }
  app.clock.set('2027-04-05T10:00:00Z');
  const entries = await meetInTransactions(app, company_id, ports!, warnOfEnds);
  assert.deepEqual(
    entries.map((each) => each.length),
    [1, 0],
  );
  await app.service.worker.runDue(company_id);
  const told = mail.received.map(({ to, message }) => [to, message.from, message.subject]);
  const from = { name: 'Folio', address: 'facturas@folio.example' };
  const one = [['hola@acme.example'], from, 'El certificat de l’empresa Acme SL caduca el 10/04/2027'];
  assert.deepEqual(told, [one, one]);
  assert.match(mail.received[1]?.message.text ?? '', /Aquest és l’últim avís\./);
  assert.deepEqual(
    (await outbox(app, live_key)).map(({ status }) => status),
    ['sent', 'sent'],
  );
});
