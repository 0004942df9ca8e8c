import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, create } from '../../../../test/support/resource-checks.ts';

const path = '/v1/invoices';
const amounts = {
  subtotal: 100,
  discount_total: 0,
  taxes_total: 21,
  surcharge_total: 0,
  retention_total: 0,
  total: 121,
  amount_due: 121,
};
const ticket = { type: 'F2', lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }] };

test('given a draft that lacks nothing, when it is asked whether it can be issued, then it can, and stays a draft', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const draft = await create(app, path, key, ticket);
  const answer = await app.post(`${path}/${draft.id}/can-issue`, { key });
  assert.deepEqual(
    [answer.status, answer.body],
    [200, { data: { object: 'dry_run', id: draft.id, can_issue: true, reasons: [], amounts } }],
  );
  assert.deepEqual((await app.get(`${path}/${draft.id}`, { key })).body, { data: draft });
  assert.deepEqual(await app.eventTypes(acme, draft.id), ['invoice.created']);
});

test('given a full invoice without client or issuer, when it is asked whether it can be issued, then every reason is told at once', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await app.put('/v1/account/company', { key, body: { name: null } });
  const { id } = await create(app, path, key, { ...ticket, type: 'F1' });
  const { body } = await app.post(`${path}/${id}/can-issue`, { key });
  assert.equal(body.data.can_issue, false);
  const params = body.data.reasons.map(({ param }: { param: string }) => param);
  assert.ok(
    params.includes('client_id') && params.includes('company_name'),
    JSON.stringify(body.data.reasons),
  );
  // A reason says what the refusal says of its field.
  const unknown = { ...ticket, client_id: id };
  const tried = await app.post(path, { key, body: { ...unknown, options: { dry_run: true } } });
  const refused = await app.post(path, { key, body: unknown });
  assert.equal(tried.body.data.reasons[0].message, refused.body.error.errors[0].message);
  const issued = await app.post(`${path}/${id}/issue`, { key });
  assert.ok(
    body.data.reasons.some(({ code }: { code: string }) => code === issued.body.error.code),
    'issue refuses for one of the reasons',
  );
});

test("given another company's invoice, when it is asked whether it can be issued, then it is not found", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const { id } = await create(app, path, other.live_key, ticket);
  await assertHidesForeignIds(app, 'POST', (x) => `${path}/${x}/can-issue`, id, { key: acme.live_key });
});
