import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { startApp } from '../../../test/harness.ts';
import { shirt } from '../../../test/support/configured-products.ts';
import { assertRefused, create } from '../../../test/support/resource-checks.ts';

type Made = Record<string, never> & { id: string };
type Line = Record<string, unknown>;

async function start(t: TestContext) {
  const app = await startApp(t);
  app.clock.set('2026-06-15T10:00:00Z');
  const acme = await app.given.company();
  const key = acme.live_key;
  const made = (path: string) => (body: object) => create<Made>(app, path, key, body);
  const [list, product, client, tax] = ['/v1/price-lists', '/v1/products', '/v1/clients', '/v1/taxes'].map(
    made,
  ) as [ReturnType<typeof made>, ReturnType<typeof made>, ReturnType<typeof made>, ReturnType<typeof made>];
  const send = (method: 'POST' | 'PUT', path: string, body: object) => app.call(method, path, { key, body });
  const done = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await send(method, path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.data;
  };
  return {
    app,
    acme,
    key,
    list,
    product,
    client,
    tax,
    send,
    done,
    item: (list_id: string, body: object) => create<Made>(app, `/v1/price-lists/${list_id}/items`, key, body),
    resolve: async (body: object): Promise<Line[]> =>
      (await done('POST', '/v1/price-lists/resolve', body)).lines,
  };
}

test('given lists asked for, of the client and of the company, when prices are resolved, then one list counts or none', async (t) => {
  const { client, item, list, product, resolve, send, done } = await start(t);
  const silla = await product({ name: 'Silla', unit_price: 100 });
  const make = async (unit_price: number, body: object = {}) => {
    const made = await list({ name: `A ${unit_price}`, ...body });
    await item(made.id, { product_id: silla.id, unit_price });
    return made.id;
  };
  const standard = await make(90, { is_default: true });
  const [own, asked] = [await make(80), await make(70)];
  const [old, dollars, archived] = [
    await make(60, { valid_to: '2026-06-14' }),
    await make(50, { currency: 'USD' }),
    await make(40, { is_active: false }),
  ];
  const empty = (await list({ name: 'Vacía' })).id;
  const { id: client_id } = await client({ name: 'Librería', price_list_id: own });
  const { id: plain_id } = await client({ name: 'Papelería' });
  const { id: late_id } = await client({ name: 'Kiosco', price_list_id: old });
  const lines = [{ product_id: silla.id }];
  const cases: readonly (readonly [body: object, price: number | null, list_id: string | null])[] = [
    [{}, 90, standard],
    [{ client_id: plain_id }, 90, standard],
    [{ client_id }, 80, own],
    [{ client_id, price_list_id: asked }, 70, asked],
    [{ client_id: late_id }, 100, null],
    [{ client_id: late_id, on_date: '2026-06-14' }, 60, old],
    [{ client_id, price_list_id: archived }, 100, null],
    [{ price_list_id: dollars }, 100, null],
    [{ price_list_id: dollars, currency: 'USD' }, 50, dollars],
    [{ client_id, currency: 'USD' }, null, null],
    [{ price_list_id: empty }, 100, null],
  ];
  for (const [body, price, list_id] of cases) {
    const [line] = await resolve({ ...body, lines });
    const found = [
      line?.unit_price,
      (line?.price_list as Made | null)?.id ?? null,
      line?.status,
      line?.reason_code,
    ];
    const rest = price === null ? ['unavailable', 'no_price_in_currency'] : ['resolved', null];
    assert.deepEqual(found, [price, list_id, ...rest], JSON.stringify(body));
  }
  await done('PUT', `/v1/products/${silla.id}`, { is_active: false });
  const [line] = await resolve({ lines });
  assert.deepEqual(
    [line?.status, line?.reason_code, line?.unit_price],
    ['unavailable', 'product_archived', null],
  );
  const wrong: readonly (readonly [body: object, param: string])[] = [
    [{ client_id: silla.id }, 'client_id'],
    [{ price_list_id: silla.id }, 'price_list_id'],
    [{ currency: 'XXZ' }, 'currency'],
    [{ on_date: '2026-02-30' }, 'on_date'],
    [{ lines: [...lines, { product_id: own }] }, 'lines.1.product_id'],
    [{ lines: [] }, 'lines'],
    [{ lines: Array.from({ length: 101 }, () => lines[0]) }, 'lines'],
  ];
  for (const [body, param] of wrong)
    assertRefused(
      await send('POST', '/v1/price-lists/resolve', { lines, ...body }),
      422,
      'parameter_invalid',
      param,
    );
});

