/** Who acted, in three kinds of rows: of an earlier version, written by such a version beside this one, and today's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { readSql } from '../../src/platform/db.ts';
import { migrationsFolder } from '../../src/platform/migrate.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { idOf, newKey, rotateKey } from '../support/api-keys.ts';
import { until } from '../support/worker-place.ts';

const fill = readSql(new URL('0016_principals_of_before.sql', migrationsFolder));

type Entry = {
  action: string;
  actor: string;
  actor_id: string | null;
  actor_name: string | null;
  actor_key_id: string | null;
};

async function writeOldEntry(app: App, company_id: string, actor: string, key_id: string | null) {
  const id = newId();
  await app.sql`
    insert into audit_log (company_id, id, actor, actor_key_id, action, object, object_id, created_at)
    values (${company_id}, ${id}, ${actor}, ${key_id}, 'old.action', 'company', ${company_id}, now())`;
  return id;
}

async function actorOf(app: App, key: string, id: string) {
  const { body } = await app.get('/v1/audit-log', { key, query: { action: 'old.action' } });
  const entry = body.data.find((e: { id: string }) => e.id === id) as Entry;
  return [entry.actor, entry.actor_id, entry.actor_name, entry.actor_key_id];
}

async function givenOldRows(app: App): Promise<{ acme: TestCompany; key_id: string }> {
  const acme = await app.given.company();
  const key_id = await idOf(app, acme.live_key);
  await app.sql`update credentials set key_name = null where key_company_id = ${acme.company_id}`;
  return { acme, key_id };
}

test('given entries of before, when the migration fills them, then each names its key, also those of a sandbox and of a child', async (t) => {
  const app = await startApp(t);
  const { acme, key_id } = await givenOldRows(app);
  const test_key_id = await idOf(app, acme.test_key);
  const child = await app.given.company({ parent_id: acme.company_id });
  const many = 2300;
  await app.sql`
    insert into audit_log (company_id, id, actor, actor_key_id, action, object, object_id, created_at)
    select ${acme.company_id}, gen_random_uuid(), 'api_key', ${key_id}, 'many.action', 'company', ${acme.company_id}, now()
      from generate_series(1, ${many})`;
  const live = await writeOldEntry(app, acme.company_id, 'api_key', key_id);
  const sandbox = await writeOldEntry(app, acme.sandbox_company_id, 'api_key', test_key_id);
  const childs = await writeOldEntry(app, child.company_id, 'api_key', key_id);
  const operators = await writeOldEntry(app, acme.company_id, 'operator', null);
  const refused = await writeOldEntry(app, acme.company_id, 'system', key_id);

  for (let times = 0; times < 2; times++) {
    // Runs under row-level security, as the owner of a foreign database does. The service could update entries then.
    await app.sql.begin((tx) =>
      tx.unsafe(`grant update on audit_log to folio_service; set local role folio_service; ${fill};
                 reset role; revoke update on audit_log from folio_service`),
    );
  }

  assert.deepEqual(await actorOf(app, acme.live_key, live), ['api_key', key_id, 'Primera clave', key_id]);
  assert.deepEqual(await actorOf(app, acme.test_key, sandbox), [
    'api_key',
    test_key_id,
    'Primera clave de pruebas',
    test_key_id,
  ]);
  assert.deepEqual(await actorOf(app, child.live_key, childs), ['api_key', key_id, 'Primera clave', key_id]);
  assert.deepEqual(await actorOf(app, acme.live_key, operators), ['operator', null, null, null]);
  assert.deepEqual(await actorOf(app, acme.live_key, refused), ['system', null, null, key_id]);
  const [left] = await app.sql<{ entries: number; keys: number }[]>`
    select (select count(*)::int from audit_log where actor = 'api_key' and actor_name is null) as entries,
           (select count(*)::int from credentials where key_name is null) as keys`;
  assert.deepEqual(left, { entries: 0, keys: 0 });
});

test('given an older version beside this one, when it writes after the migration, then its rows read right', async (t) => {
  const app = await startApp(t);
  const { acme, key_id } = await givenOldRows(app);
  const test_key_id = await idOf(app, acme.test_key);
  await app.sql`update credentials set key_name = 'Primera clave' where key_id = ${key_id}`;
  await app.sql`update credentials set key_name = 'De pruebas' where key_id = ${test_key_id}`;
  const live = await writeOldEntry(app, acme.company_id, 'api_key', key_id);
  const sandbox = await writeOldEntry(app, acme.sandbox_company_id, 'api_key', test_key_id);
  assert.deepEqual(await actorOf(app, acme.live_key, live), ['api_key', key_id, 'Primera clave', key_id]);
  assert.deepEqual(await actorOf(app, acme.test_key, sandbox), [
    'api_key',
    test_key_id,
    'De pruebas',
    test_key_id,
  ]);
  const request_id = `req_${newId()}`;
  await app.sql`
    insert into request_logs (company_id, id, request_id, key_id, method, path, status, duration_ms, api_version, created_at)
    values (${acme.company_id}, ${newId()}, ${request_id}, ${key_id}, 'GET', '/v1/account', 200, 1, '2026-10-01', now())`;
  const { body } = await app.get('/v1/request-logs', { key: acme.live_key, query: { request_id } });
  assert.deepEqual(
    body.data.map((e: { key_id: string }) => e.key_id),
    [key_id],
  );
});

test('given a key that an older version made, when it is used, then it goes by its first characters, and soon by its name', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const made = await newKey(app, acme.live_key, { name: 'Tienda', scopes: ['*'] });
  await app.sql`update credentials set key_name = null where key_id = ${made.id}`;
  const rename = async () => {
    await app.put('/v1/account/company', { key: made.secret, body: { phone: `+34 600 ${Date.now()}` } });
    await app.service.flush();
    const { body } = await app.get('/v1/audit-log', {
      key: acme.live_key,
      query: { action: 'company.updated' },
    });
    return [body.data[0].actor_id, body.data[0].actor_name];
  };
  assert.deepEqual(await rename(), [made.id, made.prefix]);
  assert.deepEqual(await rename(), [made.id, 'Tienda']);
  // A rotation keeps the name.
  const { secret } = await rotateKey(app, acme.live_key, made.id);
  await app.put('/v1/account/company', { key: secret, body: { phone: '+34 600 000 001' } });
  const { body } = await app.get('/v1/audit-log', {
    key: acme.live_key,
    query: { action: 'company.updated' },
  });
  assert.equal(body.data[0].actor_name, 'Tienda');
});

test('given a call, when the logs are looked into, then they hold the columns of before and of today', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key_id = await idOf(app, acme.live_key);
  await app.put('/v1/account/company', { key: acme.live_key, body: { phone: '+34 600 000 000' } });
  let rows: readonly object[] = [];
  // The entry appears a moment after the answer.
  await until(async () => {
    await app.service.flush();
    rows = await app.sql`
      select key_id, principal_kind, principal_id, principal_name from request_logs
       where company_id = ${acme.company_id} and operation = 'update_company'`;
    return rows.length > 0;
  });
  assert.deepEqual(
    [...rows],
    [{ key_id, principal_kind: 'api_key', principal_id: key_id, principal_name: 'Primera clave' }],
  );
  const [entry] = await app.sql`
    select actor, actor_key_id, actor_id, actor_name from audit_log
     where company_id = ${acme.company_id} and action = 'company.updated'`;
  assert.deepEqual(entry, {
    actor: 'api_key',
    actor_key_id: key_id,
    actor_id: key_id,
    actor_name: 'Primera clave',
  });
});

test('given a window of requests that an older version began, when its key goes on, then what was used counts', async (t) => {
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: '{"scale":[10,10]}' } });
  const { live_key: key } = await app.given.company();
  const [row] = await app.sql<{ key_id: string }[]>`
    select key_id from credentials where secret_hash = sha256(${Buffer.from(key)})`;
  app.clock.set('2026-05-04T10:00:30.000Z');
  await app.sql`
    insert into rate_windows (key_id, rate_class, window_at, used)
    values (${row!.key_id}, 'read', '2026-05-04T10:00:00Z', 7)`;
  const { headers } = await app.get('/v1/account', { key });
  assert.equal(headers.ratelimit, '"read";r=2;t=30');
});
