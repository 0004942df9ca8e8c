import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutableColumns } from '../../src/modules/invoices/invoices.rows.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { startApp } from '../harness.ts';

const line = { description: 'Consultoría', quantity: 1, unit_price: 100, tax_rate: 21 };

test('given the rights of the service, then they are those of the list and no more', async (t) => {
  const app = await startApp(t);
  const granted = await app.sql<{ column_name: string }[]>`
    select column_name from information_schema.column_privileges
     where grantee = 'folio_service' and table_name = 'invoices' and privilege_type = 'UPDATE' order by 1`;
  assert.deepEqual(granted.map((row) => row.column_name).sort(), [...mutableColumns].sort());
  const tables = await app.sql<{ table_name: string; rights: string }[]>`
    select table_name, string_agg(privilege_type, ',' order by privilege_type) as rights
      from information_schema.table_privileges
     where grantee = 'folio_service'
       and table_name in ('invoice_lines', 'invoice_tax_rows', 'payments', 'verifactu_records', 'verifactu_events',
                          'audit_log')
     group by table_name order by table_name`;
  // A policy leaves deletion to rows of a sandbox.
  const deletable = ['payments', 'verifactu_records', 'verifactu_events'];
  for (const { table_name, rights } of tables)
    assert.equal(
      rights,
      deletable.includes(table_name) ? 'DELETE,INSERT,SELECT' : 'INSERT,SELECT',
      table_name,
    );
  assert.equal(tables.length, 6);
  const policies = await app.sql<{ name: string; using: string }[]>`
    select tablename as name, qual as using from pg_policies where permissive = 'RESTRICTIVE' and cmd = 'DELETE' order by 1`;
  const open_offer = "((status = ANY (ARRAY['draft'::text, 'pending'::text])) OR is_sandbox)";
  assert.deepEqual(
    policies.map(({ name, using }) => [name, using]),
    [
      ['acceptances', 'is_sandbox'],
      [
        'delivery_notes',
        "(is_sandbox OR ((status <> 'invoiced'::text) AND ((signed_at IS NULL) OR (NOT show_prices))))",
      ],
      ['emails', 'is_sandbox'],
      ['events', '(NOT livemode)'],
      ['invoices', '((number IS NULL) OR is_sandbox)'],
      ['payments', 'is_sandbox'],
      ['proformas', open_offer],
      ['purchase_invoice_payments', 'is_sandbox'],
      [
        'purchase_invoices',
        '(((cancelled_at IS NULL) AND (accounted_at IS NULL) AND (paid_amount = (0)::numeric)) OR is_sandbox)',
      ],
      ['purchase_scans', 'is_sandbox'],
      ['quotes', open_offer],
      ['verifactu_events', 'is_sandbox'],
      ['verifactu_records', 'is_sandbox'],
    ],
  );
});

test('given an issued invoice with its record, when the service tries to change or delete any of it, then it cannot', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { company_id, live_key: key } = acme;
  await app.put('/v1/verifactu/settings', { key, body: { enabled: true } });
  const res = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines: [line], payment: { method: 'card' } },
  });
  await app.sql`
    insert into verifactu_events (company_id, id, position, type, stamped_at, occurred_at, huella, xml)
    values (${company_id}, ${newId()}, 1, '90', '2026-11-21T10:00:00+01:00', ${app.clock.now()}, '', '')`;
  const { id } = res.body.data;
  const denied = { code: '42501' };
  const attempt = (text: string) =>
    app.db.transaction(company_id, (tx) => tx.unsafe(text, [company_id] as never[]).execute());
  for (const text of [
    'update invoices set total = 1 where company_id = $1',
    "update invoices set number = 'X' where company_id = $1",
    "update invoices set issued_on = '2020-01-01' where company_id = $1",
    "update invoices set client_name = 'Otro' where company_id = $1",
    'update invoice_lines set unit_price = 1 where company_id = $1',
    'delete from invoice_lines where company_id = $1',
    'update invoice_tax_rows set base = 1 where company_id = $1',
    'delete from invoice_tax_rows where company_id = $1',
    "update verifactu_records set xml = '' where company_id = $1",
    'update payments set amount = 1 where company_id = $1',
    "update verifactu_events set xml = '' where company_id = $1",
    "update events set data = '{}' where company_id = $1",
    "update audit_log set action = 'x' where company_id = $1",
    'delete from audit_log where company_id = $1',
    ...['invoices', 'payments', 'emails', 'verifactu_records', 'verifactu_events'].map(
      (table) => `update ${table} set is_sandbox = true where company_id = $1`,
    ),
  ]) {
    await assert.rejects(attempt(text), denied, text);
  }
  for (const table of ['invoices', 'payments', 'verifactu_records', 'verifactu_events']) {
    const count = async () =>
      (
        await app.sql`select count(*)::int as count from ${app.sql(table)} where company_id = ${company_id}`
      )[0]?.count;
    assert.equal(await count(), 1, table);
    await attempt(`delete from ${table} where company_id = $1`);
    assert.equal(await count(), 1, table);
  }
  const again = await app.get(`/v1/invoices/${id}`, { key });
  assert.deepEqual(again.body.data.lines, res.body.data.lines);
  assert.equal(again.body.data.total, 121);
});

test('given a draft, when two calls change it at once, then both find it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = (await app.post('/v1/invoices', { key, body: { type: 'F2', lines: [line] } })).body.data;
  for (let round = 0; round < 10; round++) {
    const calls = await Promise.all([
      app.put(`/v1/invoices/${id}`, { key, body: { notes: `a ${round}` } }),
      app.put(`/v1/invoices/${id}`, { key, body: { description: `b ${round}` } }),
      app.put(`/v1/invoices/${id}`, { key, body: { tags: [`c-${round}`] } }),
    ]);
    assert.deepEqual(
      calls.map((call) => call.status),
      [200, 200, 200],
    );
    const { data } = (await app.get(`/v1/invoices/${id}`, { key })).body;
    assert.deepEqual([data.notes, data.description, data.tags], [`a ${round}`, `b ${round}`, [`c-${round}`]]);
  }
  const issued = await app.post(`/v1/invoices/${id}/issue`, { key, body: {} });
  assert.equal(issued.body.data.status, 'issued');
});

test('given events of a live company and of its sandbox, when the service deletes events, then only the sandbox’s go', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const key of [acme.live_key, acme.test_key])
    for (const name of ['Uno SL', 'Dos SL'])
      assert.equal((await app.post('/v1/clients', { key, body: { name } })).status, 201);
  const countOf = async (key: string) => (await app.get('/v1/events', { key })).body.data.length;
  const [live, test_mode] = [await countOf(acme.live_key), await countOf(acme.test_key)];
  assert.ok(live >= 2 && test_mode >= 2);
  const remove = (company_id: string) =>
    app.db.transaction(company_id, async (tx) => {
      const { count } = await tx`delete from events where company_id = ${company_id}`;
      return count;
    });

  assert.equal(await remove(acme.company_id), 0);
  assert.equal(await remove(acme.sandbox_company_id), test_mode);
  assert.deepEqual([await countOf(acme.live_key), await countOf(acme.test_key)], [live, 0]);
});
