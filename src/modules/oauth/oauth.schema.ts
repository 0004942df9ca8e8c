/** Applications and grants on the wire. */
import { readOnlyKeys } from '../../kernel/read-only.ts';
import { Described, Enum, Name, Nullable, Shape, Text, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import type { ClientRow } from './clients.store.ts';
import type { GrantRow } from './grants.store.ts';
import { redirectLength } from '../../domain/oauth/redirect-uris.ts';
import { dottedScope } from '../../domain/oauth/scopes.ts';

const types = ['public', 'confidential'] as const;

const clientFields = {
  object: Type.Literal('oauth_client'),
  id: Described(Uuid, 'Id de la aplicación'),
  client_id: Type.String({ description: 'Nombre con el que la aplicación se presenta; no es secreto' }),
  name: Type.String({ description: 'Nombre que ven las personas al autorizarla' }),
  type: Enum(types, {
    description:
      'public: no puede guardar un secreto (móvil, escritorio, navegador); confidential: sí (servidor)',
  }),
  redirect_uris: Type.Array(Type.String(), {
    description: 'Direcciones a las que puede volver el navegador',
  }),
  website: Nullable(Type.String({ description: 'Página de la aplicación' })),
  secret_prefix: Nullable(
    Type.String({ description: 'Primeros caracteres de su secreto; null, no tiene. No autentica' }),
  ),
  previous_secret_valid_until: Described(
    Nullable(Timestamp),
    'Hasta cuándo vale también el secreto anterior; null, ya no vale ninguno',
  ),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
};

export const OAuthClient = Type.Object(clientFields);

/** Answered only by creation and rotation. */
export const OAuthClientWithSecret = Type.Object({
  ...clientFields,
  secret: Type.Optional(
    Type.String({ description: 'Secreto de una aplicación confidencial; se muestra solo esta vez' }),
  ),
});

export const clientReadOnly = ['id', 'object', 'client_id', 'type', 'created_at', 'updated_at'] as const;
/** A rotation changes these, maybe between a GET and its PUT: whatever comes back is accepted. */
const moving = ['secret_prefix', 'previous_secret_valid_until'] as const;

const input = {
  name: Name(120, {
    minLength: 1,
    description: 'Nombre que ven las personas al autorizarla: legible, y sin signos invisibles',
  }),
  redirect_uris: Type.Array(Text(redirectLength, { minLength: 1 }), {
    minItems: 1,
    maxItems: 10,
    uniqueItems: true,
    description:
      'Direcciones a las que puede volver el navegador, exactas: https; http en el propio equipo (127.0.0.1, [::1] o localhost, con cualquier puerto); o, si es pública, un esquema propio con un punto. De 1 a 10',
  }),
  website: Nullable(Text(500, { description: 'Página https de la aplicación; null la borra' })),
};

export const OAuthClientInput = Shape({
  name: input.name,
  type: Enum(types, {
    description:
      'public: no puede guardar un secreto (móvil, escritorio, navegador); confidential: sí (servidor). No cambia',
  }),
  redirect_uris: input.redirect_uris,
  website: Type.Optional(input.website),
});

export const OAuthClientUpdate = Shape({
  name: Type.Optional(input.name),
  redirect_uris: Type.Optional(input.redirect_uris),
  website: Type.Optional(input.website),
  ...readOnlyKeys([...clientReadOnly, ...moving]),
});

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** @param now real time */
export function presentClient(row: ClientRow, now: Date) {
  const { previous_until } = row;
  return {
    object: 'oauth_client',
    id: row.id,
    client_id: row.client_id,
    name: row.name,
    type: row.type,
    redirect_uris: row.redirect_uris,
    website: row.website,
    secret_prefix: row.secret_prefix,
    previous_secret_valid_until: previous_until && previous_until > now ? iso(previous_until) : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  } as const;
}

export const OAuthGrant = Type.Object({
  object: Type.Literal('oauth_grant'),
  id: Described(Uuid, 'Id de la autorización'),
  client: Type.Object(
    {
      client_id: Type.String({ description: 'Nombre con el que la aplicación se presenta' }),
      name: Type.String({ description: 'Cómo se llamaba cuando se la autorizó' }),
      host: Nullable(
        Type.String({
          description: 'De una aplicación descrita por un documento: el dominio de su dirección',
        }),
      ),
    },
    { description: 'La aplicación autorizada' },
  ),
  user: Type.Object(
    {
      id: Described(Uuid, 'Id de la persona'),
      name: Nullable(Type.String({ description: 'Su nombre' })),
    },
    { description: 'La persona que la autorizó, y en cuyo nombre actúa' },
  ),
  environment: Enum(['live', 'test'], { description: 'live: empresa real; test: entorno de pruebas' }),
  audience: Enum(['v1', 'mcp'], { description: 'v1: la API HTTP; mcp: las herramientas para agentes' }),
  scopes: Type.Array(Type.String(), { description: 'Permisos concedidos, con punto: invoices.read' }),
  created_at: Described(Timestamp, 'Cuándo se concedió (ISO 8601 UTC)'),
  last_used_at: Described(Nullable(Timestamp), 'Cuándo se usó por última vez, con un minuto de margen'),
  revoked_at: Described(Nullable(Timestamp), 'Cuándo acabó; null, sigue en vigor'),
});

export function presentGrant(row: GrantRow, names: ReadonlyMap<string, string>) {
  return {
    object: 'oauth_grant',
    id: row.id,
    client: { client_id: row.client_id, name: row.client_name, host: row.client_host },
    user: { id: row.user_id, name: names.get(row.user_id) ?? null },
    environment: row.environment,
    audience: row.audience,
    scopes: row.scopes.map(dottedScope),
    created_at: row.created_at.toISOString(),
    last_used_at: iso(row.last_used_at),
    revoked_at: iso(row.revoked_at),
  } as const;
}
