/** Filters of products and of the request log, on lists too long to read (ADR 16). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';

const count = 12_000;
const ids = `(lpad(to_hex(1767225600000 + i * 1000::bigint), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid`;
const at = `timestamptz '2026-01-01Z' + i * interval '1 second'`;

test('given twelve thousand products, when they are filtered, then the page is right and an index finds it', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  await app.sql.begin(async (sql) => {
    await sql.unsafe(`set local app.company = '${company_id}'`);
    await sql.unsafe(`
      insert into products (company_id, id, name, code, description, external_id, created_at, updated_at)
      select h.company_id, ${ids}, case when i % 4000 = 7 then 'Mesa de Ébano ' || i else 'Silla ' || i end, 'C' || i,
             case when i = 11 then '100 % lana' end, 'E' || i, ${at}, ${at}
        from companies h, generate_series(1, ${count}) i where h.company_id = '${company_id}'`);
  });
  // Takes the rows out of the index's pending list, too.
  await app.sql.unsafe('vacuum analyze products');
  for (const [query, wanted] of [
    [{ q: 'mesa de é' }, ['Mesa de Ébano 8007', 'Mesa de Ébano 4007', 'Mesa de Ébano 7']],
    [{ q: 'ébano', sort: 'name' }, ['Mesa de Ébano 4007', 'Mesa de Ébano 7', 'Mesa de Ébano 8007']],
    [{ q: 'ébano', limit: '2' }, ['Mesa de Ébano 8007', 'Mesa de Ébano 4007']],
    [{ q: '100 %' }, ['Silla 11']],
    [{ q: 'c11999' }, ['Silla 11999']],
    [{ q: '11999c' }, []],
    [{ code: 'C12' }, ['Silla 12']],
    [{ external_id: 'E4007' }, ['Mesa de Ébano 4007']],
    [{ external_id: 'E4007', code: 'C1' }, []],
    [{ code: 'C12', is_active: 'false' }, []],
  ] as const) {
    const { body } = await app.get('/v1/products', { key, query: query as Record<string, string> });
    assert.deepEqual(
      body.data.map((product: { name: string }) => product.name),
      wanted,
      JSON.stringify(query),
    );
    assert.equal(body.has_more, 'limit' in query);
  }
  const plan = await app.db.read(company_id, async (tx) => {
    // The table is still small. What row-level security keeps from an index is scanned all the same.
    await tx`set local enable_seqscan = off`;
    await tx`set local enable_indexscan = off`;
    return tx`
      explain select t.id from products t
       where t.company_id = ${company_id} and t.search like ${'%ébano%'}`;
  });
  assert.match(JSON.stringify(plan), /products_by_text/);
});

test('given twelve thousand logged calls, when they are filtered, then the page is right and an index finds it', async (t) => {
  const app = await startApp(t);
  const { company_id, live_key: key } = await app.given.company();
  await app.sql.begin(async (sql) => {
    await sql.unsafe(`set local app.company = '${company_id}'`);
    await sql.unsafe(`
      insert into request_logs (company_id, id, request_id, method, path, status, error_code, duration_ms, api_version, created_at)
      select h.company_id, ${ids}, 'req_' || i, 'GET', '/v1/clients', case when i % 4000 = 7 then 422 else 200 end,
             case when i % 4000 = 7 then 'parameter_invalid' end, 1, '2026-10-01', ${at}
        from companies h, generate_series(1, ${count}) i where h.company_id = '${company_id}'`);
  });
  await app.sql.unsafe('analyze request_logs');
  for (const [query, wanted] of [
    [{ error_code: 'parameter_invalid' }, ['req_8007', 'req_4007', 'req_7']],
    [{ status: '422' }, ['req_8007', 'req_4007', 'req_7']],
    [{ status: '422', error_code: 'internal_error' }, []],
    [{ status: '200', limit: '2' }, ['req_12000', 'req_11999']],
    [{ request_id: 'req_12' }, ['req_12']],
    [{ request_id: 'req_12', method: 'POST' }, []],
  ] as const) {
    const { body } = await app.get('/v1/request-logs', { key, query: query as Record<string, string> });
    const found = body.data.map((entry: { request_id: string }) => entry.request_id);
    assert.deepEqual(found, wanted, JSON.stringify(query));
  }
  for (const [condition, index] of [
    [`t.error_code = 'parameter_invalid'`, 'request_logs_by_error'],
    [`t.status = 422 and t.status <> 200`, 'request_logs_by_status'],
    [`t.method = 'DELETE' and t.method <> 'GET'`, 'request_logs_by_method'],
    [`t.request_id = 'req_12'`, 'request_logs_by_request'],
  ] as const) {
    const plan = await app.db.read(company_id, (tx) =>
      tx.unsafe(
        `explain select t.id from request_logs t where t.company_id = '${company_id}' and ${condition}`,
      ),
    );
    assert.match(JSON.stringify(plan), new RegExp(index));
  }
});
