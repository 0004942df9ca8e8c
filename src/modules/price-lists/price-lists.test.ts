import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startApp, type TestCompany } from '../../../test/harness.ts';
import { holdLock, waitersOf } from '../../../test/support/held-lock.ts';
import {
  assertHidesForeignIds,
  assertRefused,
  assertRoundTrip,
  create,
} from '../../../test/support/resource-checks.ts';
import { until } from '../../../test/support/worker-place.ts';
import { priceListsOperations } from './index.ts';

/** As callers know them: whoever renames one breaks them. */
const told: Record<string, string> = {
  list_price_lists: 'GET /v1/price-lists price_lists:read',
  create_price_list: 'POST /v1/price-lists price_lists:write',
  get_price_list: 'GET /v1/price-lists/:price_list price_lists:read',
  update_price_list: 'PUT /v1/price-lists/:price_list price_lists:write',
  delete_price_list: 'DELETE /v1/price-lists/:price_list price_lists:write',
  list_price_list_items: 'GET /v1/price-lists/:price_list/items price_lists:read',
  create_price_list_item: 'POST /v1/price-lists/:price_list/items price_lists:write',
  bulk_upsert_price_list_items: 'POST /v1/price-lists/:price_list/items/bulk-upsert price_lists:write',
  get_price_list_item: 'GET /v1/price-lists/:price_list/items/:price_list_item price_lists:read',
  update_price_list_item: 'PUT /v1/price-lists/:price_list/items/:price_list_item price_lists:write',
  delete_price_list_item: 'DELETE /v1/price-lists/:price_list/items/:price_list_item price_lists:write',
  resolve_prices: 'POST /v1/price-lists/resolve price_lists:read',
};

test('given the operations of price lists, then their names, paths and scopes are these', () => {
  const shown = priceListsOperations.map(({ name, method, path, scope }) => [
    name,
    `${method} ${path} ${scope}`,
  ]);
  assert.deepEqual(Object.fromEntries(shown), told);
  const resolve = priceListsOperations.find(({ name }) => name === 'resolve_prices');
  assert.deepEqual([resolve?.rate, resolve?.transaction, resolve?.mcp], ['read', 'read', true]);
});

async function start(t: TestContext) {
  const app = await startApp(t);
  const acme: TestCompany = await app.given.company();
  const key = acme.live_key;
  return {
    app,
    acme,
    key,
    list: (body: object = {}) => create(app, '/v1/price-lists', key, { name: 'Mayoristas', ...body }),
    product: (body: object = {}) =>
      create(app, '/v1/products', key, { name: 'Silla', unit_price: 100, ...body }),
    get: async (path: string) => (await app.get(path, { key })).body.data,
    put: (path: string, body: object) => app.put(path, { key, body }),
    post: (path: string, body: object) => app.post(path, { key, body }),
  };
}

test('given price lists, when they are created, changed and deleted, then they are what was sent', async (t) => {
  const { app, acme, key, list, get, put } = await start(t);
  const sent = {
    name: 'Tarifa 2027',
    code: 'T27',
    currency: 'USD',
    prices_include_tax: true,
    is_default: false,
    valid_from: '2027-01-01',
    valid_to: '2027-12-31',
    is_active: true,
    notes: 'Con portes',
    external_id: 'ERP-1',
    metadata: { canal: 'web' },
  };
  const made = await list(sent);
  const { id, created_at: _, updated_at: __, ...fields } = made;
  assert.deepEqual(fields, { object: 'price_list', ...sent });
  assert.deepEqual(await get(`/v1/price-lists/${id}`), made);
  const blank = await list();
  const { currency, prices_include_tax, is_default, is_active, code } = blank as Record<string, unknown>;
  assert.deepEqual(
    [currency, prices_include_tax, is_default, is_active, code],
    ['EUR', false, false, true, null],
  );
  await assertRoundTrip(app, acme, '/v1/price-lists', id);
  const changed = await put(`/v1/price-lists/${id}`, { currency: null, valid_to: null });
  assert.deepEqual([changed.body.data.currency, changed.body.data.valid_to], ['EUR', null]);
  const query = { q: 't27', is_active: 'true', sort: 'name' };
  assert.deepEqual((await app.get('/v1/price-lists', { key, query })).body.data, [changed.body.data]);
  assert.equal((await app.delete(`/v1/price-lists/${blank.id}`, { key })).status, 200);
  assertRefused(await app.get(`/v1/price-lists/${blank.id}`, { key }), 404, 'resource_not_found');
});

