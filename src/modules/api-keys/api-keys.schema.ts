/** Listed, retrieved, own, new and rotated keys have different fields, so each has its presenter. */
import { Described, Enum, Nullable, Shape, Name, Text, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import type { ApiKeyRow, CompanyTier } from './api-keys.store.ts';

const Scopes = Type.Array(Type.String(), { description: 'Permisos del catálogo cerrado' });
const EnvironmentName = Enum(['live', 'test'], {
  description: 'live: empresa real; test: entorno de pruebas',
});
const id = Described(Uuid, 'Id de la clave');
const name = Type.String({ description: 'Nombre con el que se la reconoce' });
const last_used_at = Described(Nullable(Timestamp), 'Cuándo se usó por última vez');
const expires_at = Described(Nullable(Timestamp), 'Cuándo caduca; null, no caduca');
const revoked_at = Described(Nullable(Timestamp), 'Cuándo se revocó; null si no se ha revocado');
const is_active = Type.Boolean({ description: 'Se puede usar: ni revocada ni caducada' });
const is_revoked = Type.Boolean({ description: 'Se ha revocado' });
const allowed_ips = Type.Array(Type.String(), {
  description: 'Desde dónde se puede usar; vacía, desde cualquier dirección',
});
const object = Type.Literal('api_key');
const prefix = Type.String({ description: 'Primeros caracteres de la clave; no autentica' });
const secret = Type.String({ description: 'La clave completa; se muestra solo esta vez' });
const tier = Type.String({ description: 'Nivel que da el plan, o una ampliación en vigor' });

export const ApiKeyListItem = Type.Object({
  object,
  id,
  name,
  prefix,
  scopes: Scopes,
  tier,
  environment: EnvironmentName,
  last_used_at,
  expires_at,
  revoked_at,
  active: is_active,
  revoked: is_revoked,
  allowed_ips,
});

export const ApiKey = Type.Object({
  object,
  id,
  name,
  prefix,
  scopes: Scopes,
  tier,
  environment: EnvironmentName,
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  last_used_at,
  expires_at,
  revoked_at,
  is_active,
  is_revoked,
  allowed_ips,
});

export const OwnApiKey = Type.Object({
  object: Enum(['api_key', 'oauth_grant'], {
    description: 'api_key: una clave; oauth_grant: lo que una persona autorizó a una aplicación',
  }),
  id,
  name,
  prefix,
  scopes: Scopes,
  tier,
  last_used_at,
  expires_at,
  account: Type.Object(
    {
      object: Type.Literal('account'),
      id: Described(Uuid, 'Id de la empresa'),
      name: Nullable(Type.String({ description: 'Nombre de la empresa' })),
    },
    { description: 'La empresa de la que es la clave' },
  ),
  active_profile: Described(
    Nullable(Uuid),
    'Id de la empresa para la que trabaja esta llamada (X-Active-Profile); null, la de la clave',
  ),
});

export const NewApiKey = Type.Object({
  object,
  id,
  name,
  prefix,
  secret,
  scopes: Scopes,
  tier,
  environment: EnvironmentName,
});

export const RotatedApiKey = Type.Object({
  object,
  id,
  prefix,
  secret,
  scopes: Scopes,
  environment: EnvironmentName,
});

export const KeyName = Name(120, { minLength: 1, description: 'Nombre con el que se la reconoce' });

/** `tier` is accepted and ignored: it follows from the plan. */
export const ApiKeyInput = Shape({
  name: KeyName,
  scopes: Type.Array(Text(100), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description: 'Permisos del catálogo, por ejemplo invoices:read; de 1 a 200',
  }),
  environment: Type.Optional(
    Described(
      EnvironmentName,
      'live: trabaja con la empresa real; test: con el entorno de pruebas. Si se omite, el de la clave que llama; una clave de pruebas solo crea claves de pruebas',
    ),
  ),
  expires_at: Type.Optional(
    Described(Nullable(Timestamp), 'Cuándo caduca: un instante futuro (ISO 8601 UTC); null, no caduca'),
  ),
  allowed_ips: Type.Optional(
    Nullable(
      Type.Array(Text(60), {
        maxItems: 100,
        description:
          'Direcciones IP o rangos CIDR desde los que se puede usar; vacía o null, desde cualquiera',
      }),
    ),
  ),
  tier: Type.Optional(Type.Unknown({ description: 'Se acepta y no tiene efecto: el nivel lo da el plan' })),
});

export function isUsable(row: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>, now: Date): boolean {
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

/** A token's own secret is not known here: its prefix is that of all. */
export function presentOwnGrant(
  grant: { id: string; client_name: string; last_used_at: Date | null },
  scopes: readonly string[],
  tier: string,
) {
  const { id, client_name: name, last_used_at } = grant;
  const object = 'oauth_grant';
  return {
    object,
    id,
    name,
    prefix: 'svc_at_',
    scopes,
    tier,
    last_used_at: iso(last_used_at),
    expires_at: null,
  };
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
