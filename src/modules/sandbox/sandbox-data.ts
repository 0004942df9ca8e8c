/**
 * What emptying a sandbox deletes and what it keeps. A test compares both lists with the database's catalogue, so a new
 * table has to choose.
 */
import type { Tx } from '../../kernel/operation.ts';

/** In this order: rows that refer to others go first. Lines and breakdowns go with their invoice. */
export const emptiedTables = [
  'verifactu_sendings',
  'verifactu_batches',
  'verifactu_records',
  'verifactu_events',
  'verifactu_pending_events',
  'verifactu_simulated',
  'emails',
  'acceptances',
  'payments',
  'document_links',
  'proforma_tags',
  'proformas',
  'quote_tags',
  'quotes',
  'delivery_note_signatures',
  'delivery_note_tags',
  'delivery_notes',
  'purchase_invoice_payments',
  'purchase_invoice_tags',
  'purchase_invoices',
  'invoice_tags',
  'invoices',
  'purchase_scans',
  'recurring_occurrences',
  'recurring_invoice_tags',
  'recurring_invoices',
  'contacts',
  'price_list_items',
  'price_lists',
  'product_pack_components',
  'product_option_values',
  'product_option_groups',
  'product_presentations',
  'product_variants',
  'product_attributes',
  'products',
  'events',
  'series_counters',
] as const;

export const keptTables = {
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
  proforma_lines: 'deleted with their pro-forma invoice',
  proforma_tax_rows: 'deleted with their pro-forma invoice',
  quote_lines: 'deleted with their quote',
  quote_tax_rows: 'deleted with their quote',
  invoice_lines: 'deleted with their invoice',
  invoice_tax_rows: 'deleted with their invoice',
  purchase_invoice_lines: 'deleted with their purchase invoice',
  purchase_invoice_tax_rows: 'deleted with their purchase invoice',
  recurring_invoice_lines: 'deleted with their recurrence',
  recurring_invoice_tax_rows: 'deleted with their recurrence',
  delivery_note_lines: 'deleted with their note',
  delivery_note_tax_rows: 'deleted with their note',
} as const;

/** A document takes up to 500 lines along. */
const atOnce: Partial<Record<(typeof emptiedTables)[number], number>> = {
  proformas: 500,
  quotes: 500,
  recurring_invoices: 500,
  invoices: 500,
  delivery_notes: 500,
};

/** Its rows name files. */
const withFiles = 'purchase_scans';

/** @param rows_max in this transaction, lines not counted */
export async function emptyTables(
  tx: Tx,
  company_id: string,
  rows_max: number,
): Promise<{ is_empty: boolean; scan_ids: readonly string[] }> {
  let left = rows_max;
  let scan_ids: readonly string[] = [];
  for (const table of emptiedTables) {
    const limit = Math.min(left, atOnce[table] ?? left);
    const { deleted, ids } = await deleteSome(tx, company_id, table, limit);
    if (table === withFiles) scan_ids = ids;
    left -= deleted;
    if (deleted === limit) return { is_empty: false, scan_ids };
  }
  return { is_empty: true, scan_ids };
}

async function deleteSome(
  tx: Tx,
  company_id: string,
  table: string,
  limit: number,
): Promise<{ deleted: number; ids: readonly string[] }> {
  const id = table === withFiles ? tx`t.id` : tx`null::uuid`;
  const [row] = await tx<{ found: number; deleted: number; ids: string[] }[]>`
    with found as materialized (select t.ctid as place from ${tx(table)} t where t.company_id = ${company_id} limit ${limit}),
         gone as (delete from ${tx(table)} t where t.company_id = ${company_id}
                   and t.ctid = any(array(select found.place from found)) returning ${id} as id)
    select (select count(*)::integer from found) as found, (select count(*)::integer from gone) as deleted,
           array(select gone.id from gone where gone.id is not null) as ids`;
  const { found = 0, deleted = 0, ids = [] } = row ?? {};
  if (deleted < found) throw new Error(`${table} holds rows that the service may not delete.`);
  return { deleted, ids };
}
