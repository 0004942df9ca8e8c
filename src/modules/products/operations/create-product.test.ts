import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertNeedsScope,
  assertRefused,
  assertRefusesUnknownKey,
  create,
} from '../../../../test/support/resource-checks.ts';

const plain = {
  has_variants: false,
  has_presentations: false,
  has_options: false,
  is_pack: false,
  attributes: [],
  variants: [],
  presentations: [],
  option_groups: [],
  pack: null,
};

test('given all its fields, when a product is created, then it is answered and kept as sent, with its tax', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const tax = await create(app, '/v1/taxes', key, { name: 'IVA 10 %', kind: 'vat', rate: 10 });
  const sent = {
    name: 'Hora de consultoría',
    description: 'A distancia',
    code: 'CONS-H',
    kind: 'service',
    unit: 'h',
    unit_price: 60.12345678,
    taxes_id: tax.id,
    external_id: 'ERP-1',
    notes: 'Solo mañanas.',
    metadata: { cuenta: '705000' },
    tags: ['servicios', 'horas'],
    is_active: true,
  };
  const answer = await app.post('/v1/products', { key, body: sent });
  assert.equal(answer.status, 201, answer.text);
  const { id, created_at, updated_at, ...fields } = answer.body.data;
  const taxes = { id: tax.id, name: 'IVA 10 %', rate: 10 };
  assert.deepEqual(fields, { object: 'product', ...sent, taxes, ...plain });
  assert.equal(created_at, app.clock.now().toISOString());
  assert.equal(updated_at, created_at);
  assert.deepEqual((await app.get(`/v1/products/${id}`, { key })).body, answer.body);
  assert.deepEqual(await app.eventTypes(acme, id), ['product.created']);
});

test('given just a name, when a product is created, then the rest has its defaults', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = await create<Record<string, unknown>>(app, '/v1/products', key, {
    name: 'Silla',
    kind: null,
  });
  const { id: _, created_at: __, updated_at: ___, ...fields } = product;
  assert.deepEqual(fields, {
    object: 'product',
    name: 'Silla',
    description: null,
    code: null,
    kind: 'good',
    unit: null,
    unit_price: 0,
    taxes_id: null,
    taxes: null,
    external_id: null,
    notes: null,
    metadata: {},
    tags: [],
    is_active: true,
    ...plain,
  });
});

test('given a price, when a product is created, then it comes back to the last digit', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const cases = [
    ['123456789012.345', '123456789012.345'],
    ['1234567.12345678', '1234567.12345678'],
    ['0.00000001', '1e-8'],
    ['-0.10', '-0.1'],
    ['1e3', '1000'],
    ['24.900000000000000000', '24.9'],
  ] as const;
  for (const [sent, shown] of cases) {
    const answer = await app.post('/v1/products', { key, raw: `{"name":"Silla","unit_price":${sent}}` });
    assert.equal(answer.status, 201, answer.text);
    const again = await app.get(`/v1/products/${answer.body.data.id}`, { key });
    for (const { text } of [answer, again]) assert.equal(/"unit_price":([^,]+)/.exec(text)?.[1], shown);
  }
});

test('given a value that its field does not take, when a product is created, then the field is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const cases: readonly (readonly [change: Record<string, unknown>, param: string])[] = [
    [{ name: ' ' }, 'name'],
    [{ name: null }, 'name'],
    [{ code: '' }, 'code'],
    [{ kind: 'thing' }, 'kind'],
    [{ unit_price: '24.90' }, 'unit_price'],
    [{ unit_price: 0.123456789 }, 'unit_price'],
    [{ unit_price: 1e12 }, 'unit_price'],
    [{ unit_price: 12345678.12345678 }, 'unit_price'],
    [{ taxes_id: 'IVA' }, 'taxes_id'],
    [{ tags: ['a', 'a'] }, 'tags'],
    [{ tags: [''] }, 'tags.0'],
    [{ metadata: { a: null } }, 'metadata.a'],
    [{ taxes: null }, 'taxes'],
  ];
  for (const [change, param] of cases) {
    const answer = await app.post('/v1/products', { key, body: { name: 'Silla', ...change } });
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  await assertRefusesUnknownKey(app, 'POST', '/v1/products', key, { name: 'Silla' });
});

test("given another company's tax or a retention, when it is to be a product's tax, then it is refused", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const foreign = await create(app, '/v1/taxes', other.live_key, { name: 'IVA', kind: 'vat', rate: 21 });
  const retention = await create(app, '/v1/taxes', acme.live_key, {
    name: 'IRPF',
    kind: 'retention',
    rate: 15,
  });
  for (const { id } of [foreign, retention, { id: acme.company_id }]) {
    const answer = await app.post('/v1/products', {
      key: acme.live_key,
      body: { name: 'Silla', taxes_id: id },
    });
    assertRefused(answer, 422, 'parameter_invalid', 'taxes_id');
  }
});

test('given an active product with a code, when another gets the same, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const body = { name: 'Silla', code: 'S-1' };
  await create(app, '/v1/products', acme.live_key, body);
  for (const headers of [{}, { 'idempotency-key': 'otra-vez' }]) {
    const answer = await app.post('/v1/products', { key: acme.live_key, body, headers });
    assertRefused(answer, 422, 'business_rule_violation', 'code');
  }
  await create(app, '/v1/products', other.live_key, body);
  await create(app, '/v1/products', acme.live_key, { ...body, is_active: false });
  const { live_key: key } = acme;
  const decomposed = 'Ñ-1'.normalize('NFD');
  const made = await create<{ id: string; code: string }>(app, '/v1/products', key, {
    ...body,
    code: decomposed,
  });
  assert.equal(made.code, 'Ñ-1');
  const composed = await app.post('/v1/products', { key, body: { ...body, code: 'Ñ-1' } });
  assertRefused(composed, 422, 'business_rule_violation', 'code');
  for (const code of ['Ñ-1', decomposed])
    assert.equal((await app.get('/v1/products', { key, query: { code } })).body.data[0]?.id, made.id);

  // As a version before kept it.
  await app.sql`update products set code = ${decomposed} where id = ${made.id}`;
  const path = `/v1/products/${made.id}`;
  for (const code of ['Ñ-1', decomposed]) {
    const again = await app.post('/v1/products', { key, body: { ...body, code } });
    assertRefused(again, 422, 'business_rule_violation', 'code');
    assert.equal((await app.get('/v1/products', { key, query: { code } })).body.data[0]?.id, made.id);
  }
  assert.equal((await app.put(path, { key, body: { code: decomposed, name: 'Mesa' } })).status, 200);
  assert.equal((await app.put(path, { key, body: { is_active: false } })).status, 200);
  await create(app, '/v1/products', key, { ...body, code: 'Ñ-1' });
  const back = await app.put(path, { key, body: { is_active: true } });
  assertRefused(back, 422, 'business_rule_violation', 'code');
});

test('given a key without products:write, when a product is created, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await assertNeedsScope(app, acme, 'products:write', 'POST', '/v1/products', { body: { name: 'Silla' } });
});