test('given price lists, when they are created, changed and deleted, then the audit log tells of each once', async (t) => {
  const { app, key, list, product, post, put } = await start(t);
  const { id } = await list({ code: 'T27', is_default: true });
  for (const body of [{ notes: 'Con portes', valid_to: '2030-01-01' }, { notes: 'Con portes' }, {}])
    assert.equal((await put(`/v1/price-lists/${id}`, body)).status, 200);
  await list({ name: 'Otra', is_default: true });
  const item = { product_id: (await product()).id, unit_price: 90 };
  const items = `/v1/price-lists/${id}/items`;
  const price = (await post(items, item)).body.data;
  for (const unit_price of [91, 91]) await put(`${items}/${price.id}`, { unit_price });
  const bulk = [
    { ...item, unit_price: 89 },
    { ...item, min_quantity: 10 },
    { ...item, discount_percent: 200 },
  ];
  assert.equal((await post(`${items}/bulk-upsert`, { items: bulk })).body.data.successful, 2);
  await post(`${items}/bulk-upsert`, { items: [bulk[2]] });
  assert.equal((await app.delete(`${items}/${price.id}`, { key })).status, 200);
  const used = await list({ code: 'USADA' });
  await create(app, '/v1/clients', key, { name: 'Ana', price_list_id: used.id });
  for (const one of [id, used.id, used.id])
    assert.equal((await app.delete(`/v1/price-lists/${one}`, { key })).status, 200);
  const { body: log } = await app.get('/v1/audit-log', { key });
  type Entry = { actor: string; action: string; target: { object: string; id: string }; details: object };
  const toldOf = (wanted: string) =>
    (log.data as Entry[])
      .filter(({ target }) => target.id === wanted)
      .map(({ actor, action, target, details }) => [actor, target.object, action, details])
      .toReversed();
  assert.deepEqual(toldOf(id), [
    ['api_key', 'price_list', 'price_list.create', {}],
    ['api_key', 'price_list', 'price_list.update', { keys: ['valid_to', 'notes'] }],
    ['api_key', 'price_list', 'price_list.items_saved', { created: 1, replaced: 1 }],
    ['api_key', 'price_list', 'price_list.delete', { code: 'T27' }],
  ]);
  const of_price = { price_list_id: id, product_id: item.product_id };
  assert.deepEqual(toldOf(price.id), [
    ['api_key', 'price_list_item', 'price_list_item.create', of_price],
    ['api_key', 'price_list_item', 'price_list_item.update', { ...of_price, keys: ['unit_price'] }],
    ['api_key', 'price_list_item', 'price_list_item.delete', of_price],
  ]);
  assert.deepEqual(toldOf(used.id), [
    ['api_key', 'price_list', 'price_list.create', {}],
    ['api_key', 'price_list', 'price_list.archive', {}],
  ]);
});

test('given wrong lists, when they are sent, then each is refused with its field', async (t) => {
  const { list, post, put } = await start(t);
  const { id } = await list({ code: 'A' });
  const archived = await list({ code: 'B', is_active: false });
  const cases: readonly (readonly [body: object, code: string, param: string])[] = [
    [{ name: ' ' }, 'parameter_invalid', 'name'],
    [{ currency: 'XXZ' }, 'parameter_invalid', 'currency'],
    [{ currency: 'eur' }, 'parameter_invalid', 'currency'],
    [{ valid_from: '2027-02-01', valid_to: '2027-01-31' }, 'parameter_invalid', 'valid_to'],
    [{ is_default: true, is_active: false }, 'parameter_invalid', 'is_default'],
    [{ code: 'A' }, 'business_rule_violation', 'code'],
  ];
  for (const [body, code, param] of cases)
    assertRefused(await post('/v1/price-lists', { name: 'Otra', ...body }), 422, code, param);
  assertRefused(
    await put(`/v1/price-lists/${archived.id}`, { is_default: true }),
    422,
    'parameter_invalid',
    'is_default',
  );
  assert.equal((await put(`/v1/price-lists/${archived.id}`, { code: 'A' })).status, 200);
  const back = await put(`/v1/price-lists/${archived.id}`, { is_active: true });
  assertRefused(back, 422, 'business_rule_violation', 'code');
  assert.equal((await put(`/v1/price-lists/${id}`, { is_active: false })).body.data.is_active, false);
});

