import { isResource, jsonMedia, type Operation } from '../../kernel/operation.ts';
import { apiVersions, latestVersion } from '../../kernel/versions.ts';
import type { JsonSchema } from '../shared/wire-schema.ts';

type Header = { description: string; schema: JsonSchema; example?: string };

const text = (description: string, example?: string): Header => ({
  description,
  schema: { type: 'string' },
  ...(example === undefined ? {} : { example }),
});

export const answerHeaders = {
  'Content-Disposition': text('Nombre con el que guardar el fichero.', 'attachment; filename="registro.xml"'),
  Deprecation: text('Instante desde el que la operación está en desuso (RFC 9745).', '@1795305600'),
  ETag: text(
    'Marca del contenido: con ella en `If-None-Match`, si no ha cambiado se responde 304.',
    '"0199c4a8-0000-7000-8000-000000000001"',
  ),
  'Idempotent-Replayed': {
    description:
      'Presente si la respuesta es la de una petición anterior: la guardada con la misma Idempotency-Key, o la de lo que ya se creó con el mismo external_id o el mismo contenido.',
    schema: { type: 'string', const: 'true' },
  },
  Link: text(
    'Página siguiente en el sentido de la marcha (RFC 8288); ausente en la última.',
    '</v1/events?limit=25&starting_after=0199c4a8-0000-7000-8000-000000000001>; rel="next"',
  ),
  RateLimit: text(
    'Peticiones que quedan en la ventana actual y segundos hasta la siguiente.',
    '"read";r=1199;t=42',
  ),
  'RateLimit-Policy': text(
    'Límite que antes se agota, el de la clave o el de su empresa: peticiones y segundos de la ventana.',
    '"read";q=1200;w=60',
  ),
  'Retry-After': {
    description: 'Segundos que conviene esperar antes de repetir la petición.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Service-Key-Secret-Expires': {
    description: 'Instante en que deja de servir la clave usada, si ya se rotó.',
    schema: { type: 'string', format: 'date-time' },
  },
  'Service-Version': {
    description: 'Versión de la API que se ha aplicado.',
    schema: { type: 'string', enum: [...apiVersions] },
  },
  Sunset: text('Instante en que la operación deja de responder (RFC 8594).', 'Tue, 30 Nov 2027 00:00:00 GMT'),
  Warning: text(
    'Aviso 199 mientras se usa una clave ya rotada, con las horas que le quedan.',
    '199 svc "This secret was rotated and stops working in 23 hours"',
  ),
  'WWW-Authenticate': text(
    'Esquema de autenticación que se espera, y dónde se describe cómo obtener un acceso OAuth; en el 401 de una clave o un token que no sirve, también error="invalid_token"; en un 403, también los permisos que hacen falta.',
    'Bearer resource_metadata="https://folio.example.com/.well-known/oauth-protected-resource/v1"',
  ),
  'X-Request-Id': text(
    'Identificador de la petición; indíquelo al servicio de soporte.',
    'req_0199c4a80000700080000000000000aa',
  ),
} satisfies Record<string, Header>;

type HeaderName = keyof typeof answerHeaders;

/** An answer that names one of these always has it, but for the ETag of a file: a provisional PDF and a signature have none. */
const alwaysSent: readonly HeaderName[] = ['ETag', 'Service-Version', 'WWW-Authenticate', 'X-Request-Id'];

/** For components: generators take a reference for a header that always comes. */
export const headerComponents = Object.fromEntries(
  alwaysSent.map((name) => [name, { required: true, ...answerHeaders[name] }]),
);

/** A header that may be absent stands in its place, since openapi-typescript makes every reference required. */
function describeHeaders(
  names: readonly HeaderName[],
  may_be_absent: readonly HeaderName[] = [],
): Record<string, JsonSchema> {
  return Object.fromEntries(
    names.map((name) => {
      const { description, schema } = answerHeaders[name];
      const is_always_sent = alwaysSent.includes(name) && !may_be_absent.includes(name);
      return [name, is_always_sent ? { $ref: `#/components/headers/${name}` } : { description, schema }];
    }),
  );
}

export function isFile(operation: Operation): boolean {
  return operation.output_media_type !== jsonMedia;
}

export const unchangedFile =
  'Sin cambios: el fichero es el de la ETag enviada en `If-None-Match`, y no se repite.';

export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETag del fichero que ya se tiene: si no ha cambiado se responde 304, sin él.',
  schema: { type: 'string' },
} as const;

/** Headers of a file besides those of every answer. */
export const fileHeaders = ['ETag', 'Content-Disposition'] as const;

export function isList(operation: Operation): boolean {
  const { properties } = operation.output as { properties?: Record<string, unknown> };
  return properties !== undefined && 'has_more' in properties && 'next_cursor' in properties;
}

export function successHeaders(operation: Operation): Record<string, JsonSchema> {
  const names: readonly HeaderName[] = [
    'X-Request-Id',
    'Service-Version',
    'RateLimit',
    'RateLimit-Policy',
    ...(operation.idempotency === 'none' ? [] : (['Idempotent-Replayed'] as const)),
    ...(isList(operation) ? (['Link'] as const) : []),
    ...(isFile(operation) ? fileHeaders : []),
    ...(isResource(operation) ? (['ETag'] as const) : []),
    ...ofRotatedKey,
  ];
  return {
    ...describeHeaders(names, isFile(operation) ? fileHeaders : []),
    ...(operation.deprecated === null ? {} : disuseHeaders()),
  };
}

/** Of an answer to the earlier secret of a key, whatever it says. */
const ofRotatedKey = ['Warning', 'Service-Key-Secret-Expires'] as const;

const disuseHeaders = (): Record<string, JsonSchema> => ({
  ...describeHeaders(['Deprecation', 'Sunset']),
  Link: {
    description: 'La operación que hay que usar en su lugar (RFC 5829).',
    schema: { type: 'string' },
  },
});

/** A 401 has no rate: the service does not know the caller. */
export function problemHeaders(status: number): Record<string, JsonSchema> {
  return describeHeaders([
    'X-Request-Id',
    'Service-Version',
    ...(status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 401 ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(status === 401 ? [] : ofRotatedKey),
  ]);
}

export const requestHeaders = {
  'Service-Version': {
    name: 'Service-Version',
    in: 'header',
    description: `Fija la versión de la API para esta petición. Si se omite, rige la de la clave o, si no la tiene, ${latestVersion}.`,
    schema: { type: 'string', format: 'date', enum: [...apiVersions] },
  },
  'X-Active-Profile': {
    name: 'X-Active-Profile',
    in: 'header',
    description:
      'Id de una empresa hija: la petición trabaja con sus datos. Solo para claves de una asesoría.',
    schema: { type: 'string', format: 'uuid' },
  },
} as const;

export const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description:
    'ETag que dio la lectura del recurso: si ya no es la suya, no se hace nada y se responde 412. Con * basta con que exista.',
  schema: { type: 'string' },
} as const;

/** @returns undefined when the operation takes no Idempotency-Key */
export function idempotencyParameter(operation: Operation): JsonSchema | undefined {
  if (operation.idempotency === 'none') return undefined;
  const { min, max } = operation.idempotency_length;
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: operation.idempotency === 'required',
    description:
      'Clave que elige el cliente para poder repetir la petición sin repetir su efecto. Sirve 24 horas: la misma clave con la misma petición devuelve la misma respuesta, también si fue un rechazo. Una petición corregida, o que ya se puede hacer, lleva otra clave.',
    schema: { type: 'string', minLength: min, maxLength: max },
  };
}
