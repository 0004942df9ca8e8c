import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';

async function issued(app: App, company: TestCompany, fields: object = {}): Promise<string> {
  const body = {
    type: 'F2',
    lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21, ...fields }],
    options: { issue: true },
  };
  return (await app.post('/v1/invoices', { key: company.live_key, body })).body.data.id;
}

const methods: [string, string][] = [
  ['bank_transfer', 'Transferencia bancaria'],
  ['direct_debit', 'Domiciliación bancaria'],
  ['card', 'Tarjeta'],
  ['cash', 'Efectivo'],
  ['check', 'Cheque'],
  ['promissory_note', 'Pagaré'],
  ['bizum', 'Bizum'],
  ['other', 'Otro medio'],
];
test('given an issued invoice, when paid in two parts, then the first leaves the status and the last makes it paid', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  const pay = (amount: number) =>
    app.post(`/v1/invoices/${id}/payments`, {
      key: acme.live_key,
      body: { amount, payment_method: 'bank_transfer', reference: 'T1' },
    });
  const first = await pay(100);
  assert.equal(first.status, 201);
  assert.deepEqual(
    [first.body.data.payment_method_text, first.body.data.is_reversed, first.body.data.reversal_reason],
    ['Transferencia bancaria', false, null],
  );
  const half = (await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data;
  assert.deepEqual(
    [half.status, half.paid_amount, half.pending_amount, half.payments.total],
    ['issued', 100, 21, 100],
  );
  const over = await pay(21.01);
  assert.deepEqual(
    [over.status, over.body.error.code, over.body.error.param],
    [422, 'business_rule_violation', 'amount'],
  );
  assert.equal((await pay(21)).status, 201);
  const paid = (await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data;
  assert.deepEqual([paid.status, paid.pending_amount, paid.payments.detail.length], ['paid', 0, 2]);
  for (const entry of paid.payments.detail) {
    assert.deepEqual(
      [
        entry.is_reversed,
        entry.reversed_at,
        entry.reversal_reason,
        entry.reversal_reason_text,
        entry.reversal_note,
      ],
      [false, null, null, null, null],
    );
  }
  assert.deepEqual((await app.eventTypes(acme, id)).at(-1), 'invoice.paid');
  assert.deepEqual(await app.eventTypes(acme, first.body.data.id), ['payment.received']);
  const more = await pay(0.01);
  assert.deepEqual([more.status, more.body.error.code], [422, 'business_rule_violation']);
});

test('given the reference, when its schemas are read, then methods and reasons stand with their texts', async (t) => {
  const app = await startApp(t);
  const text = (await app.get('/openapi.json')).text;
  for (const [method, label] of methods) assert.ok(text.includes(`${method}: ${label}`), method);
  assert.ok(text.includes('card_dispute: Disputa o contracargo de tarjeta'));
});

test('given a retention, when what is due is paid, then the invoice is paid', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme, { retention_rate: 15 });
  await app.post(`/v1/invoices/${id}/payments`, {
    key: acme.live_key,
    body: { amount: 106, payment_method: 'cash' },
  });
  assert.equal((await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data.status, 'paid');
});

test('given each method, when paid, then the payment carries it, its text and all that was sent', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const registered: unknown[] = [];
  for (const [payment_method, payment_method_text] of methods) {
    const sent = { amount: 1.5, payment_date: '2026-05-19', payment_method, reference: 'T1', notes: 'n' };
    const res = await app.post(`/v1/invoices/${id}/payments`, { key, body: sent });
    assert.equal(res.status, 201, res.text);
    assert.deepEqual(res.body.data, {
      ...sent,
      id: res.body.data.id,
      object: 'payment',
      invoice_id: id,
      payment_method_text,
      external_id: null,
      metadata: {},
      is_reversed: false,
      reversed_at: null,
      reversal_reason: null,
      reversal_reason_text: null,
      reversal_note: null,
      created_at: '2026-05-20T10:00:00.000Z',
      updated_at: '2026-05-20T10:00:00.000Z',
    });
    registered.push(res.body.data);
  }
  const { payments } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  assert.deepEqual(payments, { total: 12, detail: registered });
});

const refusals: [string, unknown, number, string, string][] = [
  ['zero', { amount: 0, payment_method: 'cash' }, 422, 'parameter_invalid', 'amount'],
  ['three decimals', { amount: 1.001, payment_method: 'cash' }, 422, 'parameter_invalid', 'amount'],
  ['an unknown method', { amount: 1, payment_method: 'shells' }, 422, 'parameter_invalid', 'payment_method'],
  [
    'a day in the future',
    { amount: 1, payment_method: 'cash', payment_date: '2199-01-01' },
    422,
    'business_rule_violation',
    'payment_date',
  ],
];
for (const [name, body, status, code, param] of refusals) {
  test(`given ${name}, when paid, then ${code} names ${param}`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const res = await app.post(`/v1/invoices/${await issued(app, acme)}/payments`, {
      key: acme.live_key,
      body,
    });
    assert.deepEqual([res.status, res.body.error.code, res.body.error.param], [status, code, param]);
  });
}

test('given a draft, when paid, then 409', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const draft = await app.post('/v1/invoices', {
    key,
    body: { lines: [{ description: 'x', unit_price: 1, tax_rate: 21 }] },
  });
  const res = await app.post(`/v1/invoices/${draft.body.data.id}/payments`, {
    key,
    body: { amount: 1, payment_method: 'cash' },
  });
  assert.deepEqual([res.status, res.body.error.code], [409, 'invalid_status_transition']);
});

test('given twenty callers paying the whole at once, when all have answered, then it was paid once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme);
  const all = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.post(`/v1/invoices/${id}/payments`, {
        key: acme.live_key,
        body: { amount: 121, payment_method: 'card' },
      }),
    ),
  );
  assert.equal(all.filter((r) => r.status === 201).length, 1);
  assert.equal((await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data.paid_amount, 121);
});
