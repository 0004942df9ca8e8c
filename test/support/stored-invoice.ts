import { newId } from '../../src/kernel/uuid7.ts';
import type { App } from '../harness.ts';

export type References = { client_id?: string; series_id?: string; product_id?: string };

/** For tests that only need a reference to the given rows. @returns the id of a draft with one line */
export async function insertDraftInvoice(
  app: App,
  company_id: string,
  { client_id, series_id, product_id }: References,
): Promise<string> {
  const id = newId();
  const now = app.clock.now();
  await app.sql`
    insert into invoices (company_id, id, type, status, series_id, client_id, currency, prices_include_tax, subtotal,
                          discount_total, taxes_total, surcharge_total, retention_total, total, amount_due,
                          created_at, updated_at)
    values (${company_id}, ${id}, 'F1', 'draft', ${series_id ?? null}, ${client_id ?? null}, 'EUR', false, 10, 0, 2.1, 0, 0,
            12.1, 12.1, ${now}, ${now})`;
  await app.sql`
    insert into invoice_lines (company_id, invoice_id, position, id, description, product_id, quantity, unit_price,
                               tax_kind, tax_rate, regime_key, subtotal, taxes, total)
    values (${company_id}, ${id}, 0, ${newId()}, 'Línea', ${product_id ?? null}, 1, 10, 'vat', 21, '01', 10, 2.1, 12.1)`;
  return id;
}
