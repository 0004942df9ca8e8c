/**
 * DATABASE_URL with an owner who is no superuser, directly and behind a pooler in transaction mode, which needs the
 * role in each transaction.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { readConfig } from '../../src/main/config.ts';
import {
  findDatabase,
  migrateDatabase,
  prepareDatabase,
  readDatabaseUrl,
  warnOfLogin,
} from '../../src/main/database.ts';
import { explain } from '../../src/main/explain.ts';
import { startService } from '../../src/main/service.ts';
import { createCompany } from '../../src/modules/companies/index.ts';
import { connect } from '../../src/platform/db.ts';
import { findPending } from '../../src/platform/migrate.ts';
import { type LockMode, lockModes, locksOf, raisedLocks } from '../../src/platform/migration-locks.ts';
import { readPending } from '../../src/main/migrate-runs.ts';
import { makeDueHint } from '../../src/platform/due-hint.ts';
import { projectRoot } from '../support/installation.ts';
import { asSuperuser, makeOwnedDatabase } from '../support/owned-database.ts';

type Pending = Awaited<ReturnType<typeof readPending>>[number];

const openOwned = (url: string) =>
  findDatabase(readConfig({ DATABASE_URL: url, FOLIO_SECRET_KEY: 'x'.repeat(32) }), () => undefined);

/** For tests that begin with a migrated database. Only the last one leaves it otherwise. */
let migrating: Promise<string> | undefined;
const migratedUrl = () => {
  migrating ??= (async () => {
    const url = await makeOwnedDatabase(migrated);
    assert.ok((await migrateDatabase(await openOwned(url))).length > 0);
    return url;
  })();
  return migrating;
};
const migrated = 'folio_utf8';

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
  const wrong_url = owner_url.replace('folio_apart', 'folio_nowhere');
  for (const name of ['DATABASE_MIGRATION_URL', 'DATABASE_DIRECT_URL']) {
    const wrong = await open({ DATABASE_URL: service_url, [name]: wrong_url });
    const fault = await migrateDatabase(wrong).catch((error: unknown) => error);
    assert.equal(explain(fault), `The database named in ${name} does not exist: create it first.`);
  }
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

test('given work that was planned while the clock was years ahead, when the service starts, then it says so until it is brought back', async (t) => {
  const handle = await openOwned(await migratedUrl());
  const startLines = async () => {
    const lines: string[] = [];
    await prepareDatabase(handle, (line) => lines.push(line));
    return lines.filter((line) => line.includes('clock'));
  };
  const owner = handle.owner();
  t.after(async () => {
    await owner`delete from due_work`;
    await owner.end();
  });
  const plan = (kind: string, due_at: string) => owner`
    insert into due_work (company_id, id, kind, due_at)
    values (gen_random_uuid(), gen_random_uuid(), ${kind}, now() + ${due_at}::text::interval)`;
  // What may well be far ahead: a recurrence, the next midnight, and the day of a clock that stands still.
  await plan('job:recurring_invoice.run', '8 years');
  await plan('job:company.daily', '25 hours');
  await plan('job:company.daily', 'infinity');
  assert.deepEqual(await startLines(), []);

  await plan('job:company.daily', '8 years');
  const [line, ...more] = await startLines();
  assert.match(
    line ?? '',
    /^Warning: .*company\.daily.*docs\/operations\.md, under "The clock was ahead"\.$/,
  );
  assert.deepEqual(more, []);

  await owner`update due_work set due_at = now() where kind = 'job:company.daily' and due_at < 'infinity'`;
  assert.deepEqual(await startLines(), []);
});

/** An operator makes it; the owner need not be able to become it. */
async function makeServiceLogin(): Promise<void> {
  await asSuperuser(async (admin) => {
    const [known] = await admin`select 1 from pg_roles where rolname = 'folio_service'`;
    const make = `${known ? '' : 'create role folio_service nologin;'} create role folio_app login password 'owner'`;
    await admin.unsafe(`${make}; grant folio_service to folio_app, folio_owner`);
  });
}

test('given an owner who did not make the role of the service, when they migrate alone, as a move does, then the refusal says what to grant, and the page grants it', async () => {
  await asSuperuser(async (admin) => {
    const [known] = await admin`select 1 from pg_roles where rolname = 'folio_service'`;
    const make = `${known ? '' : 'create role folio_service nologin;'} create role folio_mover login createrole password 'owner'`;
    await admin.unsafe(make);
    await admin.unsafe('create database folio_moved_to owner folio_mover');
  });
  const handle = await openOwned(await makeOwnedDatabase('folio_moved_to', 'folio_mover'));
  for (const owner_named of ['DATABASE_URL', '--to']) {
    const fault = await migrateDatabase({ ...handle, owner_named }).catch((error: unknown) => error);
    assert.equal(
      explain(fault),
      `The user in ${owner_named} may not work as folio_service: grant folio_service to it.`,
    );
  }
  const page = readFileSync(join(projectRoot, 'docs/database.md'), 'utf8');
  const [grant = ''] = /^grant folio_service to .*\bfolio_owner\b.*;$/m.exec(page) ?? [];
  assert.notEqual(grant, '', 'the owner is among those of the page');
  await asSuperuser(async (admin) => {
    await admin.unsafe(grant.replaceAll(/folio_(owner|app)/g, 'folio_mover'));
  });
  assert.ok((await migrateDatabase(handle)).length > 0);
});

