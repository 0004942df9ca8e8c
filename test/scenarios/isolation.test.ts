/**
 * Isolation of companies (docs/sql-rules.md): the database's catalogue, the service's role, and another company's id
 * wherever an id may stand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { setCompanyText } from '../../src/platform/db.ts';
import { serviceRole } from '../../src/platform/migrate.ts';
import { indexTables } from '../../src/platform/tenancy.ts';
import { type Answer, type App, onOwnDatabase } from '../harness.ts';
import {
  fillPath,
  givenSeeded,
  idPlaces,
  paramsOf,
  type SeededCompany,
  seedIdAt,
  send,
  validCallOf,
  withValueAt,
} from '../support/catalogue-calls.ts';

const startApp = onOwnDatabase();

/** Index tables are found by more than the company. The companies' own table has no other key. */
const isIndexTable = (name: string) => Object.hasOwn(indexTables, name);

/** The one exception for foreign keys: the company's own row. */
const companyRow = 'FOREIGN KEY (company_id) REFERENCES companies(company_id)';

async function tenantTables(app: App): Promise<string[]> {
  const rows = await app.sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`;
  return rows.map((r) => r.name).filter((name) => !isIndexTable(name));
}

test('given the closed list of index tables, then each exists and none has row-level security', async (t) => {
  const app = await startApp(t);
  for (const name of Object.keys(indexTables)) {
    const [row] = await app.sql<{ relrowsecurity: boolean }[]>`
      select relrowsecurity from pg_class where oid = to_regclass(${name})`;
    assert.equal(row?.relrowsecurity, false, name);
  }
});

test('given any other table, then row-level security is forced with the one policy, in its partitions too', async (t) => {
  const app = await startApp(t);
  const tables = await app.sql<{ name: string; enabled: boolean; forced: boolean; policies: unknown }[]>`
    select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
           (select json_agg(json_build_array(p.polcmd, p.polpermissive, p.polroles::text,
                                             pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)))
              from pg_policy p where p.polrelid = c.oid and p.polpermissive) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p')`;
  // The policy has no sub-select. Restrictive policies only take away (migration 0009), so they are left out.
  const own_rows = "(company_id = (NULLIF(current_setting('app.company'::text, true), ''::text))::uuid)";
  for (const { name, enabled, forced, policies } of tables) {
    if (isIndexTable(name)) continue;
    assert.deepEqual([enabled, forced], [true, true], `${name} has forced row-level security`);
    assert.deepEqual(policies, [['*', true, '{0}', own_rows, own_rows]], `the policy of ${name}`);
  }
});

test('given any tenant table, then company_id is not null and comes first in every key and index (rule 1)', async (t) => {
  const app = await startApp(t);
  for (const name of await tenantTables(app)) {
    const [column] = await app.sql`
      select format_type(atttypid, null) as type, attnotnull from pg_attribute
       where attrelid = to_regclass(${name}) and attname = 'company_id'`;
    assert.deepEqual({ ...column }, { type: 'uuid', attnotnull: true }, `company_id of ${name}`);
    const indexes = await app.sql<{ name: string; first: string; is_primary: boolean }[]>`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid, 1, true) as first,
             i.indisprimary as is_primary
        from pg_index i where i.indrelid = to_regclass(${name})`;
    assert.ok(
      indexes.some((i) => i.is_primary),
      `${name} has a primary key`,
    );
    for (const index of indexes) assert.equal(index.first, 'company_id', `index ${index.name}`);
  }
});

