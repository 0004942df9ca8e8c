/** SQL of the audit log and the request log: read only. */
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { readPageRows, within } from '../../platform/page-rows.ts';
import type { AuditRow, RequestRow } from './audit.schema.ts';

export function listAudit(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  query: { action?: string },
): Promise<AuditRow[]> {
  return readPageRows(tx, company_id, page, {
    table: 'audit_log',
    columns: tx`t.id, t.actor, t.actor_key_id, t.action, t.object, t.object_id, t.details, t.ip, t.request_id, t.created_at`,
    where: tx`${query.action === undefined ? tx`` : tx`and t.action = ${query.action}`}
              ${within(tx, 't.created_at', query, 'created')}`,
  });
}

type RequestFilter = { status?: number; method?: string; request_id?: string; error_code?: string };

export function listRequests(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  query: RequestFilter,
): Promise<RequestRow[]> {
  const { status, method, request_id, error_code } = query;
  return readPageRows(tx, company_id, page, {
    table: 'request_logs',
    columns: tx`t.id, t.request_id, t.key_id, t.operation, t.method, t.path, t.status, t.error_code, t.duration_ms, t.ip,
                t.api_version, t.idempotency_key, t.created_at`,
    where: tx`${status === undefined ? tx`` : tx`and t.status = ${status}`}
              ${method === undefined ? tx`` : tx`and t.method = ${method}`}
              ${request_id === undefined ? tx`` : tx`and t.request_id = ${request_id}`}
              ${error_code === undefined ? tx`` : tx`and t.error_code = ${error_code}`}
              ${within(tx, 't.created_at', query, 'created')}`,
  });
}
