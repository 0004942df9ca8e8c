import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { asRead } from '../../../../test/support/as-read.ts';
import { recordingCompany, recordOf, storeAnswer } from '../../../../test/support/recording-company.ts';
import { givenNotes } from '../../../../test/support/notes.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };

test('given a draft, when it is read, edited and put back, then only the edit changes', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const client = await app.post('/v1/clients', { key, body: { name: 'Norte SL' } });
  const made = await app.post('/v1/invoices', {
    key,
    body: { client_id: client.body.data.id, notes: 'n', lines: [line, { ...line, tax_rate: 4, unit: 'h' }] },
  });
  const whole = structuredClone(made.body.data);
  whole.notes = null;
  whole.lines[1].quantity = 3;
  const res = await app.put(`/v1/invoices/${whole.id}`, { key, body: whole });
  assert.equal(res.status, 200, res.text);
  assert.equal(res.body.data.notes, null);
  assert.equal(res.body.data.lines[1].id, made.body.data.lines[1].id);
  assert.deepEqual(
    [res.body.data.lines[1].subtotal, res.body.data.lines[1].unit, res.body.data.lines[1].tax_rate],
    [300, 'h', 4],
  );
  assert.equal(res.body.data.total, 433);
  assert.deepEqual((await app.get(`/v1/invoices/${whole.id}`, { key })).body, res.body);
  assert.deepEqual(await app.eventTypes(acme, whole.id), ['invoice.created', 'invoice.updated']);
});

test('given lines of products, when they name none any more, then they are taxed as they were', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = async (path: string, body: object) => (await app.post(path, { key, body })).body.data;
  const default_vat = { invoice: 21, quote: 21, recurring_invoice: 21 };
  await app.put('/v1/account/company', { key, body: { default_vat } });
  const exempt = await make('/v1/taxes', { name: 'Exento', kind: 'vat', exemption_reason: 'E1' });
  const book = await make('/v1/taxes', { name: 'Libros', kind: 'vat', rate: 4 });
  const product = (name: string, kind: string, taxes_id: string) =>
    make('/v1/products', { name, kind, unit: 'ud', unit_price: 10, taxes_id });
  const course = await product('Curso', 'service', exempt.id);
  const novel = await product('Novela', 'good', book.id);
  const shop = await make('/v1/clients', { name: 'Papelería Sur', is_surcharge_subject: true });
  const calendar = { name: 'Cuota', frequency: 'monthly', starts_on: '2099-01-01' };
  for (const [path, more] of [
    ['/v1/invoices', {}],
    ['/v1/quotes', {}],
    ['/v1/recurring_invoices', calendar],
  ] as const) {
    const lines = [
      { product_id: course.id },
      { product_id: novel.id, discount_percent: 10 },
      { product_id: novel.id, tax_rate: 10 },
    ];
    const made = await make(path, { ...more, client_id: shop.id, lines });
    const put = await app.put(`${path}/${made.id}`, {
      key,
      body: { lines: made.lines.map(({ id }: { id: string }) => ({ id, product_id: null })) },
    });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(
      put.body.data.lines,
      made.lines.map((before: object) => ({ ...before, product: null })),
    );
    assert.equal(put.body.data.total, made.total);

    // As they were read, and one that says how it is taxed from then on.
    const again = await make(path, { ...more, client_id: shop.id, lines });
    const [of_course, ...others] = again.lines.map(({ product: _, ...read }: { product: unknown }) => read);
    const echoed = others.map((read: object) => ({ ...read, product_id: null }));
    const taxed = { id: of_course.id, product_id: null, tax_rate: 21 };
    const edited = await app.put(`${path}/${again.id}`, { key, body: { lines: [taxed, ...echoed] } });
    assert.equal(edited.status, 200, edited.text);
    assert.deepEqual(
      edited.body.data.lines.map((line: { kind: string; tax_rate: number; surcharge_rate: number }) => [
        line.kind,
        line.tax_rate,
        line.surcharge_rate,
      ]),
      [
        ['good', 21, 5.2],
        ['good', 4, 0.5],
        ['good', 10, 1.4],
      ],
    );
  }
});