test('given steps, when a line is priced, then it takes its step, says the next, and its size counts', async (t) => {
  const { item, list, product, resolve } = await start(t);
  const silla = await product({ name: 'Silla', unit_price: 100 });
  const { id } = await list({ name: 'Única', is_default: true });
  const one = await item(id, { product_id: silla.id, unit_price: 90 });
  const ten = await item(id, { product_id: silla.id, unit_price: 80, min_quantity: 10 });
  await item(id, { product_id: silla.id, discount_percent: 25, min_quantity: 50 });
  const quantities = [0.5, 1, 9.999999, 10, -10, 50];
  const lines = await resolve({ lines: quantities.map((quantity) => ({ product_id: silla.id, quantity })) });
  const next = (min_quantity: number, unit_price: number, discount_percent: number | null = null) => ({
    min_quantity,
    unit_price,
    discount_percent,
  });
  assert.deepEqual(
    lines.map((line) => [line.unit_price, line.discount_percent, line.min_quantity, line.next_break]),
    [
      [100, null, null, next(1, 90)],
      [90, null, 1, next(10, 80)],
      [90, null, 1, next(10, 80)],
      [80, null, 10, next(50, 100, 25)],
      [80, null, 10, next(50, 100, 25)],
      [100, 25, 50, null],
    ],
  );
  assert.deepEqual([lines[1]?.item_id, lines[3]?.item_id, lines[1]?.base_price], [one.id, ten.id, 100]);
});

test('given a list, when documents of every family name a product without a price, then they take it, and keep it', async (t) => {
  const { app, key, client, done, item, list, product, send } = await start(t);
  const silla = await product({ name: 'Silla', unit_price: 100 });
  const mesa = await product({ name: 'Mesa', unit_price: 200 });
  const { id } = await list({ name: 'Única' });
  const step = await item(id, { product_id: silla.id, unit_price: 90 });
  await item(id, { product_id: silla.id, unit_price: 80, min_quantity: 10 });
  await item(id, { product_id: mesa.id, discount_percent: 10 });
  const { id: client_id } = await client({ name: 'Librería', price_list_id: id, default_discount: 3 });
  const tax = { tax_rate: 21 };
  const lines = [
    { product_id: silla.id, quantity: 2, ...tax },
    { product_id: silla.id, unit_price: 5, ...tax },
    { product_id: mesa.id, ...tax },
    { product_id: mesa.id, discount_percent: 1, ...tax },
  ];
  const priced = (document: { lines: Line[] }) =>
    document.lines.map((line) => [line.unit_price, line.discount_percent]);
  const expected = [
    [90, 3],
    [5, 3],
    [200, 10],
    [200, 1],
  ];
  const recurrence = { name: 'Cuota', frequency: 'monthly', starts_on: '2026-07-01' };
  const families: readonly (readonly [path: string, body: object])[] = [
    ['/v1/invoices', {}],
    ['/v1/quotes', {}],
    ['/v1/proformas', {}],
    ['/v1/delivery_notes', {}],
    ['/v1/recurring_invoices', recurrence],
  ];
  for (const [path, body] of families) {
    const made = await done('POST', path, { ...body, client_id, lines });
    assert.deepEqual(priced(made), expected, path);
    await done('PUT', `/v1/price-lists/${id}/items/${step.id}`, { unit_price: 70 });
    const again = made.lines.map((line: Line) => ({ id: line.id, quantity: 10 }));
    const kept = await done('PUT', `${path}/${made.id}`, { lines: again });
    assert.deepEqual(priced(kept), expected, path);
    const whole = (await app.get(`${path}/${made.id}`, { key })).body.data;
    assert.deepEqual(priced(await done('PUT', `${path}/${made.id}`, whole)), expected, path);
    await done('PUT', `/v1/price-lists/${id}/items/${step.id}`, { unit_price: 90 });
  }
  // What the recurrence took is what its invoices say, discounts too.
  app.clock.set('2026-07-01T10:00:00Z');
  const recurring = (await app.get('/v1/recurring_invoices', { key })).body.data[0];
  const preview = await done('POST', `/v1/recurring_invoices/${recurring.id}/emit`, {});
  const invoice_id = preview.invoice?.id ?? preview.invoice_id ?? preview.id;
  const emitted = (await app.get(`/v1/invoices/${invoice_id}`, { key })).body.data;
  assert.deepEqual(priced(emitted), expected);
  const dollars = { client_id, currency: 'USD', exchange_rate: 0.9, lines };
  assertRefused(
    await send('POST', '/v1/invoices', dollars),
    422,
    'business_rule_violation',
    'lines.0.unit_price',
  );
});

