import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { asRead } from '../../../../test/support/as-read.ts';

const line = { description: 'Café', unit_price: 10, tax_rate: 10 };
const ticket = { type: 'F2', lines: [line], options: { issue: true } };

test('given good and bad elements, when created in bulk, then each is told and no number is lost', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const invoices = [
    { ...ticket, external_id: 'a' },
    { ...ticket, lines: [line, { ...line, tax_rate: 21, surcharge_rate: 1.4 }], external_id: 'b' },
    { ...ticket, type: 'F1' },
    { ...ticket, payment: { method: 'cash' } },
    { ...ticket, external_id: 'a' },
    { type: 'F2', lines: [line] },
  ];
  const res = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
  assert.equal(res.status, 200, res.text);
  const { data } = res.body;
  assert.deepEqual([data.object, data.total, data.successful, data.failed], ['bulk_result', 6, 4, 2]);
  assert.deepEqual(
    data.invoices.map((i: { number: string | null; status: string }) => [i.number?.slice(-6), i.status]),
    [
      ['000001', 'issued'],
      ['000002', 'paid'],
      // The external id repeats: this is the first element's invoice.
      ['000001', 'issued'],
      [undefined, 'draft'],
    ],
  );
  assert.deepEqual(
    data.failures.map((f: Record<string, unknown>) => [
      f.index,
      f.external_id,
      f.error_code,
      f.param,
      f.line_index,
    ]),
    [
      [1, 'b', 'business_rule_violation', 'lines.1.surcharge_rate', 1],
      [2, null, 'business_rule_violation', 'client_id', null],
    ],
  );
  for (const invoice of data.invoices)
    assert.deepEqual((await app.get(`/v1/invoices/${invoice.id}`, { key })).body.data, asRead(invoice));
  assert.deepEqual(await app.eventTypes(acme, data.invoices[0].id), [
    'invoice.created',
    'invoice.number_assigned',
    'invoice.simplified_created',
  ]);

  const again = await app.post('/v1/invoices/bulk-create', {
    key,
    body: { invoices: [{ ...ticket, external_id: 'a' }, ticket] },
  });
  assert.deepEqual(
    [again.body.data.invoices[0].id, again.body.data.invoices[1].number.slice(-6)],
    [data.invoices[0].id, '000003'],
  );
});

test('given an external id more than once, when created in bulk, then each is as if it were sent after the one before', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const bulk = async (...invoices: object[]) =>
    (await app.post('/v1/invoices/bulk-create', { key, body: { invoices } })).body.data;
  const of = (external_id: string, fields: object = {}) => ({
    type: 'F2',
    lines: [line],
    external_id,
    ...fields,
  });
  const failure = (f: Record<string, unknown>) => [f.index, f.external_id, f.error_code, f.param];

  const completed = await bulk(
    of('a'),
    of('a', { options: { issue: true } }),
    of('a', { payment: { method: 'cash' } }),
  );
  assert.deepEqual([completed.successful, completed.failed], [3, 0]);
  const [one] = completed.invoices;
  assert.deepEqual([one.status, one.payments.detail.length], ['paid', 1]);
  assert.deepEqual(completed.invoices, [one, one, one]);
  assert.deepEqual((await app.get(`/v1/invoices/${one.id}`, { key })).body.data, asRead(one));

  const mixed = await bulk(
    of('b', { lines: [{ ...line, tax_rate: 3 }] }),
    of('b'),
    of('b', { type: 'F1' }),
    of('b', { lines: [{ ...line, unit_price: 11 }] }),
    of('b', { lines: [{ ...line, quantity: 2, unit_price: 5 }] }),
    of('b', { payment: { method: 'cash', paid_at: '2199-01-01' } }),
    of('a'),
    of('a', { type: 'F1' }),
    of('c', { options: { dry_run: true } }),
  );
  assert.deepEqual(mixed.failures.map(failure), [
    [0, 'b', 'business_rule_violation', 'lines.0.tax_rate'],
    [2, 'b', 'idempotency_key_reused', 'external_id'],
    [3, 'b', 'idempotency_key_reused', 'external_id'],
    [5, 'b', 'business_rule_violation', 'payment.paid_at'],
    [7, 'a', 'idempotency_key_reused', 'external_id'],
    [8, 'c', 'parameter_invalid', 'options.dry_run'],
  ]);
  assert.match(mixed.failures[5].errors[0].message, /create_invoice/);
  const ids = mixed.invoices.map((i: { id: string }) => i.id);
  assert.deepEqual([ids[0] === ids[1], ids[2] === one.id, mixed.invoices[0].status], [true, true, 'draft']);
  const [row] = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row!.count, 2);

  // The stored invoice is completed once.
  const issued = await bulk(
    of('b', { options: { issue: true } }),
    of('b', { payment: { method: 'card' } }),
    of('b', { payment: { method: 'card' } }),
  );
  assert.deepEqual([issued.successful, issued.invoices[0].status], [3, 'paid']);
  assert.equal(issued.invoices[2].payments.detail.length, 1);
});

