/**
 * A company leaves VERI*FACTU on 1 January. Earlier records are sent, later ones are kept and signed, messages announce
 * the end, and the event log begins.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Message, SendResult } from '../../src/modules/verifactu/index.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { giveCertificate, putCertificate } from '../support/company-certificates.ts';
import { assertRefused } from '../support/resource-checks.ts';

const settings = '/v1/verifactu/settings';
const line = { description: 'Café', quantity: 1, unit_price: 10, tax_rate: 10 };

/** Messages to the authority are visible and can be lost. */
async function givenApp(t: TestContext) {
  const sent: Pick<Message, 'ends_on' | 'records'>[] = [];
  const way = { is_broken: false };
  const app = await startApp(t, {
    wrap_ports: (ports) => ({
      ...ports,
      authority: {
        ...ports.authority,
        async send(message, identity): Promise<SendResult> {
          if (way.is_broken) return { kind: 'no_answer', message: 'the way is broken' };
          sent.push(message);
          return ports.authority.send(message, identity);
        },
      },
    }),
  });
  app.clock.set('2026-11-21T10:00:00.000Z');
  return { app, sent, way };
}

async function setClock(app: App, key: string, now: string) {
  const answer = await app.put('/v1/sandbox/clock', { key, body: { now, frozen: true } });
  assert.equal(answer.status, 200, answer.text);
}

