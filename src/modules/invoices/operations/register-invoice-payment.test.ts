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
  assert.match(over.body.error.message, /el cobro supera lo pendiente de la factura: 21,00\.$/);
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

test('given as many payments as an invoice may have, when one more is registered, then it is refused and nothing is written', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const id = await issued(app, { live_key: key } as TestCompany);
  const pay = (amount: number) =>
    app.post(`/v1/invoices/${id}/payments`, { key, body: { amount, payment_method: 'cash' } });
  const [{ id: first }, reason] = [(await pay(1)).body.data, { reason: 'recording_error' }];
  const reversed = await app.post(`/v1/invoices/${id}/payments/${first}/reversal`, { key, body: reason });
  assert.equal(reversed.status, 200, reversed.text);
  // Those that were reversed count, since each answer shows them too.
  await app.sql`
    insert into payments (company_id, id, invoice_id, amount, payment_date, payment_method, is_reversed, reversed_at, reversal_reason,
                          created_at, updated_at)
    select company_id, gen_random_uuid(), invoice_id, amount, payment_date, payment_method, true, reversed_at, reversal_reason,
           created_at, updated_at
      from payments, generate_series(2, 499) where id = ${first}`;
  assert.equal((await pay(1)).status, 201);
  const more = await pay(1);
  assert.deepEqual([more.status, more.body.error?.code], [422, 'business_rule_violation']);
  const { paid_amount, payments } = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  assert.deepEqual([paid_amount, payments.detail.length], [1, 500]);
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

/** A paid invoice of 242.00 that is corrected by `less` units of 121.00; below zero, one of its own that is owed to the client. */
async function owing(app: App, company: TestCompany, made: 'paid' | 'own', less: number) {
  const key = company.live_key;
  const post = async (path: string, body: object) =>
    (await app.post(`/v1/invoices${path}`, { key, body })).body.data;
  const lines = (quantity: number) => [{ description: 'Trabajo', quantity, unit_price: 100, tax_rate: 21 }];
  if (made === 'own') {
    const corrected_invoices = [{ number: 'A/2025/17', issued_on: '2025-11-03' }];
    const correction = { type: 'differences', reason: 'Devolución' };
    const body = {
      type: 'R5',
      correction,
      corrected_invoices,
      lines: lines(-less),
      options: { issue: true },
    };
    return (await post('', body)).id as string;
  }
  const body = { type: 'F2', lines: lines(2), options: { issue: true }, payment: { method: 'card' } };
  const { id } = await post('', body);
  await post(`/${id}/corrective`, { correction: { type: 'differences' }, lines: [{ quantity: -less }] });
  return id as string;
}

/** What was made, what is given back, what is answered, and what the invoice then says. */
const refunds: [string, 'paid' | 'own', number, number, string | null, [string, number, number]][] = [
  ['a part of what is owed', 'paid', 1, -100, null, ['paid', 142, -21]],
  ['all that is owed', 'paid', 1, -121, null, ['paid', 121, 0]],
  ['more than is owed', 'paid', 1, -121.01, 'business_rule_violation', ['paid', 242, -121]],
  ['a payment instead', 'paid', 1, 1, 'business_rule_violation', ['paid', 242, -121]],
  ['the whole invoice', 'paid', 2, -242, null, ['rectified', 0, 0]],
  ['a payment of a corrected one', 'paid', 2, 1, 'invalid_status_transition', ['rectified', 242, -242]],
  ['a part of a negative one', 'own', 1, -21, null, ['issued', -21, -100]],
  ['a negative one', 'own', 1, -121, null, ['paid', -121, 0]],
  ['a payment of a negative one', 'own', 1, 1, 'business_rule_violation', ['issued', 0, -121]],
];
test('given an amount that is owed to the client, when it is given back, then it is owed no more', async (t) => {
  const app = await startApp(t);
  for (const [what, made, less, amount, refusal, expected] of refunds) {
    const acme = await app.given.company();
    const key = acme.live_key;
    const id = await owing(app, acme, made, less);
    const pay = (sum: number) =>
      app.post(`/v1/invoices/${id}/payments`, { key, body: { amount: sum, payment_method: 'card' } });
    const told = async () => {
      const { status, paid_amount, pending_amount } = (await app.get(`/v1/invoices/${id}`, { key })).body
        .data;
      return [status, paid_amount, pending_amount];
    };
    const before = await told();
    const answer = await pay(amount);
    assert.deepEqual(
      [answer.body.error?.code ?? null, await told()],
      [refusal, expected],
      `${what} ${answer.text}`,
    );
    if (refusal) continue;
    assert.deepEqual([answer.status, answer.body.data.amount], [201, amount], what);
    assert.deepEqual(await app.eventTypes(acme, answer.body.data.id), ['payment.received']);
    if (before[0] !== 'paid' && expected[0] === 'paid')
      assert.equal((await app.eventTypes(acme, id)).at(-1), 'invoice.paid');
    // Taken back, it is owed again.
    const reversal = `/v1/invoices/${id}/payments/${answer.body.data.id}/reversal`;
    assert.equal((await app.post(reversal, { key, body: { reason: 'recording_error' } })).status, 200, what);
    const after = await told();
    assert.deepEqual(after.slice(1), before.slice(1), what);
    assert.equal(after[0], before[0] === 'issued' && expected[0] === 'paid' ? 'sent' : before[0], what);
  }
});

test('given money given back of an invoice that is then corrected to zero, when the client pays it again, then it is taken', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await owing(app, acme, 'own', 1);
  const post = (path: string, body: object) => app.post(`/v1/invoices/${id}${path}`, { key, body });
  const pay = (amount: number) => post('/payments', { amount, payment_method: 'card' });
  assert.equal((await pay(-121)).status, 201);
  assert.equal((await post('/corrective', { correction: { type: 'differences' } })).status, 201);
  const answers: [number, number, unknown[]][] = [
    [121.01, 422, ['rectified', -121, 121]],
    [21, 201, ['rectified', -100, 100]],
    [100, 201, ['rectified', 0, 0]],
    [0.01, 409, ['rectified', 0, 0]],
  ];
  for (const [amount, status, expected] of answers) {
    const answer = await pay(amount);
    assert.equal(answer.status, status, `${amount} ${answer.text}`);
    const told = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
    assert.deepEqual([told.status, told.paid_amount, told.pending_amount], expected);
  }
});

test('given an invoice that owes its client nothing, when money is given back, then the amount is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const pay = (body: object) =>
    app.post(`/v1/invoices/${id}/payments`, { key, body: { payment_method: 'cash', ...body } });
  for (const amount of [-1, 0, -0]) {
    const { status, body } = await pay({ amount });
    assert.deepEqual([status, body.error.code, body.error.param], [422, 'parameter_invalid', 'amount']);
  }
  assert.equal((await pay({ amount: 121 })).status, 201);
  assert.equal((await pay({ amount: -121 })).status, 422);
  await app.post(`/v1/invoices/${id}/annul`, { key, body: { revert_collections: true } });
  assert.equal((await pay({ amount: -121 })).body.error.code, 'invalid_status_transition');
});

test('given ten callers giving the same back at once, when all have answered, then it was given back once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await owing(app, acme, 'paid', 1);
  const body = { amount: -121, payment_method: 'card' };
  const all = await Promise.all(
    Array.from({ length: 10 }, () => app.post(`/v1/invoices/${id}/payments`, { key: acme.live_key, body })),
  );
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, ...Array(9).fill(422)]);
});