test('given random lists, when lines are resolved and invoiced, then both say the same to the last decimal', async (t) => {
  const { client, done, list, product, resolve, tax } = await start(t);
  const rates = await Promise.all(
    [21, 10, 4].map((rate) => tax({ name: `IVA ${rate} %`, kind: 'vat', rate })),
  );
  const cents = (max: number) => fc.integer({ min: 1, max }).map((units) => units / 100);
  const products: Made[] = [];
  for (const [at, unit_price] of [0.01, 12.345678, 99999.99].entries())
    products.push(await product({ name: `P${at}`, unit_price, taxes_id: rates[at]?.id }));
  const anyProduct = fc.constantFrom(...products.map(({ id }) => id));
  const anyItem = fc.record({
    product_id: anyProduct,
    min_quantity: fc.constantFrom(0.5, 1, 2, 10),
    valid_from: fc.constantFrom(null, '2026-06-01', '2026-07-01'),
    price: fc.oneof(
      fc.record({ unit_price: fc.integer({ min: 1, max: 999_999_999 }).map((units) => units / 1e8) }),
      fc.record({ unit_price: cents(1_000_000) }),
      fc.record({ discount_percent: cents(10_000) }),
    ),
  });
  const anyLine = fc.record({
    product_id: anyProduct,
    quantity: fc.constantFrom(0.4, 0.5, 1, 2, 9, 10, 11),
  });
  const cases = fc.sample(
    fc.record({
      items: fc.uniqueArray(anyItem, {
        minLength: 1,
        maxLength: 12,
        selector: (one) => [one.product_id, one.min_quantity, one.valid_from].join(),
      }),
      list_with_tax: fc.boolean(),
      prices_include_tax: fc.boolean(),
      lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
    }),
    { numRuns: 12, seed: 14 },
  );
  for (const { items, list_with_tax, prices_include_tax, lines } of cases) {
    const { id } = await list({ name: 'Azar', prices_include_tax: list_with_tax });
    const sent = items.map(({ price, ...one }) => ({ ...one, ...price }));
    const saved = await done('POST', `/v1/price-lists/${id}/items/bulk-upsert`, { items: sent });
    assert.equal(saved.failed, 0, JSON.stringify(saved.failures));
    const { id: client_id } = await client({ name: 'Librería', price_list_id: id });
    const resolved = await resolve({ client_id, prices_include_tax, lines });
    const invoice = await done('POST', '/v1/invoices', { client_id, prices_include_tax, lines });
    assert.deepEqual(
      invoice.lines.map((line: Line) => [line.unit_price, line.discount_percent]),
      resolved.map((line) => [line.unit_price, line.discount_percent]),
    );
    // A plain search of all items finds the same.
    for (const [at, { product_id, quantity }] of lines.entries()) {
      const holding = saved.items
        .filter((one: Line) => one.product_id === product_id && (one.min_quantity as number) <= quantity)
        .filter((one: Line) => one.valid_from !== '2026-07-01')
        .sort(
          (a: Line, b: Line) =>
            (b.min_quantity as number) - (a.min_quantity as number) ||
            String(b.valid_from ?? '').localeCompare(String(a.valid_from ?? '')),
        );
      assert.equal(resolved[at]?.item_id, holding[0]?.id ?? null);
    }
  }
});

