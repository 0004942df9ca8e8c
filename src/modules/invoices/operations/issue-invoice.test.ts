import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { asRead } from '../../../../test/support/as-read.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';

const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };

test('given drafts, when issued, then numbers follow one another without gap and dates never run backwards', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const draft = async (fields: object = {}) =>
    (await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line], ...fields } })).body.data.id;
  const issue = (id: string) => app.post(`/v1/invoices/${id}/issue`, { key });

  assert.equal((await issue(await draft())).body.data.number, 'S2026-000001');
  const early = await issue(await draft({ issued_on: '2026-05-19' }));
  assert.deepEqual(
    [early.status, early.body.error.code, early.body.error.param],
    [422, 'business_rule_violation', 'issued_on'],
  );
  assert.equal((await issue(await draft())).body.data.number, 'S2026-000002');
  app.clock.set('2027-01-01T00:30:00+01:00');
  const next = await issue(await draft());
  assert.deepEqual([next.body.data.number, next.body.data.issued_on], ['S2027-000001', '2027-01-01']);
  // The series is past 2026, and its dates never run backwards.
  const late = await issue(await draft({ issued_on: '2026-12-31' }));
  assert.deepEqual(
    [late.status, late.body.error.code, late.body.error.param],
    [422, 'business_rule_violation', 'issued_on'],
  );
});

test('given an issued invoice, when issued again, then 409 and nothing changes', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const again = await app.post(`/v1/invoices/${made.body.data.id}/issue`, { key });
  assert.deepEqual([again.status, again.body.error.code], [409, 'invalid_status_transition']);
  assert.deepEqual(
    (await app.get(`/v1/invoices/${made.body.data.id}`, { key })).body.data,
    asRead(made.body.data),
  );
});

test('given a client with terms, when issued, then the due day follows', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const client = await app.post('/v1/clients', {
    key,
    body: { name: 'Norte SL', payment_preferences: { method: 'bank_transfer', terms_days: 30 } },
  });
  const made = await app.post('/v1/invoices', {
    key,
    body: { client_id: client.body.data.id, lines: [line], options: { issue: true } },
  });
  assert.equal(made.body.data.due_on, '2026-06-19');
});

test('given an issued invoice, when client, product, tax and company are renamed, then the invoice stays as it was issued', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const taxes = await app.get('/v1/taxes', { key, query: { limit: '100' } });
  const vat = taxes.body.data.find(
    (tax: { rate: number; kind: string }) => tax.kind === 'vat' && tax.rate === 21,
  );
  const client = await app.post('/v1/clients', {
    key,
    body: {
      name: 'Antes SL',
      tax_id: 'B12345674',
      address: { line1: 'Calle Uno', city: 'Lugo', country: 'ES' },
    },
  });
  await app.put('/v1/account/company', { key, body: { address: { line1: 'Calle Tres', city: 'Lugo' } } });
  const product = await app.post('/v1/products', {
    key,
    body: { name: 'Mesa', unit_price: 120, taxes_id: vat.id },
  });
  const body = { client_id: client.body.data.id, lines: [{ product_id: product.body.data.id }] };
  const draft = await app.post('/v1/invoices', { key, body });
  const issued = await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } });
  assert.equal(issued.status, 201);

  await app.put(`/v1/clients/${client.body.data.id}`, {
    key,
    body: { name: 'Después SL', address: { line1: 'Calle Dos', city: 'Lugo', country: 'ES' } },
  });
  await app.put(`/v1/products/${product.body.data.id}`, { key, body: { name: 'Mesa nueva' } });
  await app.put(`/v1/taxes/${vat.id}`, { key, body: { name: 'IVA general' } });
  await app.put('/v1/account/company', { key, body: { name: 'Acme Renovada SL' } });

  assert.deepEqual(
    (await app.get(`/v1/invoices/${issued.body.data.id}`, { key })).body.data,
    asRead(issued.body.data),
  );
  const [row] =
    (await app.sql`select issuer_snapshot from invoices where id = ${issued.body.data.id}`) as unknown as [
      { issuer_snapshot: { name: string } },
    ];
  assert.equal(row.issuer_snapshot.name, 'Acme SL');

  // A draft shows the present client.
  assert.equal(
    (await app.get(`/v1/invoices/${draft.body.data.id}`, { key })).body.data.client.name,
    'Después SL',
  );
  const later = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
  assert.deepEqual(
    [
      later.body.data.client.name,
      later.body.data.client.address.line1,
      later.body.data.lines[0].product.name,
      later.body.data.lines[0].tax_name,
    ],
    ['Después SL', 'Calle Dos', 'Mesa nueva', 'IVA general'],
  );
  assert.deepEqual((await app.get(`/v1/invoices/${later.body.data.id}`, { key })).body, later.body);
});