test('given any foreign key, then it carries the company and stays within it (rule 2)', async (t) => {
  const app = await startApp(t);
  const keys = await app.sql<
    { table: string; target: string; definition: string; on_delete: string; on_update: string }[]
  >`
    select conrelid::regclass::text as table, confrelid::regclass::text as target, confdeltype as on_delete,
           confupdtype as on_update, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
  assert.ok(keys.length > 5);
  for (const { table, target, definition, on_delete, on_update } of keys) {
    assert.ok(!isIndexTable(table) && !isIndexTable(target), `${table}: ${definition}`);
    if (definition !== companyRow) {
      assert.match(definition, /^FOREIGN KEY \(company_id, .+\) REFERENCES \w+\(company_id, .+\)/, table);
    }
    // a: no action, r: restrict, c: cascade; never n (set null) or d (set default).
    assert.ok(
      ['a', 'r', 'c'].includes(on_delete) && ['a', 'r'].includes(on_update),
      `${table}: ${definition}`,
    );
  }
});

test('given the schema, then it has no triggers, exclusions, rules, sequences or definer functions (rule 3)', async (t) => {
  const app = await startApp(t);
  const found = await app.sql<{ what: string }[]>`
    select 'trigger ' || tgname as what from pg_trigger where not tgisinternal
    union all select 'exclusion ' || conname from pg_constraint where contype = 'x'
    union all select 'sequence ' || relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
    union all select 'view ' || relname from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
    union all select 'rule ' || rulename from pg_rules where schemaname = 'public'
    union all select 'definer ' || proname from pg_proc
               where prosecdef and pronamespace = 'public'::regnamespace`;
  assert.deepEqual(
    found.map((row) => row.what),
    [],
  );
});

test('given a partition, then the service may not name it directly (rule 5)', async (t) => {
  const app = await startApp(t);
  const partitions = await app.sql<{ name: string; may: boolean }[]>`
    select c.relname as name, has_any_column_privilege(${serviceRole}, c.oid, 'select, insert, update') as may
      from pg_class c where c.relispartition and c.relkind = 'r'`;
  for (const { name, may } of partitions) assert.equal(may, false, name);
});

test('given the role of the service, then it has no privilege beyond the rows of its tables', async (t) => {
  const app = await startApp(t);
  const [role] = await app.sql`
    select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication from pg_roles where rolname = ${serviceRole}`;
  assert.deepEqual(
    { ...role },
    { rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false },
  );
  const [me] = await app.db.index<{ user: string }[]>`select current_user as user`;
  assert.equal(me?.user, serviceRole);
  const owned = await app.sql`
    select relname as name from pg_class where relowner = ${serviceRole}::regrole
    union all select proname from pg_proc where proowner = ${serviceRole}::regrole
    union all select nspname from pg_namespace where nspowner = ${serviceRole}::regrole
    union all select datname from pg_database where datdba = ${serviceRole}::regrole`;
  assert.deepEqual([...owned], []);
  const [other] = await app.sql<{ member: boolean; creates: boolean }[]>`
    select exists (select from pg_auth_members where member = ${serviceRole}::regrole) as member,
           has_schema_privilege(${serviceRole}, 'public', 'create') as creates`;
  assert.deepEqual({ ...other }, { member: false, creates: false });
  const truncates = await app.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and (has_table_privilege(${serviceRole}, oid, 'truncate') or has_table_privilege(${serviceRole}, oid, 'trigger')
            or has_table_privilege(${serviceRole}, oid, 'references'))`;
  assert.deepEqual([...truncates], []);
  await assert.rejects(app.db.index.unsafe('set role postgres'), /permission denied|does not exist/);
  await assert.rejects(
    app.db.index.unsafe('alter table companies disable row level security'),
    /must be owner/,
  );
  await assert.rejects(app.db.index.unsafe("update schema_migrations set hash = 'x'"), /permission denied/);
});

/** Rows touched; 0 also where the service has no right (migration 0009). */
async function countOrRefusal(statement: PromiseLike<{ count: number }>): Promise<number> {
  try {
    return (await statement).count;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return 0;
    throw error;
  }
}

