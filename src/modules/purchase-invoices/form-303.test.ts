/** Form 303 of a company of mixed purchases, summed by hand, is found in the stored rows. Reports will read them so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { givenPurchases } from '../../../test/support/purchases.ts';

type Box = { box: string; base: string; tax: string };

const line = (unit_price: number, more: object = {}) => ({
  description: 'x',
  unit_price,
  tax_rate: 21,
  ...more,
});
const invests = { is_investment_good: true };
const farming = { kind: 'agricultural_receipt', lines: [line(500, { tax_rate: 12 })] };

/** Bases and taxes in euros; a purchase of another quarter, a draft and a cancelled one count nowhere. */
const papers: readonly object[] = [
  { lines: [line(1000), line(200, { tax_rate: 10, deductible_percent: 50 })] },
  { lines: [line(20000, { ...invests, deductible_percent: 50 })] },
  { retention_kind: 'professional', lines: [line(300, { retention_rate: 15 })] },
  { operation: 'reverse_charge', lines: [line(400)] },
  { operation: 'intra_community_goods', lines: [line(800), line(4000, invests)] },
  { operation: 'intra_community_services', currency: 'USD', exchange_rate: 0.5, lines: [line(100)] },
  { operation: 'non_eu_services', lines: [line(60, { deductible_percent: 0 })] },
  { operation: 'import', lines: [line(3000, { tax_rate: 0 })] },
  { kind: 'customs', lines: [line(3100)] },
  farming,
  { lines: [line(90, { tax_kind: 'foreign_vat', tax_rate: 20 })] },
  { lines: [line(70, { tax_kind: 'igic', tax_rate: 7 }), line(1000)] },
  { operation: 'reverse_charge', lines: [line(80, { tax_kind: 'igic', tax_rate: 7 })] },
  { lines: [line(40, { tax_kind: 'ipsi', tax_rate: 4, is_investment_good: false })] },
  { lines: [line(30, { tax_kind: 'other', tax_rate: 8 })] },
  { kind: 'simplified', lines: [line(10)] },
  { kind: 'simplified', has_recipient_data: true, lines: [line(50)] },
  { kind: 'corrective', corrects: { number: 'Z' }, lines: [line(-100)] },
  { deduct_on: '2026-04-01', lines: [line(7777)] },
  { draft: true, lines: [line(6666)] },
];

/** By hand: 1000 + 200 + 300 + 50 + 1000 (beside IGIC) at their rates, the car at half, and so on. */
const expected: readonly Box[] = [
  // What the company owes.
  { box: '10-11 intra-Community', base: '4850.00', tax: '1018.50' },
  { box: '12-13 other reverse charge', base: '460.00', tax: '96.60' },
  // What it deducts.
  // 210 + 10 + 63 + 84 (reverse charge) + 0 (services from outside) + 10.50 + 210
  { box: '28-29 interior, current', base: '3010.00', tax: '587.50' },
  { box: '30-31 interior, investment', base: '20000.00', tax: '2100.00' },
  { box: '32-33 imports, current', base: '3100.00', tax: '651.00' },
  { box: '36-37 intra-Community, current', base: '850.00', tax: '178.50' },
  { box: '38-39 intra-Community, investment', base: '4000.00', tax: '840.00' },
  { box: '40-41 corrected', base: '-100.00', tax: '-21.00' },
  { box: '42 compensation', base: '500.00', tax: '60.00' },
];

test('given purchases of all sorts, when the boxes of form 303 are summed, then they are those by hand', async (t) => {
  const app = await startApp(t);
  const { company, done, register, at, supplier } = await givenPurchases(app);
  const path = `/v1/suppliers/${supplier.id}`;
  const vat = await app.put(path, { key: company.live_key, body: { vat_id: 'DE811569869' } });
  assert.equal(vat.status, 200, vat.text);
  for (const paper of papers) await register(paper);
  const { id } = await register({ lines: [line(5555)] });
  await done(at(id, '/cancel'));
  const in_quarter = app.sql`
    from purchase_invoices d join purchase_invoice_lines l on l.company_id = d.company_id and l.purchase_invoice_id = d.id
    where d.company_id = ${company.company_id} and d.number is not null and d.cancelled_at is null
      and d.deduct_on between '2026-01-01' and '2026-03-31'`;
  const owed = await app.sql<Box[]>`
    select case when d.operation like 'intra%' then '10-11 intra-Community' else '12-13 other reverse charge' end as box,
           round(sum(l.subtotal * coalesce(d.exchange_rate, 1)), 2)::text as base, sum(l.self_charged)::text as tax
    ${in_quarter} and l.self_charged <> 0 group by 1 order by 1`;
  const deducted = await app.sql<Box[]>`
    select case when d.kind = 'corrective' then '40-41 corrected'
                when l.tax_kind = 'compensation' then '42 compensation'
                when d.operation = 'import' then '32-33 imports, current'
                when d.operation like 'intra%' and l.is_investment_good then '38-39 intra-Community, investment'
                when d.operation like 'intra%' then '36-37 intra-Community, current'
                when l.is_investment_good then '30-31 interior, investment'
                else '28-29 interior, current' end as box,
           round(sum(l.subtotal * coalesce(d.exchange_rate, 1)), 2)::text as base, sum(l.deductible)::text as tax
    ${in_quarter} and l.forced_reason is null and l.taxes + l.self_charged <> 0 group by 1 order by 1`;
  assert.deepEqual(
    [...owed, ...deducted].map((one) => ({ ...one })),
    expected,
  );
});
