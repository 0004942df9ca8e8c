import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { create } from '../../../test/support/resource-checks.ts';
import { listUnpaidDue } from './reminders.store.ts';
test('plan', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const c = await create(app, '/v1/clients', acme.live_key, { name: 'N' });
  const id = acme.company_id;
  await app.sql.unsafe('drop index invoices_by_text');
  await app.sql.unsafe(`insert into invoices (company_id, id, type, status, client_id, currency, prices_include_tax, subtotal,
     discount_total, taxes_total, surcharge_total, retention_total, total, amount_due, paid_amount, due_on, issued_on, created_at, updated_at)
    select '${id}', gen_random_uuid(), 'F1', case when n % 300 = 0 then 'overdue' else 'paid' end, '${c.id}', 'EUR', false, 10,0,2,0,0,12,12, case when n % 300 = 0 then 0 else 12 end, date '2027-03-10' - (n % 401), '2026-01-01', now(), now() from generate_series(1, 60000) n`);
  await app.sql.unsafe('vacuum analyze invoices');
  await app.db.transaction(id, async (tx) => {
    const cap: string[] = [];
    const days = [{ after: '2027-02-01', through: '2027-02-02' }, { after: '2027-03-01', through: '2027-03-02' }];
    const q = `select d.due_on, d.id from json_to_recordset($1::text::json) as r("after" date, through date)
     cross join lateral (
       select t.due_on, t.id from invoices t
        where t.company_id = $2 and t.due_on > r.after and t.due_on <= r.through
          and (t.due_on, t.id) > ($3::date, $4::uuid)
          and t.status in ('issued', 'sent', 'overdue') and t.settled_in_id is null and t.client_id is not null
          and t.amount_due + t.corrected_amount > t.paid_amount + t.carried_amount
        order by t.due_on, t.id limit 200) d
     order by d.due_on, d.id limit 200`;
    const rows = await tx.unsafe(`explain (analyze, buffers) ${q}`, [JSON.stringify(days), id, '-infinity', '00000000-0000-0000-0000-000000000000']);
    for (const r of rows) cap.push(r['QUERY PLAN']);
    console.log(cap.join('\n'));
    const s = performance.now();
    console.log((await listUnpaidDue(tx, id, days, null, 200)).length, performance.now() - s);
    console.log((await listUnpaidDue(tx, id, [], null, 200)).length, performance.now() - s);
    console.log((await listUnpaidDue(tx, id, [{after: '2020-01-01', through: '2028-01-01'}], null, 200)).at(-1), performance.now() - s);
  });
});
