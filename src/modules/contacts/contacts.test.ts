/** One contact with two roles, and rows of the version before, which knew one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../kernel/uuid7.ts';
import { type App, startApp, type TestCompany } from '../../../test/harness.ts';
import { givenClient, givenPerson, grantTokens } from '../../../test/support/oauth.ts';
import { assertRefused, create } from '../../../test/support/resource-checks.ts';

type Contact = { id: string; roles: string[]; is_active: boolean; updated_at: string; name: string };
const clients = '/v1/clients';
const suppliers = '/v1/suppliers';

type Entry = { action: string; target: { id: string }; details: { keys?: string[] } };

async function auditOf(app: App, { live_key: key }: TestCompany, id: string): Promise<string[]> {
  const { body } = await app.get('/v1/audit-log', { key, query: { limit: '100' } });
  return (body.data as Entry[])
    .filter((entry) => entry.target.id === id)
    .map(({ action, details }) => [action, ...(details.keys ?? [])].join(' '))
    .reverse();
}

test('given a client, when it becomes a supplier with other metadata, then the client has changed its metadata', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key } = acme;
  const { id } = await create<Contact>(app, clients, key, { name: 'Norte' });
  await create<Contact>(app, suppliers, key, { contact_id: id, metadata: { a: 'b' } });
  assert.deepEqual(await app.eventTypes(acme, id), ['client.created', 'client.metadata_changed']);
});

for (const [first, second, roles] of [
  [clients, suppliers, ['client', 'supplier']],
  [suppliers, clients, ['supplier', 'client']],
] as const)
  test(`given a contact of ${first}, when it gets the role of ${second}, then it is one contact with two roles`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const { live_key: key } = acme;
    const made = await create<Contact>(app, first, key, { name: 'Norte', external_id: 'A', notes: 'Uno' });
    assertRefused(await app.get(`${second}/${made.id}`, { key }), 404, 'resource_not_found');
    app.clock.advance(1000);
    const added = await create<Contact>(app, second, key, { contact_id: made.id, notes: null });
    assert.deepEqual(added, {
      ...made,
      object: roles[1],
      notes: null,
      roles: ['client', 'supplier'],
      updated_at: app.clock.now().toISOString(),
    });
    for (const path of [first, second]) {
      const object = path === clients ? 'client' : 'supplier';
      const shown: object = { ...added, object };
      assert.deepEqual((await app.get(`${path}/${made.id}`, { key })).body.data, shown);
      assert.deepEqual((await app.get(path, { key })).body.data, [shown]);
      const found = await app.post(`${path}/find-by-external-id`, { key, body: { external_id: 'A' } });
      assert.deepEqual(found.body.data, shown);
      assertRefused(
        await app.post(path, { key, body: { contact_id: made.id } }),
        409,
        'invalid_status_transition',
        'contact_id',
      );
    }
    const is_client_first = first === clients;
    const told = is_client_first ? ['client.created', 'client.updated'] : ['client.created'];
    assert.deepEqual(await app.eventTypes(acme, made.id), told);
    const audited = is_client_first ? ['supplier.create'] : ['supplier.create', 'supplier.update notes'];
    assert.deepEqual((await auditOf(app, acme, made.id)).sort(), audited);
  });

test('given a contact with two roles, when one is archived, removed or brought back, then the other stays', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: key } = acme;
  const { id } = await create(app, clients, key, { name: 'Norte', external_id: 'A' });
  await create(app, suppliers, key, { contact_id: id });
  const states = async () =>
    Promise.all(
      [clients, suppliers].map(
        async (path) => (await app.get(`${path}/${id}`, { key })).body.data?.is_active ?? null,
      ),
    );
  const act = (path: string, move = '') => app.post(`${path}/${id}${move}`, { key });
  const steps: readonly (readonly [() => Promise<{ status: number }>, unknown[], string[], string[]])[] = [
    [() => act(suppliers, '/archive'), [true, false], [], ['supplier.archive']],
    [() => act(suppliers, '/archive'), [true, false], [], []],
    [() => act(clients, '/archive'), [false, false], ['client.deleted'], []],
    [() => act(suppliers, '/unarchive'), [false, true], [], ['supplier.unarchive']],
    [() => act(clients, '/unarchive'), [true, true], ['client.updated'], []],
    [() => act(clients, '/unarchive'), [true, true], [], []],
    [
      () => app.put(`${suppliers}/${id}`, { key, body: { name: 'Sur', metadata: { a: '1' } } }),
      [true, true],
      ['client.updated', 'client.metadata_changed'],
      ['supplier.update name metadata'],
    ],
    [
      () => app.put(`${clients}/${id}`, { key, body: { email: 'a@sur.example' } }),
      [true, true],
      ['client.updated'],
      ['supplier.update email'],
    ],
    [
      () => app.put(`${suppliers}/${id}`, { key, body: { is_active: false } }),
      [true, false],
      [],
      ['supplier.archive'],
    ],
    [() => app.delete(`${clients}/${id}`, { key }), [null, false], ['client.deleted'], []],
    [() => app.post(clients, { key, body: { contact_id: id } }), [true, false], ['client.created'], []],
    [() => app.delete(`${suppliers}/${id}`, { key }), [true, null], [], ['supplier.delete']],
    [() => app.delete(`${clients}/${id}`, { key }), [null, null], ['client.deleted'], []],
  ];
  const events = ['client.created'];
  const audit = ['supplier.create'];
  for (const [at, [step, expected, told, audited]] of steps.entries()) {
    app.clock.advance(1000);
    const { status, text } = (await step()) as { status: number; text: string };
    assert.ok(status < 300, `${at}: ${text}`);
    events.push(...told);
    audit.push(...audited);
    assert.deepEqual(await states(), expected, String(at));
    assert.deepEqual(await app.eventTypes(acme, id), events, String(at));
    assert.deepEqual(await auditOf(app, acme, id), audit, String(at));
  }
  const [row] =
    await app.sql`select count(*)::int as left from contacts where company_id = ${acme.company_id}`;
  assert.equal(row?.left, 0);
});

test('given contact_id of none, of another company, or an external id taken in the new role, when a role is added, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { live_key: key } = acme;
  const add = (body: object) => app.post(suppliers, { key, body });
  const foreign = await create(app, clients, other.live_key, { name: 'Ajeno' });
  for (const contact_id of [newId(), foreign.id, 'none', null])
    assertRefused(await add({ contact_id }), 422, 'parameter_invalid', 'contact_id');
  assertRefused(await add({}), 422, 'parameter_invalid', 'name');
  const { id } = await create(app, clients, key, { name: 'Norte', external_id: 'A' });
  const taken = await create(app, suppliers, key, { name: 'Otro', external_id: 'A' });
  assertRefused(await add({ contact_id: id }), 422, 'business_rule_violation', 'external_id');
  assertRefused(await add({ contact_id: id, name: null }), 422, 'parameter_invalid', 'name');
  // An archived role leaves the external id to others.
  const both = await create<Contact>(app, suppliers, key, { contact_id: id, is_active: false });
  assert.deepEqual([both.is_active, both.roles], [false, ['client', 'supplier']]);
  const refused = await app.post(`${suppliers}/${id}/unarchive`, { key });
  assertRefused(refused, 422, 'business_rule_violation', 'external_id');
  await app.delete(`${suppliers}/${taken.id}`, { key });
  assert.equal((await app.post(`${suppliers}/${id}/unarchive`, { key })).status, 200);
  // It is unique in each role that the contact has.
  assertRefused(
    await app.post(clients, { key, body: { name: 'Otro', external_id: 'A' } }),
    422,
    'business_rule_violation',
    'external_id',
  );
});

test('given a key that may not delete, when it archives by an edit, then it is refused, and what it sends back unchanged is not', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const writer = await app.given.apiKey(acme, { scopes: ['contacts:write'] });
  const { id } = await create(app, clients, acme.live_key, { name: 'Norte' });
  const put = (body: object) => app.put(`${clients}/${id}`, { key: writer, body });
  const refused = await put({ is_active: false });
  assertRefused(refused, 403, 'insufficient_scope');
  assert.ok(refused.body.error.message.includes('contacts:delete'));
  // A program that acts for a person learns which scopes to ask for.
  const [person, program] = [await givenPerson(app, acme), await givenClient(app, acme)];
  const { access_token } = await grantTokens(app, person, program, { scope: 'contacts.write' });
  const narrow = await app.put(`${clients}/${id}`, { key: access_token, body: { is_active: false } });
  assert.match(
    String(narrow.headers['www-authenticate']),
    /error="insufficient_scope", scope="contacts.write contacts.delete"$/,
  );
  assert.equal((await put({ is_active: true, notes: 'x' })).status, 200);
  await app.delete(`${clients}/${id}`, { key: acme.live_key });
  const archived = await create<Contact>(app, clients, writer, { name: 'Sur', is_active: false });
  const again = await app.put(`${clients}/${archived.id}`, { key: writer, body: archived });
  assert.equal(again.status, 200, again.text);
});

test('given an archived client or one of the other role, when a new document names it, then it is refused, and stored ones stay', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const client = await create(app, clients, key, { name: 'Norte' });
  const supplier = await create(app, suppliers, key, { name: 'Sur' });
  const lines = [{ description: 'Uno', unit_price: 10, tax_rate: 21 }];
  const make = (client_id: string) => app.post('/v1/invoices', { key, body: { client_id, lines } });
  const draft = (await make(client.id)).body.data;
  assertRefused(await make(supplier.id), 422, 'parameter_invalid', 'client_id');
  await app.post(`${clients}/${client.id}/archive`, { key });
  assertRefused(await make(client.id), 422, 'parameter_invalid', 'client_id');
  const edit = (body: object) => app.put(`/v1/invoices/${draft.id}`, { key, body });
  assert.equal((await edit({ notes: 'Sigue', client_id: client.id })).status, 200);
  assertRefused(await edit({ client_id: supplier.id }), 422, 'parameter_invalid', 'client_id');
  await create(app, clients, key, { contact_id: supplier.id });
  assert.equal((await edit({ client_id: supplier.id })).status, 200);
  // The contact loses the role at the moment a document takes it; no lock of the document prevents that.
  await app.sql.begin(async (sql) => {
    await sql.unsafe(`set local app.company = '${company_id}'`);
    await sql`update contacts set role = 'supplier', also_supplier = null
               where company_id = ${company_id} and id = ${supplier.id}`;
  });
  const kept = await edit({ notes: 'Y sigue' });
  assert.deepEqual([kept.status, kept.body.data.client.id], [200, supplier.id], kept.text);
  assertRefused(await make(supplier.id), 422, 'parameter_invalid', 'client_id');
  // With the role back, the document holds it again.
  await create(app, clients, key, { contact_id: supplier.id });
  await app.delete(`${clients}/${supplier.id}`, { key });
  assert.equal((await app.get(`${clients}/${supplier.id}`, { key })).body.data.is_active, false);
});

test('given rows of the version before, and that version at work, then each version sees what the other wrote', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  const old = async <T>(run: (sql: typeof app.sql) => Promise<T>) =>
    app.sql.begin(async (sql) => {
      await sql.unsafe(`set local app.company = '${company_id}'`);
      return run(sql as unknown as typeof app.sql);
    });
  const insert = (role: string, is_active: boolean) => {
    const id = newId();
    return old(async (sql) => {
      await sql`insert into contacts (company_id, id, role, name, is_active, created_at, updated_at)
                values (${company_id}, ${id}, ${role}, 'Antes', ${is_active}, now(), now())`;
      return id;
    });
  };
  for (const [role, path, other] of [
    ['client', clients, suppliers],
    ['supplier', suppliers, clients],
  ] as const)
    for (const is_active of [true, false]) {
      const id = await insert(role, is_active);
      const { body } = await app.get(`${path}/${id}`, { key });
      assert.deepEqual([body.data.is_active, body.data.roles], [is_active, [role]]);
      assertRefused(await app.get(`${other}/${id}`, { key }), 404, 'resource_not_found');
      await old(
        (sql) =>
          sql`update contacts set is_active = ${!is_active} where company_id = ${company_id} and id = ${id}`,
      );
      assert.equal((await app.get(`${path}/${id}`, { key })).body.data.is_active, !is_active);
      // That version sees a contact with both roles as a client, in the client's state.
      await create(app, other, key, { contact_id: id });
      const [row] = await old(
        (sql) => sql`select role, is_active from contacts where company_id = ${company_id} and id = ${id}`,
      );
      assert.deepEqual({ ...row }, { role: 'client', is_active: role === 'client' ? !is_active : true });
    }
});