test('given a line of a tax, when its qualification is put as null, which says nothing, then the tax stays', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const book = await app.post('/v1/taxes', { key, body: { name: 'Libros', kind: 'vat', rate: 4 } });
  const lines = [
    { ...line, tax_rate: undefined, taxes_id: book.body.data.id },
    { ...line, tax_rate: 10, surcharge_rate: 1.4 },
  ];
  for (const path of ['/v1/invoices', '/v1/quotes']) {
    const made = await app.post(path, { key, body: { lines } });
    const ids: { id: string }[] = made.body.data.lines;
    const put = await app.put(`${path}/${made.body.data.id}`, {
      key,
      body: { lines: ids.map(({ id }) => ({ id, qualification: null })) },
    });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual(put.body.data.lines, made.body.data.lines);
  }
});

test('given lines, when a new list is sent, then known ids keep absent keys, new ones are added, others removed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/invoices', {
    key,
    body: {
      lines: [
        { ...line, retention_rate: 15, unit: 'h' },
        { ...line, description: 'fuera' },
      ],
    },
  });
  const [first] = made.body.data.lines;
  const res = await app.put(`/v1/invoices/${made.body.data.id}`, {
    key,
    body: {
      lines: [
        { ...line, description: 'nueva' },
        { id: first.id, quantity: 2 },
      ],
    },
  });
  assert.deepEqual(
    res.body.data.lines.map(
      (l: { description: string; quantity: number; unit: string | null; retention_rate: number | null }) => [
        l.description,
        l.quantity,
        l.unit,
        l.retention_rate,
      ],
    ),
    [
      ['nueva', 1, null, null],
      ['Consultoría', 2, 'h', 15],
    ],
  );
});

test('given a line with a surcharge, when its rate changes, then the old surcharge goes with the old rate', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await app.post('/v1/invoices', { key, body: { lines: [{ ...line, surcharge_rate: 5.2 }] } });
  const [first] = made.body.data.lines;
  const res = await app.put(`/v1/invoices/${made.body.data.id}`, {
    key,
    body: { lines: [{ id: first.id, tax_rate: 10 }] },
  });
  assert.deepEqual([res.body.data.lines[0].tax_rate, res.body.data.lines[0].surcharge_rate], [10, null]);
  const exempt = await app.put(`/v1/invoices/${made.body.data.id}`, {
    key,
    body: { lines: [{ id: first.id, exemption_reason: 'E1' }] },
  });
  assert.deepEqual(
    [exempt.body.data.lines[0].tax_rate, exempt.body.data.lines[0].exemption_reason],
    [null, 'E1'],
  );
});

const refusals: [string, (data: Record<string, unknown>) => unknown, string][] = [
  ['a read-only key that says something new', () => ({ total: 1 }), 'total'],
  ['an unknown key', () => ({ nothing: 1 }), 'nothing'],
  ['an external id that changes', () => ({ external_id: 'otro' }), 'external_id'],
  [
    'a line id twice',
    (d) => ({
      lines: [{ id: (d.lines as { id: string }[])[0]!.id }, { id: (d.lines as { id: string }[])[0]!.id }],
    }),
    'lines.1.id',
  ],
  [
    'a line amount that says something new',
    (d) => ({ lines: [{ id: (d.lines as { id: string }[])[0]!.id, subtotal: 1 }] }),
    'lines.0.subtotal',
  ],
];
for (const [name, body, param] of refusals) {
  test(`given ${name}, when a draft is put, then 422 names ${param} and nothing changes`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const made = await app.post('/v1/invoices', { key, body: { lines: [line] } });
    const res = await app.put(`/v1/invoices/${made.body.data.id}`, { key, body: body(made.body.data) });
    assert.deepEqual(
      [res.status, res.body.error.code, res.body.error.param],
      [422, 'parameter_invalid', param],
    );
    assert.deepEqual((await app.get(`/v1/invoices/${made.body.data.id}`, { key })).body, made.body);
  });
}

