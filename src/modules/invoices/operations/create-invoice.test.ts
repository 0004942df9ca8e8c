import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';

const line = { description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 };

async function create(app: App, company: TestCompany, body: unknown) {
  return app.post('/v1/invoices', { key: company.live_key, body });
}

test('given lines with discount, retention and surcharge, when created, then lines, breakdown and totals agree', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const res = await create(app, acme, {
    lines: [
      { ...line, quantity: 2.5, unit_price: 33.333333, discount_percent: 12.5, retention_rate: 15 },
      { ...line, quantity: 3, unit_price: 9.99, tax_rate: 10, surcharge_rate: 1.4 },
      { ...line, quantity: 1, unit_price: 50, tax_rate: null, exemption_reason: 'E1' },
    ],
  });
  assert.equal(res.status, 201);
  const { data } = res.body;
  // 2.5 × 33.333333 = 83.3333325, less 12.5 % = 72.92; 29.97; 50.00
  assert.deepEqual(
    data.lines.map((l: { subtotal: number }) => l.subtotal),
    [72.92, 29.97, 50],
  );
  assert.deepEqual(
    data.tax_breakdown.map((r: Record<string, unknown>) => [
      r.tax_rate,
      r.exemption_reason,
      r.base,
      r.tax,
      r.surcharge,
    ]),
    [
      [21, null, 72.92, 15.31, 0],
      [10, null, 29.97, 3, 0.42],
      [null, 'E1', 50, 0, 0],
    ],
  );
  assert.equal(data.subtotal, 152.89);
  assert.equal(data.discount_total, 10.41);
  assert.equal(data.taxes_total, 18.31);
  assert.equal(data.surcharge_total, 0.42);
  assert.equal(data.retention_total, 10.94);
  assert.equal(data.total, 171.62);
  assert.equal(data.amount_due, 160.68);
  assert.equal(data.pending_amount, 160.68);
});

test('given prices that include tax, when created, then the total is the sum sent to the cent', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const res = await create(app, acme, {
    prices_include_tax: true,
    lines: [
      { ...line, unit_price: 9.99, quantity: 3 },
      { ...line, unit_price: 0.01 },
    ],
  });
  assert.equal(res.body.data.total, 29.98);
  assert.equal(res.body.data.subtotal + res.body.data.taxes_total, 29.98);
});

test('given prices that include tax and a retention, when created, then the first line at fault is named', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const res = await create(app, acme, {
    prices_include_tax: true,
    lines: [line, { ...line, retention_rate: 15 }],
  });
  assert.equal(res.status, 422);
  assert.equal(res.body.error.code, 'amount_reconciliation_failed');
  assert.equal(res.body.error.line_index, 1);
});

test('given a line without tax, when created, then the default VAT of the company is taken, and without one it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const lines = [line, { description: 'Sin impuesto', unit_price: 10 }];
  const refused = await create(app, acme, { lines });
  assert.equal(refused.status, 422);
  assert.deepEqual(
    [refused.body.error.code, refused.body.error.param, refused.body.error.line_index],
    ['missing_required_param', 'lines.1.tax_rate', 1],
  );
  assert.match(refused.body.error.errors[0].message, /taxes_id.*default_vat/);

  await app.put('/v1/account/company', { key: acme.live_key, body: { default_vat: { invoice: 10 } } });
  const taken = await create(app, acme, { lines });
  assert.equal(taken.status, 201);
  assert.equal(taken.body.data.lines[1].tax_rate, 10);

  const older = await app.post('/v1/invoices', {
    key: acme.live_key,
    headers: { 'service-version': '2026-06-01' },
    body: { lines },
  });
  assert.equal(older.body.error.code, 'missing_required_param');
});

test('given a product with a tax, when a line names it, then text, price, unit and tax come from it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const taxes = await app.get('/v1/taxes', { key, query: { limit: '100' } });
  const reduced = taxes.body.data.find(
    (tax: { rate: number; kind: string }) => tax.kind === 'vat' && tax.rate === 10,
  );
  const product = await app.post('/v1/products', {
    key,
    body: { name: 'Aceite 5 l', unit: 'garrafa', unit_price: 31.25, taxes_id: reduced.id },
  });
  const res = await create(app, acme, { lines: [{ product_id: product.body.data.id, quantity: 2 }] });
  assert.equal(res.status, 201);
  const [made] = res.body.data.lines;
  assert.deepEqual(
    [made.description, made.unit, made.unit_price, made.tax_rate, made.taxes_id, made.tax_name, made.product],
    [
      'Aceite 5 l',
      'garrafa',
      31.25,
      10,
      reduced.id,
      reduced.name,
      { id: product.body.data.id, name: 'Aceite 5 l' },
    ],
  );
});

