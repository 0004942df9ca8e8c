/** Errors that any operation can give. */
import { defineProblems } from './problem.ts';

const bad = { status: 400, type: 'invalid_request_error' } as const;
const invalid = { status: 422, type: 'invalid_request_error' } as const;
const conflict = { status: 409, type: 'invalid_request_error' } as const;
const missing = { status: 404, type: 'not_found_error' } as const;

export const commonErrors = defineProblems({
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    message: { es: 'Falta la clave de API.', en: 'The API key is missing.' },
    help: {
      es: 'Envíe la clave en la cabecera Authorization: Bearer … o en X-API-Key.',
      en: 'Send the key in the header Authorization: Bearer … or in X-API-Key.',
    },
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: { es: 'La clave de API no es válida.', en: 'The API key is not valid.' },
    help: {
      es: 'La clave no existe, no tiene el formato correcto, va en Authorization sin Bearer delante, está revocada o caducada, o se usa desde una dirección no permitida. La respuesta es la misma en todos los casos.',
      en: 'The key does not exist, does not have the right format, stands in Authorization without Bearer before it, is revoked or has expired, or is used from an address that is not allowed. The answer is the same in each case.',
    },
  },
  too_many_auth_failures: {
    status: 429,
    type: 'rate_limit_error',
    message: {
      es: 'Demasiados intentos de autenticación fallidos. Vuelva a intentarlo en {seconds} segundos.',
      en: 'Too many attempts to authenticate failed. Try again in {seconds} seconds.',
    },
    help: {
      es: 'Desde esta dirección (o, en IPv6, desde su red /64) han fallado más de 20 autenticaciones en un minuto (cada proceso del servicio cuenta las suyas). Espere lo que indica Retry-After y compruebe la clave.',
      en: 'From this address (or, in IPv6, from its network /64) more than 20 attempts to authenticate failed within a minute (each process of the service counts its own). Wait for what Retry-After says and check the key.',
    },
  },
  insufficient_scope: {
    status: 403,
    type: 'authorization_error',
    // Of a key, of an application's token and of a person alike: who calls may have no key.
    message: { es: 'Falta el permiso {scope}.', en: 'The scope {scope} is missing.' },
    help: {
      es: 'Use una clave con el permiso indicado. Una persona tiene los permisos de su papel en la empresa: un propietario puede darle otro. El plan de la empresa o el entorno de pruebas también pueden excluir un permiso que la clave o el papel tenían.',
      en: 'Use a key with that scope. A person has the scopes of their role in the company: an owner can give them another. The plan of the company or the sandbox may also exclude a scope that the key or the role had.',
    },
  },
  resource_not_found: {
    ...missing,
    message: { es: 'El recurso no existe.', en: 'The resource does not exist.' },
    help: {
      es: 'El identificador no existe en esta empresa, o la dirección no corresponde a ninguna operación.',
      en: 'The identifier does not exist in this company, or the address is that of no operation.',
    },
  },
  profile_not_found: {
    ...missing,
    message: { es: 'El perfil activo no existe.', en: 'The active profile does not exist.' },
    help: {
      es: 'X-Active-Profile debe ser el id de una empresa hija activa, del mismo entorno que la clave.',
      en: 'X-Active-Profile has to be the id of an active managed company, of the same environment as the key.',
    },
  },
  parameter_invalid_uuid: {
    ...bad,
    message: { es: 'El identificador no es un UUID válido.', en: 'The identifier is no valid UUID.' },
    help: { es: 'X-Active-Profile debe llevar un UUID.', en: 'X-Active-Profile has to be a UUID.' },
  },
  unsupported_api_version: {
    ...bad,
    message: {
      es: 'La versión {version} de la API no existe. Las versiones son: {known}.',
      en: 'The version {version} of the API does not exist. The versions are: {known}.',
    },
    help: {
      es: 'Use una de las fechas publicadas en el registro de cambios, u omita la cabecera Service-Version.',
      en: 'Use one of the dates that the list of changes has, or leave the header Service-Version out.',
    },
  },
  parameter_invalid_format: {
    ...bad,
    message: { es: 'El formato no es válido.', en: 'The format is not valid.' },
    help: {
      es: 'El cuerpo no es JSON bien formado en UTF-8, anida más de 100 niveles, tiene más de 60.000 valores, más de 5.000 claves en un objeto o más de 20.000 números de más de quince cifras, o llega en miles de trozos de unos pocos bytes; o una cabecera no tiene el formato pedido.',
      en: 'The body is no well-formed JSON in UTF-8, nests more than 100 levels, or has more than 60,000 values, more than 5,000 keys in an object or more than 20,000 numbers of more than fifteen digits, or comes in thousands of pieces of a few bytes; or a header does not have the format asked for.',
    },
  },
  parameter_invalid: {
    ...invalid,
    message: { es: 'Hay campos no válidos o desconocidos.', en: 'Some fields are not valid or not known.' },
    help: {
      es: 'error.param nombra el primer campo, y error.errors los lista todos con su causa.',
      en: 'error.param names the first field, and error.errors lists all of them with their cause.',
    },
  },
  parameter_invalid_cursor: {
    ...invalid,
    message: {
      es: 'El cursor no es el id de ningún elemento de la lista.',
      en: 'The cursor is the id of no item of the list.',
    },
    help: {
      es: 'starting_after y ending_before llevan el id de un elemento de la lista. También se rechaza el de uno que se ha borrado: empiece de nuevo por la primera página.',
      en: 'starting_after and ending_before have the id of an item of the list. That of one that was deleted is refused too: begin again with the first page.',
    },
  },
  precondition_failed: {
    status: 412,
    type: 'invalid_request_error',
    message: {
      es: 'El recurso ha cambiado desde que se leyó.',
      en: 'The resource has changed since it was read.',
    },
    help: {
      es: 'La ETag enviada en If-Match ya no es la del recurso. Vuelva a leerlo, aplique su cambio a lo que hay ahora y envíe la ETag nueva. Nada se ha cambiado.',
      en: 'The ETag sent in If-Match is no longer that of the resource. Read it again, apply your change to what is there now and send the new ETag. Nothing was changed.',
    },
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: {
      es: 'Esta dirección no admite ese método; admite {allow}.',
      en: 'This address does not take that method; it takes {allow}.',
    },
    help: {
      es: 'La cabecera Allow dice los métodos que la dirección admite.',
      en: 'The header Allow says which methods the address takes.',
    },
  },
  request_aborted: {
    ...bad,
    message: {
      es: 'La conexión se cerró antes de la respuesta.',
      en: 'The connection was closed before the answer.',
    },
    help: {
      es: 'Solo se ve en el registro de peticiones: quien llamaba cerró la conexión mientras enviaba, o mientras esperaba. De una petición a medias no se ha guardado nada. Una que llegó entera y no lleva cuerpo puede estar hecha: repítala, mejor con la misma Idempotency-Key.',
      en: 'Seen in the request log alone: the caller closed the connection while it sent, or while it waited. Nothing of a request that came in part was stored. One that came whole and has no body may be done: send it again, best with the same Idempotency-Key.',
    },
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    message: { es: 'La petición no llegó entera a tiempo.', en: 'The request did not arrive whole in time.' },
    help: {
      es: 'Las cabeceras tienen que llegar en un minuto, y el cuerpo en 30 segundos. No se ha hecho nada. El servicio cierra la conexión; repita la petición con otra que envíe sin pausas.',
      en: 'Headers have to arrive within a minute, and the body within 30 seconds. Nothing was done. The service closes the connection; send the request again over another, without pauses.',
    },
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    message: {
      es: 'Las cabeceras de la petición son demasiado grandes.',
      en: 'The headers of the request are too large.',
    },
    help: {
      es: 'La dirección y las cabeceras juntas pueden ocupar 16 KiB.',
      en: 'The address and the headers together may have 16 KiB.',
    },
  },
  request_too_large: {
    status: 413,
    type: 'invalid_request_error',
    message: {
      es: 'El cuerpo de la petición es demasiado grande: esta operación admite {limit} bytes como máximo.',
      en: 'The body of the request is too large: this operation takes {limit} bytes at most.',
    },
    help: {
      es: 'El límite es de 64 KiB, salvo en las operaciones que necesitan más, como crear una factura (1 MiB) o subir un documento (20 MiB). La referencia de cada operación dice el suyo.',
      en: 'The limit is 64 KiB, except for operations that need more, such as creating an invoice (1 MiB) or uploading a document (20 MiB). The reference of each operation says its own.',
    },
  },
  list_too_costly: {
    ...invalid,
    message: {
      es: 'La lista con estos filtros recorre demasiados elementos. Añada otro filtro, o acote las fechas con created[gte] y created[lte].',
      en: 'The list with these filters reads too many items. Add another filter, or narrow the dates with created[gte] and created[lte].',
    },
    help: {
      es: 'Una página tiene cinco segundos. Los filtros por id, cliente, clave externa, número y fechas encuentran sus elementos al momento; un texto corto o muy común recorre la lista entera.',
      en: 'A page has five seconds. Filters by id, client, external key, number and dates find their items at once; a short or very common text reads the whole list.',
    },
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: {
      es: 'El tipo de contenido no se admite: envíe application/json, sin comprimir.',
      en: 'The content type is not taken: send application/json, not compressed.',
    },
    help: {
      es: 'Envíe el cuerpo como application/json, sin comprimir.',
      en: 'Send the body as application/json, not compressed.',
    },
  },
  idempotency_key_reused: {
    status: 409,
    type: 'idempotency_error',
    message: {
      es: 'La clave de idempotencia ya se usó con otra petición.',
      en: 'The idempotency key was used with another request already.',
    },
    help: {
      es: 'Cada Idempotency-Key sirve para una sola petición durante 24 horas: una petición corregida lleva otra, y una repetida lleva sus campos en el mismo orden. También se da cuando un external_id ya existe con otro tipo o total (subcode unattended_replay_mismatch).',
      en: 'Each Idempotency-Key is for one request alone during 24 hours: a request that was mended has another, and one that is repeated has its fields in the same order. It comes too when an external_id exists with another type or total (subcode unattended_replay_mismatch).',
    },
  },
  resource_locked: {
    ...conflict,
    message: {
      es: 'Otra petición ocupa lo que esta necesita. Puede repetirla dentro de unos segundos.',
      en: 'Another request holds what this one needs. You may send it again in some seconds.',
    },
    help: {
      es: 'Esta petición no ha hecho nada. Otra con la misma Idempotency-Key o el mismo external_id sigue en curso y no terminó en 20 segundos, u otras que cambian lo mismo se le adelantaron cada vez. Repítala dentro de unos segundos.',
      en: 'This request did nothing. Another with the same Idempotency-Key or the same external_id is still under way and did not end within 20 seconds, or others that change the same thing were faster each time. Send it again in some seconds.',
    },
  },
  invalid_status_transition: {
    ...conflict,
    message: {
      es: 'El estado actual no permite esta operación: {reason}',
      en: 'The present status does not allow this operation: {reason}',
    },
    help: {
      es: 'El mensaje dice en qué estado está el recurso y en cuáles se puede, o qué lo impide, como un cobro sin anular, una rectificativa vigente o ser la serie predeterminada. La descripción de la operación dice cuándo se rechaza. Repetirla no cambia nada mientras tanto.',
      en: 'The message says which status the resource has and which ones allow it, or what stands in the way, such as a payment in force, a corrective in force or being the default series. The description of the operation says when it is refused. Sending it again changes nothing meanwhile.',
    },
  },
  version_conflict: {
    ...conflict,
    message: {
      es: 'El documento ha cambiado: su versión ya no es la indicada.',
      en: 'The document has changed: its version is no longer the one that was given.',
    },
    help: {
      es: 'expected_version lleva la versión que se leyó, y el documento tiene ya otra. Vuelva a leerlo, compruebe lo que ha cambiado y repita la petición con la versión nueva. Nada se ha cambiado.',
      en: 'expected_version has the version that was read, and the document has another by now. Read it again, see what changed, and send the request with the new version. Nothing was changed.',
    },
  },
  missing_required_param: {
    ...invalid,
    message: {
      es: 'Falta un dato obligatorio en este caso.',
      en: 'Something that this case needs is missing.',
    },
    help: {
      es: 'El campo que nombra error.param es obligatorio por las circunstancias de la petición.',
      en: 'The field that error.param names is required by the circumstances of the request.',
    },
  },
  business_rule_violation: {
    ...invalid,
    message: { es: 'La operación incumple una regla: {reason}', en: 'The operation breaks a rule: {reason}' },
    help: {
      es: 'El mensaje explica la regla, y error.param nombra el campo que la incumple.',
      en: 'The message explains the rule, and error.param names the field that breaks it.',
    },
  },
  invalid_param_value: {
    ...invalid,
    message: { es: 'El valor no se admite: {reason}', en: 'The value is not taken: {reason}' },
    help: {
      es: 'error.param nombra el campo. No se ha cambiado nada: la llamada se rechaza entera.',
      en: 'error.param names the field. Nothing was changed: the whole call is refused.',
    },
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: {
      es: 'Se superó el límite de {limit} peticiones por minuto. Vuelva a intentarlo en {seconds} segundos.',
      en: 'The limit of {limit} requests a minute is used up. Try again in {seconds} seconds.',
    },
    help: {
      es: 'El límite depende del plan. Las cabeceras RateLimit y Retry-After dicen cuánto queda y cuándo volver.',
      en: 'The limit depends on the plan. The headers RateLimit and Retry-After say how much is left and when to come back.',
    },
  },
  company_share_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: {
      es: 'Esta empresa tiene ya en curso o en espera todo lo que puede a la vez. Vuelva a intentarlo en {seconds} segundos.',
      en: 'This company has under way or waiting all that it may have at a time. Try again in {seconds} seconds.',
    },
    help: {
      es: 'Cada empresa tiene una parte de lo que comparten todas: peticiones a la vez, impresión, lectura de certificados, comprobaciones de integridad, respuestas que aún no se han leído. Las de su entorno de pruebas cuentan en ella, y las peticiones de sus empresas hijas también. Nada se ha hecho. Repita la petición pasado lo que indica Retry-After, con menos a la vez.',
      en: 'Each company has a part of what all share: requests at a time, printing, reading of certificates, checks of integrity, answers that are not read yet. Those of its sandbox count in it, and so do the requests of its managed companies. Nothing was done. Send the request again after what Retry-After says, with fewer at a time.',
    },
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    message: {
      es: 'El servicio no está disponible ahora mismo. Puede repetir la petición dentro de unos segundos.',
      en: 'The service is not available right now. You may send the request again in some seconds.',
    },
    help: {
      es: 'El servicio se está deteniendo, no alcanza su base de datos o tiene demasiados documentos por imprimir. Nada se ha guardado a medias. Retry-After dice cuándo volver.',
      en: 'The service is stopping, does not reach its database, or has too many documents to print. Nothing was stored in part. Retry-After says when to come back.',
    },
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: {
      es: 'Se ha producido un error inesperado. Indique el request_id al servicio de soporte.',
      en: 'An unexpected error came up. Tell the support the request_id.',
    },
    help: {
      es: 'El fallo ha quedado registrado con su request_id.',
      en: 'The fault was logged with its request_id.',
    },
  },
});

/** An operation may answer these without listing them. */
export const commonCodes: ReadonlySet<string> = new Set([
  'missing_api_key',
  'invalid_api_key',
  'too_many_auth_failures',
  'insufficient_scope',
  'profile_not_found',
  'parameter_invalid_uuid',
  'unsupported_api_version',
  'parameter_invalid_format',
  'parameter_invalid',
  'precondition_failed',
  'request_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'resource_locked',
  'rate_limit_exceeded',
  'company_share_exceeded',
  'service_unavailable',
  'internal_error',
]);