test('given an issued invoice, when put, then only metadata, tags and custom fields may change', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const made = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], options: { issue: true } },
  });
  const { id } = made.body.data;
  for (const [key_name, value] of [
    ['notes', 'x'],
    ['client_id', null],
    ['due_on', '2199-01-01'],
    ['type', 'F1'],
  ] as const) {
    const res = await app.put(`/v1/invoices/${id}`, { key, body: { [key_name]: value } });
    if (key_name === 'client_id') assert.equal(res.status, 200, 'unchanged keys are accepted');
    else
      assert.deepEqual(
        [res.status, res.body.error.code, res.body.error.param],
        [409, 'invalid_status_transition', key_name],
      );
  }
  const lines = await app.put(`/v1/invoices/${id}`, { key, body: { lines: [{ ...line, unit_price: 1 }] } });
  assert.deepEqual([lines.status, lines.body.error.param], [409, 'lines']);
  const labels = await app.put(`/v1/invoices/${id}`, {
    key,
    body: { metadata: { pedido: '7' }, tags: ['web'], custom_fields: [{ field: 'a', value: 'b' }] },
  });
  assert.equal(labels.status, 200);
  assert.deepEqual(
    [labels.body.data.metadata, labels.body.data.tags, labels.body.data.custom_fields],
    [{ pedido: '7' }, ['web'], [{ field: 'a', value: 'b' }]],
  );
  const whole = await app.put(`/v1/invoices/${id}`, { key, body: labels.body.data });
  assert.equal(whole.status, 200, whole.text);
});

test('given a draft, when its operation day is put, then it is kept, held against the day of issue, and cleared', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { type: 'F2', lines: [line], issued_on: '2026-05-20' };
  const { id } = (await app.post('/v1/invoices', { key, body })).body.data;
  const put = (sent: object) => app.put(`/v1/invoices/${id}`, { key, body: sent });
  assert.equal((await put({ operation_on: '2026-05-19' })).body.data.operation_on, '2026-05-19');
  const late = await put({ operation_on: '2026-05-21' });
  assert.deepEqual(
    [late.status, late.body.error.code, late.body.error.param],
    [422, 'operation_date_after_issue_date', 'operation_on'],
  );
  const read = async () => (await app.get(`/v1/invoices/${id}`, { key })).body.data.operation_on;
  assert.equal(await read(), '2026-05-19');
  assert.equal((await put({ operation_on: null })).body.data.operation_on, null);
  // Continuous supplies may be invoiced before they end.
  const lines = [{ ...line, regime_key: '15' }];
  assert.equal((await put({ operation_on: '2026-05-21', lines })).status, 200);
  assert.equal(await read(), '2026-05-21');
});

test('given a draft that a conversion dated before its operation, when other members are put, then they change, and the days are held against each other', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { key, done, path, noteIn } = await givenNotes(app);
  const note = await noteIn('delivered', { delivery_date: '2026-05-18' });
  const made = await done(`${path}/${note.id}/convert`, { target: 'invoice', issued_on: '2026-05-10' });
  assert.deepEqual([made.issued_on, made.operation_on], ['2026-05-10', '2026-05-18']);
  const put = (body: object) => app.put(`/v1/invoices/${made.id}`, { key, body });
  for (const body of [{ tags: ['web'] }, { metadata: { a: '1' } }, { due_on: '2026-06-30' }]) {
    const answer = await put(body);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual({ ...answer.body.data, ...body }, answer.body.data);
  }
  for (const body of [{ operation_on: '2026-05-19' }, { issued_on: '2026-05-11' }])
    assertRefused(await put(body), 422, 'operation_date_after_issue_date', 'operation_on');
  const issue = await app.post(`/v1/invoices/${made.id}/issue`, { key });
  assertRefused(issue, 422, 'operation_date_after_issue_date', 'operation_on');
  assert.equal((await put({ issued_on: '2026-05-18' })).status, 200);
  assert.equal((await done(`/v1/invoices/${made.id}/issue`)).status, 'issued');
});

