import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertRefused, create } from '../../../../test/support/resource-checks.ts';

const path = '/v1/invoices';
const ticket = {
  type: 'F2',
  lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }],
  options: { issue: true },
};
const payment = { amount: 21, payment_method: 'cash' };

test('given an issued invoice, when void_invoice is called, then it keeps its number and nothing is due of it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const issued = await create<{ id: string; number: string }>(app, path, key, ticket);
  const answer = await app.post(`${path}/${issued.id}/void`, { key });
  assert.equal(answer.status, 200, answer.text);
  const { status, number, pending_amount } = answer.body.data;
  assert.deepEqual([status, number, pending_amount], ['voided', issued.number, 0]);
  assert.ok((await app.eventTypes(acme, issued.id)).includes('invoice.cancelled'));
  assertRefused(await app.post(`${path}/${issued.id}/void`, { key }), 409, 'invalid_status_transition');
});

test('given an invoice with a payment, when void_invoice is called, then it is refused until the payment is reversed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, path, key, ticket);
  const paid = await app.post(`${path}/${id}/payments`, { key, body: payment });
  assert.ok(paid.status < 300, paid.text);
  assertRefused(await app.post(`${path}/${id}/void`, { key }), 409, 'invalid_status_transition');

  const can = await app.get(`${path}/${id}/can-annul`, { key });
  assert.deepEqual(can.body.data, {
    object: 'can_annul',
    id,
    can_annul: true,
    reasons: [],
    reason_codes: [],
    requires_collection_reversal: true,
    active_collections_amount: 21,
  });
});

test('given a draft, when can_annul_invoice is called, then it cannot, and the reason is told in words', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const draft = await create(app, path, key, { ...ticket, options: {} });
  const { body } = await app.get(`${path}/${draft.id}/can-annul`, { key });
  assert.deepEqual([body.data.can_annul, body.data.requires_collection_reversal], [false, false]);
  assert.equal(body.data.reasons.length, 1);
  assert.deepEqual((await app.get(`${path}/${draft.id}`, { key })).body, { data: draft });
});

for (const [name, method, action] of [
  ['void_invoice', 'POST', 'void'],
  ['can_annul_invoice', 'GET', 'can-annul'],
] as const) {
  test(`given another company's invoice, when ${name} is called, then it is not found`, async (t) => {
    const app = await startApp(t);
    const [acme, other] = [await app.given.company(), await app.given.company()];
    const { id } = await create(app, path, other.live_key, ticket);
    await assertHidesForeignIds(app, method, (x) => `${path}/${x}/${action}`, id, { key: acme.live_key });
    assert.equal((await app.get(`${path}/${id}`, { key: other.live_key })).body.data.status, 'issued');
  });
}
