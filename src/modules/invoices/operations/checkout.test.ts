import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { asRead } from '../../../../test/support/as-read.ts';

const line = { description: 'Café', unit_price: 10, tax_rate: 10 };

test('given a payment, when created, then the invoice is issued and paid in one commit', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T22:30:00Z');
  const acme = await app.given.company();
  const body = {
    type: 'F2',
    lines: [line],
    payment: { method: 'card', paid_at: '2026-05-20T21:59:00Z', reference: 'TPV 7' },
  };
  const res = await app.post('/v1/invoices', { key: acme.live_key, body });
  assert.equal(res.status, 201, res.text);
  const { data } = res.body;
  assert.deepEqual(
    [data.status, data.paid_amount, data.pending_amount, data.issued_on],
    ['paid', 11, 0, '2026-05-21'],
  );
  const [payment] = data.payments.detail;
  assert.deepEqual(
    [
      payment.payment_method,
      payment.payment_method_text,
      payment.reference,
      payment.payment_date,
      payment.amount,
    ],
    ['card', 'Tarjeta', 'TPV 7', '2026-05-20', 11],
  );
  assert.deepEqual(
    (await app.get(`/v1/invoices/${data.id}`, { key: acme.live_key })).body.data,
    asRead(data),
  );
  assert.deepEqual(await app.eventTypes(acme, data.id), [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
    'invoice.paid',
  ]);
  assert.deepEqual(await app.eventTypes(acme, payment.id), ['payment.received']);
});

test('given VeriFactu off and no mail server, when record and sending are asked for, then the answer says that neither happens', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const options = {
    register_verifactu: true,
    send_automatically: true,
    send_to: 'ana@example.com',
  };
  const res = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { type: 'F2', lines: [line], options },
  });
  const { data } = res.body;
  assert.deepEqual(
    [data.status, data.verifactu.status, data.email.status],
    ['issued', 'disabled', 'not_sent'],
  );
  assert.ok(!(await app.eventTypes(acme, data.id)).includes('invoice.sent'));
});

test('given automatic sending without any address, when created, then it is refused before anything exists', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const client = await app.post('/v1/clients', { key: acme.live_key, body: { name: 'Norte SL' } });
  const body = { client_id: client.body.data.id, lines: [line], options: { send_automatically: true } };
  const res = await app.post('/v1/invoices', { key: acme.live_key, body });
  assert.deepEqual(
    [res.status, res.body.error.code, res.body.error.param],
    [422, 'missing_required_param', 'options.send_to'],
  );
  const bad = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { ...body, options: { send_automatically: true, send_to: 'nobody' } },
  });
  assert.deepEqual([bad.status, bad.body.error.param], [422, 'options.send_to']);
  const [row] = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row!.count, 0);
});

test('given a replay, when the price or the default VAT has changed, then it is no mismatch, and what is missing is completed', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const product = (await app.post('/v1/products', { key, body: { name: 'Silla', unit_price: 40 } })).body.data
    .id;
  await app.put('/v1/account/company', { key, body: { default_vat: { invoice: 21 } } });
  const body = { type: 'F2', external_id: 'p-1', lines: [{ product_id: product }] };
  const draft = await app.post('/v1/invoices', { key, body });
  assert.equal(draft.body.data.status, 'draft');
  await app.put(`/v1/products/${product}`, { key, body: { unit_price: 55 } });
  await app.put('/v1/account/company', { key, body: { default_vat: { invoice: null } } });

  const again = await app.post('/v1/invoices', { key, body });
  assert.deepEqual(
    [again.status, again.headers['idempotent-replayed'], again.body.data.total],
    [200, 'true', 48.4],
  );
  const issued = await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } });
  assert.deepEqual(
    [issued.status, issued.headers['idempotent-replayed'], issued.body.data.status, issued.body.data.id],
    [200, 'true', 'issued', draft.body.data.id],
  );
  const paid = await app.post('/v1/invoices', { key, body: { ...body, payment: { method: 'cash' } } });
  assert.deepEqual(
    [paid.status, paid.body.data.status, paid.body.data.number],
    [200, 'paid', issued.body.data.number],
  );
  const last = await app.post('/v1/invoices', { key, body: { ...body, payment: { method: 'cash' } } });
  assert.deepEqual([last.status, last.body.data.payments.detail.length], [200, 1]);
});

