/** Packs and open choices: resolve_prices, resolve_product_selection and documents say the same of them. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { assertOfLine } from '../../../test/support/line-faults.ts';
import { create } from '../../../test/support/resource-checks.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Json = any;
type Part = { product_id: string; quantity?: number };

async function shop(t: TestContext) {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = (path: string, body: object): Promise<Json> => create<Json>(app, path, key, body);
  const tax = (rate: number) => make('/v1/taxes', { name: `IVA ${rate} %`, kind: 'vat', rate });
  const [book, normal] = [await tax(4), await tax(21)];
  const product = (body: object) => make('/v1/products', body);
  const novel = await product({ name: 'Novela', unit_price: 12, taxes_id: book.id });
  const mug = await product({ name: 'Taza', unit_price: 5, taxes_id: normal.id });
  const two: Part[] = [{ product_id: novel.id }, { product_id: mug.id, quantity: 2 }];
  const pack = (unit_price: number, own: object, body: object = {}): Promise<Json> =>
    product({ name: 'Lote', unit_price, ...body, pack: { components: two, ...own } });
  const list = async (body: object, ...items: object[]): Promise<Json> => {
    const made = await make('/v1/price-lists', { name: 'Una', ...body });
    for (const item of items) await make(`/v1/price-lists/${made.id}/items`, item);
    return made;
  };
  const client = (price_list_id: string | null, more: object = {}) =>
    make('/v1/clients', { name: 'Librería', price_list_id, ...more });
  const resolved = (body: object) => app.post('/v1/price-lists/resolve', { key, body });
  const resolve = async (body: object): Promise<Json> => {
    const answer = await resolved(body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.lines[0];
  };
  return { app, key, make, product, book, normal, novel, mug, two, pack, list, client, resolve, resolved };
}

/** The lines of an invoice, and what resolving said of its only line. */
async function bothOf(at: Awaited<ReturnType<typeof shop>>, terms: object, line: object) {
  const told = await at.resolve({ ...terms, lines: [line] });
  const foreign = 'currency' in terms ? { exchange_rate: 0.9 } : {};
  const { lines, subtotal, total } = await at.make('/v1/invoices', { ...terms, ...foreign, lines: [line] });
  return { told, lines, subtotal, total };
}

const prices = (lines: Json) => lines.map((line: Json) => [line.unit_price, line.discount_percent]);

test('given a pack without a tax of its own, when prices include tax on one side, then each share is taxed as what it is', async (t) => {
  const at = await shop(t);
  const { novel, book, pack, list, client, product } = at;
  const fixed = await pack(22, { pricing: 'fixed' });
  // 12 at 4 % and 10 at 21 %.
  const gross = await bothOf(at, { prices_include_tax: true }, { product_id: fixed.id });
  assert.deepEqual([gross.told.unit_price, gross.told.base_price, gross.total], [24.58, 24.58, 24.58]);
  assert.deepEqual(prices(gross.lines), [
    [12.48, null],
    [6.05, null],
  ]);
  const own_tax = await pack(22, { pricing: 'fixed' }, { taxes_id: book.id });
  const net = await bothOf(at, { prices_include_tax: true }, { product_id: own_tax.id });
  assert.deepEqual([net.told.unit_price, net.total], [24.58, 24.58]);
  const said = { product_id: fixed.id, tax_rate: 10 };
  const { total } = await at.make('/v1/invoices', { prices_include_tax: true, lines: [said] });
  assert.equal(total, 24.2);
  const item = { product_id: fixed.id, unit_price: 24.58 };
  const { id } = await client((await list({ prices_include_tax: true }, item)).id);
  const listed = await bothOf(at, { client_id: id }, { product_id: fixed.id });
  assert.deepEqual([listed.told.unit_price, listed.subtotal, listed.total], [22, 22, 24.58]);
  const { data } = (
    await at.app.post(`/v1/products/${fixed.id}/resolve-selection`, {
      key: at.key,
      body: { client_id: id },
    })
  ).body;
  assert.deepEqual([data.status, data.unit_price], ['resolved', 22]);

  const books = [{ product_id: novel.id, quantity: 1 }];
  const single = await pack(10, { pricing: 'fixed', expand: 'single', components: books });
  const card = await product({ name: 'Postal', unit_price: 1 });
  const cards = [{ product_id: card.id, quantity: 10 }];
  const sum = await pack(0, { expand: 'single', components: cards }, { taxes_id: book.id });
  for (const { id: product_id } of [single, sum]) {
    const one = await bothOf(at, { prices_include_tax: true }, { product_id });
    assert.deepEqual([one.told.unit_price, one.lines[0].unit_price, one.lines[0].tax_rate], [10.4, 10.4, 4]);
  }
});