test('given a configured product, when a list prices its parts, then selection, resolve and invoice say the same', async (t) => {
  const { client, done, item, list, product, resolve, send } = await start(t);
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const made: any = await product(shirt);
  const [red, blue] = made.variants;
  const [, box] = made.presentations;
  const [engraving] = made.option_groups;
  const other = await product({ name: 'Mesa', unit_price: 1 });
  const { id } = await list({ name: 'Única', prices_include_tax: true });
  const one = { product_id: made.id };
  await item(id, { ...one, unit_price: 9.68 });
  await item(id, { ...one, variant_id: blue.id, discount_percent: 5 });
  await item(id, { ...one, variant_id: blue.id, min_quantity: 10, unit_price: 8.47 });
  await item(id, { ...one, variant_id: blue.id, presentation_id: box.id, unit_price: 96.8 });
  const { id: client_id } = await client({ name: 'Librería', price_list_id: id });
  const laser = { group_id: engraving.id, value_id: engraving.values[0].id };
  const ink = { group_id: engraving.id, value_id: engraving.values[1].id };
  const cases: readonly (readonly [asked: object, unit_price: number, discount_percent: number | null])[] = [
    [{ variant_id: red.id, options: [ink] }, 8, null],
    [{ variant_id: red.id, options: [laser] }, 10.5, null],
    [{ variant_id: blue.id, options: [laser] }, 14.62345678, 5],
    [{ variant_id: blue.id, options: [ink], quantity: 10 }, 7, null],
    [{ variant_id: blue.id, presentation_id: box.id, options: [laser] }, 82.5, null],
    [{ variant_id: blue.id, presentation_id: box.id, options: [ink], quantity: -10 }, 80, null],
  ];
  await done('PUT', '/v1/account/company', { default_vat: { invoice: 21 } });
  for (const [asked, unit_price, discount_percent] of cases) {
    const line = { ...one, ...asked };
    const [resolved] = await resolve({ client_id, lines: [line] });
    const invoice = await done('POST', '/v1/invoices', { client_id, lines: [line] });
    const selected = await done('POST', `/v1/products/${made.id}/resolve-selection`, { client_id, ...asked });
    for (const told of [resolved, invoice.lines[0], selected])
      assert.deepEqual(
        [told.unit_price, told.discount_percent],
        [unit_price, discount_percent],
        JSON.stringify(asked),
      );
    assert.deepEqual([selected.status, selected.price_list], ['resolved', { id, name: 'Única' }]);
  }
  const kept = { client_id, lines: [{ ...one, variant_id: red.id, options: [ink] }] };
  const invoice = await done('POST', '/v1/invoices', kept);
  const edit = async (change: object) => {
    const body = { lines: [{ id: invoice.lines[0].id, ...change }] };
    const [line] = (await done('PUT', `/v1/invoices/${invoice.id}`, body)).lines;
    return [line.unit_price, line.discount_percent];
  };
  assert.deepEqual(await edit({ quantity: 50 }), [8, null]);
  assert.deepEqual(await edit({ variant_id: blue.id, quantity: 1 }), [12.12345678, 5]);
  assert.deepEqual(await edit({ product_id: other.id }), [1, null]);
  const wrong: readonly (readonly [body: object, param: string])[] = [
    [{ variant_id: box.id }, 'variant_id'],
    [{ presentation_id: red.id }, 'presentation_id'],
    [{ product_id: other.id, variant_id: red.id }, 'variant_id'],
  ];
  for (const [body, param] of wrong) {
    const sent = { ...one, unit_price: 1, ...body };
    assertRefused(await send('POST', `/v1/price-lists/${id}/items`, sent), 422, 'parameter_invalid', param);
    const asked = { lines: [{ ...one, ...body }] };
    const refused = await send('POST', '/v1/price-lists/resolve', asked);
    assertRefused(refused, 422, 'parameter_invalid', `lines.0.${param}`);
  }
  const pack = {
    name: 'Lote',
    unit_price: 20,
    pack: { pricing: 'sum', expand: 'components', components: [{ product_id: other.id, quantity: 4 }] },
  };
  const { id: pack_id } = await product(pack);
  await item(id, { product_id: other.id, min_quantity: 8, unit_price: 0.605 });
  const lines = [{ product_id: pack_id, quantity: 2 }];
  const [whole] = await resolve({ client_id, lines });
  const billed = (await done('POST', '/v1/invoices', { client_id, lines })).lines;
  assert.deepEqual([whole?.unit_price, billed[0].unit_price, billed[0].quantity], [2, 0.5, 8]);
  const chosen = await done('POST', `/v1/products/${pack_id}/resolve-selection`, { client_id, quantity: 2 });
  assert.equal(chosen.unit_price, 2);
});

