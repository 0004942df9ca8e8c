/** What a company reads of its own activity. */
import type { Operation } from '../../kernel/operation.ts';
import { listAuditLog } from './operations/list-audit-log.ts';
import { listRequestLogs } from './operations/list-request-logs.ts';

export const auditOperations: readonly Operation[] = [listAuditLog, listRequestLogs];
