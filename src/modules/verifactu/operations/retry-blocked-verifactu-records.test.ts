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
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/verifactu/records/retry-blocked';

test('given records that broke the schema, when the blocked are retried, then those that no longer do are sent and counted', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const tickets = [
    await issueTicketOf(app, key),
    await issueTicketOf(app, key),
    await issueTicketOf(app, key),
  ];
  const ids = await Promise.all(tickets.map(async (one) => (await recordOf(app, key, one.id)).id));
  for (const id of ids) await keepBack(app, id);
  await app.sql`
    update verifactu_records set xml = regexp_replace(xml, '<sf:ImporteTotal>[^<]*', '<sf:ImporteTotal>mucho')
     where id = ${ids[1]}`;
  const res = await app.post(path, { key });
  assert.deepEqual(
    [res.status, res.body],
    [202, { data: { object: 'retry_blocked', id: acme.sandbox_company_id, reactivated: 2 } }],
    res.text,
  );
  await sendAll(app, acme);
  const statuses = await Promise.all(tickets.map(async (one) => (await recordOf(app, key, one.id)).status));
  assert.deepEqual(statuses, ['accepted', 'pending', 'accepted']);
  const [still] = (await app.get('/v1/verifactu/records', { key, query: { is_blocked: 'true' } })).body.data;
  assert.deepEqual([still.id, still.aeat_error_code], [ids[1], 'SCHEMA_INVALID']);
  assert.equal((await app.post(path, { key })).body.data.reactivated, 0);
});

test('given a company that the authority refused, when the blocked are retried, then all that waits is tried at once', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key, id: company_id } = acme;
  const tickets = [await issueTicketOf(app, key), await issueTicketOf(app, key)];
  await app.sql`update verifactu_settings set block_reason = 'aeat_4112' where company_id = ${company_id}`;
  await app.sql`update jobs set run_at = now() + interval '1 hour' where company_id = ${company_id} and id = ${company_id}`;
  await app.sql`update due_work set due_at = now() + interval '1 hour' where company_id = ${company_id} and id = ${company_id}`;
  const record = await recordOf(app, key, tickets[0]!.id);
  assert.deepEqual([record.is_blocked, record.block_reason], [true, 'aeat_4112']);
  assert.equal((await app.post(path, { key })).body.data.reactivated, 2);
  assert.equal((await recordOf(app, key, tickets[0]!.id)).is_blocked, false);
  await app.service.worker.runDue(company_id);
  for (const ticket of tickets) assert.equal((await recordOf(app, key, ticket.id)).status, 'accepted');
});

test('given nobody to send to, when the blocked are retried, then none is reactivated', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app, { environment: 'live' });
  const ticket = await issueTicketOf(app, acme.key);
  const res = await app.post(path, { key: acme.key, body: {} });
  assert.deepEqual([res.status, res.body.data.reactivated], [202, 0]);
  const record = await recordOf(app, acme.key, ticket.id);
  assert.deepEqual([record.is_blocked, record.block_reason], [true, 'authority_not_configured']);
});

test('given a company that never recorded, or a key that only reads, when the blocked are retried, then nothing is', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  assert.equal((await app.post(path, { key: acme.live_key })).body.data.reactivated, 0);
  const reader = await app.given.apiKey(acme, { scopes: ['verifactu:read'] });
  assertRefused(await app.post(path, { key: reader }), 403, 'insufficient_scope');
  assertRefused(
    await app.post(path, { key: acme.live_key, body: { all: true } }),
    422,
    'parameter_invalid',
    'all',
  );
});
