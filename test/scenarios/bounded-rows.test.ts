/**
 * A page of a long list reads few rows, whatever it is asked for (ADR 16). The database's own counters tell how many were
 * read: a plan that only looks bounded would not pass.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '../../src/kernel/operation.ts';
import { readPage } from '../../src/kernel/page.ts';
import { listAudit, listRequests } from '../../src/modules/audit/audit.store.ts';
import { listContacts } from '../../src/modules/contacts/contacts.store.ts';
import type { ContactRole } from '../../src/modules/contacts/rules/role-states.ts';
import { listEvents } from '../../src/modules/events/events.store.ts';
import { invoices } from '../../src/modules/invoices/invoices.family.ts';
import { listDeliveries } from '../../src/modules/webhooks/deliveries.list.ts';
import { listProducts } from '../../src/modules/products/products.store.ts';
import { listDocumentRows } from '../../src/modules/sales/documents.list.ts';
import { type App, onOwnDatabase } from '../harness.ts';

const startApp = onOwnDatabase();

const count = 12_000;
/** The counted matches, up to 2,001, and what the page itself reads. */
const rowsMax = 2500;
/** A text is first looked for along the order: 3,000 rows, each read twice. */
const textRowsMax = 6200;
const ids = `(lpad(to_hex(1767225600000 + i * 1000::bigint), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid`;
const at = `timestamptz '2026-01-01Z' + i * interval '1 second'`;
const of = (company_id: string) =>
  `from companies h, generate_series(1, ${count}) i where h.company_id = '${company_id}'`;

const endpoint = '01890000-0000-7000-8000-00000000000e';
/** Two keys: one called seldom. */
const rare = '01890000-0000-7000-8000-000000000001';
const usual = '01890000-0000-7000-8000-000000000002';

const loads: Record<string, (company_id: string) => string> = {
  contacts: (company_id) => `
    insert into contacts (company_id, id, role, name, email, tax_id, external_id, is_active, also_supplier, vat_id, alternative_id, created_at, updated_at)
    select h.company_id, ${ids}, 'client', case when i % 4000 = 7 then 'Ébano ' || i else 'Norte ' || i end,
           case when i % 2 = 0 then 'todos@example.com' else 'C' || i || '@example.com' end, 'T' || i % 3000, 'E' || i,
           true, case when i % 4000 = 7 then 'active' when i % 2 = 0 then 'archived' end,
           case when i % 2 = 0 then 'FR' || 10000000000 + i end,
           case when i % 4000 = 9 then jsonb_build_object('value', 'MA-' || 100000 + i) end, ${at}, ${at} ${of(company_id)}`,
  products: (company_id) => `
    insert into products (company_id, id, name, code, description, external_id, is_active, created_at, updated_at)
    select h.company_id, ${ids}, case when i % 4000 = 7 then 'Ébano ' || i else 'Silla ' || i end, 'C' || i,
           'De Construcciones Vidal', 'E' || i, i % 4000 <> 9,
           ${at}, ${at} ${of(company_id)}`,
  audit_log: (company_id) => `
    insert into audit_log (company_id, id, actor, action, object, object_id, created_at)
    select h.company_id, ${ids}, 'operator', 'logo.changed', 'company', ${ids}, ${at} ${of(company_id)}`,
  invoices: (company_id) => `
    insert into invoices (company_id, id, type, status, number, issued_on, currency, exchange_rate, prices_include_tax, subtotal,
                          discount_total, taxes_total, surcharge_total, retention_total, total, amount_due, created_at, updated_at)
    select h.company_id, ${ids}, 'F2', 'issued', 'A' || i, '2026-01-01', 'EUR', 1, false, 0, 0, 0, 0, 0, i % 90, i % 90,
           ${at}, ${at} ${of(company_id)}`,
  request_logs: (company_id) => `
    insert into request_logs (company_id, id, request_id, operation, principal_kind, principal_id, method, path, status,
                              error_code, duration_ms, api_version, created_at)
    select h.company_id, ${ids}, 'req_' || i, case when i % 4000 = 7 then 'delete_client' else 'list_clients' end,
           'api_key', case when i % 4000 = 7 then '${rare}' else '${usual}' end::uuid, case when i % 4000 = 7 then 'DELETE' else 'GET' end, '/v1/clients',
           case when i % 4000 = 7 then 422 when i % 3 = 0 then 404 else 200 end,
           case when i % 4000 = 7 then 'parameter_invalid' when i % 3 = 0 then 'resource_not_found' end, 1,
           '2026-10-01', ${at} ${of(company_id)}`,
  events: (company_id) => `
    insert into events (company_id, id, type, aggregate_id, sequence, api_version, livemode, data, created_at)
    select h.company_id, ${ids}, case when i % 4000 = 7 then 'client.archived' else 'client.created' end, ${ids}, 1,
           '2026-10-01', true, '{}', ${at} ${of(company_id)}`,
  webhook_deliveries: (company_id) => `
    with e as (
      insert into webhook_endpoints (company_id, id, url, enabled_events, status, sealed_secret, created_at, updated_at)
      select h.company_id, '${endpoint}', 'https://hooks.example.com', '{*}', 'disabled', '', ${at}, ${at} ${of(company_id)} and i = 1
      returning company_id)
    insert into webhook_deliveries (company_id, id, endpoint_id, event_id, event_type, status, attempt, next_attempt_at,
                                    last_attempt_at, request_body, created_at)
    select e.company_id, ${ids}, '${endpoint}', ${ids}, case when i % 4000 = 7 then 'client.archived' else 'client.created' end,
           case when i = 3 then 'queued' when i % 4000 = 7 then 'failed_permanently' else 'delivered' end,
           case when i = 3 then 0 else 1 end, case when i = 3 then timestamptz '2026-01-03Z' end,
           case when i = 5 then timestamptz '2026-01-03Z' else ${at} end, '{}', ${at}
      from e, generate_series(1, ${count}) i`,
};

