import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'postgres';
import { newId } from '../../../kernel/uuid7.ts';
import { readSql } from '../../../platform/db.ts';
import { migrationsFolder } from '../../../platform/migrate.ts';
import { indexTables } from '../../../platform/tenancy.ts';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { holdLock, waitersOf } from '../../../../test/support/held-lock.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';
import { until } from '../../../../test/support/worker-place.ts';
import { simulatorTables } from '../../../integrations/aeat/simulator-store.ts';
import { families } from '../../families.ts';
import { sandboxTablesOf } from '../../sandbox-tables.ts';

const path = '/v1/sandbox/data';
const lists = [
  '/v1/invoices',
  '/v1/clients',
  '/v1/products',
  '/v1/emails',
  '/v1/verifactu/records',
  '/v1/events',
];

/** A new table has to choose. Lines and breakdowns go with their document. */
const keptTables = {
  companies: 'its settings and its clock',
  company_logos: 'settings',
  api_keys: 'keys go on working',
  members: 'of the live company alone',
  invitations: 'of the live company alone',
  oauth_clients: 'of the live company alone',
  oauth_grants: 'of the live company alone',
  taxes: 'settings',
  series: 'settings; their numbers begin again',
  verifactu_settings: 'the mode; with another NumeroInstalacion',
  verifactu_certificates: 'settings',
  verifactu_representations: 'settings',
  webhook_endpoints: 'settings',
  webhook_deliveries: 'pings; they end by age',
  issuing_heads: 'one row, set back',
  jobs: 'those about deleted documents find nothing to do',
  audit_log: 'who did what, this too',
  request_logs: 'they end by age',
  email_days: 'what was sent today counts',
  idempotency_keys: 'all but the answer to this call are deleted',
} as const;