test('given a replay with another type, when sent, then 409 with its subcode', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { external_id: 'p-1', lines: [line] };
  await app.post('/v1/invoices', { key, body: { ...body, type: 'F2' } });
  const res = await app.post('/v1/invoices', { key, body });
  assert.deepEqual(
    [res.status, res.body.error.subcode, res.body.error.param],
    [409, 'unattended_replay_mismatch', 'external_id'],
  );
});

test('given a changed price, when the same request is sent with its keys in another order, then it is no mismatch', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = (await app.post('/v1/products', { key, body: { name: 'Silla', unit_price: 40 } })).body.data
    .id;
  const first = { product_id: product, quantity: 2, tax_rate: 21 };
  await app.post('/v1/invoices', { key, body: { type: 'F2', external_id: 'p-1', lines: [first] } });
  await app.put(`/v1/products/${product}`, { key, body: { unit_price: 55 } });
  const again = { tax_rate: 21, discount_percent: null, quantity: 2, product_id: product };
  const body = { lines: [again], notes: null, external_id: 'p-1', type: 'F2' };
  const res = await app.post('/v1/invoices', { key, body });
  assert.deepEqual([res.status, res.headers['idempotent-replayed']], [200, 'true'], res.text);
});

test('given the same lines for a client with surcharge, when replayed, then the total differs and it is a mismatch', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = async (fields: object) =>
    (await app.post('/v1/clients', { key, body: { name: 'Uno SL', ...fields } })).body.data.id;
  const body = { external_id: 'p-1', lines: [{ ...line, tax_rate: 21 }] };
  const plain = await app.post('/v1/invoices', { key, body: { ...body, client_id: await client({}) } });
  assert.equal(plain.status, 201, plain.text);
  const charged = await client({ is_surcharge_subject: true });
  const other = await app.post('/v1/invoices', { key, body: { ...body, client_id: charged } });
  assert.deepEqual(
    [other.status, other.body.error?.subcode],
    [409, 'unattended_replay_mismatch'],
    other.text,
  );
  const same = await app.post('/v1/invoices', { key, body: { ...body, client_id: await client({}) } });
  assert.deepEqual([same.status, same.body.data?.id], [200, plain.body.data.id], same.text);
});

test('given a draft whose type was edited, when the request is sent again, then the type that was asked for counts', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { type: 'F2', external_id: 'p-1', lines: [line] };
  const { id } = (await app.post('/v1/invoices', { key, body })).body.data;
  assert.equal((await app.put(`/v1/invoices/${id}`, { key, body: { type: 'F1' } })).status, 200);
  // Another request of the same type and total.
  const lines = [{ ...line, quantity: 2, unit_price: 5 }];
  const again = await app.post('/v1/invoices', { key, body: { ...body, lines } });
  assert.deepEqual([again.status, again.body.data?.id], [200, id], again.text);
  const other = await app.post('/v1/invoices', { key, body: { ...body, lines, type: 'F1' } });
  assert.deepEqual([other.status, other.body.error?.subcode], [409, 'unattended_replay_mismatch']);
});

for (const [edited, change] of [
  ['total', { lines: [{ ...line, unit_price: 20 }] }],
  ['type', { type: 'F1' }],
] as const) {
  test(`given a draft whose ${edited} was edited, when its checkout comes again, then it issues and pays nothing`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const client_id = (await app.post('/v1/clients', { key, body: { name: 'Norte SL' } })).body.data.id;
    const body = { type: 'F2', external_id: 'p-1', client_id, lines: [line] };
    const { id } = (await app.post('/v1/invoices', { key, body })).body.data;
    const path = `/v1/invoices/${id}`;
    const draft = (await app.put(path, { key, body: change })).body;
    const sold = { payment: { method: 'card' } };
    const send = async (fields: object) => {
      const { status, body: answer } = await app.post('/v1/invoices', { key, body: { ...body, ...fields } });
      return [status, answer.error?.subcode ?? answer.data.id];
    };
    const mismatch = [409, 'unattended_replay_mismatch'];
    // Also as another request of the type and total that were sent first.
    const lines = [{ ...line, quantity: 2, unit_price: 5 }];
    for (const fields of [{ options: { issue: true } }, sold, { ...sold, lines }])
      assert.deepEqual(await send(fields), mismatch, JSON.stringify(fields));
    assert.deepEqual(await send({}), [200, id]);
    const bulk = await app.post('/v1/invoices/bulk-create', {
      key,
      body: { invoices: [{ ...body, ...sold }] },
    });
    assert.equal(bulk.body.data.failures[0]?.subcode, mismatch[1], bulk.text);
    const dry = await app.post('/v1/invoices', {
      key,
      body: { ...body, ...sold, options: { dry_run: true } },
    });
    assert.deepEqual(
      dry.body.data.reasons.map((reason: { subcode: string | null }) => reason.subcode),
      [mismatch[1]],
    );
    assert.deepEqual((await app.get(path, { key })).body, draft);

    // Issued by hand, it is not paid by the checkout either, and a call that adds nothing is answered with it.
    assert.equal((await app.post(`${path}/issue`, { key })).status, 200);
    assert.deepEqual(await send(sold), mismatch);
    assert.deepEqual(await send({ options: { issue: true } }), [200, id]);
  });
}

