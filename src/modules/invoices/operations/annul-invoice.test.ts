import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { givenPaidInvoice } from '../../../../test/support/paid-invoice.ts';

async function issued(app: App, company: TestCompany, fields: object = {}): Promise<string> {
  const body = {
    type: 'F2',
    lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }],
    options: { issue: true },
    ...fields,
  };
  return (await app.post('/v1/invoices', { key: company.live_key, body })).body.data.id;
}

async function pay(app: App, company: TestCompany, id: string, amount: number): Promise<string> {
  return (
    await app.post(`/v1/invoices/${id}/payments`, {
      key: company.live_key,
      body: { amount, payment_method: 'direct_debit' },
    })
  ).body.data.id;
}

test('given a paid invoice, when a payment is reversed, then the invoice is sent again and the event tells all', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const payment = await pay(app, acme, id, 121);
  const path = `/v1/invoices/${id}/payments/${payment}/reversal`;
  const reserved = await app.post(path, { key, body: { reason: 'issued_in_error' } });
  assert.deepEqual(
    [reserved.status, reserved.body.error.code, reserved.body.error.param],
    [422, 'reversal_reason_reserved', 'reason'],
  );

  const res = await app.post(path, { key, body: { reason: 'direct_debit_return', note: 'Sin fondos' } });
  assert.equal(res.status, 200);
  const { data } = res.body;
  assert.deepEqual(
    [
      data.is_reversed,
      data.reversal_reason,
      data.reversal_reason_text,
      data.reversal_note,
      data.reversed_at !== null,
    ],
    [true, 'direct_debit_return', 'Devolución de recibo domiciliado', 'Sin fondos', true],
  );
  const invoice = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  assert.deepEqual([invoice.status, invoice.paid_amount, invoice.pending_amount], ['sent', 0, 121]);
  assert.deepEqual(invoice.payments.detail, [data]);
  const [event] = (await app.get('/v1/events', { key, query: { type: 'payment.reversed' } })).body.data;
  assert.deepEqual(event.data, {
    type: 'payment',
    object: data,
    reversal: { reason: 'direct_debit_return', origin: 'manual' },
  });

  const again = await app.post(path, { key, body: { reason: 'recording_error' } });
  assert.deepEqual([again.status, again.body.error.code], [409, 'invalid_status_transition']);
  await pay(app, acme, id, 121);
  assert.equal((await app.get(`/v1/invoices/${id}`, { key })).body.data.status, 'paid');
});

test('given a paid invoice past its due day, when its payment is reversed, then it is overdue', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const id = await issued(app, acme, { due_on: '2026-05-25' });
  const payment = await pay(app, acme, id, 121);
  app.clock.set('2026-05-26T10:00:00Z');
  await app.post(`/v1/invoices/${id}/payments/${payment}/reversal`, {
    key: acme.live_key,
    body: { reason: 'bounced_effect' },
  });
  assert.equal((await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).body.data.status, 'overdue');
});

test('given live payments, when annulled without their reversal, then 409, and with it all is undone in one commit', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const payments = [await pay(app, acme, id, 100), await pay(app, acme, id, 21)];
  const can = await app.get(`/v1/invoices/${id}/can-annul`, { key });
  assert.deepEqual(can.body, {
    data: {
      object: 'can_annul',
      id,
      can_annul: true,
      reasons: [],
      reason_codes: [],
      requires_collection_reversal: true,
      active_collections_amount: 121,
    },
  });

  const refused = await app.post(`/v1/invoices/${id}/annul`, { key });
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.error.param],
    [409, 'invalid_status_transition', 'revert_collections'],
  );
  const voided = await app.post(`/v1/invoices/${id}/void`, { key });
  assert.deepEqual([voided.status, voided.body.error.code], [409, 'invalid_status_transition']);

  const res = await app.post(`/v1/invoices/${id}/annul`, { key, body: { revert_collections: true } });
  assert.equal(res.status, 200);
  assert.deepEqual([res.body.data.status, res.body.data.paid_amount], ['annulled', 0]);
  assert.ok(
    res.body.data.payments.detail.every(
      (p: { reversal_reason: string }) => p.reversal_reason === 'issued_in_error',
    ),
  );
  assert.deepEqual((await app.get(`/v1/invoices/${id}`, { key })).body, res.body);
  for (const payment of payments)
    assert.deepEqual(await app.eventTypes(acme, payment), ['payment.received', 'payment.reversed']);
  const { data: told } = (await app.get('/v1/events', { key, query: { type: 'payment.reversed' } })).body;
  assert.deepEqual(
    told.map((event: { data: { reversal: object } }) => event.data.reversal),
    payments.map(() => ({ reason: 'issued_in_error', origin: 'manual' })),
  );
  assert.deepEqual((await app.eventTypes(acme, id)).at(-1), 'invoice.annulled');
  const after = await app.get(`/v1/invoices/${id}/can-annul`, { key });
  assert.equal(after.body.data.can_annul, false);
  assert.equal(after.body.data.reasons.length, 1);
  assert.equal((await app.post(`/v1/invoices/${id}/annul`, { key })).status, 409);
});

