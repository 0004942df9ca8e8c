import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';

const ticket = {
  type: 'F2',
  lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }],
  options: { issue: true },
};

async function issued(app: App, company: TestCompany, fields: object = {}): Promise<string> {
  const body = { ...ticket, ...fields };
  const res = await app.post('/v1/invoices', { key: company.live_key, body });
  assert.equal(res.status, 201, res.text);
  return res.body.data.id;
}

/** @returns the path that reverses the payment */
async function paid(app: App, company: TestCompany, id: string, amount = 121): Promise<string> {
  const path = `/v1/invoices/${id}/payments`;
  const body = { amount, payment_method: 'direct_debit' };
  const res = await app.post(path, { key: company.live_key, body });
  assert.equal(res.status, 201, res.text);
  return `${path}/${res.body.data.id}/reversal`;
}

const reasons: [string, string][] = [
  ['direct_debit_return', 'Devolución de recibo domiciliado'],
  ['card_dispute', 'Disputa o contracargo de tarjeta'],
  ['misapplied_payment', 'Cobro aplicado a otra factura'],
  ['bounced_effect', 'Efecto impagado'],
  ['recording_error', 'Error de registro'],
];
for (const [reason, text] of reasons) {
  test(`given a paid invoice, when its payment is reversed for ${reason}, then payment, event and invoice say so`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const key = acme.live_key;
    const id = await issued(app, acme);
    const res = await app.post(await paid(app, acme, id), { key, body: { reason } });
    assert.equal(res.status, 200, res.text);
    const { data } = res.body;
    assert.deepEqual(
      [data.is_reversed, data.reversal_reason, data.reversal_reason_text, data.reversal_note, data.amount],
      [true, reason, text, null, 121],
    );
    const [event] = (await app.get('/v1/events', { key, query: { type: 'payment.reversed' } })).body.data;
    assert.deepEqual(
      [event.aggregate_id, event.data],
      [data.id, { type: 'payment', object: data, reversal: { reason, origin: 'manual' } }],
    );
    const invoice = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
    assert.deepEqual(
      [invoice.status, invoice.paid_amount, invoice.pending_amount, invoice.payments],
      ['sent', 0, 121, { total: 0, detail: [data] }],
    );
  });
}

const refusals: [string, unknown, string, string][] = [
  ['the reserved reason', { reason: 'issued_in_error' }, 'reversal_reason_reserved', 'reason'],
  ['an unknown reason', { reason: 'otra' }, 'parameter_invalid', 'reason'],
  ['no reason', {}, 'parameter_invalid', 'reason'],
  ['a note that is too long', { reason: 'card_dispute', note: 'x'.repeat(501) }, 'parameter_invalid', 'note'],
];
for (const [name, body, code, param] of refusals) {
  test(`given ${name}, when a payment is reversed, then 422 ${code} and it stays in force`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const id = await issued(app, acme);
    const res = await app.post(await paid(app, acme, id), { key: acme.live_key, body });
    assert.deepEqual([res.status, res.body.error.code, res.body.error.param], [422, code, param]);
    const invoice = (await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data;
    assert.deepEqual([invoice.status, invoice.payments.detail[0].is_reversed], ['paid', false]);
  });
}

test('given a part payment, when it is reversed, then the invoice keeps its status', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const path = await paid(app, acme, id, 21);
  await app.post(path, { key, body: { reason: 'misapplied_payment' } });
  const invoice = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  assert.deepEqual([invoice.status, invoice.paid_amount], ['issued', 0]);
});

test('given a due day that has passed, when a payment is reversed, then the invoice is overdue and the event tells once', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme, { due_on: '2026-05-25' });
  const payments = [await paid(app, acme, id, 100), await paid(app, acme, id, 21)];
  app.clock.set('2026-05-26T10:00:00Z');
  for (const path of payments) await app.post(path, { key, body: { reason: 'bounced_effect' } });
  assert.equal((await app.get(`/v1/invoices/${id}`, { key })).body.data.status, 'overdue');
  const types = await app.eventTypes(acme, id);
  assert.deepEqual(types.slice(-2), ['invoice.paid', 'invoice.overdue']);
});

test('given an amount that was given back, when its record is reversed and nothing is left to pay, then the invoice is paid and the event says so', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const part = await paid(app, acme, id, 60);
  await paid(app, acme, id, 61);
  const less = { correction: { type: 'differences' }, lines: [{ quantity: -1, unit_price: 50 }] };
  const corrective = await app.post(`/v1/invoices/${id}/corrective`, { key, body: less });
  assert.equal(corrective.status, 201, corrective.text);
  const refund = await paid(app, acme, id, -60.5);
  const statuses: unknown[] = [];
  for (const path of [part, refund]) {
    await app.post(path, { key, body: { reason: 'recording_error' } });
    const { status, pending_amount } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
    statuses.push([status, pending_amount]);
  }
  assert.deepEqual(statuses, [
    ['sent', 60],
    ['paid', -0.5],
  ]);
  const types = await app.eventTypes(acme, id);
  assert.equal(types.filter((type) => type === 'invoice.paid').length, 2);
  assert.equal(types.at(-1), 'invoice.paid');
});

test("given another invoice's or another company's payment, when it is reversed, then it is not found", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const [mine, next] = [await issued(app, acme), await issued(app, acme)];
  const path = await paid(app, acme, mine);
  const body = { reason: 'card_dispute' };
  const foreign = await app.post(path, { key: other.live_key, body });
  const elsewhere = await app.post(path.replace(mine, next), { key: acme.live_key, body });
  for (const [res, param] of [
    [foreign, 'invoice'],
    [elsewhere, 'payment'],
  ] as const) {
    assert.deepEqual(
      [res.status, res.body.error.code, res.body.error.param],
      [404, 'resource_not_found', param],
    );
  }
});
