/**
 * What emptying a sandbox deletes and what it keeps. A test compares both lists with the database's catalogue, so a new
 * table has to choose.
 */
import type { Tx } from '../../kernel/operation.ts';
import type { DocumentTables } from './ports.ts';

/** In this order: rows that refer to others go first. */
const beforeDocuments = [
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
] as const;

const afterDocuments = [
  'purchase_scans',
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

/** A document takes up to 500 lines along. */
const documentsAtOnce = 500;

type EmptiedTable = { name: string; at_once: number };

export function emptiedTables(kinds: readonly DocumentTables[]): readonly EmptiedTable[] {
  const plain = (name: string): EmptiedTable => ({ name, at_once: Number.POSITIVE_INFINITY });
  const of_documents = kinds.flatMap(({ documents, before }) => [
    ...before.map(plain),
    { name: documents, at_once: documentsAtOnce },
  ]);
  return [...beforeDocuments.map(plain), ...of_documents, ...afterDocuments.map(plain)];
}

/** Besides what goes with its document. */
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
} as const;

/** Its rows name files. */
const withFiles = 'purchase_scans';

/** @param rows_max in this transaction, lines not counted */
export async function emptyTables(
  tx: Tx,
  company_id: string,
  kinds: readonly DocumentTables[],
  rows_max: number,
): Promise<{ is_empty: boolean; scan_ids: readonly string[] }> {
  let left = rows_max;
  let scan_ids: readonly string[] = [];
  for (const { name, at_once } of emptiedTables(kinds)) {
    const limit = Math.min(left, at_once);
    const { deleted, ids } = await deleteSome(tx, company_id, name, limit);
    if (name === withFiles) scan_ids = ids;
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