test('every table is emptied, kept or of no company', async (t) => {
  const app = await startApp(t);
  const rows = await app.sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`;
  const told = [
    ...sandboxTablesOf(families, simulatorTables).map(({ name }) => name),
    ...families.flatMap(({ tables }) => [tables.lines, tables.taxes]),
    ...Object.keys(keptTables),
    ...Object.keys(indexTables),
  ];
  assert.deepEqual(told.sort(), rows.map(({ name }) => name).sort());
});

/** A paid invoice with record, e-mail, client and product; a webhook endpoint and settings. */
async function fill(app: App, company: TestCompany, key: string) {
  const of = key === company.test_key ? company.sandbox_company_id : company.company_id;
  const send = async (method: 'POST' | 'PUT', at: string, body: unknown) => {
    const answer = await app.call(method, at, { key, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  await send('PUT', '/v1/account/company', { name: 'Librería Norte SL', phone: '+34 600 000 000' });
  await send('PUT', '/v1/verifactu/settings', { enabled: true });
  const client = await send('POST', '/v1/clients', { name: 'Ana SL', tax_id: 'B00000018' });
  const product = await send('POST', '/v1/products', { name: 'Mesa', unit_price: 10 });
  const invoice = await send('POST', '/v1/invoices', {
    client_id: client.id,
    lines: [{ product_id: product.id, quantity: 1, unit_price: 10, tax_rate: 21 }],
    tags: ['x'],
    payment: { method: 'card' },
    options: { send_automatically: true, send_to: 'ana@example.com' },
  });
  await send('POST', '/v1/invoices', {
    type: 'F2',
    lines: [{ description: 'x', unit_price: 1, tax_rate: 21 }],
  });
  const endpoint = await send('POST', '/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/folio',
    enabled_events: ['*'],
  });
  await app.service.worker.runDue(of);
  return { invoice, endpoint };
}

const countsOf = async (app: App, key: string) => {
  const answers = await Promise.all(lists.map((list) => app.get(list, { key })));
  return answers.map(({ body }) => body.data.length as number);
};

test('given a sandbox with everything, when it is emptied, then nothing is left but settings, and numbers begin anew', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const key = acme.test_key;
  const { invoice, endpoint } = await fill(app, acme, key);
  await fill(app, acme, acme.live_key);
  await fill(app, other, other.test_key);
  const untouched = [acme.live_key, other.test_key];
  const before = await Promise.all(untouched.map((one) => countsOf(app, one)));
  const config = async () => (await app.get('/v1/verifactu/config', { key })).body.data;
  const was = await config();
  const settings = (await app.get('/v1/account/company', { key })).body.data;
  assert.ok((await countsOf(app, key)).every((count) => count > 0));

  const emptied = await app.delete(path, { key });
  assert.equal(emptied.status, 200, emptied.text);
  const { installation_number } = emptied.body.data;
  assert.deepEqual(emptied.body.data, {
    object: 'sandbox_data',
    id: acme.sandbox_company_id,
    deleted: true,
    installation_number,
  });
  assert.deepEqual(
    await countsOf(app, key),
    lists.map(() => 0),
  );
  const now = await config();
  assert.notEqual(now.installation_number, was.installation_number);
  assert.equal(now.installation_number, installation_number);
  assert.equal(now.enabled, true);
  assert.deepEqual((await app.get('/v1/account/company', { key })).body.data, settings);
  assert.equal((await app.get(`/v1/webhook_endpoints/${endpoint.id}`, { key })).status, 200);
  assert.equal((await app.get(new URL(invoice.public_url).pathname)).status, 404);
  await app.service.worker.runDue(acme.sandbox_company_id);

  const again = (await fill(app, acme, key)).invoice;
  assert.equal(again.number, invoice.number, 'the first number of the series');
  const check = await app.post('/v1/verifactu/integrity-checks', { key });
  assert.equal(check.status, 201, check.text);
  assert.deepEqual([check.body.data.is_intact, check.body.data.checked.records], [true, 1], check.text);
  assert.deepEqual(await Promise.all(untouched.map((one) => countsOf(app, one))), before);
  const records = (await app.get('/v1/verifactu/records', { key })).body.data;
  assert.deepEqual(
    records.map((one: { status: string }) => one.status),
    ['accepted'],
    check.text,
  );
  const log = await app.get('/v1/audit-log', { key, query: { action: 'sandbox_data.deleted' } });
  assert.equal(log.body.data.length, 1);
});

test('given more than one step deletes, when it is called again and again, then the last answer says that all is gone', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  const { id } = (await app.post('/v1/products', { key, body: { name: 'Mesa' } })).body.data;
  const columns = (
    await app.sql<{ name: string }[]>`
      select column_name as name from information_schema.columns
       where table_name = 'products' and column_name <> 'id' and is_generated = 'NEVER'`
  ).map(({ name }) => name);
  const names = columns.join(', ');
  await app.sql.unsafe(
    `insert into products (id, ${names}) select gen_random_uuid(), ${names} from products, generate_series(1, 5200)
      where company_id = $1 and id = $2`,
    [acme.sandbox_company_id, id],
  );
  const first = await app.delete(path, { key });
  assert.deepEqual([first.status, first.body.data.deleted], [202, false]);
  const second = await app.delete(path, { key });
  assert.deepEqual([second.status, second.body.data.deleted], [200, true]);
  const third = await app.delete(path, { key });
  assert.deepEqual([third.status, third.body.data.installation_number], [200, null]);
});

/** Each table whose rows say that they are a sandbox's, with a row's values that another row needs. */
const marked: Readonly<Record<string, Record<string, unknown>>> = {
  invoices: { number: 'OLD-1', series_number: null },
  payments: {},
  emails: {},
  verifactu_records: { position: 90 },
  verifactu_events: { position: 90 },
};

/** Inserts a row like the company's first, as a version does that does not know the mark. */
async function insertUnmarked(app: App, company_id: string, table: string): Promise<void> {
  const columns = await app.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
     where table_name = ${table} and column_name <> 'is_sandbox' and is_generated = 'NEVER'`;
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const [row] = await app.sql.unsafe<{ row: string }[]>(
    `select row_to_json(t)::text as row from ${table} t where company_id = $1 limit 1`,
    [company_id],
  );
  assert.ok(row, table);
  const other = JSON.stringify({ ...JSON.parse(row.row), id: newId(), ...marked[table] });
  await app.db.transaction(company_id, (tx) =>
    tx.unsafe(
      `insert into ${table} (${names}) select ${names} from json_populate_record(null::${table}, $1::text::json)`,
      [other],
    ),
  );
}

async function fillAll(app: App, company: TestCompany): Promise<string> {
  const { sandbox_company_id, test_key } = company;
  await fill(app, company, test_key);
  await app.sql`
    insert into verifactu_events (company_id, id, position, type, stamped_at, occurred_at, huella, xml, is_sandbox)
    values (${sandbox_company_id}, ${newId()}, 1, '90', '2026-11-21T10:00:00+01:00', now(), '', '', true)`;
  return sandbox_company_id;
}

test('given rows of a version that does not know the mark, when the sandbox is emptied, then they go too, and those of a live company stay', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const of = await fillAll(app, acme);
  await fill(app, acme, acme.live_key);
  for (const table of Object.keys(marked)) await insertUnmarked(app, of, table);
  await insertUnmarked(app, acme.company_id, 'payments');
  const emptied = await app.delete(path, { key: acme.test_key });
  assert.deepEqual([emptied.status, emptied.body.data?.deleted], [200, true], emptied.text);
  const live = await app.sql`select is_sandbox from payments where company_id = ${acme.company_id}`;
  assert.deepEqual(
    live.map((row) => row.is_sandbox),
    [false, false],
  );
});

