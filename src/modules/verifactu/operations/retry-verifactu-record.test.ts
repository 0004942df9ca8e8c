import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  issueTicketOf,
  keepBack,
  recordingCompany,
  recordOf,
  sendAll,
  storeAnswer,
} from '../../../../test/support/recording-company.ts';
import { assertHidesForeignIds, assertRefused } from '../../../../test/support/resource-checks.ts';

const path = (id: string) => `/v1/verifactu/records/${id}/retry`;

test('given a record whose message had no answer, when it is retried, then the same bytes go out once the authority lets them', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key, id: company_id } = acme;
  // The simulator is away for the first delivery.
  const ticket = await issueTicketOf(app, key, 2988.19);
  await app.service.worker.runDue(company_id);
  const waiting = await recordOf(app, key, ticket.id);
  assert.equal(waiting.attempts, 1);
  const [job] =
    await app.sql`select run_at from jobs where company_id = ${company_id} and id = ${company_id}`;
  assert.ok(job!.run_at > app.clock.now(), 'the sender waits');
  const res = await app.post(path(waiting.id), { key });
  assert.deepEqual([res.status, res.body.data.id], [200, waiting.id], res.text);
  await app.service.worker.runDue(company_id);
  assert.equal((await recordOf(app, key, ticket.id)).attempts, 1);
  // Until the authority says another, its waiting time is a minute (Orden HAC/1177/2024, art. 16.2).
  app.clock.advance(60_000);
  await app.service.worker.runDue(company_id);
  const after = await recordOf(app, key, ticket.id);
  assert.deepEqual([after.status, after.huella, after.attempts], ['accepted', waiting.huella, 2]);
});

test('given a record that broke the schema, when it is retried, then it goes out unless it breaks it still', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const [fit, unfit] = [await issueTicketOf(app, key), await issueTicketOf(app, key)];
  const [fit_id, unfit_id] = [(await recordOf(app, key, fit.id)).id, (await recordOf(app, key, unfit.id)).id];
  for (const id of [fit_id, unfit_id]) await keepBack(app, id);
  await app.sql`
    update verifactu_records set xml = regexp_replace(xml, '<sf:ImporteTotal>[^<]*', '<sf:ImporteTotal>mucho')
     where id = ${unfit_id}`;
  const refused = await app.post(path(unfit_id), { key });
  assertRefused(refused, 422, 'verifactu_not_eligible', 'record');
  assert.equal((await recordOf(app, key, unfit.id)).block_reason, 'schema_invalid');
  const res = await app.post(path(fit_id), { key });
  const { status, is_blocked, aeat_error_code } = res.body.data;
  assert.deepEqual([res.status, status, is_blocked, aeat_error_code], [200, 'pending', false, null]);
  await sendAll(app, acme);
  assert.equal((await recordOf(app, key, fit.id)).status, 'accepted');
  assert.equal((await recordOf(app, key, unfit.id)).attempts, 0);
});

test('given a record with an answer, or one that is no longer the last, when it is retried, then its state does not allow it', async (t) => {
  const app = await startApp(t);
  const acme = await recordingCompany(app);
  const { key } = acme;
  const ticket = await issueTicketOf(app, key);
  const { id } = await recordOf(app, key, ticket.id);
  for (const status of ['accepted', 'accepted_with_errors', 'rejected'] as const) {
    await storeAnswer(app, id, status);
    assertRefused(await app.post(path(id), { key }), 409, 'invalid_status_transition', 'record');
  }
  await storeAnswer(app, id, 'pending');
  await keepBack(app, id);
  assert.equal((await app.post(`/v1/verifactu/records/${id}/subsanar`, { key })).status, 201);
  assertRefused(await app.post(path(id), { key }), 409, 'invalid_status_transition', 'record');
  await app.sql`delete from verifactu_sendings where record_id = ${id}`;
  assertRefused(await app.post(path(id), { key }), 409, 'invalid_status_transition', 'record');
});

test('given ten attempts, when a record is retried, then only version 2026-06-01 refuses it', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app);
  const { id } = await recordOf(app, key, (await issueTicketOf(app, key)).id);
  const headers = { 'Service-Version': '2026-06-01' };
  await app.sql`update verifactu_sendings set attempts = 9 where record_id = ${id}`;
  assert.equal((await app.post(path(id), { key, headers })).status, 200);
  await app.sql`update verifactu_sendings set attempts = 10 where record_id = ${id}`;
  assertRefused(await app.post(path(id), { key, headers }), 409, 'max_retries_exceeded', 'record');
  assert.equal((await app.post(path(id), { key })).status, 200);
});

test("given another company's record, when it is retried, then it does not exist", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await recordingCompany(app), await recordingCompany(app)];
  const foreign = await recordOf(app, other.key, (await issueTicketOf(app, other.key)).id);
  await assertHidesForeignIds(app, 'POST', path, foreign.id, { key: acme.key });
});
