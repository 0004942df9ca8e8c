/** Lines that sell something of a product's catalogue. Rules that all families share are in test/support/family-rules.ts. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { shirt } from '../../../test/support/configured-products.ts';
import { assertOfLine } from '../../../test/support/line-faults.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { watchStatements } from '../../../test/support/statements.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = any;
const rule = 'business_rule_violation';
const invalid = 'parameter_invalid';

async function given(t: TestContext) {
  const app = await startApp(t);
  const company = await app.given.company();
  const key = company.live_key;
  const make = (path: string, body: object) => create<Json>(app, path, key, body);
  const product = await make('/v1/products', shirt);
  const [red, blue] = product.variants;
  const [unit, box] = product.presentations;
  const [engraving, bag] = product.option_groups;
  const [laser, ink] = engraving.values;
  const pick = (value: Json) => ({ value_id: value.id });
  const quote = async (...lines: object[]): Promise<Json> =>
    make('/v1/quotes', { lines: lines.map((line) => ({ tax_rate: 21, ...line })) });
  const put = async (id: string, lines: object[]): Promise<Json> => {
    const answer = await app.put(`/v1/quotes/${id}`, { key, body: { lines } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  return {
    app,
    company,
    key,
    make,
    quote,
    put,
    product,
    red,
    blue,
    unit,
    box,
    engraving,
    bag,
    laser,
    ink,
    pick,
  };
}

test('given a configured product, when a line sells it, then its price, unit and choice are those of the selection', async (t) => {
  const { quote, product, blue, box, engraving, laser, pick } = await given(t);
  const sold = {
    product_id: product.id,
    variant_id: blue.id,
    presentation_id: box.id,
    options: [pick(laser)],
  };
  const { lines, total } = await quote({ ...sold, quantity: 2 }, { ...sold, unit_price: 5 });
  const [line, priced] = lines;
  assert.deepEqual(
    [line.unit_price, line.unit, line.description, priced.unit_price],
    [154.04320975, 'caja', 'Camiseta', 5],
  );
  assert.deepEqual(line.variant, { id: blue.id, name: 'Azul mediana' });
  assert.deepEqual(line.presentation, { id: box.id, name: 'Caja', factor: 12.5 });
  assert.deepEqual(line.options, [
    {
      group: { id: engraving.id, name: 'Grabado' },
      value: { id: laser.id, name: 'Láser' },
      price_delta: 2.5,
    },
  ]);
  assert.equal(total, 378.84);
});

test('given a choice that is no sale, when a line is written, then the member at fault is named', async (t) => {
  const { app, key, quote, make, product, red, blue, box, bag, engraving, laser, ink, pick } = await given(t);
  const other = await make('/v1/products', shirt);
  const { id } = await quote({ description: 'x', unit_price: 1 });
  const cases: [line: object, code: string, param: string][] = [
    [{}, rule, 'variant_id'],
    [{ unit_price: 3 }, rule, 'variant_id'],
    [{ variant_id: red.id }, rule, 'options'],
    [{ variant_id: red.id, presentation_id: box.id, options: [pick(laser)] }, rule, 'presentation_id'],
    [{ variant_id: blue.id, options: [pick(laser), pick(bag.values[0])] }, rule, 'options'],
    [{ variant_id: other.variants[0].id }, invalid, 'variant_id'],
    [{ variant_id: red.id, presentation_id: other.presentations[0].id }, invalid, 'presentation_id'],
    [
      { variant_id: red.id, options: [pick(other.option_groups[0].values[0])] },
      invalid,
      'options.0.value_id',
    ],
    [{ variant_id: red.id, options: [{ ...pick(laser), group_id: bag.id }] }, invalid, 'options.0.value_id'],
    [{ variant_id: red.id, options: [pick(laser), pick(ink)] }, invalid, 'options.1'],
    [{ variant_id: red.id, options: [{ group_id: engraving.id }] }, invalid, 'options.0.group_id'],
  ];
  const plain = { description: 'x', unit_price: 1, tax_rate: 21 };
  for (const [line, code, param] of cases) {
    const lines = [plain, { product_id: product.id, tax_rate: 21, ...line }];
    assertOfLine(await app.post('/v1/quotes', { key, body: { lines } }), code, param, 1);
    assertOfLine(await app.put(`/v1/quotes/${id}`, { key, body: { lines } }), code, param, 1);
  }
});

test('given a stored line, when something else of its product is chosen, then it is priced anew, and by a quantity never', async (t) => {
  const { app, key, quote, put, product, red, blue, unit, box, laser, ink, pick, make } = await given(t);
  const tax = await make('/v1/taxes', { name: 'IVA 4 %', kind: 'vat', rate: 4 });
  const made = await quote({ product_id: product.id, variant_id: red.id, options: [pick(laser)] });
  const [first] = made.lines;
  assert.equal(first.unit_price, 12.5);
  await app.put(`/v1/products/${product.id}`, { key, body: { unit_price: 20 } });
  const line = async (change: object): Promise<Json> =>
    (await put(made.id, [{ id: first.id, ...change }])).lines[0];
  assert.equal((await line({ quantity: 7 })).unit_price, 12.5);
  assert.equal((await line({ variant_id: red.id, options: [pick(laser)] })).unit_price, 12.5);
  assert.equal((await line({ options: [pick(ink)] })).unit_price, 20);
  assert.equal((await line({ variant_id: blue.id })).unit_price, 12.12345678);
  assert.equal((await line({ variant_id: red.id, unit_price: 1 })).unit_price, 1);
  // A line that is sent back whole with another choice keeps the price that was sent.
  const { data } = (await app.get(`/v1/quotes/${made.id}`, { key })).body;
  const more = await put(made.id, [{ ...data.lines[0], variant_id: blue.id, presentation_id: box.id }]);
  assert.deepEqual([more.lines[0].unit_price, more.lines[0].presentation.id], [1, box.id]);
  // What a price found anew is for comes with it, and a quantity changes neither.
  const single = await line({ presentation_id: unit.id });
  assert.deepEqual([single.unit_price, single.unit], [12.12345678, null]);
  const boxed = await line({ presentation_id: box.id });
  assert.deepEqual([boxed.unit_price, boxed.unit], [151.54320975, 'caja']);
  assert.equal((await line({ presentation_id: unit.id, unit: 'pieza' })).unit, 'pieza');
  assert.equal((await line({ quantity: 3 })).unit, 'pieza');
  assert.equal((await line({ presentation_id: box.id, unit_price: 150 })).unit, 'caja');
  assert.equal((await line({ presentation_id: unit.id })).tax_rate, 21);
  await app.put(`/v1/products/${product.id}`, {
    key,
    body: { variants: [{ id: red.id, taxes_id: tax.id }, { id: blue.id }] },
  });
  const taxed = await line({ variant_id: red.id });
  assert.deepEqual([taxed.tax_rate, taxed.taxes_id], [4, tax.id]);
  const plain = await make('/v1/products', { name: 'Gorra', unit_price: 3 });
  const another = await line({ product_id: plain.id, tax_rate: 21 });
  assert.deepEqual([another.unit_price, another.unit, another.variant, another.options], [3, null, null, []]);
});

test('given a stored choice, when it is archived or taken away, then the line keeps it, and the part stays with its product', async (t) => {
  const { app, company, key, quote, put, product, red, blue, laser, ink, bag, pick } = await given(t);
  const made = await quote({
    product_id: product.id,
    variant_id: red.id,
    options: [pick(laser), pick(bag.values[0])],
  });
  const answer = await app.put(`/v1/products/${product.id}`, {
    key,
    body: { variants: [], option_groups: [] },
  });
  assert.equal(answer.status, 200, answer.text);
  const { variants, option_groups, presentations } = answer.body.data;
  const archived = (one: Json) => ({ ...one, is_active: false });
  // The blue one and the ink are on no document.
  assert.deepEqual(variants, [archived(red)]);
  assert.deepEqual(
    option_groups.map((one: Json) => [one.id, one.is_required, one.values]),
    [
      [product.option_groups[0].id, false, [archived(laser)]],
      [bag.id, false, bag.values.map(archived)],
    ],
  );
  assert.deepEqual(presentations[1].variant_ids, []);
  const again = await app.put(`/v1/products/${product.id}`, { key, body: { variants: [] } });
  assert.deepEqual(again.body.data, answer.body.data);
  assert.deepEqual(await app.eventTypes(company, product.id), ['product.created', 'product.updated']);
  const { data } = (await app.get(`/v1/quotes/${made.id}`, { key })).body;
  assert.deepEqual(await put(made.id, data.lines), data);
  const [line] = data.lines;
  const less = (await put(made.id, [{ id: line.id, options: [pick(laser)] }])).lines[0];
  assert.deepEqual([less.unit_price, less.variant.id, less.options.length], [12.5, red.id, 1]);
  const refused = await app.put(`/v1/quotes/${made.id}`, {
    key,
    body: { lines: [{ product_id: product.id, variant_id: red.id, tax_rate: 21 }] },
  });
  assertOfLine(refused, rule, 'variant_id', 0);
  for (const gone of [blue, ink]) assert.ok(!JSON.stringify(answer.body).includes(gone.id));
});

async function givenPacks(t: TestContext) {
  const shop = await given(t);
  const { make, product, red } = shop;
  const [book, normal] = [
    await make('/v1/taxes', { name: 'IVA 4 %', kind: 'vat', rate: 4 }),
    await make('/v1/taxes', { name: 'IVA 21 %', kind: 'vat', rate: 21 }),
  ];
  const novel = await make('/v1/products', { name: 'Novela', unit_price: 12, taxes_id: book.id });
  const mug = await make('/v1/products', { name: 'Taza', unit_price: 5, taxes_id: normal.id });
  await shop.app.put(`/v1/products/${product.id}`, {
    key: shop.key,
    body: { option_groups: [], taxes_id: normal.id },
  });
  const components = [
    { product_id: novel.id },
    { product_id: mug.id, quantity: 2 },
    { product_id: product.id, variant_id: red.id },
  ];
  const lot = (body: object) => make('/v1/products', { name: 'Lote', unit_price: 9.99, ...body });
  return { ...shop, novel, mug, components, lot, book, normal };
}

test('given a pack of one price, when it is sold, then each component has its line, and they sum up to the price', async (t) => {
  const { app, key, make, put, novel, mug, red, product, components, lot } = await givenPacks(t);
  const pack = await lot({ pack: { pricing: 'fixed', components } });
  assert.deepEqual([pack.is_pack, pack.pack.expand, pack.pack.components.length], [true, 'components', 3]);
  const client = await make('/v1/clients', { name: 'Ana', tax_id: '12345678Z' });
  const sent = {
    client_id: client.id,
    lines: [
      { product_id: pack.id, quantity: 3 },
      { description: 'Porte', unit_price: 1, tax_rate: 21 },
    ],
  };
  const made = await make('/v1/quotes', sent);
  const parts = made.lines.slice(0, 3);
  assert.deepEqual(
    parts.map((one: Json) => [
      one.product.id,
      one.quantity,
      one.tax_rate,
      one.variant?.id ?? null,
      one.subtotal,
    ]),
    [
      [novel.id, 3, 4, null, 11.24],
      [mug.id, 6, 21, null, 9.37],
      [product.id, 3, 21, red.id, 9.36],
    ],
  );
  const { group } = parts[0].original_pack_data;
  for (const [at, one] of parts.entries())
    assert.deepEqual(one.original_pack_data, {
      product_id: pack.id,
      name: 'Lote',
      quantity: 3,
      unit_price: 9.99,
      group,
      component_index: at,
      component_quantity: at === 1 ? 2 : 1,
    });
  assert.equal(made.lines[3].original_pack_data, null);
  // Edits, copies and conversions keep what it was.
  await app.put(`/v1/products/${mug.id}`, { key, body: { is_active: false } });
  assert.deepEqual(await put(made.id, made.lines), made);
  const less = await put(made.id, [{ id: parts[1].id, quantity: 5 }, { id: parts[0].id }]);
  assert.deepEqual(less.lines[0].original_pack_data, parts[1].original_pack_data);
  const refused = await app.put(`/v1/quotes/${made.id}`, {
    key,
    body: { lines: [{ id: parts[0].id, original_pack_data: { name: 'Otro' } }] },
  });
  assertOfLine(refused, invalid, 'original_pack_data', 0);
  const copy = await app.post(`/v1/quotes/${made.id}/duplicate`, { key });
  await app.post(`/v1/quotes/${made.id}/mark-pending`, { key, body: {} });
  const invoice = await app.post(`/v1/quotes/${made.id}/convert`, { key, body: {} });
  for (const { body } of [copy, invoice])
    assert.deepEqual(
      body.data.lines.map((one: Json) => one.original_pack_data),
      less.lines.map((one: Json) => one.original_pack_data),
    );
  // Its component is archived now.
  assertOfLine(await app.post('/v1/quotes', { key, body: sent }), rule, 'product_id', 0);
});

test('given packs, when they are sold, then sums, discounts, prices that are sent, and single lines are as they say', async (t) => {
  const { app, key, quote, novel, mug, components, lot, book, normal, make } = await givenPacks(t);
  const amounts = ({ lines }: Json) =>
    lines.map((one: Json) => [one.unit_price, one.discount_percent, one.subtotal]);
  const sum = await lot({ pack: { components, discount_percent: 10 } });
  const of = (pack: Json, more: object = {}) => quote({ product_id: pack.id, tax_rate: undefined, ...more });
  assert.deepEqual(amounts(await of(sum)), [
    [12, 10, 10.8],
    [5, 10, 9],
    [10, 10, 9],
  ]);
  const priced = await of(sum, { unit_price: 20, discount_percent: null });
  assert.deepEqual([priced.subtotal, priced.lines.length], [20, 3]);
  // One that is not exact: no line may hold a third of a cent.
  assert.equal((await of(sum, { unit_price: 0.01, discount_percent: null })).subtotal, 0.01);
  const books = [{ product_id: novel.id, quantity: 2 }];
  const single = await lot({ pack: { pricing: 'fixed', expand: 'single', components: books } });
  const [line] = (await of(single, { quantity: 2 })).lines;
  assert.deepEqual(
    [line.product.id, line.unit_price, line.quantity, line.taxes_id],
    [single.id, 9.99, 2, book.id],
  );
  assert.deepEqual(line.original_pack_data.components, [
    { product_id: novel.id, name: 'Novela', variant_id: null, presentation_id: null, quantity: 2 },
  ]);
  const selection = await app.post(`/v1/products/${sum.id}/resolve-selection`, { key, body: {} });
  assert.deepEqual([selection.body.data.status, selection.body.data.unit_price], ['resolved', 28.8]);
  // The taxes of a single line were one when it was made, and are not any more.
  await app
    .put(`/v1/products/${single.id}`, {
      key,
      body: { pack: { ...single.pack, components: [...books, { product_id: mug.id }] } },
    })
    .then((answer) => {
      assert.deepEqual(
        [answer.status, answer.body.error.code, answer.body.error.param],
        [422, rule, 'pack.expand'],
      );
    });
  const pair = await lot({
    pack: {
      expand: 'single',
      components: [
        { product_id: novel.id },
        { product_id: (await make('/v1/products', { name: 'Atlas', unit_price: 1, taxes_id: book.id })).id },
      ],
    },
  });
  await app.put(`/v1/products/${novel.id}`, { key, body: { taxes_id: normal.id } });
  const refuse = async (body: object, code: string, param: string) =>
    assertOfLine(
      await app.post('/v1/quotes', { key, body: { lines: [{ quantity: 1, ...body }] } }),
      code,
      param,
      0,
    );
  await refuse({ product_id: pair.id }, rule, 'product_id');
  await refuse({ product_id: sum.id, options: [{ value_id: novel.id }] }, invalid, 'options');
  const half = await lot({ pack: { components: [{ product_id: mug.id, quantity: 0.5 }] } });
  await refuse({ product_id: half.id, quantity: 0.000001 }, rule, 'quantity');

  const wrong: [body: object, code: string, param: string][] = [
    [{ pack: { components: [{ product_id: sum.id }] } }, rule, 'pack.components.0.product_id'],
    [
      { pack: { components: [{ ...components[2], variant_id: null }] } },
      rule,
      'pack.components.0.variant_id',
    ],
    [
      { pack: { components: [{ ...components[0], variant_id: novel.id }] } },
      invalid,
      'pack.components.0.variant_id',
    ],
    [{ pack: { pricing: 'fixed', discount_percent: 5, components } }, invalid, 'pack.discount_percent'],
    [{ pack: { components }, presentations: [{ name: 'Caja', factor: 2 }] }, invalid, 'pack'],
  ];
  for (const [body, code, param] of wrong) {
    const { status, body: told } = await app.post('/v1/products', { key, body: { name: 'x', ...body } });
    assert.deepEqual([status, told.error?.code, told.error?.param], [422, code, param]);
  }
  const itself = await app.put(`/v1/products/${sum.id}`, {
    key,
    body: { pack: { components: [{ product_id: sum.id }] } },
  });
  assert.equal(itself.body.error.param, 'pack.components.0.product_id');
  const nested = await app.put(`/v1/products/${novel.id}`, {
    key,
    body: { pack: { components: [components[1]] } },
  });
  assert.deepEqual([nested.body.error.code, nested.body.error.param], [rule, 'pack']);
  // A component is archived, not deleted.
  await app.delete(`/v1/products/${novel.id}`, { key });
  assert.equal((await app.get(`/v1/products/${novel.id}`, { key })).body.data.is_active, false);
});

const isOfCatalogue = (text: string) => /\bproduct_(variants|presentations|option|pack)/.test(text);

test('given a client whose regime takes no tax, when a pack or a variant with a tax of its own is sold, then none is charged', async (t) => {
  const { make, lot, novel, book } = await givenPacks(t);
  const client = await make('/v1/clients', {
    name: 'Dupont SARL',
    preferred_operation_regime: 'intra_community',
  });
  const pack = await lot({
    pack: { pricing: 'fixed', expand: 'single', components: [{ product_id: novel.id, quantity: 1 }] },
  });
  const named = await make('/v1/products', {
    name: 'Camisa',
    unit_price: 10,
    attributes: [{ name: 'Talla', values: [{ name: 'M' }] }],
    variants: [{ values: [{ attribute: 'Talla', value: 'M' }], taxes_id: book.id }],
  });
  const lines = [{ product_id: pack.id }, { product_id: named.id, variant_id: named.variants[0].id }];
  for (const [path, more] of [
    ['/v1/quotes', {}],
    ['/v1/recurring_invoices', { name: 'Cuota', frequency: 'monthly', starts_on: '2199-01-01' }],
  ] as const) {
    const made = await make(path, { client_id: client.id, lines, ...more });
    assert.deepEqual(
      made.lines.map((one: Json) => [one.exemption_reason, one.tax_rate]),
      [
        ['E5', null],
        ['E5', null],
      ],
      path,
    );
  }
});

test('given a stored line, when it comes to sell a pack, then no component keeps what it took of another product', async (t) => {
  const { app, key, quote, lot, novel, book } = await givenPacks(t);
  const made = await quote({ product_id: novel.id, tax_rate: undefined });
  const pack = await lot({ pack: { components: [{ product_id: novel.id }] } });
  await app.put(`/v1/taxes/${book.id}`, { key, body: { is_active: false } });
  // The line itself keeps its tax, though archived.
  const put = (line: object) =>
    app.put(`/v1/quotes/${made.id}`, { key, body: { lines: [{ id: made.lines[0].id, ...line }] } });
  assert.equal((await put({ quantity: 2 })).status, 200);
  assertOfLine(await put({ product_id: pack.id }), rule, 'taxes_id', 0);
});

test('given a pack of a discount, when the price that was read is sent, then it is the price', async (t) => {
  const { app, key, quote, components, lot } = await givenPacks(t);
  const sum = await lot({ pack: { components, discount_percent: 10 } });
  const selection = await app.post(`/v1/products/${sum.id}/resolve-selection`, { key, body: {} });
  const { unit_price } = selection.body.data;
  const made = await quote({ product_id: sum.id, unit_price, tax_rate: undefined });
  assert.equal(made.subtotal, unit_price);
});

test('given one pack on many lines, when their components are too many, then the line that passes the bound is refused', async (t) => {
  const { app, key, make, lot } = await givenPacks(t);
  const part = await make('/v1/products', { name: 'Tornillo', unit_price: 1 });
  const big = await lot({ pack: { components: [{ product_id: part.id, quantity: 1 }] } });
  const lines = Array.from({ length: 500 }, () => ({ product_id: big.id, tax_rate: 21 }));
  assert.equal((await app.post('/v1/quotes', { key, body: { lines } })).status, 201);
  const two = await lot({
    pack: {
      components: [
        { product_id: part.id, quantity: 1 },
        { product_id: part.id, quantity: 2 },
      ],
    },
  });
  const refused = await app.post('/v1/quotes', {
    key,
    body: { lines: lines.slice(0, 251).map((one) => ({ ...one, product_id: two.id })) },
  });
  assertOfLine(refused, rule, 'product_id', 250);
});

test('given products, when documents sell them, then only configured ones cost a statement, and one for all lines', async (t) => {
  const { app, key, make, product, blue, red, laser, pick } = await given(t);
  const plain = await make('/v1/products', { name: 'Gorra', unit_price: 3 });
  const send = await watchStatements(t, app, key);
  const statements = (lines: object[]) =>
    send('/v1/invoices', { lines: lines.map((line) => ({ tax_rate: 21, ...line })) });
  const caps = [{ product_id: plain.id }, { product_id: plain.id }];
  const shirts = [blue, red].map(({ id }) => ({
    product_id: product.id,
    variant_id: id,
    options: [pick(laser)],
  }));
  // The first calls of a process and of a key read more.
  await statements(caps);
  await statements(shirts);
  const of_plain = await statements(caps);
  const of_shirts = await statements(shirts);
  assert.ok(of_plain.length >= 5);
  assert.deepEqual(of_plain.filter(isOfCatalogue), []);
  assert.equal(of_shirts.filter(isOfCatalogue).length, 1);
  assert.deepEqual(
    of_shirts.filter((text) => !isOfCatalogue(text)),
    of_plain,
  );
});
