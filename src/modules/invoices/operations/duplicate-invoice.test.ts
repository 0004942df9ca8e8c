import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertRefused, create } from '../../../../test/support/resource-checks.ts';

const path = '/v1/invoices';
const ticket = {
  type: 'F2',
  lines: [{ description: 'Trabajo', quantity: 2, unit_price: 100, tax_rate: 21 }],
  tags: ['web'],
  notes: 'Gracias',
  external_id: 'ERP-1',
  options: { issue: true },
};

test('given an issued and paid invoice, when duplicate_invoice is called, then a draft has its content and nothing of its life', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await create(app, path, key, ticket);
  const paid = await app.post(`${path}/${id}/payments`, {
    key,
    body: { amount: 242, payment_method: 'cash' },
  });
  assert.ok(paid.status < 300, paid.text);
  const original = (await app.get(`${path}/${id}`, { key })).body.data;

  const answer = await app.post(`${path}/${id}/duplicate`, { key });
  assert.equal(answer.status, 201, answer.text);
  const copy = answer.body.data;
  assert.notEqual(copy.id, id);
  assert.deepEqual(
    [copy.status, copy.number, copy.issued_on, copy.external_id, copy.paid_amount],
    ['draft', null, null, null, 0],
  );
  assert.deepEqual(
    [copy.type, copy.total, copy.tags, copy.notes, copy.lines.length],
    [original.type, original.total, original.tags, original.notes, 1],
  );
  assert.deepEqual((await app.get(`${path}/${copy.id}`, { key })).body, { data: copy });
  assert.deepEqual((await app.get(`${path}/${id}`, { key })).body, { data: original }, 'the original stays');
  assert.deepEqual(await app.eventTypes(acme, copy.id), ['invoice.created']);
});

test('given an invoice with a billing record, when it is duplicated, then the draft shows none', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const on = await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  assert.equal(on.status, 200, on.text);
  const { id } = await create(app, path, key, ticket);
  assert.notEqual((await app.get(`${path}/${id}`, { key })).body.data.verifactu, null);
  const copy = (await app.post(`${path}/${id}/duplicate`, { key })).body.data;
  assert.equal(copy.verifactu, null);
  assert.deepEqual((await app.get(`${path}/${copy.id}`, { key })).body.data, copy);
});

test('given a corrective invoice, when duplicate_invoice is called, then a business rule refuses it', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, path, key, ticket);
  const body = { correction: { type: 'differences' } };
  const corrective = await app.post(`${path}/${id}/corrective`, { key, body });
  assert.equal(corrective.status, 201, corrective.text);
  const answer = await app.post(`${path}/${corrective.body.data.id}/duplicate`, { key });
  assertRefused(answer, 422, 'business_rule_violation');
});

for (const [name, method, action] of [
  ['get_invoice', 'GET', ''],
  ['duplicate_invoice', 'POST', '/duplicate'],
] as const) {
  test(`given another company's invoice, when ${name} is called, then it is not found`, async (t) => {
    const app = await startApp(t);
    const [acme, other] = [await app.given.company(), await app.given.company()];
    const { id } = await create(app, path, other.live_key, ticket);
    await assertHidesForeignIds(app, method, (x) => `${path}/${x}${action}`, id, { key: acme.live_key });
  });
}