test('given a default list, when another becomes it or it is archived or deleted, then there is one or none', async (t) => {
  const { app, key, list, get, put } = await start(t);
  const isDefault = async (id: string) => (await get(`/v1/price-lists/${id}`)).is_default;
  const first = await list({ is_default: true });
  const second = await list({ is_default: true });
  assert.deepEqual([await isDefault(first.id), await isDefault(second.id)], [false, true]);
  assert.equal((await put(`/v1/price-lists/${first.id}`, { is_default: true })).body.data.is_default, true);
  assert.deepEqual([await isDefault(first.id), await isDefault(second.id)], [true, false]);
  const archived = (await put(`/v1/price-lists/${first.id}`, { is_active: false })).body.data;
  assert.deepEqual([archived.is_active, archived.is_default], [false, false]);
  await put(`/v1/price-lists/${second.id}`, { is_default: true });
  await app.delete(`/v1/price-lists/${second.id}`, { key });
  const [row] = await app.sql`select default_price_list_id from companies where company_id = (
    select company_id from price_lists where id = ${first.id})`;
  assert.equal(row?.default_price_list_id, null);
});

test('given a list that a client names, when it is deleted, then it is archived; no other company names it', async (t) => {
  const { app, key, list, get, put, post } = await start(t);
  const { id: price_list_id } = await list({ is_default: true });
  const client = await create(app, '/v1/clients', key, { name: 'Librería', price_list_id });
  assert.equal((await get(`/v1/clients/${client.id}`)).price_list_id, price_list_id);
  assert.equal((await app.delete(`/v1/price-lists/${price_list_id}`, { key })).status, 200);
  const kept = await get(`/v1/price-lists/${price_list_id}`);
  assert.deepEqual([kept.is_active, kept.is_default], [false, false]);
  assert.equal(
    (await put(`/v1/clients/${client.id}`, { price_list_id: null })).body.data.price_list_id,
    null,
  );
  const other = await app.given.company();
  const foreign = await create(app, '/v1/price-lists', other.live_key, { name: 'Ajena' });
  for (const wrong of [foreign.id, client.id]) {
    const body = { name: 'Papelería', price_list_id: wrong };
    assertRefused(await post('/v1/clients', body), 422, 'parameter_invalid', 'price_list_id');
    assertRefused(await post('/v1/suppliers', body), 422, 'parameter_invalid', 'price_list_id');
    const edit = await put(`/v1/clients/${client.id}`, { price_list_id: wrong });
    assertRefused(edit, 422, 'parameter_invalid', 'price_list_id');
  }
});