const frozen: [string, unknown][] = [
  ['total', 1],
  ['status', 'paid'],
  ['number', 'F2026-000009'],
  ['external_id', 'otro'],
  ['payments', null],
  ['correction', { type: 'differences', reason: null }],
];
for (const [name, value] of frozen) {
  test(`given an issued invoice, when ${name} is put as something new, then 409 names it and nothing changes`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const body = { type: 'F2', lines: [line], options: { issue: true } };
    const made = await app.post('/v1/invoices', { key, body });
    const path = `/v1/invoices/${made.body.data.id}`;
    const res = await app.put(path, { key, body: { tags: ['web'], [name]: value } });
    assert.deepEqual(
      [res.status, res.body.error.code, res.body.error.param],
      [409, 'invalid_status_transition', name],
    );
    assert.deepEqual((await app.get(path, { key })).body.data, asRead(made.body.data));
  });
}

const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));
const pairs = (count: number, key = 'k', value = 'v') =>
  Object.fromEntries(many(count, (i) => [`${key}${String(i).padStart(2, '0')}`, value]));
const fields = (count: number, field = 'f', value = 'v') => many(count, () => ({ field, value }));
/** Each limit of Stripe at its edge and one beyond, with the member that a refusal names. */
const labels: [object, string | null][] = [
  [{ metadata: pairs(50, 'k'.repeat(38), 'v'.repeat(500)) }, null],
  [{ metadata: pairs(51) }, 'metadata'],
  [{ metadata: { ['k'.repeat(41)]: 'v' } }, `metadata.${'k'.repeat(41)}`],
  [{ metadata: { k: 'v'.repeat(501) } }, 'metadata.k'],
  [{ metadata: { k: null } }, 'metadata.k'],
  [{ tags: many(50, (i) => `${i}`.padEnd(40, 't')) }, null],
  [{ tags: many(51, (i) => `${i}`) }, 'tags'],
  [{ tags: ['t'.repeat(41)] }, 'tags.0'],
  [{ tags: ['web', 'web'] }, 'tags'],
  [{ custom_fields: fields(50, 'f'.repeat(40), 'v'.repeat(500)) }, null],
  [{ custom_fields: fields(51) }, 'custom_fields'],
  [{ custom_fields: fields(1, 'f'.repeat(41)) }, 'custom_fields.0.field'],
  [{ custom_fields: fields(1, 'f', 'v'.repeat(501)) }, 'custom_fields.0.value'],
];
for (const [index, [body, param]] of labels.entries()) {
  test(`given labels ${index} (${Object.keys(body)}), when created and put, then ${param ? '422 names the first too many' : 'they stay'}`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const draft = { type: 'F2', lines: [line] };
    const made = await app.post('/v1/invoices', { key, body: { ...draft, options: { issue: true } } });
    const path = `/v1/invoices/${made.body.data.id}`;
    for (const res of [
      await app.post('/v1/invoices', { key, body: { ...draft, ...body } }),
      await app.put(path, { key, body }),
    ]) {
      if (param === null) {
        assert.ok(res.status < 300, res.text);
        assert.deepEqual({ ...res.body.data, ...body }, res.body.data);
      } else assert.deepEqual([res.status, res.body.error.param], [422, param]);
    }
    if (param !== null) assert.deepEqual((await app.get(path, { key })).body.data, asRead(made.body.data));
  });
}

test('given only new metadata, when put, then the event says so and no other', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const made = await app.post('/v1/invoices', { key: acme.live_key, body: { lines: [line] } });
  await app.put(`/v1/invoices/${made.body.data.id}`, { key: acme.live_key, body: { metadata: { a: '1' } } });
  assert.deepEqual(await app.eventTypes(acme, made.body.data.id), [
    'invoice.created',
    'invoice.metadata_changed',
  ]);
});

