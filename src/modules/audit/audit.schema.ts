import { Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts';

export const AuditEntry = Type.Object({
  object: Type.Literal('audit_entry'),
  id: Uuid,
  actor: Type.String({
    description:
      'Quién actuó: api_key, oauth, user, system, link (quien abrió la página pública de un documento) u operator',
  }),
  actor_id: Nullable(Uuid),
  actor_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Su nombre entonces; «(empresa gestora)», si la clave es de la empresa que gestiona esta',
  }),
  actor_key_id: Nullable(Uuid),
  actor_user_id: Type.Union([Uuid, Type.Null()], {
    description: 'La persona en cuyo nombre se actuó: con un acceso OAuth o en su sesión',
  }),
  actor_user_name: Type.Union([Type.String(), Type.Null()], {
    description: 'El nombre que esa persona tiene ahora',
  }),
  action: Type.String(),
  target: Type.Object({ object: Type.String(), id: Uuid }),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  ip: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
  created_at: Timestamp,
});

export type AuditRow = {
  id: string;
  actor: string;
  actor_id: string | null;
  actor_name: string | null;
  actor_key_id: string | null;
  actor_user_id: string | null;
  actor_user_name: string | null;
  action: string;
  object: string;
  object_id: string;
  details: Record<string, unknown>;
  ip: string | null;
  request_id: string | null;
  created_at: Date;
};

export function presentAudit(row: AuditRow) {
  const { id, actor, actor_id, actor_name, actor_key_id, actor_user_id, actor_user_name } = row;
  const { action, details, ip, request_id } = row;
  const target = { object: row.object, id: row.object_id };
  return {
    object: 'audit_entry',
    id,
    actor,
    actor_id,
    actor_name,
    actor_key_id,
    actor_user_id,
    actor_user_name,
    action,
    target,
    details,
    ip,
    request_id,
    created_at: row.created_at.toISOString(),
  };
}

export const RequestEntry = Type.Object({
  object: Type.Literal('request_log'),
  id: Uuid,
  request_id: Type.String(),
  key_id: Nullable(Uuid),
  actor: Type.String({ description: 'Quién llamó: api_key u oauth' }),
  actor_id: Type.Union([Uuid, Type.Null()], { description: 'Id de la clave o del acceso OAuth' }),
  actor_name: Type.Union([Type.String(), Type.Null()], {
    description:
      'Nombre de la clave o de la aplicación; «(empresa gestora)», si la clave es de la que gestiona esta',
  }),
  operation: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  error_code: Nullable(Type.String()),
  duration_ms: Type.Number(),
  ip: Nullable(Type.String()),
  api_version: Type.String(),
  idempotency_key: Nullable(Type.String()),
  created_at: Timestamp,
});

export type RequestRow = {
  id: string;
  request_id: string;
  key_id: string | null;
  actor: string;
  actor_id: string | null;
  actor_name: string | null;
  operation: string | null;
  method: string;
  path: string;
  status: number;
  error_code: string | null;
  duration_ms: string;
  ip: string | null;
  api_version: string;
  idempotency_key: string | null;
  created_at: Date;
};

export function presentRequest(row: RequestRow) {
  return {
    object: 'request_log',
    ...row,
    duration_ms: Number(row.duration_ms),
    created_at: row.created_at.toISOString(),
  };
}
