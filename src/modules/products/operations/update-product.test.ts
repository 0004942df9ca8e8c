import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertReadOnly,
  assertRefused,
  assertRefusesUnknownKey,
  assertRoundTrip,
  create,
} from '../../../../test/support/resource-checks.ts';

const silla = {
  name: 'Silla',
  description: 'Plegable',
  code: 'S-1',
  kind: 'service',
  unit: 'ud',
  unit_price: 123456789.123456,
  external_id: 'A',
  notes: 'n',
  metadata: { a: '1' },
  tags: ['t'],
  is_active: false,
};

test('given a product, when some fields are sent, then the others stay', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const tax = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 21 });
  const product = await create(app, '/v1/products', key, silla);
  app.clock.advance(1000);
  const body = { unit_price: 0.1, taxes_id: tax.id.toUpperCase() };
  const answer = await app.put(`/v1/products/${product.id}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, {
    ...product,
    unit_price: 0.1,
    taxes_id: tax.id,
    taxes: { id: tax.id, name: 'IVA', rate: 21 },
    updated_at: app.clock.now().toISOString(),
  });
  assert.deepEqual((await app.get(`/v1/products/${product.id}`, { key })).body, answer.body);
  assert.deepEqual(await app.eventTypes(acme, product.id), ['product.created', 'product.updated']);
});

test('given a product, when null is sent for a field, then it is cleared to its default', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 21 });
  const { id } = await create(app, '/v1/products', key, { ...silla, taxes_id: tax.id });
  const blank = await create<Record<string, unknown>>(app, '/v1/products', key, { name: 'Silla' });
  const clear = [...Object.keys(silla), 'taxes_id'].filter((name) => name !== 'name');
  const body = Object.fromEntries(clear.map((name) => [name, null]));
  const answer = await app.put(`/v1/products/${id}`, { key, body });
  assert.deepEqual(answer.body.data, { ...blank, id, created_at: answer.body.data.created_at });
  assert.deepEqual((await app.get(`/v1/products/${id}`, { key })).body, answer.body);
  assertRefused(
    await app.put(`/v1/products/${id}`, { key, body: { name: null } }),
    422,
    'parameter_invalid',
    'name',
  );
});

test('given what GET gave, when it is sent back, then nothing changes', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const tax = await create(app, '/v1/taxes', acme.live_key, { name: 'IVA', kind: 'vat', rate: 21 });
  const { id } = await create(app, '/v1/products', acme.live_key, { ...silla, taxes_id: tax.id });
  await assertRoundTrip(app, acme, '/v1/products', id);
  await assertReadOnly(app, acme.live_key, `/v1/products/${id}`, {
    id: null,
    object: 'good',
    taxes: null,
    created_at: null,
    updated_at: null,
  });
  await assertRefusesUnknownKey(app, 'PUT', `/v1/products/${id}`, acme.live_key, {});
});

test('given a taken code, when a product gets it or comes back with it, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await create(app, '/v1/products', key, { name: 'Silla', code: 'S-1' });
  const { id } = await create(app, '/v1/products', key, { name: 'Mesa' });
  const put = (body: object) => app.put(`/v1/products/${id}`, { key, body });
  assertRefused(await put({ code: 'S-1' }), 422, 'business_rule_violation', 'code');
  assert.equal((await put({ code: 'S-1', is_active: false })).status, 200);
  assertRefused(await put({ is_active: true }), 422, 'business_rule_violation', 'code');
  assertRefused(await put({ taxes_id: id }), 422, 'parameter_invalid', 'taxes_id');
});

test("given another company's product, when it is changed, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/products', other.live_key, { name: 'Silla' });
  const options = { key: acme.live_key, body: { name: 'Mía' } };
  await assertHidesForeignIds(app, 'PUT', (x) => `/v1/products/${x}`, id, options);
  await assertNeedsScope(app, other, 'products:write', 'PUT', `/v1/products/${id}`, {
    body: { name: 'Suya' },
  });
});

test('given a variant that is taken away while a pack begins to name it, then one of both wins, and the pack names what exists', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = async (body: object) => (await app.post('/v1/products', { key, body })).body.data;
  for (let round = 0; round < 8; round++) {
    const shirt = await make({
      name: 'Camisa',
      unit_price: 1,
      attributes: [{ name: 'Talla', values: [{ name: 'M' }] }],
      variants: [{ values: [{ attribute: 'Talla', value: 'M' }] }],
    });
    const lot = await make({ name: 'Lote', unit_price: 1 });
    const components = [{ product_id: shirt.id, variant_id: shirt.variants[0].id }];
    const [taken, named] = await Promise.all([
      app.put(`/v1/products/${shirt.id}`, { key, body: { variants: [] } }),
      app.put(`/v1/products/${lot.id}`, { key, body: { pack: { components } } }),
    ]);
    assert.equal(taken.status, 200, taken.text);
    assert.ok([200, 422].includes(named.status), named.text);
    const { variants } = (await app.get(`/v1/products/${shirt.id}`, { key })).body.data;
    assert.equal(variants.length, named.status === 200 ? 1 : 0);
  }
});

test('given a variant and a presentation that are taken away, when they have more than ten thousand prices together, then they are archived with them; with as many as go in one transaction they are gone', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const variants = ['M', 'L'].map((value) => ({ values: [{ attribute: 'Talla', value }] }));
  const shirt = (
    await app.post('/v1/products', {
      key,
      body: {
        name: 'Camisa',
        unit_price: 1,
        attributes: [{ name: 'Talla', values: [{ name: 'M' }, { name: 'L' }] }],
        variants,
        presentations: [{ name: 'Caja', factor: 10 }],
      },
    })
  ).body.data;
  const [kept, gone] = shirt.variants as [{ id: string }, { id: string }];
  const box = shirt.presentations[0] as { id: string };
  const list = await create(app, '/v1/price-lists', key, { name: 'Mayoristas' });
  const price = (variant: string | null, presentation: string | null, most: number) => app.sql`
    insert into price_list_items (company_id, id, price_list_id, product_id, variant_id, presentation_id, min_quantity, unit_price,
                                  created_at, updated_at)
    select ${acme.company_id}, gen_random_uuid(), ${list.id}, ${shirt.id}, ${variant}, ${presentation}, step, 20, now(), now()
      from generate_series(1, ${most}::int) as step`;
  // One that names both goes once.
  await price(gone.id, box.id, 4000);
  await price(gone.id, null, 3000);
  await price(null, box.id, 3001);
  await price(kept.id, null, 1);
  const path = `/v1/products/${shirt.id}`;
  const body = { variants: [kept], presentations: [] };
  const prices = async () => {
    const [row] =
      await app.sql`select count(*)::int as count from price_list_items where product_id = ${shirt.id}`;
    return row!.count as number;
  };
  const active = (parts: { id: string; is_active: boolean }[]) =>
    parts.map(({ id, is_active }) => [id, is_active]);

  const archived = (await app.put(path, { key, body })).body.data;
  assert.deepEqual(active(archived.variants), [
    [kept.id, true],
    [gone.id, false],
  ]);
  assert.deepEqual(active(archived.presentations), [[box.id, false]]);
  assert.equal(await prices(), 10_002);

  await app.sql`delete from price_list_items where presentation_id = ${box.id} and variant_id is null and min_quantity = 1`;
  const left = (await app.put(path, { key, body })).body.data;
  assert.deepEqual(active(left.variants), [[kept.id, true]]);
  assert.deepEqual(left.presentations, []);
  assert.equal(await prices(), 1);
});