test('given what GET gave, when it is put back, then nothing changes and nothing is told', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const lines = [
    { ...line, unit_price: 33.333333, discount_percent: 12.5, retention_rate: 15 },
    { ...line, tax_rate: 10 },
  ];
  for (const issue of [false, true]) {
    const made = await app.post('/v1/invoices', {
      key,
      body: { type: 'F2', lines, metadata: { a: '1' }, tags: ['b'], options: { issue } },
    });
    const { id } = made.body.data;
    const before = await app.eventTypes(acme, id);
    app.clock.advance(1000);
    const same = await app.put(`/v1/invoices/${id}`, { key, body: made.body.data });
    assert.deepEqual([same.status, same.body.data], [200, asRead(made.body.data)], same.text);
    assert.deepEqual((await app.put(`/v1/invoices/${id}`, { key, body: {} })).body, same.body);
    assert.deepEqual(await app.eventTypes(acme, id), before);
    const marked = await app.put(`/v1/invoices/${id}`, {
      key,
      body: { ...made.body.data, metadata: { a: '2' } },
    });
    assert.deepEqual(marked.body.data.metadata, { a: '2' });
    assert.deepEqual(await app.eventTypes(acme, id), [...before, 'invoice.metadata_changed']);
  }
});

test('given an invoice as it was before the authority answered, when it is put back with a label, then the label is kept', async (t) => {
  const app = await startApp(t);
  const { key } = await recordingCompany(app, { environment: 'live' });
  const body = { type: 'F2', lines: [line], options: { register_verifactu: true } };
  const { data: made } = (await app.post('/v1/invoices', { key, body })).body;
  const path = `/v1/invoices/${made.id}`;
  const { data: read } = (await app.get(path, { key })).body;
  await storeAnswer(app, (await recordOf(app, key, made.id)).id, 'accepted');
  const { verifactu } = (await app.get(path, { key })).body.data;
  assert.deepEqual([read.verifactu.status, verifactu.status], ['pending', 'accepted']);
  for (const [pedido, sent] of [
    ['1', made],
    ['2', read],
  ] as const) {
    const put = await app.put(path, { key, body: { ...sent, updated_at: undefined, metadata: { pedido } } });
    assert.equal(put.status, 200, put.text);
    assert.deepEqual([put.body.data.metadata, put.body.data.verifactu], [{ pedido }, verifactu]);
  }
  for (const changed of [{}, { ...read.verifactu, huella: 'A'.repeat(64) }, null]) {
    const { status, body: refusal } = await app.put(path, { key, body: { verifactu: changed } });
    assert.deepEqual([status, refusal.error.param], [409, 'verifactu']);
  }
});

test('given labels, when null is sent, then they are cleared, of a draft and of an issued invoice', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const labels = { metadata: { a: '1' }, tags: ['b'], custom_fields: [{ field: 'c', value: 'd' }] };
  for (const issue of [false, true]) {
    const made = await app.post('/v1/invoices', {
      key,
      body: { type: 'F2', lines: [line], ...labels, options: { issue } },
    });
    const res = await app.put(`/v1/invoices/${made.body.data.id}`, {
      key,
      body: { metadata: null, tags: null, custom_fields: null },
    });
    assert.equal(res.status, 200, res.text);
    const { metadata, tags, custom_fields } = res.body.data;
    assert.deepEqual({ metadata, tags, custom_fields }, { metadata: {}, tags: [], custom_fields: [] });
    assert.deepEqual((await app.get(`/v1/invoices/${made.body.data.id}`, { key })).body, res.body);
  }
});