test('given another currency, when a pack has a price in it, then it is shared by what the components cost at home', async (t) => {
  const at = await shop(t);
  const { key, novel, mug, pack, list, client } = at;
  const dollars = { currency: 'USD', exchange_rate: 0.9 };
  const fixed = await pack(22, { pricing: 'fixed' });
  const sum = await pack(0, {});
  for (const { id } of [fixed, sum]) {
    const made = await at.make('/v1/invoices', {
      ...dollars,
      lines: [{ product_id: id, unit_price: 44 }],
    });
    assert.deepEqual(prices(made.lines), [
      [24, null],
      [10, null],
    ]);
  }
  const refused = (product_id: string) =>
    at.app.post('/v1/invoices', { key, body: { ...dollars, lines: [{ product_id }] } });
  assertOfLine(await refused(fixed.id), 'business_rule_violation', 'unit_price', 0);
  assertOfLine(await refused(sum.id), 'business_rule_violation', 'product_id', 0);
  const told = await at.resolve({ currency: 'USD', lines: [{ product_id: sum.id }] });
  assert.deepEqual([told.status, told.reason_code], ['unavailable', 'no_price_in_currency']);
  const whole = await client((await list({ currency: 'USD' }, { product_id: fixed.id, unit_price: 44 })).id);
  const parts = [
    { product_id: novel.id, unit_price: 20 },
    { product_id: mug.id, unit_price: 6 },
  ];
  const apart = await client((await list({ currency: 'USD' }, ...parts)).id);
  for (const [client_id, product_id, price] of [
    [whole.id, fixed.id, 44],
    [apart.id, sum.id, 32],
  ]) {
    const one = await bothOf(at, { client_id, currency: 'USD' }, { product_id });
    assert.deepEqual([one.told.unit_price, one.subtotal], [price, price]);
  }
});

test('given discounts of list, client and pack, when a pack is sold, then one counts', async (t) => {
  const at = await shop(t);
  const { novel, pack, list, client } = at;
  const fixed = await pack(22, { pricing: 'fixed' });
  const [sum, less] = [await pack(0, {}), await pack(0, { discount_percent: 20 })];
  const single = await pack(0, { expand: 'single', components: [{ product_id: novel.id, quantity: 1 }] });
  const { id } = await list(
    {},
    { product_id: fixed.id, discount_percent: 10 },
    { product_id: novel.id, discount_percent: 10 },
  );
  const { id: client_id } = await client(id, { default_discount: 3 });
  const one = await bothOf(at, { client_id }, { product_id: fixed.id });
  assert.deepEqual([one.told.unit_price, one.told.discount_percent, one.subtotal], [22, 10, 19.8]);
  assert.equal(one.lines[0].discount_percent, 10);
  const cases: [line: object, expected: [number, number | null][]][] = [
    [
      { product_id: sum.id },
      [
        [10.8, null],
        [5, 3],
      ],
    ],
    [
      { product_id: sum.id, discount_percent: 1 },
      [
        [12, 1],
        [5, 1],
      ],
    ],
    [
      { product_id: less.id },
      [
        [10.8, 20],
        [5, 20],
      ],
    ],
    [{ product_id: single.id }, [[10.8, null]]],
    [{ product_id: single.id, unit_price: 9 }, [[9, 3]]],
    [{ product_id: single.id, discount_percent: null }, [[12, null]]],
  ];
  for (const [line, expected] of cases) {
    const { lines } = await at.make('/v1/invoices', { client_id, lines: [line] });
    assert.deepEqual(prices(lines), expected, JSON.stringify(line));
  }
});

