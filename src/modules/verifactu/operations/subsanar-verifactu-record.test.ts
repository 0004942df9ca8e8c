import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { putCertificate } from '../../../../test/support/company-certificates.ts';
import {
  issueInvoice,
  issueTicketOf,
  keepBack,
  recordingCompany,
  recordOf,
  sendAll,
  storeAnswer,
} from '../../../../test/support/recording-company.ts';
import { assertHidesForeignIds, assertRefused } from '../../../../test/support/resource-checks.ts';

/** The simulator rejects these totals and tax ids: docs/sandbox-magic-values.md. */
const rejectedOnce = 2988.12;
const rejectedAlways = 2988.13;
const rejectedAlwaysTaxId = 'B00000042';

const mend = (app: App, key: string, id: string, body?: object, headers: Record<string, string> = {}) =>
  app.post(`/v1/verifactu/records/${id}/subsanar`, { key, headers, ...(body ? { body } : {}) });

const xmlOf = async (app: App, key: string, id: string) =>
  (await app.get(`/v1/verifactu/records/${id}/xml`, { key })).text;

test('given a rejected alta, when it is mended, then a new record at the end of the chain is accepted in its place', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key, rejectedOnce);
  await issueTicketOf(app, key);
  await sendAll(app, acme);
  const old = await recordOf(app, key, ticket.id);
  assert.deepEqual([old.status, old.aeat_status, old.can_subsanar], ['rejected', 'Incorrecto', true]);

  const res = await mend(app, key, old.id, { description: ' Asesoría\nfiscal ' });
  assert.equal(res.status, 201, res.text);
  const made = res.body.data;
  assert.notEqual(made.id, old.id);
  assert.deepEqual(
    [made.status, made.is_subsanacion, made.prior_rejection, made.follows_id, made.position, made.qr_url],
    ['pending', true, 'X', old.id, 3, old.qr_url],
  );
  assert.equal('new_record_id' in made, false);
  const xml = await xmlOf(app, key, made.id);
  assert.match(xml, /<sf:Subsanacion>S<\/sf:Subsanacion><sf:RechazoPrevio>X</);
  assert.match(xml, /<sf:DescripcionOperacion>Asesoría fiscal</);
  const emitted = await app.eventTypes(acme.id, ticket.id);
  assert.equal(emitted.at(-1), 'invoice.verifactu_failed', 'nothing new is told before the answer');

  await app.service.worker.runDue(acme.id);
  const { verifactu } = (await app.get(`/v1/invoices/${ticket.id}`, { key })).body.data;
  assert.deepEqual([verifactu.status, verifactu.huella], ['accepted', made.huella]);
  assert.equal((await app.eventTypes(acme.id, ticket.id)).at(-1), 'invoice.verifactu_submitted');
  const before = (await app.get(`/v1/verifactu/records/${old.id}`, { key })).body.data;
  assert.deepEqual([before.status, before.can_subsanar], ['rejected', false]);
  const refused = await mend(app, key, old.id);
  assertRefused(refused, 409, 'record_not_rejected', 'record');
  assert.match(refused.body.error.message, /la factura tiene otro registro posterior\.$/);
});

test('given an accepted alta, when it is mended to something rejected and again, then each has the marks of what is held', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const invoice = await issueInvoice(app, key);
  await sendAll(app, acme);
  const step = async (body: object) => {
    const { id } = await recordOf(app, key, invoice.id);
    const res = await mend(app, key, id, body);
    assert.equal(res.status, 201, res.text);
    await app.service.worker.runDue(acme.id);
    const record = await recordOf(app, key, invoice.id);
    return [record.is_subsanacion, record.prior_rejection, record.status];
  };
  const recipient = { name: 'Sur SL', tax_id: rejectedAlwaysTaxId };
  assert.deepEqual(await step({ recipient }), [true, null, 'rejected']);
  assert.deepEqual(await step({ recipient }), [true, 'S', 'rejected']);
  const foreign_id = { type: '04', country: 'FR', id: '12345678901' };
  assert.deepEqual(await step({ recipient: { name: 'Sud SARL', foreign_id } }), [true, 'S', 'accepted']);
  assert.deepEqual(await step({}), [true, null, 'accepted']);
  const { id } = await recordOf(app, key, invoice.id);
  const xml = await xmlOf(app, key, id);
  assert.match(xml, /<sf:NombreRazon>Sud SARL<\/sf:NombreRazon><sf:IDOtro><sf:CodigoPais>FR</);
});

