import { Described, Enum, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import { linkedKinds, opensPaper, opensPaperOf, type Reader } from '../pdfs/index.ts';
import type { ListedEmail } from './emails.list.ts';
import {
  type EmailPurpose,
  emailPurposes,
  emailReasons,
  type EmailRow,
  emailStatuses,
} from './emails.rows.ts';
import { htmlWithoutAddresses, withoutAddresses } from './rules/hide-addresses.ts';

/** A purpose without words does not compile. */
const purposeWords: Record<EmailPurpose, string> = {
  invoice: 'envío de una factura',
  quote: 'envío de un presupuesto',
  proforma: 'envío de una factura proforma',
  delivery_note: 'envío de un albarán',
  payment_reminder: 'recordatorio de pago de una factura',
  acceptance_receipt: 'recibo para quien acepta un presupuesto o una proforma en su página pública',
  answer_notice: 'aviso a la empresa de que un cliente ha aceptado o rechazado en la página pública',
  certificate_expiry: 'aviso de que caduca el certificado',
  representation_expiry: 'aviso de que caduca la representación',
};

/** What each purpose means, for the texts of the API. */
export const purposesText = emailPurposes.map((purpose) => `${purpose}: ${purposeWords[purpose]}`).join('; ');

const listed = {
  id: Described(Uuid, 'Id del correo'),
  object: Type.Literal('email'),
  purpose: Enum(emailPurposes, {
    description: `Para qué es. ${purposesText}`,
  }),
  document: Nullable(
    Type.Object(
      {
        type: Enum(linkedKinds, { description: 'Clase de documento' }),
        id: Described(Uuid, 'Id del documento'),
      },
      { description: 'El documento del que trata' },
    ),
  ),
  status: Enum(emailStatuses, {
    description:
      'queued: en cola; sent: el servidor de correo lo ha aceptado para algún destinatario; failed: ninguno lo ha recibido; not_sent: no se envía',
  }),
  reason: Nullable(
    Enum(emailReasons, {
      description:
        'De not_sent: sandbox, not_configured (no hay servidor de correo) o withdrawn (el documento ha cambiado antes del envío). De failed: refused, gave_up (agotados los intentos de un día) o bounced (devuelto)',
    }),
  ),
  to: Type.Array(Type.String(), { description: 'Destinatarios' }),
  cc: Type.Array(Type.String(), { description: 'Reciben copia' }),
  subject: Type.String({ description: 'Asunto' }),
  attempts: Type.Integer({ description: 'Intentos de envío hechos' }),
  last_attempt_at: Described(Nullable(Timestamp), 'Cuándo fue el último intento'),
  next_attempt_at: Described(Nullable(Timestamp), 'Cuándo es el siguiente; null si no hay más'),
  answer: Nullable(Type.String({ description: 'Lo último que dijo el servidor de correo' })),
  refused: Type.Array(
    Type.Object({
      address: Type.String({ description: 'Dirección' }),
      answer: Type.String({ description: 'Lo que respondió su servidor' }),
    }),
    {
      description: 'Destinatarios que no lo han recibido, y por qué',
    },
  ),
  sent_at: Described(Nullable(Timestamp), 'Cuándo lo aceptó el servidor de correo'),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
};

export const EmailListItem = Type.Object(listed);

export const Email = Type.Object({
  ...listed,
  from_name: Type.String({ description: 'Nombre del remitente' }),
  reply_to: Nullable(Type.String({ description: 'A dónde van las respuestas' })),
  message_id: Nullable(Type.String({ description: 'Message-ID del correo' })),
  text: Type.String({
    description:
      'El mensaje, sin formato; sin las direcciones del documento si la clave no tiene pdfs:read y el permiso que lo consulta, por ejemplo invoices:read',
  }),
  html: Type.String({
    description: 'El mensaje, en HTML; sin esas direcciones si la clave no tiene los dos permisos',
  }),
  attachments: Type.Array(
    Type.Object({
      filename: Type.String({ description: 'Nombre del fichero' }),
      media_type: Type.String({ description: 'Su tipo, por ejemplo application/pdf' }),
    }),
    { description: 'Ficheros adjuntos' },
  ),
});

/** For answers that queue an e-mail. GET /v1/emails/{email} and events tell its fate. */
export const EmailBlock = Type.Object({
  id: Described(Uuid, 'Id del correo, con el que se consulta'),
  status: Enum(emailStatuses, { description: 'queued: en cola; not_sent: se guarda y no sale' }),
});

export function emailBlock({ id, status }: Pick<EmailRow, 'id' | 'status'>) {
  return { id, status };
}

const instant = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

export function presentListed(row: ListedEmail) {
  return {
    id: row.id,
    object: 'email' as const,
    purpose: row.purpose,
    document: row.document_kind === null ? null : { type: row.document_kind, id: row.document_id },
    status: row.status,
    reason: row.reason,
    to: row.to,
    cc: row.cc,
    subject: row.subject,
    attempts: row.attempts,
    last_attempt_at: instant(row.last_attempt_at),
    next_attempt_at: instant(row.next_attempt_at),
    answer: row.answer,
    refused: row.refused,
    sent_at: instant(row.sent_at),
    created_at: instant(row.created_at),
  };
}

/** @param reader without the right to read the PDF of its document, it is not told the address either */
export function present(row: EmailRow, reader: Reader) {
  const { document_kind: kind } = row;
  const opens = kind === null ? opensPaper(reader) : opensPaperOf(kind, reader);
  return {
    ...presentListed(row),
    from_name: row.from_name,
    reply_to: row.reply_to,
    message_id: row.message_id,
    text: opens ? row.text : withoutAddresses(row.text),
    html: opens ? row.html : htmlWithoutAddresses(row.html),
    attachments: row.attachments.map(({ filename, media_type }) => ({ filename, media_type })),
  };
}
