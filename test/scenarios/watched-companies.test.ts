/** What waits for somebody in the companies, as monitors see it. Each process tells the same. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Ports } from '../../src/kernel/ports.ts';
import { type App, onOwnDatabase } from '../harness.ts';
import { giveCertificate, giveRepresentation } from '../support/company-certificates.ts';
import { mailSettings, startMailServer } from '../support/mail-server.ts';
import { figuresIn } from '../support/metric-page.ts';
import { givenEndpoint, loopbackReceivers, TestReceiver } from '../support/test-receiver.ts';

const startApp = onOwnDatabase();

const days = 86_400_000;

type Authority = { ports(made: Ports): Ports; says: 'rejected' | 'accepted' | 'nothing' };

/** Answers live companies. */
function liveAuthority(): Authority {
  const made: Authority = {
    says: 'rejected',
    ports: (ports) => ({
      ...ports,
      authority: {
        ...ports.authority,
        isConfigured: () => true,
        hasServiceIdentity: () => true,
        serviceIdentity: () => ports.authority.serviceIdentity('test'),
        async send({ records, taxpayer: { tax_id } }) {
          const { says: state } = made;
          if (state === 'nothing') return { kind: 'no_answer', message: 'away' };
          const code = state === 'rejected' ? '1100' : null;
          const reader = await ports.records.reader();
          const lines = records.map((xml) => {
            const { kind, number, issued_on } = reader.readRecord(xml).content;
            return {
              kind,
              tax_id,
              number,
              issued_on,
              reference: null,
              state,
              code,
              message: null,
              duplicate: null,
            };
          });
          return { kind: 'answer', csv: 'A-0', wait_seconds: 60, lines, raw: '' };
        },
      },
    }),
  };
  return made;
}

/** By a process that has not looked yet: a look is remembered for some seconds. */
async function look(t: TestContext, app: App): Promise<(name: string, label: string) => number | undefined> {
  const other = await startApp(t, { fresh: true });
  other.clock.set(app.clock.now());
  const { text } = await other.get('/metrics');
  await other.stop();
  return (name, label) => figuresIn(text, name)[label];
}

async function issueTicket(app: App, key: string, line: object): Promise<string> {
  const body = { type: 'F2', lines: [{ description: 'Café', ...line }], options: { issue: true } };
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

test('given records, identities, endpoints and e-mails that wait for somebody, when metrics are read, then they say how many and since when', async (t) => {
  const [authority, receiver, mail] = [
    liveAuthority(),
    await TestReceiver.listen(t),
    await startMailServer(t),
  ];
  const loopback = loopbackReceivers();
  const app = await startApp(t, {
    env: {
      FOLIO_PRODUCER_NAME: 'Folio SL',
      FOLIO_PRODUCER_TAX_ID: 'B12345674',
      ...loopback.env,
      ...mailSettings(mail),
    },
    wrap_ports: (ports) => loopback.wrap_ports(authority.ports(ports)),
  });
  const company = await app.given.company();
  const { company_id, live_key: key } = company;
  const soon = new Date(app.clock.now().getTime() + 20 * days);
  await giveCertificate(app, company, { valid_until: soon }, key);
  await giveRepresentation(app, key);
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);

  // One is rejected, one waits for an authority that is away, and an endpoint and an e-mail are refused.
  const rejected = await issueTicket(app, key, { unit_price: 2, tax_rate: 10 });
  await app.service.worker.runDue(company_id);
  authority.says = 'nothing';
  receiver.behaviour = (_received, response) => void response.writeHead(500).end();
  const failing = await givenEndpoint(app, company, `${receiver.url}/failing`, {
    enabled_events: ['invoice.*'],
  });
  const stopped = await givenEndpoint(app, company, `${receiver.url}/stopped`);
  await app.post(`/v1/webhook_endpoints/${stopped.id}/disable`, { key });
  const waiting = await issueTicket(app, key, { unit_price: 1, tax_rate: 10 });
  mail.on_data = () => '451 Not now';
  const sent = await app.post(`/v1/invoices/${waiting}/send`, { key, body: { to: ['ana@example.com'] } });
  assert.equal(sent.status, 200, sent.text);
  app.clock.advance(120_000);
  await app.service.worker.runDue(company_id);
  await app.service.deliveries.runDue(company_id);
  app.clock.advance(3_600_000);

  const before = await look(t, app);
  assert.deepEqual(
    ['waiting', 'held', 'blocked', 'rejected'].map((state) => before('folio_records', `state="${state}"`)),
    [1, 0, 0, 1],
  );
  assert.ok(before('folio_records_seconds', 'state="waiting"')! >= 3600);
  assert.deepEqual(
    ['failing', 'disabled'].map((state) => before('folio_endpoints', `state="${state}"`)),
    [1, 1],
  );
  assert.ok(before('folio_endpoints_seconds', 'state="failing"')! >= 3600);
  assert.equal(before('folio_emails', 'outbox="documents"'), 1);
  assert.equal(before('folio_emails', 'outbox="accounts"'), 0);
  assert.equal(Math.round((before('folio_left_seconds', 'of="certificate"')! * 1000) / days), 20);
  assert.ok(before('folio_left_seconds', 'of="representation"')! * 1000 > 399 * days);
  assert.equal(before('folio_ended', 'of="certificate"'), 0);
  assert.equal(before('folio_row_security_holds', ''), 1);

  // All of it is mended, but for one record that breaks the schema, and the certificate has ended.
  authority.says = 'accepted';
  receiver.behaviour = (_received, response) => void response.writeHead(204).end();
  mail.on_data = () => undefined;
  const [record] = (await app.get('/v1/verifactu/records', { key, query: { status: 'rejected' } })).body.data;
  assert.equal(record.invoice_id ?? rejected, rejected);
  const mended = await app.post(`/v1/verifactu/records/${record.id}/subsanar`, { key, body: {} });
  assert.ok(mended.status < 300, mended.text);
  await app.post(`/v1/webhook_endpoints/${stopped.id}/enable`, { key });
  app.clock.advance(30 * days);
  await app.service.worker.runDue(company_id);
  await app.service.deliveries.runDue(company_id);
  await app.sql`
    update verifactu_sendings set is_blocked = true, status = 'pending'
     where company_id = ${company_id} and record_id = (
       select id from verifactu_records where company_id = ${company_id} and invoice_id = ${waiting})`;
  app.clock.advance(2 * 3_600_000);
  await app.service.worker.runDue(company_id);

  const after = await look(t, app);
  assert.deepEqual(
    ['waiting', 'held', 'blocked', 'rejected'].map((state) => after('folio_records', `state="${state}"`)),
    [0, 0, 1, 0],
  );
  assert.deepEqual(
    ['failing', 'disabled'].map((state) => after('folio_endpoints', `state="${state}"`)),
    [0, 0],
  );
  assert.equal(after('folio_emails', 'outbox="documents"'), 0);
  assert.equal(after('folio_ended', 'of="certificate"'), 1);
  assert.equal(after('folio_left_seconds', 'of="certificate"'), undefined);
  assert.equal(failing.id === stopped.id, false);
});

test('given a table of companies without forced row-level security, when metrics are read, then they say so', async (t) => {
  const app = await startApp(t, { fresh: true });
  await app.sql`alter table emails no force row level security`;
  t.after(() => app.sql`alter table emails force row level security`);
  const { text } = await app.get('/metrics');
  assert.deepEqual(figuresIn(text, 'folio_row_security_holds'), { '': 0 });
});