test('given an alta that is rejected again and again, when it is mended, then the authority holds nothing each time', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key, rejectedAlways);
  await sendAll(app, acme);
  for (let n = 0; n < 2; n++) {
    const { id } = await recordOf(app, key, ticket.id);
    const res = await mend(app, key, id);
    assert.deepEqual([res.status, res.body.data.prior_rejection], [201, 'X']);
    await app.service.worker.runDue(acme.id);
    assert.equal((await recordOf(app, key, ticket.id)).status, 'rejected');
  }
});

test('given a rejected annulment, when it is mended, then it is an annulment with the marks of what is held', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const [held, never] = [await issueTicketOf(app, key), await issueTicketOf(app, key, rejectedAlways)];
  await sendAll(app, acme);
  for (const [ticket, has_no_prior_record] of [
    [held, false],
    [never, true],
  ] as const) {
    await app.post(`/v1/invoices/${ticket.id}/annul`, { key, body: {} });
    const old = await recordOf(app, key, ticket.id);
    assert.equal(old.has_no_prior_record, has_no_prior_record);
    await storeAnswer(app, old.id, 'rejected', '1100');
    assertRefused(
      await mend(app, key, old.id, { description: 'X' }),
      422,
      'business_rule_violation',
      'description',
    );
    const res = await mend(app, key, old.id);
    assert.equal(res.status, 201, res.text);
    const { kind, prior_rejection, has_no_prior_record: none } = res.body.data;
    assert.deepEqual([kind, prior_rejection, none], ['anulacion', 'S', has_no_prior_record]);
  }
  await app.service.worker.runDue(acme.id);
  for (const ticket of [held, never]) assert.equal((await recordOf(app, key, ticket.id)).status, 'accepted');
  const { id } = await recordOf(app, key, held.id);
  assertRefused(await mend(app, key, id), 409, 'record_not_subsanable', 'record');
});

test('given a record that broke the schema, when it is mended, then the broken one is never sent', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key);
  const old = await recordOf(app, key, ticket.id);
  await keepBack(app, old.id);
  const res = await mend(app, key, old.id);
  assert.deepEqual([res.status, res.body.data.prior_rejection], [201, 'X'], res.text);
  await sendAll(app, acme);
  assert.equal((await recordOf(app, key, ticket.id)).status, 'accepted');
  const retried = await app.post('/v1/verifactu/records/retry-blocked', { key, body: {} });
  assert.deepEqual([retried.status, retried.body.data.reactivated], [202, 0]);
  const before = (await app.get(`/v1/verifactu/records/${old.id}`, { key })).body.data;
  assert.deepEqual([before.status, before.is_blocked, before.attempts], ['pending', true, 0]);
});

test('given each refusal of the authority, when the record is mended, then the refusal has its condition', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key);
  const { id } = await recordOf(app, key, ticket.id);
  assertRefused(await mend(app, key, id), 409, 'record_not_rejected', 'record');
  for (const code of ['1104', '1105', '1108', '1287']) {
    await storeAnswer(app, id, 'rejected', code);
    assertRefused(await mend(app, key, id), 409, 'requires_annulment', 'record');
    assert.equal((await recordOf(app, key, ticket.id)).can_subsanar, false);
  }
  await storeAnswer(app, id, 'rejected', '3004');
  assertRefused(await mend(app, key, id), 409, 'record_not_subsanable', 'record');
  await storeAnswer(app, id, 'accepted_with_errors', '2001');
  const off = await app.sql`update companies set verifactu_mode = null where company_id = ${acme.id}`;
  assert.equal(off.count, 1);
  assertRefused(await mend(app, key, id), 409, 'record_not_subsanable', 'record');
});