test('given a client subject to the surcharge, when invoiced, then the surcharge of the rate is charged', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const client = await app.post('/v1/clients', {
    key: acme.live_key,
    body: { name: 'Mercería Sol', is_surcharge_subject: true },
  });
  const res = await create(app, acme, {
    client_id: client.body.data.id,
    lines: [line, { ...line, tax_rate: 4 }, { ...line, surcharge_rate: null }],
  });
  assert.deepEqual(
    res.body.data.lines.map((l: { surcharge_rate: number | null }) => l.surcharge_rate),
    [5.2, 0.5, null],
  );
});

const lineRefusals: [string, Record<string, unknown>, string, string][] = [
  [
    'a surcharge that is no pair of the rate',
    { tax_rate: 21, surcharge_rate: 1.4 },
    'business_rule_violation',
    'surcharge_rate',
  ],
  [
    'an exempt line with a rate',
    { tax_rate: 21, exemption_reason: 'E1' },
    'business_rule_violation',
    'tax_rate',
  ],
  [
    'a line that is not subject with a rate',
    { tax_rate: 21, qualification: 'N1' },
    'business_rule_violation',
    'tax_rate',
  ],
  [
    'reverse charge with a rate',
    { tax_rate: 21, qualification: 'S2' },
    'business_rule_violation',
    'tax_rate',
  ],
  [
    'an exemption together with a qualification',
    { tax_rate: null, exemption_reason: 'E1', qualification: 'S1' },
    'business_rule_violation',
    'qualification',
  ],
  [
    'a cause that exists only under IGIC',
    { tax_rate: null, exemption_reason: 'E7' },
    'business_rule_violation',
    'exemption_reason',
  ],
  [
    'a regime key that VAT does not have',
    { tax_rate: 21, regime_key: '16' },
    'business_rule_violation',
    'regime_key',
  ],
  [
    'a product of nobody',
    { product_id: '01900000-0000-7000-8000-000000000000' },
    'parameter_invalid',
    'product_id',
  ],
  ['a tax of nobody', { taxes_id: '01900000-0000-7000-8000-000000000000' }, 'parameter_invalid', 'taxes_id'],
  ['an id that no line has', { id: '01900000-0000-7000-8000-000000000000' }, 'parameter_invalid', 'id'],
];

for (const [name, fields, code, field] of lineRefusals) {
  test(`given ${name}, when created, then ${code} names lines.1.${field} and the line`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const res = await create(app, acme, { lines: [line, { ...line, ...fields }] });
    assert.equal(res.status, 422);
    assert.deepEqual(
      [res.body.error.code, res.body.error.param, res.body.error.line_index],
      [code, `lines.1.${field}`, 1],
    );
    const [{ count }] =
      (await app.sql`select count(*)::int from invoices where company_id = ${acme.company_id}`) as unknown as [
        { count: number },
      ];
    assert.equal(count, 0);
  });
}

const refusals: [string, Record<string, unknown>, string, string][] = [
  ['no line', { lines: [] }, 'parameter_invalid', 'lines'],
  [
    'a client of nobody',
    { client_id: '01900000-0000-7000-8000-000000000000' },
    'parameter_invalid',
    'client_id',
  ],
  [
    'a series of nobody',
    { series_id: '01900000-0000-7000-8000-000000000000' },
    'parameter_invalid',
    'series_id',
  ],
  ['a currency that does not exist', { currency: 'ZZZ' }, 'parameter_invalid', 'currency'],
  [
    'an operation after the issue',
    { issued_on: '2026-05-10', operation_on: '2026-05-11' },
    'operation_date_after_issue_date',
    'operation_on',
  ],
  ['a day that does not exist', { issued_on: '2026-02-30' }, 'parameter_invalid', 'issued_on'],
  ['an unknown key', { colour: 'red' }, 'parameter_invalid', 'colour'],
  ['an amount that is computed', { lines: [{ ...line, total: 5 }] }, 'parameter_invalid', 'lines.0.total'],
  [
    'a full invoice to issue without a client',
    { type: 'F1', options: { issue: true } },
    'business_rule_violation',
    'client_id',
  ],
  [
    'an issue in the future',
    { type: 'F2', issued_on: '2199-01-01', options: { issue: true } },
    'business_rule_violation',
    'issued_on',
  ],
  [
    'a due day before the issue',
    { type: 'F2', due_on: '2000-01-01', options: { issue: true } },
    'business_rule_violation',
    'due_on',
  ],
  [
    'amounts beyond twelve digits',
    { lines: [{ ...line, quantity: 999_999_999, unit_price: 999_999 }] },
    'parameter_invalid',
    'lines.0.total',
  ],
];

for (const [name, fields, code, param] of refusals) {
  test(`given ${name}, when created, then ${code} names ${param}`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const res = await create(app, acme, { lines: [line], ...fields });
    assert.equal(res.status, 422, res.text);
    assert.deepEqual([res.body.error.code, res.body.error.param], [code, param]);
  });
}

