/** Rows of older versions of the service hold less. */
import type { Tx } from '../../kernel/operation.ts';
import { valuesOf } from '../../kernel/list-filters.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { isAsked, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, loggedRange, readIdsByHalving, readLoggedIds } from '../../platform/created-ids.ts';
import { findKeyNames } from '../api-keys/index.ts';
import { namesOf } from '../people/index.ts';
import type { AuditRow, RequestRow } from './audit.schema.ts';

export async function listAudit(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  query: { action?: string },
): Promise<AuditRow[]> {
  const order = { table: 'audit_log', company_id, of: tx``, is_log: true };
  const ids = await readIdsByHalving(tx, order, query);
  return readPageRows(tx, company_id, page, {
    table: 'audit_log',
    columns: tx`t.id, t.actor, coalesce(t.actor_id, case t.actor when 'api_key' then t.actor_key_id end) as actor_id,
                t.actor_name, t.actor_key_id, t.actor_user_id, t.action, t.object, t.object_id, t.details, t.ip, t.request_id,
                t.created_at`,
    where: tx`${valueCondition(tx, 't.action', query, 'action')}
              ${loggedRange(tx, query)} ${idRange(tx, ids)}`,
  });
}

/** Adds the key names that older versions did not store, and the names of persons. */
export async function nameActors(
  tx: Tx,
  key_company_id: string,
  rows: readonly AuditRow[],
): Promise<AuditRow[]> {
  const isNameless = (row: AuditRow) => row.actor === 'api_key' && row.actor_name === null;
  const key_ids = rows.filter(isNameless).flatMap(({ actor_id }) => actor_id ?? []);
  const user_ids = [...new Set(rows.flatMap(({ actor_user_id }) => actor_user_id ?? []))];
  const none: ReadonlyMap<string, string> = new Map();
  const [keys, users] = await Promise.all([
    key_ids.length === 0 ? none : findKeyNames(tx, key_company_id, key_ids),
    user_ids.length === 0 ? none : namesOf(tx, user_ids),
  ]);
  return rows.map((row) => ({
    ...row,
    actor_name: isNameless(row) ? (keys.get(row.actor_id ?? '') ?? null) : row.actor_name,
    actor_user_name: users.get(row.actor_user_id ?? '') ?? null,
  }));
}

type RequestFilter = {
  operation?: string;
  actor_id?: string;
  status?: number;
  method?: string;
  request_id?: string;
  error_code?: string;
};

/** Filters whose index holds every value. Calls of versions without principals are not found by their actor. */
const indexedColumns = {
  request_id: 't.request_id',
  error_code: 't.error_code',
  operation: 't.operation',
  actor_id: 't.principal_id',
};

export async function listRequests(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  query: RequestFilter,
): Promise<RequestRow[]> {
  const { status, method } = query;
  const methods = [method, ...(valuesOf(query, 'method') ?? [])];
  const ids = await readLoggedIds(tx, company_id, 'request_logs', query);
  const times = tx`${loggedRange(tx, query)} ${idRange(tx, ids)}`;
  const of_company = tx`from request_logs t where t.company_id = ${company_id} ${times}`;
  const indexed = [
    ...Object.entries(indexedColumns).flatMap(([field, column]) =>
      isAsked(query, field) ? [valueCondition(tx, column, query, field)] : [],
    ),
    // These indexes leave out the values that most calls have. A walk finds those.
    ...(status === undefined || status === 200 ? [] : [tx`and t.status = ${status} and t.status <> 200`]),
    ...(isAsked(query, 'method') && !methods.includes('GET')
      ? [tx`${valueCondition(tx, 't.method', query, 'method')} and t.method <> 'GET'`]
      : []),
  ];
  const finders: Finders = {
    walk: () => of_company,
    is_whole: false,
    matches: indexed.map((condition) => tx`${of_company} ${condition}`),
    text: null,
    bounds: [],
  };
  return readPageRows(tx, company_id, page, {
    table: 'request_logs',
    columns: tx`t.id, t.request_id, t.key_id, coalesce(t.principal_kind, 'api_key') as actor,
                coalesce(t.principal_id, t.key_id) as actor_id, t.principal_name as actor_name, t.operation, t.method,
                t.path, t.status, t.error_code, t.duration_ms, t.ip, t.api_version, t.idempotency_key, t.created_at`,
    where: tx`${indexed.reduce((all, one) => tx`${all} ${one}`, tx``)}
              ${status === 200 ? tx`and t.status = ${status}` : tx``}
              ${valueCondition(tx, 't.method', query, 'method')}
              ${times}`,
    ...(indexed.length > 0 ? { finders } : {}),
  });
}