test('given data that the record cannot take, when it is mended, then the field is named and nothing is made', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const [ticket, invoice] = [await issueTicketOf(app, key), await issueInvoice(app, key)];
  await sendAll(app, acme);
  const [anonymous, { id }] = [await recordOf(app, key, ticket.id), await recordOf(app, key, invoice.id)];
  const recipient = { name: 'Norte SL', tax_id: 'A58818501' };
  assertRefused(
    await mend(app, key, anonymous.id, { recipient }),
    422,
    'business_rule_violation',
    'recipient',
  );
  const foreign = (more: object) => ({
    recipient: { name: 'X', foreign_id: { type: '04', id: '1', ...more } },
  });
  for (const [body, code, param] of [
    [{ description: '' }, 'parameter_invalid', 'description'],
    [{ description: ' \n' }, 'parameter_invalid', 'description'],
    [{ description: 'x'.repeat(501) }, 'parameter_invalid', 'description'],
    [{ operation_on: '2199-01-01' }, 'operation_date_after_issue_date', 'operation_on'],
    [{ operation_on: '2026-02-30' }, 'parameter_invalid', 'operation_on'],
    [{ recipient: { name: 'X' } }, 'parameter_invalid', 'recipient'],
    [
      { recipient: { ...recipient, ...foreign({ country: 'FR' }).recipient } },
      'parameter_invalid',
      'recipient',
    ],
    [{ recipient: { name: 'X', tax_id: 'B12345675' } }, 'parameter_invalid', 'recipient.tax_id'],
    [{ recipient: { name: ' ', tax_id: 'A58818501' } }, 'verifactu_not_eligible', 'recipient'],
    [foreign({}), 'verifactu_not_eligible', 'recipient'],
    [foreign({ country: 'XK' }), 'verifactu_not_eligible', 'recipient'],
    [foreign({ country: 'ES' }), 'verifactu_not_eligible', 'recipient'],
    [foreign({ type: '02' }), 'parameter_invalid', 'recipient.foreign_id.id'],
    [foreign({ type: '07', country: 'ES', id: 'A58818501' }), 'parameter_invalid', 'recipient.foreign_id.id'],
    [foreign({ type: '07', country: 'FR', id: '12345678Z' }), 'verifactu_not_eligible', 'recipient'],
    [{ number: 'A-2' }, 'parameter_invalid', 'number'],
    [{ total: 1 }, 'parameter_invalid', 'total'],
  ] as const) {
    assertRefused(await mend(app, key, id, body), 422, code, param);
  }
  await app.sql`update companies set name = null where company_id = ${acme.id}`;
  assertRefused(await mend(app, key, id), 422, 'business_rule_violation', 'company_name');
  await app.sql`update companies set name = ${'x'.repeat(121)} where company_id = ${acme.id}`;
  assertRefused(await mend(app, key, id), 422, 'verifactu_not_eligible', 'company_name');
  await app.sql`update companies set name = 'Acme Nueva SL' where company_id = ${acme.id}`;
  const [count] = await app.sql`select count(*)::int from verifactu_records where company_id = ${acme.id}`;
  assert.equal(count!.count, 2);
  const res = await mend(app, key, id, { operation_on: '2026-01-02' });
  assert.equal(res.status, 201, res.text);
  const xml = await xmlOf(app, key, res.body.data.id);
  assert.match(xml, /<sf:NombreRazonEmisor>Acme Nueva SL</);
  assert.match(xml, /<sf:FechaOperacion>02-01-2026</);
});