test('given steps of a pack or of its components, when it is resolved, then the next one is told', async (t) => {
  const at = await shop(t);
  const { mug, novel, pack, list, client } = at;
  const fixed = await pack(22, { pricing: 'fixed' });
  const sum = await pack(0, { discount_percent: 50 });
  const thirds = await pack(0, { components: [{ product_id: mug.id, quantity: 3 }] });
  const { id } = await list(
    {},
    { product_id: fixed.id, min_quantity: 5, unit_price: 20 },
    { product_id: mug.id, min_quantity: 10, unit_price: 4 },
    { product_id: novel.id, min_quantity: 50, unit_price: 1 },
  );
  const { id: client_id } = await client(id);
  const next = async (product_id: string, quantity: number) =>
    (await at.resolve({ client_id, lines: [{ product_id, quantity }] })).next_break;
  const step = (min_quantity: number, unit_price: number) => ({
    min_quantity,
    unit_price,
    discount_percent: null,
  });
  assert.deepEqual(await next(fixed.id, 1), step(5, 20));
  assert.equal(await next(fixed.id, 5), null);
  assert.deepEqual(await next(sum.id, 1), step(5, 10));
  assert.deepEqual(await next(sum.id, -5), step(50, 4.5));
  assert.equal(await next(sum.id, 50), null);
  // Ten thirds, up to what a line can say.
  assert.deepEqual(await next(thirds.id, 1), step(3.333334, 12));
  const there = await at.resolve({ client_id, lines: [{ product_id: thirds.id, quantity: 3.333334 }] });
  assert.equal(there.unit_price, 12);
});

test('given a pack of two taxes in a list with tax, when its next step is told without, then it is the price found there', async (t) => {
  const at = await shop(t);
  const fixed = await at.pack(22, { pricing: 'fixed' });
  // The proportion between its components decides the tax within: the step of one changes the price of the pack.
  const cases = [
    { mug_from: 10, pack_from: 5 },
    { mug_from: 4, pack_from: 2 },
    { mug_from: 40, pack_from: 5 },
    // The pack's own price is without tax as the document's.
    { mug_from: 4, pack_from: 5, from: 5 },
  ];
  for (const { mug_from, pack_from, from = 1 } of cases) {
    const { id } = await at.list(
      { prices_include_tax: true },
      ...(from === 1 ? [{ product_id: fixed.id, unit_price: 22 }] : []),
      { product_id: fixed.id, min_quantity: 5, unit_price: 20 },
      { product_id: at.mug.id, min_quantity: mug_from, unit_price: 1 },
    );
    const { id: client_id } = await at.client(id);
    const { next_break } = await at.resolve({ client_id, lines: [{ product_id: fixed.id }] });
    const there = await at.resolve({ client_id, lines: [{ product_id: fixed.id, quantity: pack_from }] });
    assert.deepEqual([next_break?.min_quantity, next_break?.unit_price], [pack_from, there.unit_price]);
  }
});

test('given packs beyond what a document may hold, when they are resolved, then the line is refused as there', async (t) => {
  const at = await shop(t);
  const components = Array.from({ length: 50 }, (_, n) => ({ product_id: at.mug.id, quantity: n + 1 }));
  const big = await at.pack(0, { components });
  const lines = Array.from({ length: 11 }, () => ({ product_id: big.id }));
  const refused = await at.resolved({ lines });
  assertOfLine(refused, 'business_rule_violation', 'product_id', 10);
  const document = await at.app.post('/v1/quotes', { key: at.key, body: { lines } });
  assertOfLine(document, 'business_rule_violation', 'product_id', 10);
  assert.equal((await at.resolve({ lines: lines.slice(1) })).unit_price, 6375);
});