test('given a draft with a product archived since, when edited, then only a new reference to it is checked', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = await app.post('/v1/products', { key, body: { name: 'Mesa', unit_price: 10 } });
  const made = await app.post('/v1/invoices', {
    key,
    body: { lines: [{ product_id: product.body.data.id, tax_rate: 21 }] },
  });
  const archived = await app.put(`/v1/products/${product.body.data.id}`, { key, body: { is_active: false } });
  assert.equal(archived.status, 200);
  const [first] = made.body.data.lines;
  const kept = await app.put(`/v1/invoices/${made.body.data.id}`, {
    key,
    body: { lines: [{ id: first.id, quantity: 5 }] },
  });
  assert.equal(kept.status, 200, kept.text);
  const fresh = await app.post('/v1/invoices', {
    key,
    body: { lines: [{ product_id: product.body.data.id, tax_rate: 21 }] },
  });
  assert.deepEqual([fresh.status, fresh.body.error.param], [422, 'lines.0.product_id']);
});

test('given a draft with a tax deleted since, when edited, then its lines keep it and their values, and new lines may not name it', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const taxes: string[] = [];
  for (const body of [
    { name: 'IVA reducido', kind: 'vat', rate: 10 },
    { name: 'Exportación', kind: 'vat', exemption_reason: 'E2', regime_key: '02' },
  ]) {
    taxes.push((await app.post('/v1/taxes', { key, body })).body.data.id);
  }
  const lines = taxes.map((taxes_id) => ({ description: 'Mesa', unit_price: 10, taxes_id }));
  const { body: made } = await app.post('/v1/invoices', { key, body: { type: 'F2', lines } });
  for (const id of taxes) assert.equal((await app.delete(`/v1/taxes/${id}`, { key })).status, 200);

  const edited = await app.put(`/v1/invoices/${made.data.id}`, { key, body: { notes: 'Sin prisa' } });
  assert.equal(edited.status, 200, edited.text);
  const fiscal = (data: {
    lines: { tax_rate: number | null; exemption_reason: string | null; regime_key: string; total: number }[];
  }) => data.lines.map((l) => [l.tax_rate, l.exemption_reason, l.regime_key, l.total]);
  assert.deepEqual(fiscal(edited.body.data), fiscal(made.data));
  const named = (data: { lines: { taxes_id: string | null; tax_name: string | null }[] }) =>
    data.lines.map((l) => [l.taxes_id, l.tax_name]);
  assert.deepEqual(named(edited.body.data), named(made.data));
  const same = await app.put(`/v1/invoices/${made.data.id}`, { key, body: edited.body.data });
  assert.deepEqual([same.status, same.body.data], [200, edited.body.data], same.text);
  const [first, second] = edited.body.data.lines;
  for (const [at, line] of [
    { ...first, taxes_id: taxes[1] },
    second,
    { description: 'Otra', unit_price: 1, taxes_id: taxes[0] },
  ].entries()) {
    const put = await app.put(`/v1/invoices/${made.data.id}`, {
      key,
      body: { lines: [...Array(at).fill({ description: 'Otra', unit_price: 1, tax_rate: 4 }), line] },
    });
    if (at === 1) assert.equal(put.status, 200, put.text);
    else assert.deepEqual([put.status, put.body.error?.param], [422, `lines.${at}.taxes_id`]);
  }
});

test('given a line that says what it is, when a draft is edited, then anything but invoice_line is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { type: 'F2', lines: [{ description: 'Café', unit_price: 10, tax_rate: 10 }] };
  const { id, lines } = (await app.post('/v1/invoices', { key, body })).body.data;
  const put = (sent: object[]) => app.put(`/v1/invoices/${id}`, { key, body: { lines: sent } });
  const fresh = { description: 'Té', unit_price: 8, tax_rate: 10 };
  for (const sent of [
    { ...lines[0], object: 'zzz' },
    { ...fresh, object: 'zzz' },
  ]) {
    const res = await put([sent]);
    const { error } = res.body;
    assert.deepEqual(
      [res.status, error?.code, error?.param, error?.line_index],
      [422, 'parameter_invalid', 'lines.0.object', 0],
    );
  }
  const fine = await put([lines[0], { ...fresh, object: 'invoice_line' }]);
  assert.equal(fine.status, 200, fine.text);
});
