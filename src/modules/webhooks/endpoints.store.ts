import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { lockCompanyRow } from '../../platform/company-row.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import { setWatched } from '../../platform/watched.ts';
import type { EndpointRow } from './webhooks.rows.ts';

const columnNames = [
  'id',
  'url',
  'description',
  'enabled_events',
  'status',
  'sealed_secret',
  'previous_sealed_secret',
  'previous_secret_valid_until',
  'timeout_seconds',
  'ip_allowlist',
  'last_success_at',
  'failing_since',
  'consecutive_failures',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof EndpointRow)[];
const columns = columnNames.map((name) => `t.${name}`).join(', ');

/** Expects the alias `t`. */
export function endpointColumns(tx: Tx) {
  return tx.unsafe(columns);
}

/** SQL: is no deleted endpoint whose deliveries are still being deleted. Only those hear no event at all. Expects the alias `t`. */
export function isThere(tx: Tx) {
  return tx`t.enabled_events <> '{}'`;
}

export async function findEndpoint(tx: Tx, company_id: string, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx<EndpointRow[]>`
    select ${tx.unsafe(columns)} from webhook_endpoints t
     where t.company_id = ${company_id} and t.id = ${id} and ${isThere(tx)}`;
  return row;
}

export async function lockEndpoint(tx: Tx, company_id: string, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx<EndpointRow[]>`
    select ${tx.unsafe(columns)} from webhook_endpoints t
     where t.company_id = ${company_id} and t.id = ${id} and ${isThere(tx)} for update`;
  return row;
}

export function listEndpoints(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  filter: Readonly<Record<string, unknown>>,
) {
  return readPageRows<EndpointRow>(tx, company_id, page, {
    table: 'webhook_endpoints',
    columns: tx`${tx.unsafe(columns)}`,
    sorts: {},
    of: tx`and ${isThere(tx)}`,
    where: tx`and ${isThere(tx)} ${valueCondition(tx, 't.status', filter, 'status')}
      ${rangeCondition(tx, 't.created_at', filter, 'created')} ${rangeCondition(tx, 't.updated_at', filter, 'updated')}`,
  });
}

