/** Applications that a company registered. The index leads from an application to its company. */
import type { Sql } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { lockCompanyRow } from '../../platform/company-row.ts';
import { rangeCondition, readPageRows } from '../../platform/page-rows.ts';
import type { ClientType } from '../../domain/oauth/redirect-uris.ts';
import { isDocumentAddress } from './rules/client-document.ts';

export type ClientRow = {
  id: string;
  client_id: string;
  name: string;
  type: ClientType;
  redirect_uris: string[];
  website: string | null;
  secret_prefix: string | null;
  secret_hash: Buffer | null;
  previous_secret_hash: Buffer | null;
  previous_until: Date | null;
  created_at: Date;
  updated_at: Date;
};

const columnNames = [
  'id',
  'client_id',
  'name',
  'type',
  'redirect_uris',
  'website',
  'secret_prefix',
  'secret_hash',
  'previous_secret_hash',
  'previous_until',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ClientRow)[];
const columns = columnNames.map((name) => `t.${name}`).join(', ');

export async function findClientRow(tx: Tx, company_id: string, id: string): Promise<ClientRow | undefined> {
  const [row] = await tx<ClientRow[]>`
    select ${tx.unsafe(columns)} from oauth_clients t where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/** Changes, rotations and the deletion of a client wait for one another. */
export async function lockClient(tx: Tx, company_id: string, id: string): Promise<ClientRow | undefined> {
  const [row] = await tx<ClientRow[]>`
    select ${tx.unsafe(columns)} from oauth_clients t
     where t.company_id = ${company_id} and t.id = ${id} for update`;
  return row;
}

export function listClients(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  filter: Readonly<Record<string, unknown>>,
) {
  return readPageRows<ClientRow>(tx, company_id, page, {
    table: 'oauth_clients',
    columns: tx`${tx.unsafe(columns)}`,
    where: tx`${rangeCondition(tx, 't.created_at', filter, 'created')} ${rangeCondition(tx, 't.updated_at', filter, 'updated')}`,
  });
}

/** Locks the company, so that the limit holds. */
export async function countClients(tx: Tx, company_id: string): Promise<number> {
  await lockCompanyRow(tx, company_id);
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from oauth_clients where company_id = ${company_id}`;
  return row?.count ?? 0;
}

export async function insertClient(tx: Tx, company_id: string, row: ClientRow): Promise<void> {
  await Promise.all([
    tx`insert into oauth_clients (company_id, id, client_id, name, type, redirect_uris, website, secret_prefix, secret_hash,
                                  created_at, updated_at)
       values (${company_id}, ${row.id}, ${row.client_id}, ${row.name}, ${row.type}, ${row.redirect_uris}, ${row.website},
               ${row.secret_prefix}, ${row.secret_hash}, ${row.created_at}, ${row.updated_at})`,
    tx`insert into oauth_client_index (client_id, company_id, id) values (${row.client_id}, ${company_id}, ${row.id})`,
  ]);
}

export async function saveClient(tx: Tx, company_id: string, row: ClientRow): Promise<void> {
  await tx`
    update oauth_clients
       set name = ${row.name}, redirect_uris = ${row.redirect_uris}, website = ${row.website},
           secret_prefix = ${row.secret_prefix}, secret_hash = ${row.secret_hash},
           previous_secret_hash = ${row.previous_secret_hash}, previous_until = ${row.previous_until},
           updated_at = ${row.updated_at}
     where company_id = ${company_id} and id = ${row.id}`;
}

/** Nobody can present it any more. Its line in the index stays until its grants in other companies have ended. */
export async function removeClient(tx: Tx, company_id: string, row: ClientRow, now: Date): Promise<void> {
  await Promise.all([
    tx`delete from oauth_clients where company_id = ${company_id} and id = ${row.id}`,
    tx`update oauth_client_index set deleted_at = ${now} where client_id = ${row.client_id}`,
  ]);
}

/**
 * Its deletion waits until the tokens that are made now can be deleted with it. Lock the grant first, as the deletion does.
 * @returns false for an application that was deleted; a document is always there
 */
export async function holdClient(tx: Tx, client_id: string): Promise<boolean> {
  if (isDocumentAddress(client_id)) return true;
  const rows = await tx`
    select 1 from oauth_client_index where client_id = ${client_id} and deleted_at is null for share`;
  return rows.length > 0;
}

export async function findClientPlace(
  sql: Sql,
  client_id: string,
): Promise<{ company_id: string; id: string } | undefined> {
  const [row] = await sql<{ company_id: string; id: string }[]>`
    select company_id, id from oauth_client_index where client_id = ${client_id} and deleted_at is null`;
  return row;
}