test('given an external id that is there, when run dry, then what the call would answer is told, and what would refuse to complete it', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const make = async (path: string, body: object) => (await app.post(path, { key, body })).body.data.id;
  const product = await make('/v1/products', { name: 'Silla', unit_price: 40 });
  const client_id = await make('/v1/clients', { name: 'Norte SL' });
  const body = { external_id: 'p-1', client_id, lines: [{ product_id: product, tax_rate: 21 }] };
  const send = async (more: object = {}) => app.post('/v1/invoices', { key, body: { ...body, ...more } });
  const dry = async ({ options = {}, ...more }: Record<string, unknown> = {}) => {
    const { data } = (await send({ ...more, options: { ...(options as object), dry_run: true } })).body;
    return [
      data.id,
      data.can_issue,
      data.amounts.total,
      data.reasons.map((one: { param: string }) => one.param),
    ];
  };
  assert.deepEqual(await dry(), [null, true, 48.4, []]);
  const draft = (await send()).body.data;
  await app.put(`/v1/products/${product}`, { key, body: { unit_price: 55 } });
  await app.post(`/v1/clients/${client_id}/archive`, { key });

  const future = { payment: { method: 'card', paid_at: '2026-05-21' } };
  const unsent = { options: { send_automatically: true } };
  for (const status of ['draft', 'issued']) {
    assert.deepEqual(await dry(), [draft.id, true, 48.4, []], status);
    assert.deepEqual(await dry(future), [draft.id, false, 48.4, ['payment.paid_at']], status);
    assert.equal((await send(future)).body.error.param, 'payment.paid_at');
    assert.deepEqual(await dry(unsent), [draft.id, false, 48.4, ['options.send_to']], status);
    assert.equal((await send(unsent)).body.error.param, 'options.send_to');
    // Another request for the client that takes no more documents.
    const lines = [{ ...body.lines[0], unit_price: 40 }];
    assert.deepEqual(await dry({ lines }), [null, false, 48.4, ['client_id']], status);
    assert.equal((await send({ lines })).body.error.param, 'client_id');
    assert.equal((await app.get(`/v1/invoices/${draft.id}`, { key })).body.data.status, status);
    assert.equal((await send({ options: { issue: true } })).body.data.status, 'issued');
  }
  await app.post(`/v1/clients/${client_id}/unarchive`, { key });
  const same = { lines: [{ ...body.lines[0], unit_price: 40 }] };
  assert.deepEqual(await dry(same), [draft.id, true, 48.4, []]);
  assert.equal((await send(same)).body.data.id, draft.id);
  const other = { lines: [{ ...body.lines[0], unit_price: 41 }] };
  assert.deepEqual(await dry(other), [null, false, 49.61, ['external_id']]);
});

test('given a draft that was deleted, when its external id is used again, then a new invoice is made', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { type: 'F2', external_id: 'p-1', lines: [line] };
  const first = await app.post('/v1/invoices', { key, body });
  const { id } = first.body.data;
  assert.equal((await app.post('/v1/invoices', { key, body })).status, 200);
  assert.equal((await app.delete(`/v1/invoices/${id}`, { key })).status, 200);
  const next = await app.post('/v1/invoices', { key, body });
  assert.deepEqual([next.status, next.body.data.id === id], [201, false]);
  const again = await app.post('/v1/invoices', { key, body });
  assert.deepEqual([again.status, again.body.data.id], [200, next.body.data.id]);
});

