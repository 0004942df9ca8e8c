import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import { giveCertificate } from '../../../../test/support/company-certificates.ts';
import {
  issueInvoice,
  recordingCompany,
  recordOf,
  sendAll,
} from '../../../../test/support/recording-company.ts';

const path = '/v1/verifactu/stats';
const line = { description: 'Café', quantity: 1, unit_price: 10, tax_rate: 10 };
const noStatus = { pending: 0, sending: 0, accepted: 0, accepted_with_errors: 0, rejected: 0, kept: 0 };

async function issueTickets(app: App, key: string, count: number) {
  for (let i = 0; i < count; i++) {
    const body = { type: 'F2', lines: [line], options: { issue: true } };
    const answer = await app.post('/v1/invoices', { key, body });
    assert.equal(answer.status, 201, answer.text);
  }
}

async function statsOf(app: App, key: string) {
  const answer = await app.get(path, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function counted(app: App, company_id: string) {
  const rows = await app.sql<{ status: string; count: number }[]>`
    select coalesce(s.status, 'kept') as status, count(*)::integer as count
      from verifactu_records r left join verifactu_sendings s on s.company_id = r.company_id and s.record_id = r.id
     where r.company_id = ${company_id} group by 1`;
  return { ...noStatus, ...Object.fromEntries(rows.map((row) => [row.status, row.count])) };
}

test('given VeriFactu never on, then there is nothing to count', async (t) => {
  const app = await startApp(t);
  const { test_key, live_key, company_id, sandbox_company_id } = await app.given.company();
  for (const [each, id] of [
    [test_key, sandbox_company_id],
    [live_key, company_id],
  ] as const) {
    assert.deepEqual(await statsOf(app, each), {
      object: 'verifactu_stats',
      id,
      remission_mode: null,
      records_count: 0,
      by_status: noStatus,
      pending_incident_count: 0,
      blocked_incident_count: 0,
      rejected_open_count: 0,
      oldest_pending_at: null,
      block_reason: null,
    });
  }
});

test('given a live company without an authority, when it issues, then all that waits counts as blocked', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key, company_id } = acme;
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  await issueTickets(app, key, 3);
  for (const step of ['before the sender ran', 'after it']) {
    const stats = await statsOf(app, key);
    assert.deepEqual(stats.by_status, { ...noStatus, pending: 3 }, step);
    assert.deepEqual(
      [stats.pending_incident_count, stats.blocked_incident_count, stats.block_reason],
      [0, 3, 'authority_not_configured'],
      step,
    );
    assert.equal(
      (await app.get('/v1/verifactu/config', { key })).body.data.block_reason,
      'authority_not_configured',
    );
    await app.service.worker.runDue(company_id);
  }
  const [first] = await app.sql<{ created_at: Date }[]>`
    select created_at from verifactu_sendings where company_id = ${company_id} order by position limit 1`;
  assert.equal((await statsOf(app, key)).oldest_pending_at, first?.created_at.toISOString());
});

test('given records that are sent, kept and held back, then the figures are those of the rows', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { test_key: key, sandbox_company_id: company_id } = acme;
  await giveCertificate(app, acme);
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true, remission_mode: 'no_verifactu' } });
  await issueTickets(app, key, 2);
  await app.put('/v1/verifactu/settings', { key, body: { remission_mode: 'verifactu' } });
  await issueTickets(app, key, 6);
  assert.deepEqual((await statsOf(app, key)).by_status, { ...noStatus, kept: 2, pending: 6 });
  await app.service.worker.runDue(company_id);
  assert.deepEqual((await statsOf(app, key)).by_status, { ...noStatus, kept: 2, accepted: 6 });

  // Statuses that the simulator does not give to tickets like these.
  const set = (position: number, columns: Record<string, unknown>) => app.sql`
    update verifactu_sendings set ${app.sql(columns)} where company_id = ${company_id} and position = ${position}`;
  await set(3, { status: 'rejected' });
  await set(4, { status: 'accepted_with_errors' });
  await set(5, { status: 'pending', is_blocked: true });
  await set(6, { status: 'pending', is_incident: true });
  await set(7, { status: 'sending' });
  const stats = await statsOf(app, key);
  assert.deepEqual(stats.by_status, await counted(app, company_id));
  assert.deepEqual(stats.by_status, {
    pending: 2,
    sending: 1,
    accepted: 1,
    accepted_with_errors: 1,
    rejected: 1,
    kept: 2,
  });
  assert.deepEqual(
    [stats.records_count, stats.pending_incident_count, stats.blocked_incident_count, stats.remission_mode],
    [8, 1, 1, 'verifactu'],
  );
});

test('given a rejected record, when it is mended, then it is counted, and asks for nothing more', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const invoice = await issueInvoice(app, key, 'B00000034');
  await issueInvoice(app, key, 'B00000042');
  await sendAll(app, acme);
  const counts = async () => {
    const { by_status, rejected_open_count } = await statsOf(app, key);
    return [by_status.rejected, rejected_open_count];
  };
  assert.deepEqual(await counts(), [2, 2]);
  const { id } = await recordOf(app, key, invoice.id);
  const mended = await app.post(`/v1/verifactu/records/${id}/subsanar`, { key });
  assert.equal(mended.status, 201, mended.text);
  assert.deepEqual(await counts(), [2, 1]);
  await sendAll(app, acme);
  assert.deepEqual(await counts(), [2, 1]);
});