/** Of rows made from 2026-01-01T00:00:01Z on, a second each: a day has all, its first hour 3,599. */
const times: Case[] = ['created', 'updated'].flatMap((field): Case[] => [
  [{ [`${field}[lt]`]: '2026-01-01T00:00:05Z' }, 4],
  [{ [`${field}[lt]`]: '2026-01-01T01:00:00Z' }, 26],
  [{ [`${field}[gt]`]: '2026-01-01T03:19:58Z' }, 2],
  [{ [`${field}[gte]`]: '2026-01-01T01:00:00Z', [`${field}[lt]`]: '2026-01-01T01:00:03Z' }, 3],
  [{ [`${field}[gt]`]: '2026-01-02T00:00:00Z' }, 0],
  [{ [`${field}[gte]`]: '2026-01-01T02:00:00Z', sort: 'created' }, 26],
]);

type Query = Record<string, unknown>;
type Case = [query: Query, found: number];
type List = (
  tx: Tx,
  company_id: string,
  query: Query,
  page: ReturnType<typeof readPage>,
) => Promise<object[]>;

const lists: [table: string, list: List, cases: Case[]][] = [
  [
    'contacts',
    (tx, company_id, { role = 'client', ...query }, page) =>
      listContacts(tx, company_id, role as ContactRole, query, page),
    [
      [{}, 26],
      [{ q: 'ébano' }, 3],
      [{ q: 'ebano' }, 3],
      [{ q: 'ébano', sort: 'name' }, 3],
      [{ q: 'norte' }, 26],
      [{ q: 'c11999@' }, 1],
      [{ q: 'FR 100 00004006' }, 1],
      [{ q: 'fr-1000000' }, 26],
      [{ q: 'ma 104 009', sort: 'name' }, 1],
      [{ q: 't-29.99' }, 4],
      [{ emails: ['c11999@example.com'] }, 1],
      [{ emails: ['C11999@EXAMPLE.com'], sort: 'name' }, 1],
      [{ emails: ['todos@example.com'] }, 26],
      [{ emails: ['todos@example.com'], sort: '-name' }, 26],
      [{ emails: ['nobody@example.com'] }, 0],
      [{ emails: ['c11999@example.com'], q: 'norte' }, 1],
      [{ tax_ids: ['T7'] }, 4],
      [{ external_id: 'E4007' }, 1],
      [{ 'external_id[in]': 'E4007,E1' }, 2],
      [{ 'updated[lt]': '2026-01-01T00:00:05Z' }, 4],
      [{ 'updated[gte]': '2026-01-01T03:19:00Z' }, 26],
      [{ 'created[lt]': '2026-01-01T00:00:05Z' }, 4],
      [{ 'created[lt]': '2026-01-01T01:00:00Z' }, 26],
      [{ 'updated[lt]': '2026-01-01T01:00:00Z' }, 26],
      [{ 'created[gte]': '2026-01-01T03:19:00Z', sort: 'name' }, 26],
      [{ is_active: true }, 26],
      [{ is_active: false }, 0],
      [{ role: 'supplier' }, 26],
      [{ role: 'supplier', is_active: true }, 3],
      [{ role: 'supplier', is_active: true, sort: 'name' }, 3],
      [{ role: 'supplier', is_active: false, sort: '-name' }, 26],
      [{ role: 'supplier', q: 'ébano' }, 3],
      [{ role: 'supplier', q: 'c11999@' }, 0],
    ],
  ],
  [
    'products',
    listProducts,
    [
      [{}, 26],
      [{ q: 'ébano' }, 3],
      [{ q: 'EBANO' }, 3],
      [{ q: 'ébano', sort: 'name' }, 3],
      [{ q: 'silla', sort: '-name' }, 26],
      [{ q: 'c11999' }, 1],
      [{ is_active: false }, 3],
      [{ is_active: false, sort: 'name' }, 3],
      [{ is_active: false, 'created[lt]': '2026-01-01T01:00:00Z' }, 1],
      [{ is_active: true, sort: '-name' }, 26],
      [{ q: 'c11999', 'updated[gte]': '2026-01-01T01:00:00Z' }, 1],
      [{ q: 'construcciones garcía' }, 0],
      [{ q: 'Construcciones Garcia', sort: '-name' }, 0],
      [{ code: 'C12' }, 1],
      [{ external_id: 'E4007' }, 1],
      [{ external_id: 'E4007', code: 'C1' }, 0],
      [{ 'updated[lt]': '2026-01-01T00:00:05Z' }, 4],
      [{ 'created[lt]': '2026-01-01T00:00:05Z' }, 4],
      [{ 'created[lt]': '2026-01-01T01:00:00Z' }, 26],
      [{ 'updated[lt]': '2026-01-01T01:00:00Z' }, 26],
    ],
  ],
  [
    'audit_log',
    (tx, company_id, query, page) => listAudit(tx, company_id, page, { ...query, action: 'logo.changed' }),
    [[{}, 26], ...times],
  ],
  [
    'invoices',
    (tx, company_id, query, page) => listDocumentRows(tx, invoices, company_id, page, query),
    [
      [{ 'updated[lt]': '2026-01-01T01:00:00Z' }, 26],
      [{ 'updated[lte]': '2026-01-01T00:00:05Z' }, 5],
    ],
  ],
  [
    'request_logs',
    (tx, company_id, query, page) => listRequests(tx, company_id, page, query),
    [
      [{}, 26],
      [{ error_code: 'parameter_invalid' }, 3],
      [{ error_code: 'resource_not_found' }, 26],
      [{ status: 422 }, 3],
      [{ status: 404 }, 26],
      [{ status: 422, error_code: 'resource_not_found' }, 0],
      [{ request_id: 'req_12' }, 1],
      [{ status: 200, method: 'GET' }, 26],
      [{ method: 'DELETE' }, 3],
      [{ 'method[in]': 'DELETE,PUT' }, 3],
      [{ method: 'GET', status: 422 }, 0],
      [{ status: 304 }, 0],
      [{ operation: 'delete_client' }, 3],
      [{ operation: 'list_clients' }, 26],
      [{ 'operation[in]': 'delete_client,create_client' }, 3],
      [{ operation: 'list_clients', status: 422 }, 0],
      [{ actor_id: rare }, 3],
      [{ actor_id: usual }, 26],
      [{ actor_id: rare, operation: 'list_clients' }, 0],
      [{ 'actor_id[in]': `${rare},${usual}` }, 26],
      [{ actor_id: '01890000-0000-7000-8000-000000000003' }, 0],
      ...times,
      [{ operation: 'list_clients', 'created[lt]': '2026-01-01T01:00:00Z' }, 26],
    ],
  ],
  [
    'webhook_deliveries',
    (tx, company_id, query, page) => listDeliveries(tx, company_id, endpoint, page, query),
    [
      [{}, 26],
      [{ status: 'failed_permanently' }, 3],
      [{ status: 'delivered' }, 26],
      [{ event_type: 'client.archived' }, 3],
      [{ event_type: 'client.created' }, 26],
      [{ event_type: 'client.deleted' }, 0],
      [{ 'event_type[in]': 'client.archived,client.deleted' }, 3],
      [{ event_type: 'client.archived', status: 'delivered' }, 0],
      [{ event_type: 'client.created', status: 'queued' }, 1],
      [{ 'updated[gt]': '2026-01-02T00:00:00Z' }, 2],
      [{ 'updated[gt]': '2026-01-04T00:00:00Z' }, 0],
      ...times.filter(([query]) => Object.keys(query)[0]!.startsWith('created')),
      [{ 'updated[lt]': '2026-01-01T01:00:00Z' }, 26],
      [{ 'updated[lt]': '2026-01-01T00:00:05Z' }, 3],
      [{ 'updated[lte]': '2025-12-31T00:00:00Z' }, 0],
      [{ 'updated[gte]': '2026-01-01T02:00:00Z', 'updated[lt]': '2026-01-01T02:00:03Z' }, 3],
    ],
  ],
  [
    'events',
    (tx, company_id, query, page) => listEvents(tx, company_id, 'live', page, query),
    [
      [{}, 26],
      [{ types: ['client.archived'] }, 3],
      ...times,
      [{ types: ['client.created'], 'created[lt]': '2026-01-01T01:00:00Z' }, 26],
    ],
  ],
];

