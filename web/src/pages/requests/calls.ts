import type { RequestEntry } from '../../../../src/modules/audit/audit.schema.ts';
import { call, type ListQuery, type Page, type Wire } from '../../app/operation.ts';

export type RequestLog = Wire<typeof RequestEntry>;
type RequestQuery = ListQuery & {
  operation?: string;
  actor_id?: string;
  status?: number;
  method?: string;
  error_code?: string;
  request_id?: string;
  'created[gte]'?: string;
  'created[lte]'?: string;
};

export const listRequestLogs = call<{ query: RequestQuery; answer: Page<RequestLog> }>('list_request_logs');