for (const move of ['annul', 'void']) {
  test(`given an invoice withdrawn by ${move}, when its checkout is replayed, then it is answered as it is, and not paid`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const key = acme.live_key;
    const body = { type: 'F2', external_id: 'p-1', lines: [line], options: { issue: true } };
    const { id } = (await app.post('/v1/invoices', { key, body })).body.data;
    const withdrawn = await app.post(`/v1/invoices/${id}/${move}`, { key });
    const again = await app.post('/v1/invoices', { key, body: { ...body, payment: { method: 'card' } } });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(
      [again.headers['idempotent-replayed'], asRead(again.body.data)],
      ['true', withdrawn.body.data],
    );
  });
}

test('given lines that are refused, when a checkout is run dry, then its payment is told only its own faults', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'x', unit_price: 1 }];
  const dry = async (payment: object) => {
    const body = { type: 'F2', lines, payment, options: { dry_run: true } };
    const res = await app.post('/v1/invoices', { key, body });
    assert.equal(res.body.data.amounts, null);
    return res.body.data.reasons.map((reason: { param: string }) => reason.param);
  };
  assert.deepEqual(await dry({ method: 'cash' }), ['lines.0.tax_rate']);
  assert.deepEqual(await dry({ method: 'cash', paid_at: '2199-01-01' }), [
    'lines.0.tax_rate',
    'payment.paid_at',
  ]);
});

test('given several things wrong, when run dry, then every reason is told at once and nothing is written', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line], options: { issue: true } } });
  const body = {
    type: 'F2',
    issued_on: '2026-05-10',
    operation_on: '2026-05-12',
    due_on: '2026-05-01',
    currency: 'ZZZ',
    lines: [
      { ...line, tax_rate: 21, surcharge_rate: 1.4 },
      { description: 'x', unit_price: 1 },
    ],
    options: { dry_run: true, send_automatically: true },
  };
  const before = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from invoices where company_id = ${acme.company_id}`;
  const res = await app.post('/v1/invoices', { key, body });
  assert.equal(res.status, 200, res.text);
  assert.equal(res.body.data.can_issue, false);
  const reasons = res.body.data.reasons.map(
    (r: { code: string; param: string; line_index: number | null }) => [r.code, r.param, r.line_index],
  );
  assert.deepEqual(
    reasons.sort(),
    [
      ['business_rule_violation', 'due_on', null],
      ['business_rule_violation', 'issued_on', null],
      ['business_rule_violation', 'lines.0.surcharge_rate', 0],
      ['missing_required_param', 'lines.1.tax_rate', 1],
      ['missing_required_param', 'options.send_to', null],
      ['operation_date_after_issue_date', 'operation_on', null],
      ['parameter_invalid', 'currency', null],
    ].sort(),
  );
  const after = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from invoices where company_id = ${acme.company_id}`;
  assert.deepEqual(after[0], before[0]);
  const fine = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { dry_run: true } },
  });
  const { amounts, ...rest } = fine.body.data;
  assert.deepEqual(rest, { object: 'dry_run', id: null, can_issue: true, reasons: [] });
  assert.deepEqual([amounts.subtotal, amounts.taxes_total, amounts.total], [10, 1, 11]);
});

test('given a draft, when asked whether it can be issued, then the reasons are those of the real call', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await app.put('/v1/account/company', { key, body: { name: null } });
  const draft = await app.post('/v1/invoices', { key, body: { type: 'F1', lines: [line] } });
  const { id } = draft.body.data;
  const can = await app.post(`/v1/invoices/${id}/can-issue`, { key });
  assert.deepEqual(
    can.body.data.reasons.map((r: { param: string }) => r.param),
    ['client_id', 'company_name'],
  );
  const real = await app.post(`/v1/invoices/${id}/issue`, { key });
  assert.equal(real.body.error.param, 'client_id');
  assert.equal(real.body.error.code, can.body.data.reasons[0].code);
  assert.deepEqual((await app.get(`/v1/invoices/${id}`, { key })).body, draft.body);
});

test('given an issued invoice, when asked whether it can be issued, then the state is the reason', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const can = await app.post(`/v1/invoices/${made.body.data.id}/can-issue`, { key });
  assert.deepEqual(
    can.body.data.reasons.map((r: { code: string }) => r.code),
    ['invalid_status_transition'],
  );
});
