import { defineProblems } from '../../kernel/problem.ts';

const conflict = { status: 409, type: 'invalid_request_error' } as const;

export const verifactuErrors = defineProblems({
  verifactu_not_eligible: {
    status: 422,
    type: 'invalid_request_error',
    message: 'El registro de facturación no se puede emitir: {reason}',
    help: 'El registro no cabría en el esquema de la Agencia Tributaria (error.param dice qué dato lo impide), o no hay certificado con el que firmarlo (subcode signing_certificate_unavailable). No se ha consumido ningún número y la factura sigue en borrador.',
  },
  representation_required: {
    status: 422,
    type: 'invalid_request_error',
    message: 'Nadie puede firmar por la empresa: {reason}',
    help: 'En el modo no_verifactu cada registro se firma. Suba un certificado de la empresa o registre una representación en vigor, y repita la llamada.',
  },
  invalid_representation: {
    status: 422,
    type: 'invalid_request_error',
    message: 'La representación no puede valer hasta ese día: {reason}',
    help: 'valid_until va desde hoy hasta cinco años después.',
  },
  social_collaborator_unavailable: {
    status: 422,
    type: 'invalid_request_error',
    message:
      'El servicio no tiene un certificado con el que enviar y firmar por las empresas que representa.',
    help: 'Lo configura quien mantiene el servicio; GET /v1/verifactu/config dice en social_collaborator_available si lo hay. Mientras tanto la empresa puede usar su propio certificado.',
  },
  record_not_rejected: {
    ...conflict,
    message: 'El registro aún no tiene respuesta de la Agencia Tributaria que se pueda subsanar.',
    help: 'Solo se subsana el último registro de una factura, cuando la Agencia lo ha rechazado o aceptado.',
  },
  record_not_subsanable: {
    ...conflict,
    message: 'El registro no se puede subsanar: {reason}',
    help: 'Una subsanación no cambia el número, la fecha ni el emisor, ni los importes de la factura: para eso están la anulación y la rectificativa.',
  },
  requires_annulment: {
    ...conflict,
    message: 'El registro no se subsana: la factura se tiene que anular y emitir de nuevo.',
    help: 'El rechazo afecta al número, a la fecha o al emisor, que identifican la factura. Anúlela y emita otra.',
  },
  operation_date_after_issue_date: {
    status: 422,
    type: 'invalid_request_error',
    message: 'La fecha de operación es posterior a la de expedición.',
    help: 'operation_on no puede ser posterior a issued_on, salvo que la primera línea con clave de régimen lleve la 14 o la 15.',
  },
  max_retries_exceeded: {
    ...conflict,
    message: 'Se superó el número de reintentos.',
    help: 'Vale para los eventos del modo no verificable y, en la versión 2026-06-01, para los registros.',
  },
});