test('given a database whose encoding ICU does not know, when it is migrated, then its names stand by their bytes', async () => {
  const name = 'folio_ascii';
  await asSuperuser(async (admin) => {
    await admin.unsafe(
      `create database ${name} owner folio_owner template template0 encoding sql_ascii locale_provider libc locale 'C'`,
    );
  });
  const providers: string[] = [];
  const ascii = await makeOwnedDatabase(name);
  assert.ok((await migrateDatabase(await openOwned(ascii))).length > 0);
  for (const url of [ascii, await migratedUrl()]) {
    const owner = (await openOwned(url)).owner();
    const [made] = await owner`select collprovider from pg_collation where collname = 'spanish_names'`;
    await owner.end();
    providers.push(made?.collprovider as string);
  }
  assert.deepEqual(providers, ['c', 'i']);
});

test('given another ICU than the one that ordered the names, when Folio migrates, then it orders them anew, once', async (t) => {
  const handle = await openOwned(await migratedUrl());
  const owner = handle.owner();
  t.after(() => owner.end());
  const readFiles = async () => {
    const found = await owner<{ relname: string; file: string }[]>`
      select relname, relfilenode::text as file from pg_class where relname ~ '_in_order$' order by relname`;
    return [...found];
  };
  const first = await readFiles();
  await asSuperuser(async (admin) => {
    await admin`update pg_collation set collversion = '1.0' where collname = 'spanish_names'`;
  }, migrated);
  const [told, ...others] = await readPending(owner);
  assert.match(told?.name ?? '', /another ICU/);
  assert.deepEqual(
    told!.locks.map(({ table, waits, work }) => [table, waits, work]),
    ['contacts', 'price_lists', 'products'].map((table) => [table, 'reads and writes', 'read']),
  );
  assert.deepEqual(others, []);
  await migrateDatabase(handle);
  const rebuilt = await readFiles();
  assert.deepEqual(await readPending(owner), []);
  await migrateDatabase(handle);
  assert.equal(first.length, 4);
  assert.deepEqual(
    rebuilt.map(({ relname }) => relname),
    first.map(({ relname }) => relname),
  );
  for (const [i, { relname, file }] of rebuilt.entries()) assert.notEqual(file, first[i]?.file, relname);
  assert.deepEqual(await readFiles(), rebuilt);
});

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

const heavy = (lock: string) => lockModes.indexOf(lock as LockMode) > 0;

/** Statements that no migration has had yet. */
const more = [
  `create trigger kept before update on companies for each row execute function suppress_redundant_updates_trigger();`,
  `alter table contacts add constraint named check (name <> ';--') not valid;`,
  `alter table contacts validate constraint named;`,
  `ALTER TABLE ONLY series ALTER COLUMN name TYPE varchar(500); -- not; alter table taxes`,
  `update series set name = 'alter table companies';`,
  `create function unused() returns void language sql as $body$ update taxes set name = name; $body$;`,
  `alter policy tenant on emails using (false);`,
  `create index emails_again on emails (company_id, id); alter table emails add column again text;`,
];