test('given a series of another kind, when created in it, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const series = await app.get('/v1/series', { key: acme.live_key, query: { document_type: 'quote' } });
  const res = await create(app, acme, { series_id: series.body.data[0].id, lines: [line] });
  assert.deepEqual(
    [res.status, res.body.error.code, res.body.error.param],
    [422, 'business_rule_violation', 'series_id'],
  );
});

test('given an external id, when the request comes again, then the invoice that exists is answered, also after prices changed', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const product = await app.post('/v1/products', {
    key: acme.live_key,
    body: { name: 'Silla', unit_price: 40 },
  });
  const body = {
    type: 'F2',
    external_id: 'pedido-1',
    lines: [{ product_id: product.body.data.id, tax_rate: 21 }],
    options: { issue: true },
  };
  const first = await create(app, acme, body);
  assert.equal(first.status, 201);
  const again = await create(app, acme, body);
  assert.equal(again.status, 200);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.body, first.body);

  const other = await create(app, acme, { ...body, lines: [{ ...line }] });
  assert.deepEqual(
    [
      other.status,
      other.body.error.code,
      other.body.error.type,
      other.body.error.subcode,
      other.body.error.param,
    ],
    [409, 'idempotency_key_reused', 'idempotency_error', 'unattended_replay_mismatch', 'external_id'],
  );
});

test('given fifty callers with one external id, when all call at once, then one invoice exists', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const body = { type: 'F2', external_id: 'pedido-9', lines: [line], options: { issue: true } };
  const all = await Promise.all(Array.from({ length: 50 }, () => create(app, acme, body)));
  assert.equal(all.filter((r) => r.status === 201).length, 1);
  assert.equal(all.filter((r) => r.status === 200).length, 49);
  assert.equal(new Set(all.map((r) => r.body.data.number)).size, 1);
});

test('given another company with the same external id, when created, then each has its own', async (t) => {
  const app = await startApp(t);
  const [one, two] = [await app.given.company(), await app.given.company()];
  const body = { external_id: 'pedido-1', lines: [line] };
  const [a, b] = [await create(app, one, body), await create(app, two, body)];
  assert.deepEqual([a.status, b.status], [201, 201]);
  assert.notEqual(a.body.data.id, b.body.data.id);
});

test('given exact numbers, when sent with more digits than a double holds, then they are kept or refused, never rounded', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const send = (quantity: string, unit_price: string) =>
    app.post('/v1/invoices', {
      key: acme.live_key,
      raw: `{"lines":[{"description":"x","quantity":${quantity},"unit_price":${unit_price},"tax_rate":21}]}`,
    });
  const kept = await send('123456789.123456', '0.00012345');
  assert.equal(kept.status, 201);
  assert.match(kept.text, /"quantity":123456789\.123456/);
  const long = await send('999999999999.123456', '0.01');
  assert.equal(long.status, 201);
  assert.match(long.text, /"quantity":999999999999\.123456/);
  const read = await app.get(`/v1/invoices/${long.body.data.id}`, { key: acme.live_key });
  assert.match(read.text, /"quantity":999999999999\.123456/);
  for (const [quantity, price, param] of [
    ['1.1234567', '1', 'lines.0.quantity'],
    ['1', '1.123456789', 'lines.0.unit_price'],
    ['1e400', '1', 'lines.0.quantity'],
    ['1', '1234567890.1234567', 'lines.0.unit_price'],
  ] as const) {
    const refused = await send(quantity, price);
    assert.deepEqual([refused.status, refused.body.error.param], [422, param]);
  }
});

test('given a tax that is archived or not in force on the day, when a new line names it, then it is refused', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const make = async (fields: object) =>
    (await app.post('/v1/taxes', { key, body: { name: 'IVA', kind: 'vat', rate: 21, ...fields } })).body.data
      .id;
  const ended = await make({ valid_to: '2026-05-19' });
  const future = await make({ valid_from: '2026-05-21' });
  const archived = await make({ is_active: false });
  for (const taxes_id of [ended, future, archived]) {
    const res = await create(app, acme, { lines: [{ description: 'x', unit_price: 1, taxes_id }] });
    assert.deepEqual(
      [res.status, res.body.error.code, res.body.error.param],
      [422, 'business_rule_violation', 'lines.0.taxes_id'],
    );
  }
  const earlier = await create(app, acme, {
    operation_on: '2026-05-19',
    lines: [{ description: 'x', unit_price: 1, taxes_id: ended }],
  });
  assert.equal(earlier.status, 201);
  await app.put(`/v1/taxes/${ended}`, { key, body: { is_active: false } });
  const kept = await app.put(`/v1/invoices/${earlier.body.data.id}`, {
    key,
    body: { lines: [{ id: earlier.body.data.lines[0].id, quantity: 2 }] },
  });
  assert.equal(kept.status, 200, kept.text);
  const body = { operation_on: '2026-05-19', lines: [{ description: 'x', unit_price: 1, taxes_id: ended }] };
  const unused = await create(app, acme, body);
  assert.match(unused.body.error.message, /ya no se usa en líneas nuevas/);
});