test('given 60 callers on three series at once, when all issue, then no series has a gap or a duplicate', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const series: string[] = [];
  for (const code of ['X', 'Y', 'Z']) {
    const made = await app.post('/v1/series', {
      key,
      body: { code, document_type: 'simplified_invoice', format: '{code}{year}/{number:4}', reset: 'year' },
    });
    series.push(made.body.data.id);
  }
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      app.post('/v1/invoices', {
        key,
        body: { type: 'F2', series_id: series[i % 3], lines: [line], options: { issue: true } },
      }),
    ),
  );
  assert.ok(all.every((r) => r.status === 201));
  for (const id of series) {
    const rows = await app.sql<{ series_number: number }[]>`
      select series_number from invoices where company_id = ${acme.company_id} and series_id = ${id} order by series_number`;
    assert.deepEqual(
      rows.map((r) => r.series_number),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    assert.deepEqual((await app.eventTypes(acme, id)).slice(0, 2), [
      'series.created',
      'series.number_consumed',
    ]);
  }
});

test('given a refused issue, when the next one is issued, then the number was not consumed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const draft = await app.post('/v1/invoices', { key, body: { type: 'F1', lines: [line] } });
  const refused = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'client_id']);
  assert.equal((await app.get(`/v1/invoices/${draft.body.data.id}`, { key })).body.data.status, 'draft');
  const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL' } });
  await app.put(`/v1/invoices/${draft.body.data.id}`, { key, body: { client_id: client.body.data.id } });
  const issued = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
  assert.match(issued.body.data.number, /-000001$/);
});

test('given a company without a name, when it issues, then business_rule_violation names company_name', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await app.put('/v1/account/company', { key, body: { name: null } });
  const res = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  assert.deepEqual(
    [res.status, res.body.error.code, res.body.error.param],
    [422, 'business_rule_violation', 'company_name'],
  );
});

test('given a series archived between drafting and issuing, when issued, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/series', {
    key,
    body: {
      code: 'W',
      document_type: 'simplified_invoice',
      format: '{code}{year}/{number:4}',
      reset: 'year',
    },
  });
  const draft = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', series_id: made.body.data.id, lines: [line] },
  });
  assert.equal((await app.post(`/v1/series/${made.body.data.id}/archive`, { key })).status, 200);
  const res = await app.post(`/v1/invoices/${draft.body.data.id}/issue`, { key });
  assert.deepEqual(
    [res.status, res.body.error.code, res.body.error.param],
    [422, 'business_rule_violation', 'series_id'],
  );
});

