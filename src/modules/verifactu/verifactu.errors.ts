import { defineProblems } from '../../kernel/problem.ts';

const conflict = { status: 409, type: 'invalid_request_error' } as const;

export const verifactuErrors = defineProblems({
  verifactu_not_eligible: {
    status: 422,
    type: 'invalid_request_error',
    message: {
      es: 'El registro de facturación no se puede emitir: {reason}',
      en: 'The billing record cannot be issued: {reason}',
    },
    help: {
      es: 'La Agencia Tributaria no admitiría el registro (error.param dice qué dato lo impide), o no hay certificado con el que firmarlo (subcode signing_certificate_unavailable). No se ha hecho nada: al emitir, no se ha consumido ningún número y un borrador lo sigue siendo; al anular o subsanar, la factura y su registro quedan como estaban.',
      en: 'The tax agency would not take the record (error.param says what prevents it), or there is no certificate to sign it with (subcode signing_certificate_unavailable). Nothing was done: at an issue, no number was taken and a draft is still one; when annulling or mending, invoice and record stay as they were.',
    },
  },
  representation_required: {
    status: 422,
    type: 'invalid_request_error',
    message: {
      es: 'Nadie puede firmar por la empresa: {reason}',
      en: 'Nobody can sign for the company: {reason}',
    },
    help: {
      es: 'En el modo no_verifactu cada registro se firma. Suba un certificado de la empresa o registre una representación en vigor, y repita la llamada.',
      en: 'In the mode no_verifactu each record is signed. Upload a certificate of the company or register a representation that is in force, and send the call again.',
    },
  },
  invalid_representation: {
    status: 422,
    type: 'invalid_request_error',
    message: {
      es: 'La representación no puede valer hasta ese día: {reason}',
      en: 'The representation cannot be valid until that day: {reason}',
    },
    help: {
      es: 'valid_until va desde hoy hasta cinco años después.',
      en: 'valid_until goes from today to five years from now.',
    },
  },
  social_collaborator_unavailable: {
    status: 422,
    type: 'invalid_request_error',
    message: {
      es: 'El servicio no tiene un certificado con el que enviar y firmar por las empresas que representa.',
      en: 'The service has no certificate to send and sign with for companies that it represents.',
    },
    help: {
      es: 'Lo configura quien mantiene el servicio; GET /v1/verifactu/config dice en social_collaborator_available si lo hay. Mientras tanto la empresa puede usar su propio certificado.',
      en: 'Whoever runs the service sets it up; GET /v1/verifactu/config says in social_collaborator_available whether there is one. Until then the company may use its own certificate.',
    },
  },
  record_not_rejected: {
    ...conflict,
    message: {
      es: 'El registro aún no tiene respuesta de la Agencia Tributaria, o la factura tiene otro registro posterior.',
      en: 'The record has no answer of the tax agency yet, or the invoice has a later record.',
    },
    help: {
      es: 'Solo se subsana el último registro de una factura, cuando la Agencia lo ha rechazado o aceptado.',
      en: 'Only the last record of an invoice is mended, once the agency has rejected or accepted it.',
    },
  },
  record_not_subsanable: {
    ...conflict,
    message: {
      es: 'El registro no se puede subsanar: {reason}',
      en: 'The record cannot be mended: {reason}',
    },
    help: {
      es: 'Una subsanación no cambia el número, la fecha ni el emisor, ni los importes de la factura: para eso están la anulación y la rectificativa.',
      en: 'Mending changes neither number, day nor issuer, nor the amounts of the invoice: that is what voiding and correctives are for.',
    },
  },
  requires_annulment: {
    ...conflict,
    message: {
      es: 'El registro no se subsana: la factura se tiene que anular y emitir de nuevo.',
      en: 'The record is not mended: the invoice has to be annulled and issued again.',
    },
    help: {
      es: 'El rechazo afecta al número, a la fecha o al emisor, que identifican la factura. Anúlela y emita otra.',
      en: 'The rejection is about the number, the day or the issuer, which identify the invoice. Annul it and issue another.',
    },
  },
  operation_date_after_issue_date: {
    status: 422,
    type: 'invalid_request_error',
    message: {
      es: 'La fecha de operación es posterior a la de expedición.',
      en: 'The day of the operation is after that of issue.',
    },
    help: {
      es: 'operation_on no puede ser posterior a issued_on, salvo que la primera línea con clave de régimen lleve la 14 o la 15.',
      en: 'operation_on cannot be after issued_on, unless the first line with a regime key has 14 or 15.',
    },
  },
  max_retries_exceeded: {
    ...conflict,
    message: { es: 'Se superó el número de reintentos.', en: 'The number of retries is used up.' },
    help: {
      es: 'Vale para los eventos del modo no verificable y, en la versión 2026-06-01, para los registros.',
      en: 'It is for the events of no-verifactu mode and, in the version 2026-06-01, for records.',
    },
  },
});
