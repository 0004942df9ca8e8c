import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  issueTicketOf,
  keepBack,
  recordingCompany,
  recordOf,
  sendAll,
} from '../../../../test/support/recording-company.ts';
import { assertHidesForeignIds, assertNeedsScope } from '../../../../test/support/resource-checks.ts';

test('given a ticket that the authority accepted, when its record is read, then it says all of it', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const [first, second] = [await issueTicketOf(app, key), await issueTicketOf(app, key, 12.1)];
  await sendAll(app, acme);
  const { id: first_id } = await recordOf(app, key, first.id);
  const { id } = await recordOf(app, key, second.id);
  const [before, record] = (
    await Promise.all([first_id, id].map((one) => app.get(`/v1/verifactu/records/${one}`, { key })))
  ).map((res) => res.body.data);
  assert.match(record.huella, /^[0-9A-F]{64}$/);
  assert.match(record.csv, /\S/);
  assert.match(record.qr_url, /importe=12\.10$/);
  assert.ok(record.sent_at <= record.answered_at);
  const { huella, csv, qr_url, sent_at, answered_at, recorded_at, stamped_at, ...rest } = record;
  assert.equal(Date.parse(stamped_at), Math.floor(Date.parse(recorded_at) / 1000) * 1000);
  assert.deepEqual(rest, {
    id,
    object: 'verifactu_record',
    kind: 'alta',
    mode: 'verifactu',
    status: 'accepted',
    is_blocked: false,
    block_reason: null,
    aeat_error_code: null,
    aeat_error_message: null,
    aeat_status: 'Correcto',
    can_subsanar: true,
    invoice: { id: second.id, number: second.number, issued_on: second.issued_on, type: 'F2' },
    position: 2,
    previous_huella: before.huella,
    is_subsanacion: false,
    prior_rejection: null,
    has_no_prior_record: false,
    follows_id: null,
    tax_total: 2.1,
    total: 12.1,
    attempts: 1,
    is_incident: false,
  });
});

test('given an annulment that waits, when it is read, then it has no amounts and cannot be mended', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const ticket = await issueTicketOf(app, acme.key);
  const alta = await recordOf(app, acme.key, ticket.id);
  await app.post(`/v1/invoices/${ticket.id}/annul`, { key: acme.key, body: {} });
  const anulacion = await recordOf(app, acme.key, ticket.id);
  assert.deepEqual(
    [anulacion.kind, anulacion.invoice.type, anulacion.total, anulacion.tax_total, anulacion.follows_id],
    ['anulacion', null, null, null, alta.id],
  );
  assert.deepEqual([anulacion.status, anulacion.can_subsanar], ['pending', false]);
  assert.equal(anulacion.qr_url, alta.qr_url);
});

test('given a company that cannot send, when a record that waits is read, then it is blocked and no row says so', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { environment: 'live' });
  const ticket = await issueTicketOf(app, acme.key);
  const record = await recordOf(app, acme.key, ticket.id);
  assert.deepEqual(
    [record.status, record.is_blocked, record.block_reason, record.csv],
    ['pending', true, 'authority_not_configured', null],
  );
  const [row] =
    await app.sql`select is_blocked, block_reason from verifactu_sendings where record_id = ${record.id}`;
  assert.deepEqual({ ...row }, { is_blocked: false, block_reason: null });
  await keepBack(app, record.id);
  const after = await recordOf(app, acme.key, ticket.id);
  assert.deepEqual(
    [after.is_blocked, after.block_reason, after.aeat_error_code, after.can_subsanar],
    [true, 'schema_invalid', 'SCHEMA_INVALID', true],
  );
});

test("given another company's record, when it is read, then it does not exist; and reading needs its scope", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [
    await recordingCompany(app, { environment: 'live' }),
    await recordingCompany(app, { environment: 'live' }),
  ];
  const foreign = await recordOf(app, other.key, (await issueTicketOf(app, other.key)).id);
  const path = (id: string) => `/v1/verifactu/records/${id}`;
  await assertHidesForeignIds(app, 'GET', path, foreign.id, { key: acme.key });
  await assertNeedsScope(app, other, 'verifactu:read', 'GET', path(foreign.id));
});