test('given drafts with a tax that ends with the year, when the year turns, then only what was supplied before goes out', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-12-30T10:00:00Z');
  const { live_key: key } = await app.given.company();
  const tax = await create(app, '/v1/taxes', key, { name: 'IGIC 6,5', kind: 'igic', rate: 6.5 });
  const lines = [{ description: 'Barraquito', unit_price: 10, taxes_id: tax.id }];
  const ticket = { type: 'F2', lines };
  const waited = await create(app, '/v1/invoices', key, ticket);
  const supplied = await create(app, '/v1/invoices', key, { ...ticket, operation_on: '2026-12-30' });
  const client = await create(app, '/v1/clients', key, { name: 'Norte SL', tax_id: 'A58818501' });
  const sold = { client_id: client.id, lines, options: { mark_pending: true } };
  const note = await create(app, '/v1/delivery_notes', key, { ...sold, delivery_date: '2026-12-30' });
  const ends = { valid_to: '2026-12-31', is_active: false };
  assert.equal((await app.put(`/v1/taxes/${tax.id}`, { key, body: ends })).status, 200);
  app.clock.set('2026-12-31T23:00:00Z');
  const of_note = await create(app, `/v1/delivery_notes/${note.id}/convert`, key, { target: 'invoice' });
  const undone = { body: { operation_on: null }, key };
  assert.equal((await app.put(`/v1/invoices/${of_note.id}`, undone)).status, 200);
  const { reasons } = (await app.post(`/v1/invoices/${waited.id}/can-issue`, { key })).body.data;
  assert.deepEqual(
    reasons.map(({ code, param, line_index }: Record<string, unknown>) => [code, param, line_index]),
    [['business_rule_violation', 'lines.0.taxes_id', 0]],
  );
  const refused = await app.post(`/v1/invoices/${waited.id}/issue`, { key });
  assertRefused(refused, 422, 'business_rule_violation', 'lines.0.taxes_id');
  assert.match(refused.body.error.message, /IGIC 6,5.* no está en vigor el 2027-01-01/);
  for (const { id } of [supplied, of_note]) {
    const issued = await app.post(`/v1/invoices/${id}/issue`, { key });
    assert.deepEqual([issued.status, issued.body.data?.issued_on], [200, '2027-01-01'], issued.text);
  }
});

for (const action of ['issue', 'mark-sent']) {
  test(`given another company's invoice, when ${action} is called, then it is not found`, async (t) => {
    const app = await startApp(t);
    const [mine, other] = [await app.given.company(), await app.given.company()];
    const made = await app.post('/v1/invoices', { key: other.live_key, body: { type: 'F2', lines: [line] } });
    const res = await app.post(`/v1/invoices/${made.body.data.id}/${action}`, { key: mine.live_key });
    assert.deepEqual([res.status, res.body.error.code], [404, 'resource_not_found']);
  });
}

test('given a new year or month, when the first number is consumed, then the series says so', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-11-30T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const make = async (code: string, format: string, reset: string) =>
    (
      await app.post('/v1/series', {
        key,
        body: { code, document_type: 'simplified_invoice', format, reset },
      })
    ).body.data.id;
  const [yearly, monthly] = [
    await make('YY', '{code}{year}/{number:4}', 'year'),
    await make('MM', '{code}{year}{month}/{number:4}', 'month'),
  ];
  const issue = (series_id: string) =>
    app.post('/v1/invoices', {
      key,
      body: { type: 'F2', series_id, lines: [line], options: { issue: true } },
    });
  for (const now of ['2026-11-30T10:00:00Z', '2026-12-31T10:00:00Z', '2027-01-01T10:00:00Z']) {
    app.clock.set(now);
    await issue(yearly);
    await issue(monthly);
  }
  const consumed = 'series.number_consumed';
  assert.deepEqual(await app.eventTypes(acme, yearly), [
    'series.created',
    consumed,
    consumed,
    'series.year_reset',
    consumed,
  ]);
  assert.deepEqual(await app.eventTypes(acme, monthly), [
    'series.created',
    consumed,
    'series.month_reset',
    consumed,
    'series.month_reset',
    consumed,
  ]);
});

test('given a draft that others keep changing, when it is issued, then it waits for them and is issued as one left it', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }];
  for (let round = 0; round < 4; round++) {
    const { id } = (await app.post('/v1/invoices', { key, body: { type: 'F2', lines } })).body.data;
    const edits = Array.from({ length: 40 }, (_, i) =>
      app.put(`/v1/invoices/${id}`, { key, body: { notes: `${i}` } }),
    );
    const issued = await app.post(`/v1/invoices/${id}/issue`, { key });
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    assert.equal(issued.status, 200, issued.text);
    assert.ok(statuses.every((status) => status === 200 || status === 409));
    const { data } = (await app.get(`/v1/invoices/${id}`, { key })).body;
    assert.deepEqual([data.status, data.notes], ['issued', issued.body.data.notes]);
  }
});