test('given a list, when its items change, then they are what was sent and no two are equal', async (t) => {
  const { app, acme, key, list, product, get, put, post } = await start(t);
  const { id } = await list();
  const silla = await product();
  const mesa = await product({ name: 'Mesa' });
  const path = `/v1/price-lists/${id}/items`;
  const sent = {
    product_id: silla.id,
    variant_id: null,
    presentation_id: null,
    min_quantity: 2.5,
    unit_price: 12.34567891,
    discount_percent: null,
    valid_from: '2026-01-01',
    valid_to: '2026-12-31',
  };
  const made = await create(app, path, key, sent);
  const { id: item_id, created_at: _, updated_at: __, ...fields } = made;
  assert.deepEqual(fields, { object: 'price_list_item', price_list_id: id, ...sent });
  assert.deepEqual(await get(`${path}/${item_id}`), made);
  await assertRoundTrip(app, acme, path, item_id);
  const least = await create<Record<string, unknown>>(app, path, key, {
    product_id: mesa.id,
    discount_percent: 7.5,
  });
  assert.deepEqual([least.min_quantity, least.unit_price, least.discount_percent], [1, null, 7.5]);

  const cases: readonly (readonly [body: object, code: string, param: string])[] = [
    [{}, 'business_rule_violation', 'min_quantity'],
    [{ unit_price: 9, min_quantity: 2.5 }, 'business_rule_violation', 'min_quantity'],
    [{ discount_percent: 5 }, 'parameter_invalid', 'discount_percent'],
    [{ unit_price: null }, 'missing_required_param', 'unit_price'],
    [{ unit_price: null, discount_percent: 100.5 }, 'parameter_invalid', 'discount_percent'],
    [{ min_quantity: 0 }, 'parameter_invalid', 'min_quantity'],
    [{ min_quantity: -1 }, 'parameter_invalid', 'min_quantity'],
    [{ min_quantity: 0.0000001 }, 'parameter_invalid', 'min_quantity'],
    [{ valid_to: '2025-12-31' }, 'parameter_invalid', 'valid_to'],
    [{ product_id: id }, 'parameter_invalid', 'product_id'],
  ];
  for (const [body, code, param] of cases)
    assertRefused(await post(path, { ...sent, ...body }), 422, code, param);
  const same = await put(`${path}/${least.id}`, { ...sent, id: undefined });
  assertRefused(same, 422, 'business_rule_violation', 'min_quantity');
  assertRefused(
    await put(`${path}/${item_id}`, { discount_percent: 3 }),
    422,
    'parameter_invalid',
    'discount_percent',
  );
  const cheaper = await put(`${path}/${item_id}`, {
    discount_percent: 3,
    unit_price: null,
    min_quantity: null,
  });
  assert.deepEqual(
    [cheaper.status, cheaper.body.data.min_quantity, cheaper.body.data.unit_price],
    [200, 1, null],
  );

  const listed = async (query: Record<string, string>) =>
    (await app.get(path, { key, query })).body.data.map((one: { id: string }) => one.id);
  assert.deepEqual(await listed({}), [least.id, item_id]);
  assert.deepEqual(await listed({ product_id: silla.id }), [item_id]);
  assert.deepEqual(await listed({ variant_id: silla.id }), []);
  const other = await list();
  assertRefused(
    await app.get(`/v1/price-lists/${other.id}/items/${item_id}`, { key }),
    404,
    'resource_not_found',
  );
  await assertHidesForeignIds(app, 'GET', (one) => `/v1/price-lists/${one}/items`, mesa.id, { key });
  assert.equal((await app.delete(`${path}/${item_id}`, { key })).status, 200);
  assert.equal((await app.delete(`/v1/products/${mesa.id}`, { key })).status, 200);
  assert.deepEqual(await listed({}), []);
});