test('given a company that changed since it was read, when prices are resolved, then they are those of now', async (t) => {
  const { app, acme, done, item, list, product, resolve } = await start(t);
  const silla = await product({ name: 'Silla', unit_price: 100 });
  const [old, fresh] = [await list({ name: 'A', is_default: true }), await list({ name: 'B' })];
  await item(old.id, { product_id: silla.id, unit_price: 90, valid_to: '2026-06-15' });
  await item(old.id, { product_id: silla.id, unit_price: 85, valid_from: '2026-06-16' });
  await item(fresh.id, { product_id: silla.id, unit_price: 80 });
  const priceNow = async () => (await resolve({ lines: [{ product_id: silla.id }] }))[0]!.unit_price;
  assert.equal(await priceNow(), 90);
  // The day ends in Madrid.
  app.clock.set('2026-06-15T22:30:00Z');
  assert.equal(await priceNow(), 85);
  // Another process may change the row: this one has read it before.
  await app.sql`update companies set time_zone = 'Atlantic/Canary' where company_id = ${acme.company_id}`;
  assert.equal(await priceNow(), 90);
  await app.sql`update companies set default_price_list_id = ${fresh.id} where company_id = ${acme.company_id}`;
  assert.equal(await priceNow(), 80);
  await app.sql`update companies set default_price_list_id = null where company_id = ${acme.company_id}`;
  assert.equal(await priceNow(), 100);
  await done('PUT', `/v1/price-lists/${fresh.id}`, { is_default: true });
  assert.equal(await priceNow(), 80);
});

test('given taxes that a document refuses, when prices are resolved, then they are as unavailable, and a tax that nobody says is not', async (t) => {
  const { client, product, tax, resolve, done, send } = await start(t);
  const [good, late, special] = [
    (await tax({ name: 'IVA 21', kind: 'vat', rate: 21 })).id,
    (await tax({ name: 'IVA 10', kind: 'vat', rate: 10, valid_to: '2026-06-14' })).id,
    (await tax({ name: 'Adquisición', kind: 'vat', exemption_reason: 'E5' })).id,
  ];
  const { id: client_id } = await client({ name: 'Librería', default_taxes_id: late });
  const cases = [
    ['in force', { taxes_id: good }, {}, true],
    ['past its last day', { taxes_id: late }, {}, false],
    ['on its last day', { taxes_id: late }, { on_date: '2026-06-14' }, true],
    ['of goods, for a service', { taxes_id: special, kind: 'service' }, {}, false],
    ['of the client, past its last day', {}, { client_id }, false],
    ['of nobody', {}, {}, true],
  ] as const;
  for (const [what, fields, asked, is_sold] of cases) {
    const made = await product({ name: what, unit_price: 100, ...fields });
    const pack = await product({
      name: `Lote ${what}`,
      unit_price: 0,
      pack: { pricing: 'sum', expand: 'components', components: [{ product_id: made.id, quantity: 2 }] },
    });
    for (const [product_id, price] of [
      [made.id, 100],
      [pack.id, 200],
    ] as const) {
      const [resolved] = await resolve({ ...asked, lines: [{ product_id }] });
      const selected = await done('POST', `/v1/products/${product_id}/resolve-selection`, asked);
      const told = is_sold ? ['resolved', null, price] : ['unavailable', 'tax_refused', null];
      for (const one of [resolved!, selected])
        assert.deepEqual([one.status, one.reason_code, one.unit_price], told, what);
      if (what === 'of nobody') continue;
      const [with_tax] = await resolve({ ...asked, prices_include_tax: true, lines: [{ product_id }] });
      assert.deepEqual([with_tax!.status, with_tax!.reason_code], told.slice(0, 2), what);
      const issued_on = 'on_date' in asked ? asked.on_date : '2026-06-15';
      const of_client = 'client_id' in asked ? { client_id } : {};
      const invoice = { ...of_client, operation_on: issued_on, lines: [{ product_id }] };
      const answer = await send('POST', '/v1/invoices', invoice);
      assert.equal(answer.status, is_sold ? 201 : 422, `${what} ${answer.text}`);
    }
  }
});
