/**
 * DATABASE_URL with an owner who is no superuser, directly and behind a pooler in transaction mode, which needs the
 * role in each transaction.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { readConfig } from '../../src/main/config.ts';
import { findDatabase, migrateDatabase, readDatabaseUrl, warnOfLogin } from '../../src/main/database.ts';
import { startService } from '../../src/main/service.ts';
import { createCompany } from '../../src/modules/companies/index.ts';
import { connect } from '../../src/platform/db.ts';
import { makeDueHint } from '../../src/platform/due-hint.ts';
import { asSuperuser, makeOwnedDatabase } from '../support/owned-database.ts';

for (const mode of ['direct', 'pooled'] as const) {
  test(`given a database of an ordinary owner, ${mode}, when Folio runs on it, then it migrates, works as its role and isolates`, async (t) => {
    const url = await makeOwnedDatabase(`folio_${mode}`);
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: url,
      ...(mode === 'pooled' ? { DATABASE_DIRECT_URL: url } : {}),
      FOLIO_SECRET_KEY: 'a secret key of 32 characters or more',
      FOLIO_LOG_LEVEL: 'silent',
    });
    const handle = await findDatabase(config, () => undefined);
    assert.ok((await migrateDatabase(handle)).length > 0);
    assert.deepEqual(await migrateDatabase(handle), []);
    const database = handle.open('folio test');
    const listener = handle.listener();
    t.after(async () => {
      await Promise.all([database.close(), listener?.end()]);
      await handle.stop();
    });

    const company = {
      name: 'Acme SL',
      tax_id: 'B12345674',
      plan: 'scale',
      parent_id: null,
      api_version: null,
    } as const;
    const acme = await createCompany(database, company, new Date());
    const seen = await database.read(
      acme.company_id,
      async (tx) => tx<{ role: string; limit: string; companies: number }[]>`
      select current_user as role, current_setting('statement_timeout') as limit, (select count(*)::integer from companies) as companies`,
    );
    assert.deepEqual([...seen], [{ role: 'folio_service', limit: '20s', companies: 1 }]);

    const service = await startService({ config, database, listener, role: 'all' });
    t.after(() => service.stop());
    const headers = { authorization: `Bearer ${acme.live_key}`, 'content-type': 'application/json' };
    const made = await request(`${service.url}/v1/clients`, {
      method: 'POST',
      headers,
      body: '{"name":"Librería Norte SL"}',
    });
    assert.equal(made.statusCode, 201, await made.body.text());
  });
}

test('given a role of its own for the service, when Folio runs, then it owns nothing, nobody is warned, and migrations run as the owner', async (t) => {
  const login = { FOLIO_SECRET_KEY: 'a secret key of 32 characters or more' };
  const owner_url = await makeOwnedDatabase('folio_apart');
  await makeServiceLogin();
  const service_url = await makeOwnedDatabase('folio_apart', 'folio_app');
  const open = (settings: Record<string, string>) =>
    findDatabase(readConfig({ ...login, ...settings }), () => undefined);

  const alone = await open({ DATABASE_URL: service_url });
  await assert.rejects(migrateDatabase(alone), /DATABASE_MIGRATION_URL/);
  const apart = await open({ DATABASE_URL: service_url, DATABASE_MIGRATION_URL: owner_url });
  assert.ok((await migrateDatabase(apart)).length > 0);
  assert.deepEqual(await migrateDatabase(alone), [], 'up to date, so nobody need migrate');
  const both = await open({ DATABASE_URL: owner_url });
  assert.equal(await warnOfLogin(apart), null);
  assert.match((await warnOfLogin(both)) ?? '', /folio_owner, who owns the tables: .*DATABASE_MIGRATION_URL/);
  const database = apart.open('folio test');
  t.after(() => database.close());
  const [me] = await database.index<{ login: string; role: string; owned: number }[]>`
    select session_user as login, current_user as role,
           (select count(*)::integer from pg_class where relowner = session_user::text::regrole) as owned`;
  assert.deepEqual({ ...me }, { login: 'folio_app', role: 'folio_service', owned: 0 });
  for (const statement of ['drop table companies', 'alter table companies disable row level security'])
    await assert.rejects(database.index.unsafe(`set role none; ${statement}`), /must be owner/);
  await database.index.unsafe('reset role');
});

/** An operator makes it; the owner need not be able to become it. */
async function makeServiceLogin(): Promise<void> {
  await asSuperuser(async (admin) => {
    const [known] = await admin`select 1 from pg_roles where rolname = 'folio_service'`;
    const make = `${known ? '' : 'create role folio_service nologin;'} create role folio_app login password 'owner'`;
    await admin.unsafe(`${make}; grant folio_service to folio_app, folio_owner`);
  });
}

test('given two processes on one database, when one commits work, then the other is told', async () => {
  const url = await makeOwnedDatabase('folio_hint');
  const [one, two] = [1, 2].map(() => connect({ target: readDatabaseUrl(url), pool_size: 1, role: null }));
  assert.ok(one && two);
  try {
    const { promise, resolve } = Promise.withResolvers<void>();
    makeDueHint(one).listen(resolve);
    const sender = makeDueHint(two);
    // Nothing says when the other process listens, so the hint is repeated until it arrives.
    const telling = setInterval(() => sender.notify(), 50);
    await promise.finally(() => clearInterval(telling));
  } finally {
    await Promise.all([one.end({ timeout: 1 }), two.end({ timeout: 1 })]);
  }
});

const addresses = [
  [
    'postgres://u:p@db.example:6432/folio?sslmode=require',
    'postgres://u:p@db.example:6432/folio?sslmode=require',
  ],
  [
    'postgres://u:p@db.example/folio?sslmode=require&channel_binding=require',
    'postgres://u:p@db.example/folio?sslmode=require',
  ],
  [
    'postgres://u:p%40q@%2Frun%2Fpg/folio',
    { host: '/run/pg', port: 5432, database: 'folio', user: 'u', password: 'p@q' },
  ],
  [
    'postgres://u@localhost/folio?host=/run/pg&port=5433',
    { host: '/run/pg', port: 5433, database: 'folio', user: 'u' },
  ],
] as const;
for (const [address, expected] of addresses) {
  test(`the address ${address} is read as libpq reads it`, () =>
    assert.deepEqual(readDatabaseUrl(address), expected));
}