test('given rows that were stored without the mark, when the database is brought up to date, then the sandbox can be emptied', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const of = await fillAll(app, acme);
  for (const table of Object.keys(marked))
    await app.sql.unsafe(`update ${table} set is_sandbox = false where company_id = $1`, [of]);
  const mend = readSql(new URL('0026_marks_of_sandboxes.sql', migrationsFolder));
  await app.sql.begin((sql) => sql.unsafe(mend));
  const emptied = await app.delete(path, { key: acme.test_key });
  assert.deepEqual([emptied.status, emptied.body.data?.deleted], [200, true], emptied.text);
});

test('given a key of the first creation, when it comes again after the emptying, then it creates', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.test_key;
  const call = { key, headers: { 'Idempotency-Key': 'alta' }, body: { name: 'Ana' } };
  const made = await app.post('/v1/clients', call);
  const once = { key, headers: { 'Idempotency-Key': 'vaciar' } };
  assert.equal((await app.delete(path, once)).status, 200);
  const again = await app.post('/v1/clients', call);
  assert.notEqual(again.body.data.id, made.body.data.id);
  assert.equal((await app.delete(path, once)).headers['idempotent-replayed'], 'true');
  assert.equal((await app.get(`/v1/clients/${again.body.data.id}`, { key })).status, 200);
});

for (const [what, change] of [
  ['changes', (sql, id) => sql`update contacts set name = 'Eva' where id = ${id}`],
  ['goes', (sql, id) => sql`delete from contacts where id = ${id}`],
] satisfies [string, (sql: Sql, id: string) => Promise<unknown>][])
  test(`given a row that ${what} at that moment, when the sandbox is emptied, then the row is gone, and the answer says so`, async (t) => {
    const app = await startApp(t, { fresh: true });
    const { test_key: key } = await app.given.company();
    const { id } = (await app.post('/v1/clients', { key, body: { name: 'Ana' } })).body.data;
    const held = await holdLock(t, app, (sql) => change(sql, id));
    const call = app.delete(path, { key });
    await until(async () => (await waitersOf(app)) === 1);
    await held.release('commit');
    const emptied = await call;
    assert.deepEqual([emptied.status, emptied.body.data?.deleted], [200, true], emptied.text);
    assert.deepEqual((await app.get('/v1/clients', { key })).body.data, []);
  });

test('given a live key, when it asks to empty, then it is refused and the live company keeps all', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await fill(app, acme, acme.live_key);
  assertRefused(await app.delete(path, { key: acme.live_key }), 403, 'insufficient_scope');
  assert.ok((await countsOf(app, acme.live_key)).every((count) => count > 0));
  // Nor does the database let the service delete what a live company keeps.
  for (const table of ['payments', 'emails', 'verifactu_records', 'invoices']) {
    const { count } = await app.db.transaction(
      acme.company_id,
      (tx) =>
        tx`delete from ${tx(table)} where company_id = ${acme.company_id} and ${table !== 'invoices' || tx`number is not null`}`,
    );
    assert.equal(count, 0, table);
  }
});
