/** The audit log: who did what to keys, settings and other things that matter for trust. Append only. */
import type { AuditEntry, Tx } from '../kernel/operation.ts';
import { newId } from '../kernel/uuid7.ts';
import { type Columns, insertRows } from './rows.ts';

const auditColumns: Columns = {
  id: 'uuid',
  actor: 'text',
  actor_key_id: 'uuid',
  action: 'text',
  object: 'text',
  object_id: 'uuid',
  details: 'jsonb',
  ip: 'text',
  request_id: 'text',
  created_at: 'timestamptz',
};

export type AuditActor = {
  actor: 'api_key' | 'operator' | 'system';
  key_id: string | null;
  ip: string | null;
  request_id: string | null;
};

/** Writes audit entries in the transaction of what they tell of. */
export function insertAudit(
  tx: Tx,
  company_id: string,
  actor: AuditActor,
  entries: readonly AuditEntry[],
  now: Date,
) {
  return insertRows(
    tx,
    company_id,
    'audit_log',
    auditColumns,
    entries.map((e) => ({
      id: newId(),
      actor: actor.actor,
      actor_key_id: actor.key_id,
      action: e.action,
      object: e.object,
      object_id: e.object_id,
      details: e.details ?? {},
      ip: actor.ip,
      request_id: actor.request_id,
      created_at: now.toISOString(),
    })),
  );
}