test('given two calls at once, when a record is mended, then one makes a record and the other is record_not_rejected', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key, rejectedOnce);
  await sendAll(app, acme);
  const { id } = await recordOf(app, key, ticket.id);
  const both = await Promise.all([mend(app, key, id), mend(app, key, id)]);
  const [made, refused] = both.toSorted((a, b) => a.status - b.status);
  assert.equal(made!.status, 201, made!.text);
  assertRefused(refused!, 409, 'record_not_rejected', 'record');

  await app.service.worker.runDue(acme.id);
  const idempotency = { 'Idempotency-Key': 'mend-1' };
  const again = made!.body.data.id;
  const first = await mend(app, key, again, {}, idempotency);
  const replayed = await mend(app, key, again, {}, idempotency);
  assert.deepEqual([first.status, replayed.body], [201, first.body]);
  assert.equal(replayed.headers['idempotent-replayed'], 'true');
});

test('given many that issue and mend at once, then the chain has one order and no gap', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const tickets = await Promise.all(Array.from({ length: 6 }, () => issueTicketOf(app, key)));
  await sendAll(app, acme);
  const ids = await Promise.all(tickets.map(async (one) => (await recordOf(app, key, one.id)).id));
  const work = [...ids.map((id) => mend(app, key, id)), ...ids.map(() => issueTicketOf(app, key))];
  await Promise.all(work);
  const rows = await app.sql<{ position: string; huella: string; previous_huella: string | null }[]>`
    select position, huella, previous_huella from verifactu_records where company_id = ${acme.id} order by position`;
  assert.deepEqual(
    rows.map((row) => [Number(row.position), row.previous_huella]),
    rows.map((_, n) => [n + 1, rows[n - 1]?.huella ?? null]),
  );
  assert.equal(rows.length, 18);
  await app.service.worker.runDue(acme.id);
  const [left] = await app.sql`
    select count(*)::int from verifactu_sendings where company_id = ${acme.id} and status <> 'accepted'`;
  assert.equal(left!.count, 0);
});

test('given version 2026-06-01, when a record is mended, then data.id is the mended one and new_record_id the new one', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key, rejectedOnce);
  await sendAll(app, acme);
  const { id } = await recordOf(app, key, ticket.id);
  const { body, status } = await mend(app, key, id, {}, { 'Service-Version': '2026-06-01' });
  const now = await recordOf(app, key, ticket.id);
  assert.deepEqual([status, body.data.id, body.data.new_record_id], [201, id, now.id]);
  assert.equal(body.data.follows_id, id);
});

test('given no-verifactu mode, when a record is mended, then the new one is signed, kept and without RechazoPrevio', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  const put = await putCertificate(app, acme, { kind: 'seal', name: 'Acme SL' });
  assert.equal(put.status, 200, put.text);
  const body = { enabled: true, remission_mode: 'no_verifactu' };
  assert.equal((await app.put('/v1/verifactu/settings', { key, body })).status, 200);
  const ticket = await issueTicketOf(app, key);
  const { id, status } = await recordOf(app, key, ticket.id);
  assert.equal(status, 'kept');
  const res = await mend(app, key, id, { description: 'Corregida' });
  assert.equal(res.status, 201, res.text);
  const made = res.body.data;
  assert.deepEqual(
    [made.status, made.is_subsanacion, made.prior_rejection, made.is_blocked, made.position],
    ['kept', true, null, false, 2],
  );
  const xml = await xmlOf(app, key, made.id);
  assert.match(xml, /<ds:Signature /);
  assert.doesNotMatch(xml, /RechazoPrevio/);
});

test("given another company's record, or a key that only reads, when a record is mended, then it is refused", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const foreign = await recordOf(app, other.key, (await issueTicketOf(app, other.key)).id);
  const path = (id: string) => `/v1/verifactu/records/${id}/subsanar`;
  await assertHidesForeignIds(app, 'POST', path, foreign.id, { key: acme.key });
  const reader = await app.given.apiKey(other, { scopes: ['verifactu:read'], environment: 'test' });
  assertRefused(await app.post(path(foreign.id), { key: reader }), 403, 'insufficient_scope');
});
