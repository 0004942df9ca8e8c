/** Loads many invoices of one company in SQL. Only the ten oldest have the values in `rare`. */
import type { Sql } from 'postgres';
import type { BenchCompany } from './place.ts';

const batch = 100_000;

/** The invoices are spread over these days, up to today. */
export const days = 1000;
export const rare = { status: 'annulled', type: 'R4', tag: 'rara', name: 'Ébano Sur SL' } as const;
export const common = { status: 'issued', type: 'F1', tag: 'web', name: 'Librería Norte SL' } as const;

/** @returns seconds */
export async function loadInvoices(
  owner: Sql,
  { company_id, client_id }: BenchCompany,
  count: number,
): Promise<number> {
  const started = performance.now();
  const [series] = await owner<{ id: string }[]>`
    select id from series where company_id = ${company_id} and document_type = 'invoice' and is_default`;
  const series_id = series!.id;
  const first_ms = Date.now() - count;
  // Skip triggers and foreign keys: the rows are right by construction, and the database is thrown away.
  await owner.unsafe('set session_replication_role = replica');
  await owner.unsafe('set synchronous_commit = off');
  try {
    for (let from = 1; from <= count; from += batch) {
      const to = Math.min(count, from + batch - 1);
      // A UUID v7 of the millisecond first_ms + i: ids have the order of numbers.
      const id = `(lpad(to_hex(${first_ms} + i), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid`;
      const rows = `generate_series(${from}, ${to}) i`;
      const at = `to_timestamp((${first_ms} + i) / 1000.0)`;
      const day = `current_date - ((${count} - i) * ${days}::bigint / ${count})::integer`;
      const tags = `case when i <= 10 then '{${rare.tag}}' else '{${common.tag}}' end::text[]`;
      const total = '(100 + i % 900) * 1.21';
      await owner.unsafe(`
        insert into invoices (company_id, id, type, status, number, series_id, series_code, series_period, series_number, client_id,
                              client_name, client_tax_id, client_snapshot, issuer_snapshot, issued_on, due_on, tags, currency, prices_include_tax,
                              subtotal, discount_total, taxes_total, surcharge_total, retention_total, total, amount_due,
                              issued_at, created_at, updated_at)
        select '${company_id}', ${id}, case when i <= 10 then '${rare.type}' else '${common.type}' end,
               case when i <= 10 then '${rare.status}' else '${common.status}' end, 'F2026-' || lpad(i::text, 7, '0'), '${series_id}', 'F', '2026', i, '${client_id}',
               case when i <= 10 then '${rare.name}' else '${common.name}' end, 'B12345674', '{"address": null}', '{"name": "Acme SL"}',
               ${day}, ${day} + 30, ${tags}, 'EUR', false,
               100 + i % 900, 0, (100 + i % 900) * 0.21, 0, 0, ${total}, ${total}, ${at}, ${at}, ${at}
          from ${rows}`);
      await owner.unsafe(`
        insert into invoice_tags (company_id, tag, invoice_id)
        select '${company_id}', unnest(${tags}), ${id} from ${rows}`);
      await owner.unsafe(`
        insert into invoice_lines (company_id, invoice_id, position, id, description, quantity, unit_price, tax_kind, tax_rate,
                                   qualification, regime_key, subtotal, taxes, total)
        select '${company_id}', ${id}, p, ${id}, 'Consultoría', 1, (100 + i % 900) / 2.0, 'vat', 21, 'S1', '01',
               (100 + i % 900) / 2.0, (100 + i % 900) * 0.105, (100 + i % 900) * 0.605
          from ${rows}, generate_series(0, 1) p`);
      await owner.unsafe(`
        insert into invoice_tax_rows (company_id, invoice_id, position, tax_kind, regime_key, qualification, tax_rate, base, tax, surcharge)
        select '${company_id}', ${id}, 0, 'vat', '01', 'S1', 21, 100 + i % 900, (100 + i % 900) * 0.21, 0 from ${rows}`);
    }
    await owner`
      insert into series_counters (company_id, series_id, period, next_number, last_issued_on)
      values (${company_id}, ${series_id}, '2026', ${count + 1}, current_date)`;
    await owner.unsafe('analyze invoices, invoice_tags, invoice_lines, invoice_tax_rows');
    // Writes the hint bits of all rows; else the first reader would.
    await owner.unsafe('vacuum invoices, invoice_tags, invoice_lines, invoice_tax_rows');
    await owner.unsafe('checkpoint');
  } finally {
    await owner.unsafe('reset session_replication_role');
    await owner.unsafe('reset synchronous_commit');
  }
  return (performance.now() - started) / 1000;
}