test('given an issued invoice, when voided, then its number stays taken and the event says cancelled', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme);
  const unknown = await app.post(`/v1/invoices/${id}/void`, { key, body: { revert_collections: true } });
  assert.deepEqual([unknown.status, unknown.body.error.param], [422, 'revert_collections']);
  const res = await app.post(`/v1/invoices/${id}/void`, { key });
  assert.equal(res.body.data.status, 'voided');
  assert.deepEqual((await app.eventTypes(acme, id)).at(-1), 'invoice.cancelled');
  const next = await app.get(`/v1/invoices/${await issued(app, acme)}`, { key });
  assert.match(next.body.data.number, /-000002$/);
});

test('given a draft, when annulled or voided, then 409', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await issued(app, acme, { options: { issue: false } });
  for (const move of ['annul', 'void']) {
    const res = await app.post(`/v1/invoices/${id}/${move}`, { key: acme.live_key });
    assert.deepEqual([res.status, res.body.error.code], [409, 'invalid_status_transition']);
  }
});

test('given an issued invoice, when duplicated, then a new draft has its lines and none of its identity', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const id = await issued(app, acme, { external_id: 'p-1', notes: 'n', due_on: '2199-01-01' });
  const source = (await app.get(`/v1/invoices/${id}`, { key })).body.data;
  const res = await app.post(`/v1/invoices/${id}/duplicate`, { key });
  assert.equal(res.status, 201);
  const { data } = res.body;
  assert.deepEqual(
    [data.status, data.number, data.external_id, data.issued_on, data.due_on, data.notes, data.total],
    ['draft', null, null, null, null, 'n', source.total],
  );
  assert.notEqual(data.id, source.id);
  assert.notEqual(data.lines[0].id, source.lines[0].id);
  assert.equal((await app.post(`/v1/invoices/${data.id}/issue`, { key })).status, 200);
});

for (const [name, path] of [
  ['annul', 'annul'],
  ['void', 'void'],
  ['duplicate', 'duplicate'],
] as const) {
  test(`given another company's invoice, when ${name} is called, then it is not found`, async (t) => {
    const app = await startApp(t);
    const [mine, other] = [await app.given.company(), await app.given.company()];
    const res = await app.post(`/v1/invoices/${await issued(app, other)}/${path}`, { key: mine.live_key });
    assert.deepEqual([res.status, res.body.error.code], [404, 'resource_not_found']);
  });
}

test('given invoices with many large payments, when they are annulled at once, then no statement writes the events of many of them, and each payment has its event', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const payments = 60;
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await givenPaidInvoice(app, key, company_id, payments));

  const body = { revert_collections: true };
  const answers = await Promise.all(ids.map((id) => app.post(`/v1/invoices/${id}/annul`, { key, body })));

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  // Rows of one statement of one transaction share both.
  const statements = await app.sql<{ length: number; transaction: string }[]>`
    select sum(length(data::text))::int as length, xmin::text as transaction
      from events where company_id = ${company_id} and type = 'payment.reversed'
     group by xmin::text, cmin::text`;
  assert.equal(new Set(statements.map(({ transaction }) => transaction)).size, ids.length);
  for (const { length } of statements) assert.ok(length < 600_000, `${length} characters in one statement`);
  const numbered = await app.sql`
    select sequence, count(distinct aggregate_id)::int as payments from events
     where company_id = ${company_id} and type = 'payment.reversed' group by sequence order by sequence`;
  // The one that was registered has an event of that before.
  assert.deepEqual(
    [...numbered],
    [
      { sequence: 1, payments: ids.length * (payments - 1) },
      { sequence: 2, payments: ids.length },
    ],
  );
});