test('given any choice of a product, when it is resolved, then it says what the selection says, and what a document does', async (t) => {
  const at = await shop(t);
  const { app, key, normal, book } = at;
  const made = await at.product({
    name: 'Camisa',
    unit_price: 10,
    taxes_id: normal.id,
    attributes: [{ name: 'Talla', values: ['S', 'M', 'L', 'XL'].map((name) => ({ name })) }],
    variants: ['S', 'M', 'L', 'XL'].map((value) => ({
      code: value,
      values: [{ attribute: 'Talla', value }],
      is_active: value !== 'S',
      ...(value === 'XL' ? { taxes_id: book.id } : {}),
    })),
    presentations: [
      { name: 'Caja', factor: 10, variant_ids: ['M', 'L'] },
      { name: 'Saco', factor: 20, variant_ids: ['S', 'XL'] },
    ],
    option_groups: [
      { name: 'Bordado', is_required: true, variant_ids: ['L', 'XL'], values: [{ name: 'Sí' }] },
      {
        name: 'Bolsa',
        variant_ids: ['XL'],
        values: [{ name: 'Papel' }, { name: 'Tela', is_active: false }],
      },
      { name: 'Cinta', variant_ids: ['M'], values: [{ name: 'Roja' }] },
    ],
  });
  const [embroidery, bag, ribbon] = made.option_groups;
  const ids = (list: Json[]) => [null, ...list.map(({ id }) => id)];
  const picked = [embroidery, bag, ribbon].map(({ values }) => ids(values));
  const asked: Json[] = ids(made.variants).flatMap((variant_id) =>
    ids(made.presentations).flatMap((presentation_id) =>
      picked[0]!.flatMap((a) =>
        picked[1]!.flatMap((b) =>
          picked[2]!.map((c) => ({
            variant_id,
            presentation_id,
            options: [a, b, c].filter(Boolean).map((value_id) => ({ value_id })),
          })),
        ),
      ),
    ),
  );
  const told: Json[] = [];
  for (let at_line = 0; at_line < asked.length; at_line += 100) {
    const lines = asked.slice(at_line, at_line + 100).map((one) => ({ product_id: made.id, ...one }));
    told.push(...(await at.resolved({ prices_include_tax: true, lines })).body.data.lines);
  }
  const seen = new Set<string>();
  for (const [n, one] of asked.entries()) {
    const body = one;
    const { data } = (await app.post(`/v1/products/${made.id}/resolve-selection`, { key, body })).body;
    const { status, reason_code, unit_price, base_price } = told[n];
    seen.add(String(data.reason_code));
    const what = JSON.stringify([one, data.variant?.code]);
    assert.deepEqual(
      [status === 'resolved', reason_code],
      [data.status === 'resolved', data.reason_code],
      what,
    );
    if (data.status !== 'resolved') continue;
    const of_tax = data.variant.taxes_id === book.id ? 1.04 : 1.21;
    const expected = Math.round(data.unit_price * of_tax * 100) / 100;
    assert.deepEqual([unit_price, base_price], [expected, expected], what);
  }
  assert.deepEqual([...seen].sort(), [
    'null',
    'option_archived',
    'option_groups_pending',
    'option_not_for_variant',
    'presentation_not_for_variant',
    'several_variants_match',
    'variant_archived',
  ]);
  // The bag goes with the third sold variant alone: a line has to name it.
  const line = { product_id: made.id, options: [{ value_id: bag.values[0].id }] };
  const refused = await app.post('/v1/quotes', { key, body: { lines: [line] } });
  assertOfLine(refused, 'business_rule_violation', 'variant_id', 0);
});

