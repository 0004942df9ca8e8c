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
    message: 'Falta la clave de API.',
    help: 'Envíe la clave en la cabecera Authorization: Bearer … o en X-API-Key.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'La clave de API no es válida.',
    help: 'La clave no existe, no tiene el formato correcto, está revocada o caducada, o se usa desde una dirección no permitida. La respuesta es la misma en todos los casos.',
  },
  too_many_auth_failures: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Demasiados intentos de autenticación fallidos. Vuelva a intentarlo en {seconds} segundos.',
    help: 'Desde esta dirección (o, en IPv6, desde su red /64) han fallado más de 20 autenticaciones en un minuto. Espere lo que indica Retry-After y compruebe la clave.',
  },
  insufficient_scope: {
    status: 403,
    type: 'authorization_error',
    message: 'La clave no tiene el permiso {scope}.',
    help: 'Use una clave con el permiso indicado. El plan de la empresa o el entorno de pruebas también pueden excluir un permiso que la clave tenía.',
  },
  resource_not_found: {
    ...missing,
    message: 'El recurso no existe.',
    help: 'El identificador no existe en esta empresa, o la dirección no corresponde a ninguna operación.',
  },
  profile_not_found: {
    ...missing,
    message: 'El perfil activo no existe.',
    help: 'X-Active-Profile debe ser el id de una empresa hija activa, del mismo entorno que la clave.',
  },
  parameter_invalid_uuid: {
    ...bad,
    message: 'El identificador no es un UUID válido.',
    help: 'X-Active-Profile debe llevar un UUID.',
  },
  unsupported_api_version: {
    ...bad,
    message: 'La versión {version} de la API no existe.',
    help: 'Use una de las fechas publicadas en el registro de cambios, u omita la cabecera Service-Version.',
  },
  parameter_invalid_format: {
    ...bad,
    message: 'El formato no es válido.',
    help: 'El cuerpo no es JSON bien formado en UTF-8, anida más de 100 niveles, tiene más de 60.000 valores, más de 25.000 claves en un objeto o más de 20.000 números de más de quince cifras; o una cabecera no tiene el formato pedido.',
  },
  parameter_invalid: {
    ...invalid,
    message: 'Hay campos no válidos o desconocidos.',
    help: 'error.param nombra el primer campo, y error.errors los lista todos con su causa.',
  },
  parameter_invalid_cursor: {
    ...invalid,
    message: 'El cursor no es el id de ningún elemento de la lista.',
    help: 'starting_after y ending_before llevan el id de un elemento de la lista. También se rechaza el de uno que se ha borrado: empiece de nuevo por la primera página.',
  },
  precondition_failed: {
    status: 412,
    type: 'invalid_request_error',
    message: 'El recurso ha cambiado desde que se leyó.',
    help: 'La ETag enviada en If-Match ya no es la del recurso. Vuelva a leerlo, aplique su cambio a lo que hay ahora y envíe la ETag nueva. Nada se ha cambiado.',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: 'Esta dirección no admite ese método; admite {allow}.',
    help: 'La cabecera Allow dice los métodos que la dirección admite.',
  },
  request_aborted: {
    ...bad,
    message: 'La conexión se cerró antes de la respuesta.',
    help: 'Solo se ve en el registro de peticiones: quien llamaba cerró la conexión mientras enviaba, o mientras esperaba. De una petición a medias no se ha guardado nada. Una que llegó entera y no lleva cuerpo puede estar hecha: repítala, mejor con la misma Idempotency-Key.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    message: 'La petición no llegó entera a tiempo.',
    help: 'Las cabeceras tienen que llegar en un minuto, y el cuerpo en 30 segundos. No se ha hecho nada. El servicio cierra la conexión; repita la petición con otra que envíe sin pausas.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    message: 'Las cabeceras de la petición son demasiado grandes.',
    help: 'La dirección y las cabeceras juntas pueden ocupar 16 KiB.',
  },
  request_too_large: {
    status: 413,
    type: 'invalid_request_error',
    message: 'El cuerpo de la petición es demasiado grande: esta operación admite {limit} bytes como máximo.',
    help: 'El límite es de 64 KiB, salvo en las operaciones que necesitan más, como crear una factura (1 MiB) o subir un documento (20 MiB). La referencia de cada operación dice el suyo.',
  },
  list_too_costly: {
    ...invalid,
    message:
      'La lista con estos filtros recorre demasiados elementos. Añada otro filtro, o acote las fechas con created[gte] y created[lte].',
    help: 'Una página tiene cinco segundos. Los filtros por id, cliente, clave externa, número y fechas encuentran sus elementos al momento; un texto corto o muy común recorre la lista entera.',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'El tipo de contenido no se admite.',
    help: 'Envíe el cuerpo como application/json, sin comprimir.',
  },
  idempotency_key_reused: {
    status: 409,
    type: 'idempotency_error',
    message: 'La clave de idempotencia ya se usó con otra petición.',
    help: 'Cada Idempotency-Key sirve para una sola petición durante 24 horas. También se da cuando un external_id ya existe con otro tipo o total (subcode unattended_replay_mismatch).',
  },
  resource_locked: {
    ...conflict,
    message: 'Otra petición igual sigue en curso. Puede repetirla dentro de unos segundos.',
    help: 'Hay una petición en curso con la misma Idempotency-Key o el mismo external_id, y no terminó en 20 segundos.',
  },
  invalid_status_transition: {
    ...conflict,
    message: 'El estado actual no permite esta operación.',
    help: 'Consulte el estado actual del recurso: la operación no se admite en él. Repetirla no cambia nada mientras siga en ese estado.',
  },
  version_conflict: {
    ...conflict,
    message: 'El documento ha cambiado: su versión ya no es la indicada.',
    help: 'expected_version lleva la versión que se leyó, y el documento tiene ya otra. Vuelva a leerlo, compruebe lo que ha cambiado y repita la petición con la versión nueva. Nada se ha cambiado.',
  },
  missing_required_param: {
    ...invalid,
    message: 'Falta un dato obligatorio en este caso.',
    help: 'El campo que nombra error.param es obligatorio por las circunstancias de la petición.',
  },
  business_rule_violation: {
    ...invalid,
    message: 'La operación incumple una regla: {reason}',
    help: 'El mensaje explica la regla, y error.param nombra el campo que la incumple.',
  },
  invalid_param_value: {
    ...invalid,
    message: 'El valor no se admite: {reason}',
    help: 'error.param nombra el campo. No se ha cambiado nada: la llamada se rechaza entera.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message:
      'Se superó el límite de {limit} peticiones por minuto. Vuelva a intentarlo en {seconds} segundos.',
    help: 'El límite depende del plan. Las cabeceras RateLimit y Retry-After dicen cuánto queda y cuándo volver.',
  },
  company_share_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message:
      'Esta empresa tiene ya en curso o en espera todo lo que puede a la vez. Vuelva a intentarlo en {seconds} segundos.',
    help: 'Cada empresa tiene una parte de lo que comparten todas: peticiones a la vez, impresión, lectura de certificados, comprobaciones de integridad. Las de su entorno de pruebas cuentan en ella, y las peticiones de sus empresas hijas también. Nada se ha hecho. Repita la petición pasado lo que indica Retry-After, con menos a la vez.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'El servicio no está disponible ahora mismo. Puede repetir la petición dentro de unos segundos.',
    help: 'El servicio se está deteniendo, no alcanza su base de datos o tiene demasiados documentos por imprimir. Nada se ha guardado a medias. Retry-After dice cuándo volver.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Se ha producido un error inesperado. Indique el request_id al servicio de soporte.',
    help: 'El fallo ha quedado registrado con su request_id.',
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