async function issueTicket(app: App, { test_key: key }: TestCompany) {
  const body = { type: 'F2', lines: [line], options: { register_verifactu: true } };
  const answer = await app.post('/v1/invoices', { key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

async function recordsOf(app: App, company_id: string) {
  const rows = await app.sql`
    select r.mode, r.stamped_at, s.status, r.xml like '%Signature>%' as is_signed
      from verifactu_records r left join verifactu_sendings s on s.company_id = r.company_id and s.record_id = r.id
     where r.company_id = ${company_id} order by r.position`;
  return rows.map((row) => ({ ...row }));
}

async function eventsOf(app: App, company_id: string): Promise<string[]> {
  const rows = await app.sql<{ type: string; stamped_at: string }[]>`
    select type, stamped_at from verifactu_events where company_id = ${company_id} order by position`;
  return rows.map((row) => `${row.type} ${row.stamped_at.slice(0, 10)}`);
}

test('given a company that leaves on 1 January, when the year turns, then its new records change, and older ones still go', async (t) => {
  const { app, sent, way } = await givenApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id: company_id } = acme;
  await giveCertificate(app, acme);
  assert.equal((await app.put(settings, { key, body: { enabled: true } })).status, 200);
  await issueTicket(app, acme);
  await app.service.worker.runDue(company_id);
  const leave = { remission_mode: 'no_verifactu', effective_on: '2027-01-01' };
  assert.equal((await app.put(settings, { key, body: leave })).status, 200);

  await setClock(app, key, '2026-12-30T10:00:00Z');
  await issueTicket(app, acme);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(
    sent.map((message) => [message.ends_on, message.records.length]),
    [
      [null, 1],
      ['2026-12-31', 1],
    ],
  );
  // The authority has been told.
  const stay = await app.put(settings, { key, body: { remission_mode: 'verifactu' } });
  assertRefused(stay, 409, 'invalid_status_transition', 'remission_mode');

  way.is_broken = true;
  await setClock(app, key, '2026-12-31T22:59:30Z');
  assert.equal((await issueTicket(app, acme)).verifactu.status, 'pending');
  await app.service.worker.runDue(company_id);
  await setClock(app, key, '2026-12-31T23:00:30Z');
  const config = (await app.get('/v1/verifactu/config', { key })).body.data;
  assert.deepEqual(
    [config.remission_mode, config.next_remission_mode, config.next_remission_mode_on],
    ['no_verifactu', null, null],
  );
  assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01']);
  const kept = await issueTicket(app, acme);
  assert.deepEqual([kept.verifactu.status, kept.verifactu.legend], ['kept', null]);
  assert.match(kept.verifactu.qr_url, /ValidarQRNoVerifactu/);

  way.is_broken = false;
  await setClock(app, key, '2027-01-01T02:00:00Z');
  await app.service.worker.runDue(company_id);
  const last = sent.at(-1)!;
  assert.deepEqual([sent.length, last.ends_on, last.records.length], [3, '2026-12-31', 1]);
  const records = await recordsOf(app, company_id);
  assert.deepEqual(
    records.map(({ mode, status, is_signed }) => [mode, status, is_signed]),
    [
      ['verifactu', 'accepted', false],
      ['verifactu', 'accepted', false],
      ['verifactu', 'accepted', false],
      ['no_verifactu', null, true],
    ],
  );
  assert.deepEqual(
    records.map((record) => String(record.stamped_at).slice(0, 10)),
    ['2026-11-21', '2026-12-30', '2026-12-31', '2027-01-01'],
  );
  const { data } = (await app.get('/v1/verifactu/stats', { key })).body;
  assert.deepEqual(
    [data.records_count, data.by_status.accepted, data.by_status.kept, data.by_status.pending],
    [4, 3, 1, 0],
  );
});

/** It leaves VERI*FACTU on 1 January, the day after its certificate ends. */
async function givenNobodyWhoSigns(app: App): Promise<TestCompany> {
  const acme = await app.given.company();
  const key = acme.test_key;
  await giveCertificate(app, acme, { valid_until: new Date('2026-12-31T12:00:00Z') });
  await app.put(settings, { key, body: { enabled: true } });
  const leave = { remission_mode: 'no_verifactu', effective_on: '2027-01-01' };
  assert.equal((await app.put(settings, { key, body: leave })).status, 200);
  return acme;
}

test('given nobody who can sign when the year turns, then nothing is issued until somebody can, and the log begins first', async (t) => {
  const { app } = await givenApp(t);
  const acme = await givenNobodyWhoSigns(app);
  const { test_key: key, sandbox_company_id: company_id } = acme;

  await setClock(app, key, '2027-01-01T09:00:00Z');
  const body = { type: 'F2', lines: [line], options: { issue: true } };
  assertRefused(await app.post('/v1/invoices', { key, body }), 422, 'verifactu_not_eligible', 'certificate');
  const config = (await app.get('/v1/verifactu/config', { key })).body.data;
  assert.deepEqual([config.remission_mode, config.presenter_certificate_status], ['no_verifactu', 'expired']);
  assert.deepEqual(await eventsOf(app, company_id), []);

  assert.equal((await putCertificate(app, acme)).status, 200);
  assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01']);
  await issueTicket(app, acme);
  await setClock(app, key, '2027-01-01T12:00:00Z');
  assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01']);
  assert.deepEqual(
    (await recordsOf(app, company_id)).map((record) => record.mode),
    ['no_verifactu'],
  );
});

test('given nobody who can sign when the year turns, when the company goes on sending, then the log tells nothing of a mode that never began', async (t) => {
  const { app, sent } = await givenApp(t);
  const acme = await givenNobodyWhoSigns(app);
  const { test_key: key, sandbox_company_id: company_id } = acme;
  await issueTicket(app, acme);
  await app.service.worker.runDue(company_id);

  await setClock(app, key, '2027-01-01T09:00:00Z');
  const checked = await app.post('/v1/verifactu/integrity-checks', { key, body: {} });
  assert.equal(checked.status, 201, checked.text);
  const later = await app.put(settings, { key, body: { enabled: false, effective_on: '2028-01-01' } });
  assertRefused(later, 422, 'representation_required', 'remission_mode');
  const back = await app.put(settings, { key, body: { remission_mode: 'verifactu' } });
  assert.deepEqual([back.status, back.body.data?.remission_mode], [200, 'verifactu'], back.text);
  await putCertificate(app, acme);
  await issueTicket(app, acme);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(await eventsOf(app, company_id), []);
  assert.deepEqual(
    sent.map((message) => message.ends_on),
    ['2026-12-31', null],
  );
});

test('given a live company whose mode begins on 1 January, when it plans the end before a job has run, then it has begun', async (t) => {
  const { app } = await givenApp(t);
  const acme = await app.given.company();
  const { live_key: key, company_id } = acme;
  await giveCertificate(app, acme, {}, key);
  const begin = { enabled: true, remission_mode: 'no_verifactu', effective_on: '2027-01-01' };
  assert.equal((await app.put(settings, { key, body: begin })).status, 200);
  app.clock.set('2026-12-31T23:00:00.000Z');
  assert.equal((await app.post('/v1/verifactu/integrity-checks', { key, body: {} })).status, 201);
  assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01', '03 2027-01-01', '05 2027-01-01']);
  const end = await app.put(settings, { key, body: { enabled: false, effective_on: '2028-01-01' } });
  assert.equal(end.body.data?.enabled_at, '2026-12-31T23:00:00.000Z', end.text);
});

test('given live companies whose mode changes on 1 January, when one issues before a job has run, then its log has told of the change', async (t) => {
  const { app } = await givenApp(t);
  for (const [from, to, events] of [
    ['verifactu', 'no_verifactu', ['01 2027-01-01']],
    ['no_verifactu', 'verifactu', ['01 2026-11-21', '10 2027-01-01', '02 2027-01-01']],
  ] as const) {
    app.clock.set('2026-11-21T10:00:00.000Z');
    const acme = await app.given.company();
    const { live_key: key, company_id } = acme;
    await giveCertificate(app, acme, {}, key);
    for (const body of [
      { enabled: true, remission_mode: from },
      { remission_mode: to, effective_on: '2027-01-01' },
    ])
      assert.equal((await app.put(settings, { key, body })).status, 200);
    app.clock.set('2026-12-31T23:00:00.000Z');
    const answers = await Promise.all([1, 2, 3].map(() => issueTicket(app, { ...acme, test_key: key })));
    const status = to === 'verifactu' ? 'pending' : 'kept';
    for (const { verifactu } of answers) assert.equal(verifactu.status, status);
    assert.deepEqual(await eventsOf(app, company_id), events, to);
  }
});

test('given a company that turns VeriFactu off on 1 January, when the year turns, then its invoices have no record', async (t) => {
  const { app } = await givenApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id: company_id } = acme;
  await app.put(settings, { key, body: { enabled: true } });
  await issueTicket(app, acme);
  const leave = { enabled: false, effective_on: '2027-01-01' };
  assert.equal((await app.put(settings, { key, body: leave })).status, 200);
  await setClock(app, key, '2027-01-01T09:00:00Z');
  assert.equal((await issueTicket(app, acme)).verifactu.status, 'disabled');
  assert.equal((await app.get('/v1/verifactu/config', { key })).body.data.enabled, false);
  assert.equal((await recordsOf(app, company_id)).length, 1);

  // A new start by mistake: nothing was sent since the end that the authority knows.
  for (const enabled of [true, false, true]) {
    const changed = await app.put(settings, { key, body: { enabled } });
    assert.equal(changed.status, 200, changed.text);
  }
  // Its messages say nothing about the earlier end.
  await issueTicket(app, acme);
  await app.service.worker.runDue(company_id);
  const [batch] = await app.sql<{ ends_on: string | null }[]>`
    select ends_on from verifactu_batches where company_id = ${company_id} order by id desc limit 1`;
  assert.equal(batch?.ends_on, null);
  const refused = await app.put(settings, { key, body: { enabled: false } });
  assertRefused(refused, 409, 'invalid_status_transition', 'enabled');
});

test('given a company that leaves in a later year, when it sends until then, then only that year tells the authority, which takes all', async (t) => {
  const { app, sent } = await givenApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id: company_id } = acme;
  await app.put(settings, { key, body: { enabled: true } });
  await issueTicket(app, acme);
  const leave = { enabled: false, effective_on: '2028-01-01' };
  assert.equal((await app.put(settings, { key, body: leave })).status, 200);
  await app.service.worker.runDue(company_id);
  for (const now of ['2026-12-31T22:59:59Z', '2026-12-31T23:00:00Z', '2027-12-31T22:59:59Z']) {
    await setClock(app, key, now);
    await issueTicket(app, acme);
    await app.service.worker.runDue(company_id);
  }
  const told = sent.map((message) => message.ends_on);
  assert.deepEqual(told, [null, null, '2027-12-31', '2027-12-31']);
  assert.deepEqual(
    (await recordsOf(app, company_id)).map((record) => record.status),
    told.map(() => 'accepted'),
  );
});

