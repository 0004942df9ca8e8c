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

const iva = {
  name: 'IVA',
  kind: 'vat',
  rate: 21,
  surcharge_rate: 5.2,
  regime_key: '18',
  valid_from: '2020-01-01',
  external_reference: 'A',
  metadata: { a: '1' },
};

test('given a tax, when some fields are sent, then the others stay and null clears', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create(app, '/v1/taxes', key, iva);
  app.clock.advance(5000);
  const body = { rate: 10, surcharge_rate: 1.4, regime_key: null, metadata: null, is_active: false };
  const answer = await app.put(`/v1/taxes/${tax.id}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  const expected = { ...tax, ...body, metadata: {}, updated_at: app.clock.now().toISOString() };
  assert.deepEqual(answer.body.data, expected);
  assert.deepEqual((await app.get(`/v1/taxes/${tax.id}`, { key })).body.data, expected);
});

test('given what GET gave, when it is sent back, then nothing changes', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const tax = await create(app, '/v1/taxes', acme.live_key, iva);
  await assertRoundTrip(app, acme, '/v1/taxes', tax.id);
  await assertReadOnly(app, acme.live_key, `/v1/taxes/${tax.id}`, {
    id: 'x',
    object: 'vat',
    created_at: null,
    updated_at: '2020-01-01T00:00:00Z',
  });
});

test('given a tax, when its fields change, then each kind of change leaves its event once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { id } = await create(app, '/v1/taxes', acme.live_key, iva);
  const steps: readonly (readonly [body: object, events: readonly string[]])[] = [
    [{ name: 'Otro' }, []],
    [{ metadata: { a: '2' } }, ['tax.metadata_changed']],
    [{ metadata: { a: '2' } }, []],
    [{ valid_from: '2021-01-01', valid_to: '2030-01-01' }, ['tax.validity_changed']],
    [{ external_reference: null }, ['tax.external_reference_changed']],
    [
      {
        rate: 10,
        surcharge_rate: 1.4,
        metadata: null,
        valid_from: null,
        valid_to: null,
        external_reference: 'B',
      },
      ['tax.metadata_changed', 'tax.validity_changed', 'tax.external_reference_changed'],
    ],
  ];
  const expected: string[] = [];
  for (const [body, events] of steps) {
    assert.equal((await app.put(`/v1/taxes/${id}`, { key: acme.live_key, body })).status, 200);
    expected.push(...events);
    assert.deepEqual(await app.eventTypes(acme, id), expected, JSON.stringify(body));
  }
});

test('given a tax, when its rate changes, then the audit log says from what to what, and of nothing else', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await create(app, '/v1/taxes', key, iva);
  const steps = [
    { surcharge_rate: null },
    { rate: 10, surcharge_rate: 1.4, name: 'Otro' },
    { rate: 10, surcharge_rate: 1.4 },
    { name: 'Uno', metadata: {}, valid_to: '2030-01-01' },
  ];
  for (const body of steps) assert.equal((await app.put(`/v1/taxes/${id}`, { key, body })).status, 200);
  const { body: log } = await app.get('/v1/audit-log', { key, query: { action: 'tax.rate_changed' } });
  const told = log.data.map((entry: Record<string, unknown>) => [entry.actor, entry.target, entry.details]);
  const target = { object: 'tax', id };
  assert.deepEqual(told.toReversed(), [
    ['api_key', target, { from: { rate: 21, surcharge_rate: 5.2 }, to: { rate: 21, surcharge_rate: null } }],
    ['api_key', target, { from: { rate: 21, surcharge_rate: null }, to: { rate: 10, surcharge_rate: 1.4 } }],
  ]);
});

test('given a tax, when it is created, changed and deleted, then the audit log tells what no event does', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 21 });
  const steps = [
    { name: 'Otro', is_active: false },
    {
      name: 'Otro',
      metadata: { a: '1' },
      valid_to: '2030-01-01',
      external_reference: 'B',
      surcharge_rate: 5.2,
    },
    { regime_key: '18', rate: 10, surcharge_rate: 1.4 },
  ];
  for (const body of steps) assert.equal((await app.put(`/v1/taxes/${id}`, { key, body })).status, 200);
  assert.equal((await app.delete(`/v1/taxes/${id}`, { key })).status, 200);
  const { body: log } = await app.get('/v1/audit-log', { key });
  const told = log.data.filter(({ target }: { target: { id: string } }) => target.id === id).toReversed();
  const seen = told.map((entry: Record<string, unknown>) => [entry.actor, entry.action, entry.details]);
  const rates = [
    { rate: 21, surcharge_rate: null },
    { rate: 21, surcharge_rate: 5.2 },
    { rate: 10, surcharge_rate: 1.4 },
  ];
  assert.deepEqual(seen, [
    ['api_key', 'tax.create', {}],
    ['api_key', 'tax.update', { keys: ['name', 'is_active'] }],
    ['api_key', 'tax.rate_changed', { from: rates[0], to: rates[1] }],
    ['api_key', 'tax.update', { keys: ['regime_key'] }],
    ['api_key', 'tax.rate_changed', { from: rates[1], to: rates[2] }],
    ['api_key', 'tax.delete', { kind: 'vat', ...rates[2] }],
  ]);
});

test('given a tax, when the change breaks a rule, then the field is named and nothing changes', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/taxes', key, iva);
  const before = (await app.get(`/v1/taxes/${id}`, { key })).body;
  const cases: readonly (readonly [body: object, code: string, param: string])[] = [
    [{ surcharge_rate: 1.4 }, 'parameter_invalid', 'surcharge_rate'],
    [{ rate: null, surcharge_rate: null }, 'missing_required_param', 'rate'],
    [{ exemption_reason: 'E2' }, 'parameter_invalid', 'rate'],
    [{ valid_to: '2019-12-31' }, 'parameter_invalid', 'valid_to'],
    [{ kind: 'ipsi', surcharge_rate: null, regime_key: '17' }, 'parameter_invalid', 'regime_key'],
    [{ kind: 'retention', surcharge_rate: null, regime_key: null }, 'business_rule_violation', 'kind'],
    [{ name: null }, 'parameter_invalid', 'name'],
  ];
  for (const [body, code, param] of cases) {
    assertRefused(await app.put(`/v1/taxes/${id}`, { key, body }), 422, code, param);
  }
  await assertRefusesUnknownKey(app, 'PUT', `/v1/taxes/${id}`, key, {});
  assert.deepEqual((await app.get(`/v1/taxes/${id}`, { key })).body, before);
});

test("given another company's tax, when it is changed, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/taxes', other.live_key, iva);
  await assertHidesForeignIds(app, 'PUT', (x) => `/v1/taxes/${x}`, id, {
    key: acme.live_key,
    body: { name: 'Mío' },
  });
  await assertNeedsScope(app, other, 'taxes:write', 'PUT', `/v1/taxes/${id}`, { body: { name: 'Suyo' } });
});
