/**
 * A key on the wire. The specification names the fields of a list item, of a retrieved key, of one's own
 * key, of a new one and of a rotated one apart, so each has its presenter.
 */
import { Enum, Nullable, Shape, Text, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import type { ApiKeyRow, CompanyTier } from './api-keys.store.ts';

const Scopes = Type.Array(Type.String(), { description: 'Permisos del catálogo cerrado' });
const EnvironmentName = Enum(['live', 'test']);
const object = Type.Literal('api_key');
const prefix = Type.String({ description: 'Primeros caracteres de la clave; no autentica' });
const secret = Type.String({ description: 'La clave completa; se muestra solo esta vez' });
const tier = Type.String({ description: 'Nivel que da el plan, o una ampliación en vigor' });

export const ApiKeyListItem = Type.Object({
  object,
  id: Uuid,
  name: Type.String(),
  prefix,
  scopes: Scopes,
  tier,
  environment: EnvironmentName,
  last_used_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  active: Type.Boolean(),
  revoked: Type.Boolean(),
  allowed_ips: Type.Array(Type.String()),
});

export const ApiKey = Type.Object({
  object,
  id: Uuid,
  name: Type.String(),
  prefix,
  scopes: Scopes,
  tier,
  environment: EnvironmentName,
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  is_active: Type.Boolean(),
  is_revoked: Type.Boolean(),
  allowed_ips: Type.Array(Type.String()),
});

export const OwnApiKey = Type.Object({
  object,
  id: Uuid,
  name: Type.String(),
  prefix,
  scopes: Scopes,
  tier,
  last_used_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
});

export const NewApiKey = Type.Object({
  object,
  id: Uuid,
  name: Type.String(),
  prefix,
  secret,
  scopes: Scopes,
  tier,
  environment: EnvironmentName,
});

export const RotatedApiKey = Type.Object({
  object,
  id: Uuid,
  prefix,
  secret,
  scopes: Scopes,
  environment: EnvironmentName,
});

/** `tier` is accepted and ignored: it follows the plan. */
export const ApiKeyInput = Shape({
  name: Text(120, { minLength: 1 }),
  scopes: Type.Array(Text(100), { minItems: 1, maxItems: 200, uniqueItems: true }),
  environment: Type.Optional(EnvironmentName),
  expires_at: Type.Optional(Nullable(Timestamp)),
  allowed_ips: Type.Optional(Nullable(Type.Array(Text(60), { maxItems: 100 }))),
  tier: Type.Optional(Type.Unknown()),
});

function isUsable(row: ApiKeyRow, now: Date): boolean {
  return row.revoked_at === null && (row.expires_at === null || row.expires_at > now);
}

function shared(row: ApiKeyRow, tier: string) {
  return {
    object: 'api_key',
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    tier,
  } as const;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export function presentListItem(row: ApiKeyRow, company: CompanyTier, now: Date) {
  return {
    ...shared(row, company.tier),
    environment: row.environment,
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
    revoked_at: iso(row.revoked_at),
    active: isUsable(row, now),
    revoked: row.revoked_at !== null,
    allowed_ips: row.allowed_ips,
  };
}

export function present(row: ApiKeyRow, company: CompanyTier, now: Date) {
  return {
    ...shared(row, company.tier),
    environment: row.environment,
    created_at: row.created_at.toISOString(),
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
    revoked_at: iso(row.revoked_at),
    is_active: isUsable(row, now),
    is_revoked: row.revoked_at !== null,
    allowed_ips: row.allowed_ips,
  };
}

export function presentOwn(row: ApiKeyRow, tier: string) {
  return { ...shared(row, tier), last_used_at: iso(row.last_used_at), expires_at: iso(row.expires_at) };
}

export function presentNew(row: ApiKeyRow, tier: string, secret: string) {
  return { ...shared(row, tier), secret, environment: row.environment };
}

export function presentRotated(row: ApiKeyRow, secret: string) {
  return {
    object: 'api_key',
    id: row.id,
    prefix: row.prefix,
    secret,
    scopes: row.scopes,
    environment: row.environment,
  };
}