async function readRows(tx: Tx, table: string): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
     where relname like ${`${table}%`}`;
  return row!.rows;
}

async function load(app: App, table: string, company_id: string): Promise<void> {
  await app.sql.unsafe(loads[table]!(company_id));
  // Takes the rows out of the indexes' pending lists, too.
  await app.sql.unsafe(`vacuum analyze ${table}`);
}

for (const [table, list, cases] of lists) {
  test(`given ${count} rows of ${table}, when they are filtered, then few of them are read`, async (t) => {
    const app = await startApp(t);
    const { company_id } = await app.given.company();
    await load(app, table, company_id);
    const found: { rows: number; read: number }[] = [];
    for (const [{ sort = '-created', ...query }] of cases) {
      const page = readPage({ limit: 25, sort: String(sort) }, ['created', 'name']);
      found.push(
        await app.db.read(company_id, async (tx) => {
          const before = await readRows(tx, table);
          const rows = await list(tx, company_id, query, page);
          return { rows: rows.length, read: (await readRows(tx, table)) - before };
        }),
      );
    }
    for (const [i, [query, rows]] of cases.entries()) {
      const { rows: got, read } = found[i]!;
      const said = `${JSON.stringify(query)} found ${got} and read ${read} rows`;
      assert.equal(got, rows, said);
      assert.ok(read > 0 || rows === 0, said);
      const { q, ...filters } = query;
      const text_max = q === undefined ? 0 : textRowsMax;
      const filters_max = q === undefined || Object.keys(filters).length > 0 ? rowsMax : 0;
      assert.ok(read <= text_max + filters_max, said);
    }
  });
}

test('given two filters that many rows match and none both, when they are asked for together, then those rows are not read', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  await app.sql.unsafe(`
    insert into request_logs (company_id, id, request_id, operation, method, path, status, error_code, duration_ms, api_version, created_at)
    select h.company_id, ${ids}, 'req_' || i, case when i % 2 = 0 then 'list_clients' else 'create_client' end,
           case when i % 2 = 0 then 'GET' else 'POST' end, '/v1/clients', case when i % 2 = 0 then 200 else 422 end,
           case when i % 2 = 1 then 'parameter_invalid' end, 1, '2026-10-01', ${at}
      from companies h, generate_series(1, 42000) i where h.company_id = '${company_id}'`);
  // A transaction that is open keeps a vacuum from marking what it may not see yet.
  for (let is_seen = false; !is_seen; ) {
    await app.sql.unsafe('vacuum analyze request_logs');
    const [table] = await app.sql<{ is_seen: boolean }[]>`
      select relallvisible = relpages as is_seen from pg_class where relname = 'request_logs'`;
    is_seen = table!.is_seen;
  }
  for (const [query, found] of [
    [{ operation: 'list_clients', method: 'POST' }, 0],
    [{ operation: 'list_clients', status: 422, error_code: 'parameter_invalid' }, 0],
    [{ operation: 'create_client', status: 422, error_code: 'parameter_invalid' }, 26],
  ] as const) {
    const got = await app.db.read(company_id, async (tx) => {
      const before = await readRows(tx, 'request_logs');
      const rows = await listRequests(tx, company_id, readPage({}), query);
      const [setting] = await tx<{ enable_nestloop: string }[]>`show enable_nestloop`;
      return { rows: rows.length, read: (await readRows(tx, 'request_logs')) - before, ...setting! };
    });
    const said = `${JSON.stringify(query)} read ${got.read} rows`;
    assert.deepEqual([got.rows, got.enable_nestloop], [found, 'on'], said);
    // Four counts and one walk.
    assert.ok(got.read <= 3000 + 4 * 2001, said);
  }
});
