import type { AuditEntry } from '../../../../src/modules/audit/audit.schema.ts';
import { call, type ListQuery, type Page, type Wire } from '../../app/operation.ts';

export type Entry = Wire<typeof AuditEntry>;

export const listAuditLog = call<{ query: ListQuery; answer: Page<Entry> }>('list_audit_log');
