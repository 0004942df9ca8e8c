/** Loads many documents of one company in SQL. Only the ten oldest have the values in `rare`. */
import type { Sql } from 'postgres';
import type { Family } from '../src/modules/sales/family.ts';
import type { BenchCompany } from './place.ts';

const batch = 100_000;

/** The documents are spread over these days, up to today. */
export const days = 1000;
export const rare = { tag: 'rara', name: 'Ébano Sur SL' } as const;
export const common = { tag: 'web', name: 'Librería Norte SL' } as const;

type Of = { day: string; at: string; total: string };

/** What a list shows of a kind, and what only that kind has. */
export type ListedKind = {
  family: Pick<Family, 'object' | 'collection' | 'tables' | 'list' | 'party' | 'written_columns'>;
  many: string;
  status: { rare: string; common: string };
  /** Equality filters besides, with the values of the rare ones and of all others. */
  equal: Readonly<Record<string, { rare: string; common: string }>>;
  /** A day besides `issued_on`. */
  day: string;
  /** SQL by column, of the row's number i. */
  own(of: Of): Readonly<Record<string, string>>;
};

/** @returns seconds */
export async function loadDocuments(
  owner: Sql,
  { company_id, client_id }: BenchCompany,
  { family, status, own }: ListedKind,
  count: number,
): Promise<number> {
  const { documents, tags: tag_table, lines, taxes, document_id } = family.tables;
  const started = performance.now();
  const [series] = await owner<{ id: string }[]>`
    select id from series where company_id = ${company_id} and document_type = ${family.object} and is_default`;
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
      const columns: Record<string, string> = {
        company_id: `'${company_id}'`,
        id,
        status: `case when i <= 10 then '${status.rare}' else '${status.common}' end`,
        number: `'F2026-' || lpad(i::text, 7, '0')`,
        series_id: `'${series_id}'::uuid`,
        series_code: `'F'`,
        series_period: `'2026'`,
        series_number: 'i',
        client_id: `'${client_id}'::uuid`,
        client_name: `case when i <= 10 then '${rare.name}' else '${common.name}' end`,
        client_tax_id: `'B12345674'`,
        client_snapshot: `'{"address": null}'::jsonb`,
        issuer_snapshot: `'{"name": "Acme SL"}'::jsonb`,
        issued_on: day,
        tags,
        currency: `'EUR'`,
        prices_include_tax: 'false',
        subtotal: '100 + i % 900',
        discount_total: '0',
        taxes_total: '(100 + i % 900) * 0.21',
        surcharge_total: '0',
        retention_total: '0',
        total,
        amount_due: total,
        created_at: at,
        updated_at: at,
        ...own({ day, at, total }),
      };
      // It follows from the row.
      if (!('status' in family.written_columns)) delete columns.status;
      await owner.unsafe(`
        insert into ${documents} (${Object.keys(columns).join(', ')})
        select ${Object.values(columns).join(', ')} from ${rows}`);
      await owner.unsafe(`
        insert into ${tag_table} (company_id, tag, ${document_id})
        select '${company_id}', unnest(${tags}), ${id} from ${rows}`);
      await owner.unsafe(`
        insert into ${lines} (company_id, ${document_id}, position, id, description, quantity, unit_price, tax_kind, tax_rate,
                              qualification, regime_key, subtotal, taxes, total)
        select '${company_id}', ${id}, p, ${id}, 'Consultoría', 1, (100 + i % 900) / 2.0, 'vat', 21, 'S1', '01',
               (100 + i % 900) / 2.0, (100 + i % 900) * 0.105, (100 + i % 900) * 0.605
          from ${rows}, generate_series(0, 1) p`);
      await owner.unsafe(`
        insert into ${taxes} (company_id, ${document_id}, position, tax_kind, regime_key, qualification, tax_rate, base, tax, surcharge)
        select '${company_id}', ${id}, 0, 'vat', '01', 'S1', 21, 100 + i % 900, (100 + i % 900) * 0.21, 0 from ${rows}`);
    }
    await owner`
      insert into series_counters (company_id, series_id, period, next_number, last_issued_on)
      values (${company_id}, ${series_id}, '2026', ${count + 1}, current_date)`;
    const tables = [documents, tag_table, lines, taxes].join(', ');
    await owner.unsafe(`analyze ${tables}`);
    // Writes the hint bits of all rows; else the first reader would.
    await owner.unsafe(`vacuum ${tables}`);
    await owner.unsafe('checkpoint');
  } finally {
    await owner.unsafe('reset session_replication_role');
    await owner.unsafe('reset synchronous_commit');
  }
  return (performance.now() - started) / 1000;
}