test('given a company that moves to another zone, when the year turns there, then the planned mode begins, and not before', async (t) => {
  const { app } = await givenApp(t);
  for (const [from, to, new_year] of [
    ['Europe/Madrid', 'Atlantic/Canary', '2027-01-01T00:00:00Z'],
    ['Atlantic/Canary', 'Europe/Madrid', '2026-12-31T23:00:00Z'],
  ] as const) {
    const acme = await app.given.company();
    const { test_key: key, sandbox_company_id: company_id } = acme;
    await giveCertificate(app, acme);
    const moveTo = async (time_zone: string) => {
      const answer = await app.put('/v1/account/company', { key, body: { time_zone } });
      assert.equal(answer.status, 200, answer.text);
    };
    if (from !== 'Europe/Madrid') await moveTo(from);
    const body = { enabled: true, remission_mode: 'no_verifactu', effective_on: '2027-01-01' };
    assert.equal((await app.put(settings, { key, body })).status, 200);
    await moveTo(to);
    await app.service.worker.runDue(company_id);
    await setClock(app, key, new Date(Date.parse(new_year) - 1000).toISOString());
    const enabledAt = async () => (await app.get('/v1/verifactu/config', { key })).body.data.enabled_at;
    assert.deepEqual([await eventsOf(app, company_id), await enabledAt()], [[], null]);
    await setClock(app, key, new_year);
    assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01'], to);
    assert.equal(await enabledAt(), new Date(new_year).toISOString());
  }
});

test('given a sandbox that is emptied, when it goes on in its mode, then its end is still told, and its new log has a beginning', async (t) => {
  const { app, sent } = await givenApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id: company_id } = acme;
  await giveCertificate(app, acme);
  await app.put(settings, { key, body: { enabled: true } });
  const leave = { remission_mode: 'no_verifactu', effective_on: '2027-01-01' };
  assert.equal((await app.put(settings, { key, body: leave })).status, 200);
  const empty = async () =>
    assert.equal((await app.delete('/v1/sandbox/data', { key })).body.data.deleted, true);
  await empty();
  await issueTicket(app, acme);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(
    sent.map((message) => message.ends_on),
    ['2026-12-31'],
  );
  await setClock(app, key, '2027-01-01T09:00:00Z');
  await empty();
  assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01']);
  await setClock(app, key, '2027-01-01T15:30:00Z');
  assert.deepEqual(await eventsOf(app, company_id), ['01 2027-01-01', '10 2027-01-01']);
});
