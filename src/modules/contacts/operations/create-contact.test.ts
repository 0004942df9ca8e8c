import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles, fullContact } from '../../../../test/support/contact-roles.ts';
import {
  assertNeedsScope,
  assertRefused,
  assertRefusesUnknownKey,
  create,
} from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles) {
  test(`given all its fields, when a ${object} is created, then it is answered and kept as sent`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const tax = await create(app, '/v1/taxes', acme.live_key, { name: 'IVA', kind: 'vat', rate: 21 });
    const sent = { ...fullContact, default_taxes_id: tax.id };
    const answer = await app.post(path, { key: acme.live_key, body: sent });
    assert.equal(answer.status, 201, answer.text);
    const { id, created_at, updated_at, ...fields } = answer.body.data;
    assert.deepEqual(fields, { object, ...sent, roles: [object] });
    assert.equal(created_at, app.clock.now().toISOString());
    assert.equal(updated_at, created_at);
    assert.deepEqual((await app.get(`${path}/${id}`, { key: acme.live_key })).body, answer.body);
    assert.deepEqual(await app.eventTypes(acme, id), object === 'client' ? ['client.created'] : []);
  });

  test(`given just a name, when a ${object} is created, then the rest has its defaults`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const contact = await create<Record<string, unknown>>(app, path, key, { name: 'Uno', metadata: null });
    const set = Object.entries(contact).filter(
      ([name, value]) => value !== null && !/^(id|.*_at)$/.test(name),
    );
    assert.deepEqual(Object.fromEntries(set), {
      object,
      name: 'Uno',
      billing_emails: [],
      bank_accounts: [],
      is_private_person: false,
      is_surcharge_subject: false,
      accumulate_347: true,
      metadata: {},
      is_active: true,
      roles: [object],
    });
    assert.equal(Object.keys(contact).length, Object.keys(fullContact).length + 5);
  });
}

test('given identifiers in usual spellings, when a client is created, then each is kept in its one spelling', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const sent = {
    name: 'Norte',
    tax_id: 'b-12.345.674',
    vat_id: 'es b12345674',
    iban: 'es91 2100 0418 4502 0005 1332',
    bank_accounts: [{ iban: 'de89 3704 0044 0532 0130 00', bic: 'deutdeff' }],
  };
  const client = await create<typeof sent>(app, '/v1/clients', key, sent);
  assert.equal(client.tax_id, 'B12345674');
  assert.equal(client.vat_id, 'ESB12345674');
  assert.equal(client.iban, 'ES9121000418450200051332');
  assert.deepEqual(client.bank_accounts, [
    { object: 'bank_account', iban: 'DE89370400440532013000', bic: 'DEUTDEFF', is_default: false },
  ]);
});

test('given a value that its field does not take, when a client is created, then the field is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const accounts = (...defaults: boolean[]) => ({
    bank_accounts: defaults.map((is_default) => ({ iban: fullContact.iban, is_default })),
  });
  const cases: readonly (readonly [change: Record<string, unknown>, param: string])[] = [
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: '\u200b\u2800' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{ tax_id: 'B12345675' }, 'tax_id'],
    [{ vat_id: 'B12345674' }, 'vat_id'],
    [{ email: 'ana@norte' }, 'email'],
    [{ billing_emails: ['a@norte.example', 'b'] }, 'billing_emails.1'],
    [{ address: { country: 'XX' } }, 'address.country'],
    [{ address: { country: 'es' } }, 'address.country'],
    [{ address: { street: 'Mayor' } }, 'address.street'],
    [{ coordinates: { latitude: 90.1, longitude: 0 } }, 'coordinates.latitude'],
    [{ coordinates: { latitude: 0, longitude: -180.1 } }, 'coordinates.longitude'],
    [{ coordinates: { latitude: 0 } }, 'coordinates.longitude'],
    [{ iban: 'ES9121000418450200051333' }, 'iban'],
    [{ bank_accounts: [{ iban: fullContact.iban, bic: 'X' }] }, 'bank_accounts.0.bic'],
    [{ bank_accounts: [{ iban: 'ES00' }] }, 'bank_accounts.0.iban'],
    [accounts(true, true), 'bank_accounts'],
    [{ default_discount: 100.5 }, 'default_discount'],
    [{ default_vat_rate: 21.005 }, 'default_vat_rate'],
    [{ default_taxes_id: '019aa000-0000-7000-8000-000000000000' }, 'default_taxes_id'],
    [{ preferred_operation_regime: 'special' }, 'preferred_operation_regime'],
    [{ alternative_id: { type: 'dni', value: '1' } }, 'alternative_id.type'],
    [{ alternative_id: { type: 'vat_id', value: 'FR123' } }, 'alternative_id.value'],
    [{ payment_preferences: { method: 'barter' } }, 'payment_preferences.method'],
    [{ metadata: { [`${'k'.repeat(41)}`]: 'v' } }, `metadata.${'k'.repeat(41)}`],
    [{ metadata: { k: 'v'.repeat(501) } }, 'metadata.k'],
    [{ created_at: null }, 'created_at'],
  ];
  for (const [change, param] of cases) {
    const answer = await app.post('/v1/clients', { key, body: { name: 'Norte', ...change } });
    assertRefused(answer, 422, 'parameter_invalid', param);
  }
  const without_country = { name: 'Doe', alternative_id: { type: 'passport', value: '1' } };
  const answer = await app.post('/v1/clients', { key, body: without_country });
  assertRefused(answer, 422, 'missing_required_param', 'alternative_id.country_code');
  assert.equal(
    (await app.post('/v1/clients', { key, body: { name: 'Norte', ...accounts(true, false) } })).status,
    201,
  );
  await assertRefusesUnknownKey(app, 'POST', '/v1/clients', key, { name: 'Norte' });
});

test("given another company's tax or a retention, when it is to be a default tax, then it is refused", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const foreign = await create(app, '/v1/taxes', other.live_key, { name: 'IVA', kind: 'vat', rate: 21 });
  const retention = await create(app, '/v1/taxes', acme.live_key, {
    name: 'IRPF',
    kind: 'retention',
    rate: 15,
  });
  for (const { id } of [foreign, retention]) {
    const answer = await app.post('/v1/suppliers', {
      key: acme.live_key,
      body: { name: 'Uno', default_taxes_id: id },
    });
    assertRefused(answer, 422, 'parameter_invalid', 'default_taxes_id');
  }
});

test('given an active contact with an external id, when another of its role gets the same, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const body = { name: 'Uno', external_id: 'ERP-1' };
  await create(app, '/v1/suppliers', acme.live_key, body);
  for (const headers of [{}, { 'idempotency-key': 'otra-vez' }]) {
    const answer = await app.post('/v1/suppliers', { key: acme.live_key, body, headers });
    assertRefused(answer, 422, 'business_rule_violation', 'external_id');
  }
  await create(app, '/v1/clients', acme.live_key, body);
  await create(app, '/v1/suppliers', other.live_key, body);
  await create(app, '/v1/suppliers', acme.live_key, { ...body, is_active: false });
});

test('given a key without contacts:write, when a contact is created, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const { path } of contactRoles) {
    await assertNeedsScope(app, acme, 'contacts:write', 'POST', path, { body: { name: 'Uno' } });
  }
});