/** Locks the company, so that the limit holds. */
export async function countEndpoints(tx: Tx, company_id: string): Promise<number> {
  await lockCompanyRow(tx, company_id);
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from webhook_endpoints t where t.company_id = ${company_id} and ${isThere(tx)}`;
  return row?.count ?? 0;
}

/** @param turns see `turnsAfter` */
export async function insertEndpoint(
  tx: Tx,
  company_id: string,
  row: EndpointRow,
  turns: readonly number[],
): Promise<void> {
  await tx`
    insert into webhook_endpoints (company_id, id, url, description, enabled_events, status, sealed_secret, timeout_seconds,
                                   ip_allowlist, created_at, updated_at, turns)
    values (${company_id}, ${row.id}, ${row.url}, ${row.description}, ${row.enabled_events}, ${row.status},
            ${row.sealed_secret}, ${row.timeout_seconds}, ${row.ip_allowlist}, ${row.created_at}, ${row.updated_at}, ${turns as number[]})`;
}

export async function saveEndpoint(tx: Tx, company_id: string, row: EndpointRow): Promise<void> {
  await tx`
    update webhook_endpoints
       set url = ${row.url}, description = ${row.description}, enabled_events = ${row.enabled_events}, status = ${row.status},
           sealed_secret = ${row.sealed_secret}, previous_sealed_secret = ${row.previous_sealed_secret},
           previous_secret_valid_until = ${row.previous_secret_valid_until}, timeout_seconds = ${row.timeout_seconds},
           ip_allowlist = ${row.ip_allowlist}, updated_at = ${row.updated_at}
     where company_id = ${company_id} and id = ${row.id}`;
}

/** They tell which events are for the endpoint. */
export type Turned = { disabled_at: Date | null; turns: number[] };

export async function readTurns(tx: Tx, company_id: string, id: string): Promise<number[]> {
  const [row] = await tx<{ turns: number[] }[]>`
    select turns from webhook_endpoints where company_id = ${company_id} and id = ${id}`;
  return row?.turns ?? [];
}

export async function setTurned(
  tx: Tx,
  company_id: string,
  id: string,
  { disabled_at, turns }: Turned,
): Promise<void> {
  await tx`
    update webhook_endpoints set disabled_at = ${disabled_at}, turns = ${turns}
     where company_id = ${company_id} and id = ${id}`;
}

/** Deliveries that one transaction deletes. A body may have a hundred kilobytes. */
const deliveriesMax = 1000;

/** @param id of a locked endpoint @returns false, with the row unchanged, when it has more deliveries than go at once */
async function removeWithDeliveries(tx: Tx, company_id: string, id: string): Promise<boolean> {
  const more = await tx`
    select 1 from webhook_deliveries
     where company_id = ${company_id} and endpoint_id = ${id} offset ${deliveriesMax} limit 1`;
  if (more.length > 0) return false;
  await tx`delete from webhook_endpoints where company_id = ${company_id} and id = ${id}`;
  return true;
}

/**
 * Deletes a locked endpoint with its deliveries. One that has very many is hidden instead, without its secret.
 * @returns whether it is left for `forgetSome`
 */
export async function removeEndpoint(tx: Tx, company_id: string, id: string): Promise<boolean> {
  if (await removeWithDeliveries(tx, company_id, id)) return false;
  await tx`
    update webhook_endpoints
       set enabled_events = '{}', status = 'disabled', sealed_secret = '', previous_sealed_secret = null
     where company_id = ${company_id} and id = ${id}`;
  return true;
}

/** Locks the endpoint first, as whoever stores the results of its attempts does. @returns as `removeEndpoint` */
export async function forgetSome(tx: Tx, company_id: string, id: string): Promise<boolean> {
  const [hidden] = await tx`
    select t.id from webhook_endpoints t
     where t.company_id = ${company_id} and t.id = ${id} and not (${isThere(tx)}) for update`;
  if (!hidden || (await removeWithDeliveries(tx, company_id, id))) return false;
  await tx`
    delete from webhook_deliveries
     where company_id = ${company_id} and id = any (array(
       select w.id from webhook_deliveries w
        where w.company_id = ${company_id} and w.endpoint_id = ${id} limit ${deliveriesMax}))`;
  return true;
}

/** Tells monitors of endpoints that fail or are disabled. A company has fifty at most. */
export async function watchEndpoints(tx: Tx, company_id: string): Promise<void> {
  const rows = await tx<{ kind: 'endpoints_failing' | 'endpoints_disabled'; things: number; at: Date }[]>`
    select case when status = 'disabled' then 'endpoints_disabled' else 'endpoints_failing' end as kind,
           count(*)::integer as things, min(case when status = 'disabled' then disabled_at else failing_since end) as at
      from webhook_endpoints t
     where company_id = ${company_id} and (status = 'disabled' or failing_since is not null) and ${isThere(tx)}
     group by 1`;
  await setWatched(tx, company_id, ['endpoints_failing', 'endpoints_disabled'], rows);
}

export type SealedRow = Pick<EndpointRow, 'id' | 'sealed_secret' | 'previous_sealed_secret'>;

/** A company has fifty endpoints at most. */
export function listSealed(tx: Tx, company_id: string) {
  return tx<SealedRow[]>`
    select t.id, t.sealed_secret, t.previous_sealed_secret from webhook_endpoints t
     where t.company_id = ${company_id} and ${isThere(tx)} order by t.id for update`;
}

export async function resealEndpoint(
  tx: Tx,
  company_id: string,
  { id }: SealedRow,
  { sealed_secret, previous_sealed_secret }: Omit<SealedRow, 'id'>,
): Promise<void> {
  await tx`
    update webhook_endpoints
       set sealed_secret = ${sealed_secret}, previous_sealed_secret = ${previous_sealed_secret}
     where company_id = ${company_id} and id = ${id}`;
}
