import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { contactRoles, fullContact } from '../../../../test/support/contact-roles.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertReadOnly,
  assertRefused,
  assertRefusesUnknownKey,
  assertRoundTrip,
  create,
} from '../../../../test/support/resource-checks.ts';

for (const { object, path } of contactRoles) {
  test(`given what GET gave of a ${object}, when it is sent back, then nothing changes`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    for (const body of [{ name: 'Uno' }, fullContact]) {
      const { id } = await create(app, path, acme.live_key, body);
      await assertRoundTrip(app, acme, path, id);
    }
    const { id } = await create(app, path, acme.live_key, { name: 'Uno' });
    await assertReadOnly(app, acme.live_key, `${path}/${id}`, {
      id: null,
      object: 'contact',
      created_at: '2020-01-01T00:00:00Z',
      updated_at: '',
    });
    await assertRefusesUnknownKey(app, 'PUT', `${path}/${id}`, acme.live_key, {});
  });

  test(`given a ${object}, when null is sent for a field, then it is cleared to its default`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const tax = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 21 });
    const { id } = await create(app, path, key, {
      ...fullContact,
      default_taxes_id: tax.id,
      is_active: false,
    });
    const blank = await create<Record<string, unknown>>(app, path, key, { name: fullContact.name });
    app.clock.advance(1000);
    const clear = Object.keys(fullContact).filter((name) => name !== 'name');
    const answer = await app.put(`${path}/${id}`, {
      key,
      body: Object.fromEntries(clear.map((name) => [name, null])),
    });
    assert.equal(answer.status, 200, answer.text);
    const expected = { ...blank, id, updated_at: app.clock.now().toISOString() };
    assert.deepEqual(answer.body.data, expected);
    assert.deepEqual((await app.get(`${path}/${id}`, { key })).body.data, expected);
    assertRefused(
      await app.put(`${path}/${id}`, { key, body: { name: null } }),
      422,
      'parameter_invalid',
      'name',
    );
  });

  test(`given another company's ${object}, when it is changed, then it does not exist`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const { id } = await create(app, path, other.live_key, { name: 'Uno' });
    await assertHidesForeignIds(app, 'PUT', (x) => `${path}/${x}`, id, {
      key: acme.live_key,
      body: { name: 'Mío' },
    });
    await assertNeedsScope(app, other, 'contacts:write', 'PUT', `${path}/${id}`, { body: { name: 'Suyo' } });
  });
}

test('given a client, when only some fields are sent, then the others stay', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = await create(app, '/v1/clients', key, fullContact);
  app.clock.advance(1000);
  const answer = await app.put(`/v1/clients/${client.id}`, {
    key,
    body: {
      email: 'otra@norte.example',
      default_discount: 12.3456,
      address: { city: 'Gijón', country: 'ES' },
    },
  });
  const empty = Object.fromEntries(Object.keys(fullContact.address).map((part) => [part, null]));
  assert.deepEqual(answer.body.data, {
    ...client,
    email: 'otra@norte.example',
    default_discount: 12.3456,
    address: { ...empty, city: 'Gijón', country: 'ES' },
    updated_at: app.clock.now().toISOString(),
  });
  const cleared = await app.put(`/v1/clients/${client.id}`, { key, body: { address: { city: null } } });
  assert.equal(cleared.body.data.address, null);
});

test('given a client, when fields or metadata change, then each leaves its own event once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { id } = await create(app, '/v1/clients', acme.live_key, { name: 'Uno', metadata: { a: '1' } });
  const steps: readonly (readonly [body: object, events: readonly string[]])[] = [
    [{}, []],
    [{ name: 'Uno' }, []],
    [{ name: 'Dos' }, ['client.updated']],
    [{ metadata: { a: '2' } }, ['client.metadata_changed']],
    [{ name: 'Tres', metadata: null }, ['client.updated', 'client.metadata_changed']],
    [{ is_active: false }, ['client.deleted']],
    [{ name: 'Cuatro' }, ['client.updated']],
    [{ is_active: true }, ['client.updated']],
    [{ name: 'Cinco', is_active: false }, ['client.updated', 'client.deleted']],
  ];
  const expected = ['client.created'];
  for (const [body, events] of steps) {
    assert.equal((await app.put(`/v1/clients/${id}`, { key: acme.live_key, body })).status, 200);
    expected.push(...events);
    assert.deepEqual(await app.eventTypes(acme, id), expected, JSON.stringify(body));
  }
});

test('given a supplier, when it changes, then there is no event, because the catalogue has none', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { id } = await create(app, '/v1/suppliers', acme.live_key, { name: 'Uno' });
  await app.put(`/v1/suppliers/${id}`, { key: acme.live_key, body: { name: 'Dos', metadata: { a: '1' } } });
  assert.deepEqual(await app.eventTypes(acme, id), []);
});

test('given a foreign contact, when it becomes Spanish, then its tax id must be one of Spain', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/suppliers', key, {
    name: 'Müller',
    tax_id: 'HRB 12345',
    address: { country: 'DE' },
  });
  const put = (body: object) => app.put(`/v1/suppliers/${id}`, { key, body });
  assertRefused(await put({ address: { country: 'ES' } }), 422, 'parameter_invalid', 'tax_id');
  assertRefused(await put({ address: null }), 422, 'parameter_invalid', 'tax_id');
  assert.equal((await put({ notes: 'Sigue siendo alemán.' })).status, 200);
  const moved = await put({ address: { country: 'ES' }, tax_id: '12345678-z' });
  assert.equal(moved.body.data.tax_id, '12345678Z');
});

test('given a taken external id, when a contact gets it or comes back with it, then it is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const first = await create(app, '/v1/clients', key, { name: 'Uno', external_id: 'A' });
  const second = await create(app, '/v1/clients', key, { name: 'Dos' });
  const put = (body: object) => app.put(`/v1/clients/${second.id}`, { key, body });
  assertRefused(await put({ external_id: 'A' }), 422, 'business_rule_violation', 'external_id');
  assert.equal((await put({ external_id: 'A', is_active: false })).status, 200);
  assertRefused(await put({ is_active: true }), 422, 'business_rule_violation', 'external_id');
  await app.put(`/v1/clients/${first.id}`, { key, body: { external_id: null } });
  assert.equal((await put({ is_active: true })).status, 200);
});

test("given another company's tax, when it is to be the default one, then it is refused", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const tax = await create(app, '/v1/taxes', other.live_key, { name: 'IVA', kind: 'vat', rate: 21 });
  const own = await create(app, '/v1/taxes', acme.live_key, { name: 'IVA', kind: 'vat', rate: 21 });
  const { id } = await create(app, '/v1/clients', acme.live_key, { name: 'Uno' });
  const put = (default_taxes_id: string) =>
    app.put(`/v1/clients/${id}`, { key: acme.live_key, body: { default_taxes_id } });
  assertRefused(await put(tax.id), 422, 'parameter_invalid', 'default_taxes_id');
  assert.equal((await put(own.id.toUpperCase())).body.data.default_taxes_id, own.id);
});
