/** The audit log of keys, settings and other things that trust depends on. Append only. */
import type { AuditEntry, Caller, Principal, Tx } from '../kernel/operation.ts';
import { newId } from '../kernel/uuid7.ts';
import { type Columns, insertRows } from './rows.ts';

/** Older versions of the service read `actor_key_id`. */
export const auditColumns: Columns = {
  id: 'uuid',
  actor: 'text',
  actor_id: 'uuid',
  actor_name: 'text',
  actor_key_id: 'uuid',
  actor_user_id: 'uuid',
  action: 'text',
  object: 'text',
  object_id: 'uuid',
  details: 'jsonb',
  ip: 'text',
  request_id: 'text',
  created_at: 'timestamptz',
};

export type AuditActor = {
  /** `operator`: somebody at the command line. */
  kind: Principal['kind'] | 'operator';
  id: string | null;
  name: string | null;
  /** The key that was used or refused. */
  key_id: string | null;
  /** The person behind a token or a session. */
  user_id?: string | null;
  ip: string | null;
  request_id: string | null;
};

export function actorOf({ principal, user_id, ip }: Caller, request_id: string): AuditActor {
  const { kind, id, name } = principal;
  return { kind, id, name, key_id: kind === 'api_key' ? id : null, user_id, ip, request_id };
}

export function jobActor(id: string, kind: string): AuditActor {
  return { kind: 'system', id, name: kind, key_id: null, ip: null, request_id: null };
}

export const operator: AuditActor = {
  kind: 'operator',
  id: null,
  name: null,
  key_id: null,
  ip: null,
  request_id: null,
};

export function insertAudit(
  tx: Tx,
  company_id: string,
  actor: AuditActor,
  entries: readonly AuditEntry[],
  now: Date,
) {
  return insertAudits(
    tx,
    company_id,
    entries.map((entry) => ({ actor, entry })),
    now,
  );
}

/** Entries of several callers, as one set. */
export function insertAudits(
  tx: Tx,
  company_id: string,
  all: readonly { actor: AuditActor; entry: AuditEntry }[],
  now: Date,
) {
  return insertRows(
    tx,
    company_id,
    'audit_log',
    auditColumns,
    all.map(({ actor, entry }) => ({
      id: newId(),
      actor: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      actor_key_id: actor.key_id,
      actor_user_id: actor.user_id ?? null,
      action: entry.action,
      object: entry.object,
      object_id: entry.object_id,
      details: entry.details ?? {},
      ip: actor.ip,
      request_id: actor.request_id,
      created_at: now.toISOString(),
    })),
  );
}