test('given dates that run backwards within a bulk, when created, then only the late one is refused', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const on = (issued_on: string) => ({ ...ticket, issued_on });
  const res = await app.post('/v1/invoices/bulk-create', {
    key,
    body: { invoices: [on('2026-05-10'), on('2026-05-09'), on('2026-05-11')] },
  });
  const { data } = res.body;
  assert.deepEqual(
    data.failures.map((f: { index: number; param: string }) => [f.index, f.param]),
    [[1, 'issued_on']],
  );
  assert.deepEqual(
    data.invoices.map((i: { number: string }) => i.number.slice(-6)),
    ['000001', '000002'],
  );
});

test('given a draft whose product costs more by now, when its request comes twice in a bulk, then both are it', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = { key, body: { name: 'Café', unit_price: 10 } };
  const { id } = (await app.post('/v1/products', product)).body.data;
  const request = { type: 'F2', external_id: 'a', lines: [{ product_id: id, tax_rate: 21 }] };
  const draft = (await app.post('/v1/invoices', { key, body: request })).body.data;
  await app.put(`/v1/products/${id}`, { key, body: { unit_price: 20 } });
  const paid = { ...request, payment: { method: 'cash' } };
  const res = await app.post('/v1/invoices/bulk-create', { key, body: { invoices: [paid, paid, request] } });
  const { invoices, failures } = res.body.data;
  assert.deepEqual(failures, []);
  assert.deepEqual(
    invoices.map((one: { id: string; status: string; total: number }) => [one.id, one.status, one.total]),
    Array.from({ length: 3 }, () => [draft.id, 'paid', 12.1]),
  );
});