test('given no company or another one, then no tenant table yields, changes or takes a row', async (t) => {
  const app = await startApp(t);
  const { acme, other } = await companies(app);
  await app.service.flush();
  for (const name of await tenantTables(app)) {
    const table = app.db.index(name);
    const [own] = await app.sql<{ count: string }[]>`
      select count(*) from ${app.sql(name)} where company_id = ${acme.company.company_id}`;
    assert.deepEqual([...(await app.db.index`select * from ${table}`)], [], `${name} without a company`);
    const without = await countOrRefusal(app.db.index`delete from ${table}`);
    assert.equal(without, 0, `${name} without a company`);

    const company_id = acme.company.company_id;
    await app.db.index.begin(async (tx) => {
      await tx.unsafe(setCompanyText(other.company.company_id));
      const foreign = await tx`select 1 from ${tx(name)} where company_id = ${company_id}`;
      assert.equal(foreign.length, 0, `${name} of another company`);
      const removed = await countOrRefusal(
        tx.savepoint((inner) => inner`delete from ${inner(name)} where company_id = ${company_id}`),
      );
      assert.equal(removed, 0, name);
      const touched = await countOrRefusal(
        tx.savepoint(
          (inner) =>
            inner`update ${inner(name)} set company_id = company_id where company_id = ${company_id}`,
        ),
      );
      assert.equal(touched, 0, name);
    });
    const insert = () => app.db.index`insert into ${table} (company_id) values (${company_id})`;
    await assert.rejects(insert, { code: '42501' }, `${name} takes a row without a company`);
    const [left] = await app.sql<{ count: string }[]>`
      select count(*) from ${app.sql(name)} where company_id = ${company_id}`;
    assert.deepEqual(left, own, name);
  }
});

test('given a company set by text, then only a uuid ever becomes part of the statement', () => {
  for (const id of ["x'; drop table companies; --", '', 'null', `${newId()}'`]) {
    assert.throws(() => setCompanyText(id), /uuid/);
  }
});