test('given a list with tax and products whose tax nobody knows, when a selection is resolved, then its price is that of the list, and it is no error', async (t) => {
  const { app, key, list, product, novel, resolved, resolve } = await shop(t);
  const value = (name: string) => ({ values: [{ attribute: 'Color', value: name }] });
  const shirt = await product({
    name: 'Camisa',
    unit_price: 100,
    attributes: [{ name: 'Color', values: [{ name: 'Rojo' }, { name: 'Azul' }] }],
    variants: [value('Rojo'), value('Azul')],
    option_groups: [{ name: 'Tinta', values: [{ name: 'Una', price_delta: 1 }, { name: 'Otra' }] }],
  });
  const [plain, off, unlisted] = [
    await product({ name: 'Gorra', unit_price: 100 }),
    await product({ name: 'Bufanda', unit_price: 100 }),
    await product({ name: 'Guante', unit_price: 100 }),
  ];
  const lot = await product({
    name: 'Lote',
    unit_price: 1,
    pack: { components: [{ product_id: plain.id }] },
  });
  const { id } = await list(
    { prices_include_tax: true },
    { product_id: shirt.id, unit_price: 121 },
    { product_id: plain.id, unit_price: 60.5 },
    { product_id: off.id, discount_percent: 5 },
  );
  const [red] = shirt.variants;
  const [ink, other] = shirt.option_groups[0].values.map((one: { id: string }) => ({ value_id: one.id }));
  const cases: [of: Json, choice: object, told: unknown[]][] = [
    [shirt, {}, ['ambiguous', 'several_variants_match', null, false]],
    [shirt, { variant_id: red.id }, ['resolved', null, 121, true]],
    [shirt, { variant_id: red.id, options: [other] }, ['resolved', null, 121, true]],
    // What an option adds is without tax: nothing says what both cost together.
    [shirt, { variant_id: red.id, options: [ink] }, ['unavailable', 'no_price_in_currency', null, false]],
    [plain, {}, ['resolved', null, 60.5, true]],
    [off, {}, ['resolved', null, 100, false]],
    [unlisted, {}, ['resolved', null, 100, false]],
    [lot, {}, ['unavailable', 'no_price_in_currency', null, false]],
  ];
  const select = (of: Json, choice: object) =>
    app.post(`/v1/products/${of.id}/resolve-selection`, { key, body: { price_list_id: id, ...choice } });
  for (const [of, choice, told] of cases) {
    const answer = await select(of, choice);
    assert.equal(answer.status, 200, `${of.name} ${JSON.stringify(choice)} ${answer.text}`);
    const { status, reason_code, unit_price, prices_include_tax } = answer.body.data;
    assert.deepEqual([status, reason_code, unit_price, prices_include_tax], told, JSON.stringify(choice));
  }
  // A document requires the tax, and so does resolving lines.
  for (const untaxed of [plain, lot]) {
    const lines = [{ product_id: novel.id }, { product_id: untaxed.id }];
    const asked = { price_list_id: id, lines };
    assertOfLine(await resolved(asked), 'missing_required_param', 'tax_rate', 1);
  }
  await app.put('/v1/account/company', { key, body: { default_vat: { invoice: 21 } } });
  assert.equal((await select(shirt, { variant_id: red.id, options: [ink] })).body.data.unit_price, 101);
  assert.equal((await resolve({ price_list_id: id, lines: [{ product_id: lot.id }] })).unit_price, 50);
});

test('given packs that no line of a document can be, when their price is asked, then they are unavailable as the document refuses them', async (t) => {
  const at = await shop(t);
  const { app, key, novel, mug, normal, pack } = at;
  const half = { components: [{ product_id: novel.id, quantity: 0.5 }] };
  const plain = { name: 'Agenda', unit_price: 5, taxes_id: normal.id };
  const diary = await at.product(plain);
  const mixed = await pack(20, {
    expand: 'single',
    components: [{ product_id: diary.id }, { product_id: mug.id }],
  });
  await app.put(`/v1/products/${diary.id}`, { key, body: { taxes_id: at.book.id } });
  const cases: [what: string, product: Json, quantity: number, reason: string | null, param: string][] = [
    ['half of a third', await pack(0, half), 0.333333, 'quantity_not_for_pack', 'quantity'],
    [
      'half of a third, at one price',
      await pack(9, { ...half, pricing: 'fixed' }),
      0.333333,
      'quantity_not_for_pack',
      'quantity',
    ],
    ['twice what a line holds', await pack(0, {}), 999_999_999_999, 'quantity_not_for_pack', 'quantity'],
    ['half of a third in a single line', await pack(0, { ...half, expand: 'single' }), 0.333333, null, ''],
    ['half of two', await pack(0, half), 2, null, ''],
    ['a single line of two taxes', mixed, 1, 'taxes_not_for_pack', 'product_id'],
  ];
  for (const [what, { id: product_id }, quantity, reason, param] of cases) {
    const line = { product_id, quantity };
    const told = await at.resolve({ lines: [line] });
    const status = reason === null ? 'resolved' : 'unavailable';
    assert.deepEqual([told.status, told.reason_code], [status, reason], what);
    assert.equal(told.unit_price === null, reason !== null, what);
    const path = `/v1/products/${product_id}/resolve-selection`;
    const { data } = (await app.post(path, { key, body: { quantity } })).body;
    assert.deepEqual([data.status, data.reason_code], [status, reason], what);
    const made = await app.post('/v1/invoices', { key, body: { lines: [line] } });
    if (reason === null) assert.equal(made.status, 201, what);
    else assertOfLine(made, 'business_rule_violation', param, 0);
  }
});