test('given a key, when the bulk is sent again, then nothing is made twice', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const options = {
    key: acme.live_key,
    headers: { 'idempotency-key': 'lote-1' },
    body: { invoices: [ticket, ticket, { ...ticket, type: 'F1' }] },
  };
  const [first, second] = await Promise.all([
    app.post('/v1/invoices/bulk-create', options),
    app.post('/v1/invoices/bulk-create', options),
  ]);
  assert.deepEqual(first.body, second.body);
  const [row] = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from invoices where company_id = ${acme.company_id}`;
  assert.equal(row!.count, 2);
});

test('given a hundred elements beside single callers, when all commit, then numbers have no gap', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const bulk = () =>
    app.post('/v1/invoices/bulk-create', {
      key,
      body: { invoices: Array.from({ length: 100 }, () => ticket) },
    });
  const single = () => app.post('/v1/invoices', { key, body: ticket });
  const all = await Promise.all([bulk(), ...Array.from({ length: 30 }, single), bulk()]);
  assert.ok(all.every((r) => r.status < 300));
  const rows = await app.sql<
    { series_number: number }[]
  >`select series_number from invoices where company_id = ${acme.company_id} order by series_number`;
  assert.deepEqual(
    rows.map((r) => r.series_number),
    Array.from({ length: 230 }, (_, i) => i + 1),
  );
});

for (const [name, invoices, param] of [
  ['none', [], 'invoices'],
  ['one hundred and one', Array.from({ length: 101 }, () => ticket), 'invoices'],
  ['no list', { 0: ticket }, 'invoices'],
] as const) {
  test(`given ${name}, when created in bulk, then the whole is refused, naming ${param}`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const res = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
    assert.deepEqual(
      [res.status, res.body.error.code, res.body.error.param],
      [422, 'parameter_invalid', param],
    );
  });
}

test('given elements of every wrong form, when created in bulk, then each is its own failure and the others are made', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const line = ticket.lines[0]!;
  const wrong: (readonly [unknown, string | null, number | null])[] = [
    [{ ...ticket, type: 'X' }, 'type', null],
    [{ ...ticket, lines: [line, { ...line, tax_rate: 'much' }] }, 'lines.1.tax_rate', 1],
    [{ ...ticket, lines: [{ ...line, unit_price: 1e30 }] }, 'lines.0.unit_price', 0],
    [{ ...ticket, unheard_of: 1 }, 'unheard_of', null],
    [{ ...ticket, notes: 'a\0b' }, 'notes', null],
    [{ type: 'F2' }, 'lines', null],
    [{ ...ticket, external_id: 7 }, 'external_id', null],
    [{ ...ticket, options: [] }, 'options', null],
    [7, 'body', null],
    ['text', 'body', null],
    [null, 'body', null],
    [[ticket], 'body', null],
  ];
  const invoices = [ticket, ...wrong.map(([element]) => element), { ...ticket, options: { issue: true } }];
  const { status, body, text } = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
  assert.equal(status, 200, text);
  const { data } = body;
  assert.deepEqual([data.total, data.successful, data.failed], [invoices.length, 2, wrong.length]);
  assert.deepEqual(
    data.failures.map((failure: Record<string, unknown>) => [
      failure.index,
      failure.error_code,
      failure.param,
      failure.line_index,
      failure.subcode,
    ]),
    wrong.map(([, param, line_index], i) => [i + 1, 'parameter_invalid', param, line_index, null]),
  );
  const [type] = data.failures;
  assert.deepEqual(type.errors[0].param, 'type');
  assert.match(type.errors[0].message, /Debe ser uno de/);
});

test('given an element with an external id that has another total, when created in bulk, then its failure has the subcode', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const first = { ...ticket, external_id: 'caja-1' };
  await app.post('/v1/invoices', { key, body: first });
  const other = { ...first, lines: [...ticket.lines, ...ticket.lines] };
  const { body } = await app.post('/v1/invoices/bulk-create', { key, body: { invoices: [other, ticket] } });
  assert.equal(body.data.successful, 1);
  const [{ error_code, subcode, param, line_index, errors, external_id }] = body.data.failures;
  assert.deepEqual(
    [error_code, subcode, param, line_index, errors, external_id],
    ['idempotency_key_reused', 'unattended_replay_mismatch', 'external_id', null, [], 'caja-1'],
  );
});

test('given ids in capitals in an element, when the call is sent again with its key, then the same answer is given', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = (await app.post('/v1/clients', { key, body: { name: 'Norte SL' } })).body.data;
  const send = (client_id: string) =>
    app.post('/v1/invoices/bulk-create', {
      key,
      body: { invoices: [{ ...ticket, type: 'F1', client_id }, 7] },
      headers: { 'idempotency-key': 'k-1' },
    });
  const first = await send(client.id.toUpperCase());
  assert.deepEqual([first.body.data.successful, first.body.data.failed], [1, 1], first.text);
  assert.deepEqual((await send(client.id)).body, first.body);
});

test('given an answer of megabytes with signs of any length, when the call is repeated with its key, then it is the same to the byte', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = Array.from({ length: 200 }, (_, at) => ({
    ...line,
    description: `${'ñ€🙂'.repeat(20)} ${at}`,
  }));
  const invoices = Array.from({ length: 8 }, () => ({ type: 'F2', lines }));
  const send = () =>
    app.post('/v1/invoices/bulk-create', {
      key,
      headers: { 'Idempotency-Key': 'a-long-answer-1' },
      body: { invoices },
    });
  const first = await send();
  assert.equal(first.status, 200, first.text.slice(0, 500));
  assert.equal(first.body.data.successful, 8);
  assert.ok(first.bytes.length > 1_100_000, `${first.bytes.length} bytes`);
  const again = await send();
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.ok(again.bytes.equals(first.bytes));
});

test('given invoices with very large payments, when their creation is repeated in bulk, then it shows those that fit, and each is shown when repeated alone', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const invoices = ['a', 'b', 'c', 'd'].map((external_id) => ({ ...ticket, external_id }));
  const made = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });
  assert.equal(made.body.data.successful, 4, made.text);
  await app.sql`
    insert into payments (company_id, id, invoice_id, amount, payment_date, payment_method, metadata, created_at, updated_at)
    select i.company_id, gen_random_uuid(), i.id, 0.01, '2026-01-01', 'cash',
           (select jsonb_object_agg(lpad(k::text, 40, 'x'), repeat('x', 500)) from generate_series(1, 50) k), now(), now()
      from invoices i, generate_series(1, 500) where i.company_id = ${company_id}`;

  const repeated = await app.post('/v1/invoices/bulk-create', { key, body: { invoices } });

  assert.equal(repeated.status, 200);
  const { successful, failures } = repeated.body.data;
  assert.equal(successful, 3);
  assert.equal(failures.length, 1);
  const [{ error_code, param, index }] = failures;
  assert.deepEqual([error_code, param], ['business_rule_violation', 'external_id']);
  const alone = await app.post('/v1/invoices', { key, body: invoices[index] });
  assert.equal(alone.status, 200);
  assert.equal(alone.body.data.payments.detail.length, 500);
});