test('given each migration, when it is applied, then it takes the locks that its statements tell, on tables that were there', async (t) => {
  const handle = await openOwned(await makeOwnedDatabase('folio_locks'));
  const owner = handle.owner();
  t.after(() => owner.end());
  await owner.unsafe(
    `do $$ begin create role folio_service; exception when duplicate_object then null; end $$`,
  );
  assert.ok(
    (await readPending(owner)).every(({ locks }) => locks.length === 0),
    'nothing is there yet',
  );
  const read = async <Row>(text: string) => (await owner.unsafe(text)) as unknown as Row[];
  const faults: string[] = [];
  const raised: string[] = [];
  let found = 0;
  const migrations = await findPending(owner);
  for (const { name, text } of [...migrations, ...more.map((text) => ({ name: text, text }))]) {
    const tables = await read<{ relname: string }>(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const there = new Set(tables.map(({ relname }) => relname));
    const indexes = await read<{ indexname: string; tablename: string }>(
      'select indexname, tablename from pg_indexes',
    );
    await owner.unsafe(`begin;\n${text}`);
    const held = await read<{ relname: string; mode: string }>(
      `select relname, mode from pg_locks join pg_class c on c.oid = relation where pid = pg_backend_pid()`,
    );
    await owner.unsafe('commit');
    const seen = new Map<string, LockMode>();
    for (const { relname, mode } of held) {
      const lock = mode
        .replace(/Lock$/, '')
        .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
        .toUpperCase() as LockMode;
      const before = seen.get(relname);
      if (
        heavy(lock) &&
        there.has(relname) &&
        (!before || lockModes.indexOf(lock) > lockModes.indexOf(before))
      )
        seen.set(relname, lock);
    }
    const tableOfIndex = (index: string) => indexes.find((i) => i.indexname === index)?.tablename;
    const told = locksOf(text, tableOfIndex);
    raised.push(...raisedLocks(text, tableOfIndex).map((table) => `${name}: ${table}`));
    const tell = (entries: [string, string][]) =>
      entries
        .map((e) => e.join(' '))
        .sort()
        .join(', ');
    const expected = tell([...seen]);
    const actual = tell(told.filter(({ lock }) => heavy(lock)).map(({ table, lock }) => [table, lock]));
    found += seen.size;
    if (expected !== actual) faults.push(`${name}: took ${expected}; told ${actual}`);
  }
  assert.deepEqual(faults, []);
  // Rule 19 of docs/sql-rules.md is younger than these, which are applied everywhere.
  const older = [
    '0005_invoice_filters.sql: invoices',
    '0011_logos.sql: companies',
    '0020_payments_filters_settings.sql: invoice_lines',
    '0030_bounded_times.sql: request_logs',
    '0043_price_lists.sql: companies',
    '0056_newest_tokens_of_a_client.sql: oauth_refresh_tokens',
  ];
  assert.deepEqual(raised, [...older, `${more.at(-1)}: emails`]);
  assert.ok(found > more.length + 50, `${found} locks were compared`);
});

test('given migrations that are pending, when they are looked at, then locks, sizes and times of the tables that are there are told', async (t) => {
  const owner = (await openOwned(await migratedUrl())).owner();
  t.after(() => owner.end());
  assert.deepEqual(await readPending(owner), []);
  // One look at all: each measures this server.
  const names = ['0044_contact_roles.sql', '0045_purchase_scans.sql', '0059_due_work_of_company.sql'];
  let roles: Pending | undefined;
  let scans: Pending | undefined;
  await t.test(
    'a large table that one reads through: a time is told, and nothing is left of the look',
    async () => {
      const tables = async () => {
        const rows = await owner<{ name: string }[]>`
          select tablename as name from pg_tables where schemaname = 'public' order by 1`;
        return rows.map(({ name }) => name);
      };
      const before = await tables();
      await owner`
        insert into due_work (company_id, id, kind, due_at)
        select gen_random_uuid(), gen_random_uuid(), 'none', now() + interval '9 years' from generate_series(1, 100000)`;
      await owner`analyze due_work`;
      const rows = await owner`delete from schema_migrations where name = any(${names}) returning *`;
      const pending = await readPending(owner);
      assert.deepEqual(
        pending.map(({ name }) => name),
        names,
      );
      const told = pending[2];
      [roles, scans] = pending;
      const [lock] = told?.locks ?? [];
      assert.deepEqual([lock?.table, lock?.work], ['due_work', 'read']);
      assert.ok(lock!.seconds > 0, `${lock!.seconds}`);
      assert.equal(told!.seconds, lock!.seconds);
      assert.deepEqual(await tables(), before);
      await owner`insert into schema_migrations ${owner([...rows])}`;
      assert.deepEqual(await readPending(owner), []);
    },
  );

  assert.deepEqual(
    roles?.locks.map(({ table, lock, waits, work }) => [table, lock, waits, work]),
    [['contacts', 'ACCESS EXCLUSIVE', 'reads and writes', 'rewritten']],
  );
  assert.ok(roles!.locks[0]!.bytes > 0);
  assert.equal(roles!.seconds, roles!.locks[0]!.seconds);
  assert.deepEqual([scans!.seconds, scans!.locks.map(({ seconds }) => seconds)], [0, [0, 0]]);
  assert.deepEqual(
    scans?.locks.map(({ table, lock, work }) => [table, lock, work]),
    [
      ['companies', 'SHARE ROW EXCLUSIVE', 'none'],
      ['purchase_invoices', 'ACCESS EXCLUSIVE', 'none'],
    ],
  );
  await owner`update schema_migrations set hash = 'x' where name = '0001_companies_and_keys.sql'`;
  await assert.rejects(
    readPending(owner),
    /0001_companies_and_keys\.sql was changed after it had been applied/,
  );
});