test('given steps, when one is dearer than the one below, then it is kept with a warning', async (t) => {
  const { app, key, list, product } = await start(t);
  const { id } = await list();
  const silla = await product();
  const codes = async (body: object) => {
    const answer = await app.post(`/v1/price-lists/${id}/items`, {
      key,
      body: { product_id: silla.id, ...body },
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.warning_codes ?? [];
  };
  const raises = ['break_raises_price'];
  assert.deepEqual(await codes({ unit_price: 10 }), []);
  assert.deepEqual(await codes({ unit_price: 9, min_quantity: 10 }), []);
  assert.deepEqual(await codes({ unit_price: 9.00000001, min_quantity: 20 }), raises);
  assert.deepEqual(await codes({ unit_price: 8, min_quantity: 5 }), raises);
  assert.deepEqual(
    await codes({ unit_price: 99, min_quantity: 100, valid_from: '2026-01-01', valid_to: '2026-01-31' }),
    raises,
  );
  assert.deepEqual(
    await codes({ unit_price: 50, min_quantity: 99, valid_from: '2026-02-01', valid_to: '2026-02-28' }),
    raises,
  );
  assert.deepEqual(await codes({ discount_percent: 5, min_quantity: 1000 }), []);
  assert.deepEqual(await codes({ discount_percent: 4, min_quantity: 2000 }), raises);
});

test('given items of every kind, when they are upserted in bulk, then each stands or falls alone', async (t) => {
  const { app, acme, key, list, product, post } = await start(t);
  const { id } = await list();
  const silla = await product();
  const archived = await product({ is_active: false });
  const path = `/v1/price-lists/${id}/items`;
  const stored = await create(app, path, key, { product_id: silla.id, unit_price: 10 });
  const items = [
    { product_id: silla.id, unit_price: 11 },
    { product_id: silla.id, min_quantity: 5, unit_price: 12 },
    { product_id: silla.id, min_quantity: 5, unit_price: 13 },
    { product_id: archived.id, unit_price: 1 },
    { product_id: silla.id, min_quantity: 0, unit_price: 1 },
    { product_id: silla.id, min_quantity: 6, unit_price: 1, discount_percent: 1 },
    7,
    { product_id: silla.id, min_quantity: 8, unit_price: 'one', colour: 'red' },
  ];
  const answer = await post(`${path}/bulk-upsert`, { items });
  assert.equal(answer.status, 200, answer.text);
  const { data, warning_codes } = answer.body;
  assert.deepEqual(
    [data.total, data.successful, data.failed, warning_codes],
    [8, 2, 6, ['break_raises_price']],
  );
  assert.deepEqual([data.items[0].id, data.items[0].unit_price], [stored.id, 11]);
  assert.deepEqual(
    data.failures.map((one: Record<string, unknown>) => [one.index, one.error_code, one.param]),
    [
      [2, 'business_rule_violation', 'min_quantity'],
      [3, 'parameter_invalid', 'product_id'],
      [4, 'parameter_invalid', 'min_quantity'],
      [5, 'parameter_invalid', 'discount_percent'],
      [6, 'parameter_invalid', 'body'],
      [7, 'parameter_invalid', 'colour'],
    ],
  );
  for (const { index, errors } of data.failures.slice(1)) {
    const alone = await post(path, items[index] as object);
    assert.deepEqual(errors, alone.body.error.errors, alone.text);
  }
  assert.deepEqual(data.failures[0].errors, []);
  for (const wrong of [[], Array.from({ length: 501 }, () => items[0])])
    assertRefused(await post(`${path}/bulk-upsert`, { items: wrong }), 422, 'parameter_invalid', 'items');
  const many = (from: number) =>
    Array.from({ length: 60 }, (_, at) => ({ product_id: silla.id, min_quantity: from + at, unit_price: 5 }));
  assert.equal((await post(`${path}/bulk-upsert`, { items: many(100) })).body.data.successful, 60);
  const full = (await post(`${path}/bulk-upsert`, { items: many(200) })).body.data;
  assert.deepEqual([full.successful, full.failed, full.failures[0].param], [38, 22, 'min_quantity']);
  const [count] =
    await app.sql`select count(*)::int as n from price_list_items where company_id = ${acme.company_id}`;
  assert.equal(count?.n, 100);
});

test('given prices of a variant and a presentation, when these leave their product, then their prices go with them', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const make = (path: string, body: object): Promise<any> => create<any>(app, path, key, body);
  const list = await make('/v1/price-lists', { name: 'Única' });
  const items = `/v1/price-lists/${list.id}/items`;
  const product = () =>
    make('/v1/products', {
      name: 'Camisa',
      unit_price: 10,
      attributes: [{ name: 'Talla', values: [{ name: 'S' }, { name: 'M' }] }],
      variants: ['S', 'M'].map((value) => ({ values: [{ attribute: 'Talla', value }] })),
      presentations: [
        { name: 'Unidad', factor: 1, is_default: true },
        { name: 'Caja', factor: 10 },
      ],
    });
  const left = async (product_id: string) => {
    const { data } = (await app.get(`${items}?product_id=${product_id}`, { key })).body;
    return data.map((one: { unit_price: number }) => one.unit_price).sort();
  };
  const made = await product();
  const [small, medium] = made.variants.map(({ id }: { id: string }) => id);
  const of = { product_id: made.id };
  for (const item of [
    {},
    { variant_id: small },
    { variant_id: medium },
    { presentation_id: made.presentations[1].id },
  ].entries())
    await make(items, { ...of, unit_price: item[0] + 1, ...item[1] });
  // The medium one stays, archived, and so does its price.
  await make('/v1/quotes', { lines: [{ ...of, variant_id: medium, tax_rate: 21 }] });
  const put = (body: object, id = made.id) => app.put(`/v1/products/${id}`, { key, body });
  const answer = await put({ variants: [], presentations: [] });
  assert.deepEqual(
    answer.body.data.variants.map((one: { id: string }) => one.id),
    [medium],
  );
  assert.deepEqual(await left(made.id), [1, 3]);

  // One that goes while it is priced is refused by name.
  const one = await product();
  const going = await holdLock(
    t,
    app,
    (sql) => sql`delete from product_variants where id = ${one.variants[0].id}`,
  );
  const body = { product_id: one.id, variant_id: one.variants[0].id, unit_price: 1 };
  const priced = app.post(items, { key, body });
  await until(async () => (await waitersOf(app)) === 1);
  await going.release('commit');
  assertRefused(await priced, 422, 'parameter_invalid', 'variant_id');
});
