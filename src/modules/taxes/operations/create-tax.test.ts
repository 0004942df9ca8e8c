import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import {
  assertNeedsScope,
  assertRefused,
  assertRefusesUnknownKey,
  create,
} from '../../../../test/support/resource-checks.ts';

test('given all its fields, when a tax is created, then it is answered and kept as sent', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const sent = {
    name: 'IVA general',
    kind: 'vat',
    rate: 21,
    surcharge_rate: 5.2,
    qualification: 'S1',
    exemption_reason: null,
    regime_key: '01',
    valid_from: '2012-09-01',
    valid_to: null,
    external_reference: 'ERP-21',
    is_active: true,
    metadata: { cuenta: '477000' },
  };

  const answer = await app.post('/v1/taxes', { key, body: sent });

  assert.equal(answer.status, 201, answer.text);
  const { id, object, created_at, updated_at, ...fields } = answer.body.data;
  assert.equal(object, 'tax');
  assert.deepEqual(fields, sent);
  assert.equal(created_at, app.clock.now().toISOString());
  assert.equal(updated_at, created_at);
  assert.deepEqual((await app.get(`/v1/taxes/${id}`, { key })).body, answer.body);
});

test('given only what is needed, when a tax is created, then the rest has its defaults', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create<Record<string, unknown>>(app, '/v1/taxes', key, {
    name: 'IGIC',
    kind: 'igic',
    rate: 7,
  });
  const { id: _, created_at: __, updated_at: ___, ...fields } = tax;
  assert.deepEqual(fields, {
    object: 'tax',
    name: 'IGIC',
    kind: 'igic',
    rate: 7,
    surcharge_rate: null,
    qualification: null,
    exemption_reason: null,
    regime_key: null,
    valid_from: null,
    valid_to: null,
    external_reference: null,
    is_active: true,
    metadata: {},
  });
});

test('given an exempt tax with rate 0, when it is created, then it has no rate', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create<{ rate: number | null }>(app, '/v1/taxes', key, {
    name: 'Exenta',
    kind: 'vat',
    rate: 0,
    exemption_reason: 'E1',
  });
  assert.equal(tax.rate, null);
});

test('given fields that do not go together, when a tax is created, then each is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = {
    name: 'X',
    kind: 'retention',
    surcharge_rate: 5.2,
    regime_key: '01',
    valid_from: '2026-02-01',
    valid_to: '2026-01-01',
  };
  const answer = await app.post('/v1/taxes', { key, body });
  assertRefused(answer, 422, 'parameter_invalid', 'surcharge_rate');
  const named = answer.body.error.errors.map((issue: { param: string; code: string }) => [
    issue.param,
    issue.code,
  ]);
  assert.deepEqual(named, [
    ['surcharge_rate', 'parameter_invalid'],
    ['regime_key', 'parameter_invalid'],
    ['rate', 'missing_required_param'],
    ['valid_to', 'parameter_invalid'],
  ]);
  const without_rate = await app.post('/v1/taxes', { key, body: { name: 'X', kind: 'vat' } });
  assertRefused(without_rate, 422, 'missing_required_param', 'rate');
});

const invalid: readonly (readonly [change: Record<string, unknown>, param: string])[] = [
  [{ name: '' }, 'name'],
  [{ name: null }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ kind: 'iva' }, 'kind'],
  [{ kind: null }, 'kind'],
  [{ rate: '21' }, 'rate'],
  [{ rate: -1 }, 'rate'],
  [{ rate: 100.01 }, 'rate'],
  [{ rate: 21.005 }, 'rate'],
  [{ qualification: 'S3' }, 'qualification'],
  [{ exemption_reason: 'E9' }, 'exemption_reason'],
  [{ regime_key: '12' }, 'regime_key'],
  [{ valid_from: '2026-02-30' }, 'valid_from'],
  [{ metadata: { a: 1 } }, 'metadata.a'],
  [{ id: '019aa000-0000-7000-8000-000000000000' }, 'id'],
];

test('given a value that its field does not take, when a tax is created, then the field is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = { name: 'IVA', kind: 'vat', rate: 21 };
  for (const [change, param] of invalid) {
    assertRefused(
      await app.post('/v1/taxes', { key, body: { ...body, ...change } }),
      422,
      'parameter_invalid',
      param,
    );
  }
  await assertRefusesUnknownKey(app, 'POST', '/v1/taxes', key, body);
});

test('given a key without taxes:write, when a tax is created, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await assertNeedsScope(app, acme, 'taxes:write', 'POST', '/v1/taxes', {
    body: { name: 'IVA', kind: 'vat', rate: 21 },
  });
});