/** An answer without the marks of its request. */
function seen(answer: Answer) {
  const { 'x-request-id': _, date: __, 'keep-alive': ___, ...headers } = answer.headers;
  // A deletion of many names the ids that it was sent.
  const text = answer.text
    .replaceAll(/req_[0-9a-f]{32}/g, 'req_')
    .replaceAll(/"failed":\[\{"id":"[^"]+"/g, '"failed":[{"id":""');
  return { status: answer.status, headers, text };
}

type Place = 'path' | 'query' | 'body';
type IdCase = { operation: (typeof catalog)[number]; where: Place; place: string };

/** Cursors carry ids outside their schema. A wrong one has its own error. */
const cursors = ['starting_after', 'ending_before'];

const idCases: IdCase[] = catalog.flatMap((operation) => [
  ...Object.keys(operation.params?.properties ?? {}).map((place) => ({
    operation,
    where: 'path' as const,
    place,
  })),
  ...Object.keys(operation.query?.properties ?? {})
    .filter((name) => cursors.includes(name))
    .map((place) => ({ operation, where: 'query' as const, place })),
  ...idPlaces(operation.query).map((place) => ({ operation, where: 'query' as const, place })),
  ...idPlaces(operation.body).map((place) => ({ operation, where: 'body' as const, place })),
]);

function callWith(caller: SeededCompany, { operation, where, place }: IdCase, id: string) {
  const call = validCallOf(operation, caller.seed);
  if (where === 'path') return { ...call, params: { ...call.params, [place]: id } };
  if (where === 'query') return { query: { [place]: id } };
  return { ...call, body: withValueAt(call.body, place, id) as Record<string, unknown> };
}

/** A cursor may be any of the other company's items. */
function foreignId(other: SeededCompany, { operation, place }: IdCase): string {
  return cursors.includes(place) ? other.seed.event : seedIdAt(operation, place, other.seed);
}

test('every operation has a valid call, so that none is left out below', async (t) => {
  const app = await startApp(t);
  const { seed } = (await companies(app)).acme;
  for (const operation of catalog) {
    validCallOf(operation, seed);
    assert.doesNotMatch(fillPath(operation, paramsOf(operation, seed)), /:|\/\/|\/$/, operation.name);
  }
});

for (const id_case of idCases) {
  const { operation, where, place } = id_case;
  test(`given another company's id in ${place}, when ${operation.name} is called, then the answer is that of a random id`, async (t) => {
    const app = await startApp(t);
    const { acme, other } = await companies(app);
    const [random_id, foreign_id] = [newId(), foreignId(other, id_case)];
    const random = await send(app, operation, acme, callWith(acme, id_case, random_id));
    const foreign = await send(app, operation, acme, callWith(acme, id_case, foreign_id));
    // A bulk operation names the id that it was sent.
    const without = (answer: typeof random, id: string) => {
      const said = seen(answer);
      return { ...said, text: said.text.replaceAll(id, 'the id') };
    };
    assert.deepEqual(without(foreign, foreign_id), without(random, random_id));
    // The sandbox is a separate company: neither key sees the other's ids.
    const sandboxed = { ...acme, key: acme.company.test_key };
    const own_keys = operation.acts_on === 'key_owner';
    const live_id = foreignId(acme, id_case);
    const from_test = await send(app, operation, sandboxed, callWith(acme, id_case, live_id));
    const from_test_random = await send(app, operation, sandboxed, callWith(acme, id_case, random_id));
    if (!own_keys || where === 'path')
      assert.deepEqual(without(from_test, live_id), without(from_test_random, random_id));

    if (where === 'path') {
      assert.equal(foreign.status, 404, foreign.text);
    } else if (operation.name === 'bulk_delete_delivery_notes') {
      assert.equal(foreign.body.data.deleted_count, 0, foreign.text);
    } else if (where === 'body' && operation.name.startsWith('bulk_')) {
      // A bulk operation answers for each element.
      const [failure] = foreign.body.data.failures;
      assert.equal(foreign.body.data.successful, 0, foreign.text);
      if (place === 'ids.0') assert.equal(failure.id, foreign_id, foreign.text);
      else {
        const [list] = place.split('.');
        assert.equal(`${list}.${failure.index}.${failure.param}`, place, foreign.text);
      }
    } else if (where === 'body') {
      assert.equal(foreign.status, 422, foreign.text);
      assert.equal(foreign.body.error.param, place, foreign.text);
    } else if (!cursors.includes(place)) {
      assert.deepEqual(foreign.body.data, [], foreign.text);
    }
  });
}

for (const operation of catalog) {
  const fields = (operation.body as { properties?: object } | null)?.properties ?? {};
  if (!Object.hasOwn(fields, 'external_id') || operation.transaction !== 'read') continue;
  test(`given another company's external_id, when ${operation.name} is called, then it is as unknown as any`, async (t) => {
    const app = await startApp(t);
    const { other } = await companies(app);
    const empty = await app.given.company();
    const asked = async (external_id: string) =>
      seen(await app.call(operation.method, operation.path, { key: empty.live_key, body: { external_id } }));
    assert.deepEqual(await asked('EXT-1'), await asked('nobody-has-this'));
    assert.equal((await send(app, operation, other)).status, 200);
  });
}

test("given another company's id as the active profile, then it is as unknown as a random one", async (t) => {
  const app = await startApp(t);
  const { acme, other } = await companies(app);
  const child = await app.given.company({ parent_id: other.company.company_id });
  const asked = async (id: string) =>
    seen(await app.get('/v1/clients', { key: acme.key, headers: { 'x-active-profile': id } }));
  const random = await asked(newId());
  for (const id of [other.company.company_id, other.company.sandbox_company_id, child.company_id]) {
    assert.deepEqual(await asked(id), random);
  }
});

let made: Promise<{ acme: SeededCompany; other: SeededCompany }> | undefined;

/** All cases share these companies, because nothing changes. */
function companies(app: App): Promise<{ acme: SeededCompany; other: SeededCompany }> {
  made ??= (async () => ({ acme: await givenSeeded(app), other: await givenSeeded(app) }))();
  return made;
}
