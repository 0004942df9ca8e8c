/** The operations of quotes, by literal name. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Operation } from '../../kernel/operation.ts';
import { noteTarget } from '../delivery-notes/index.ts';
import { invoiceTarget } from '../invoices/index.ts';
import { moveBodies } from '../offers/index.ts';
import { proformaTarget } from '../proformas/index.ts';
import {
  convertDocument,
  createDocument,
  deleteDocument,
  duplicateDocument,
  getDocument,
  getDocumentPdf,
  getDocumentPdfLink,
  listDocuments,
  moveDocument,
  revokeDocumentLink,
  sendDocument,
  updateDocument,
} from '../sales/index.ts';
import { quotes } from './quotes.family.ts';

/** Of the first move out of draft. */
const numbering = [
  'quote.number_assigned',
  'series.number_consumed',
  'series.year_reset',
  'series.month_reset',
];

export const listQuotes: Operation = listDocuments(quotes, {
  name: 'list_quotes',
  scope: 'quotes:read',
  summary: 'Lista los presupuestos.',
  description:
    'Responde una página de presupuestos en cualquier estado, cada uno con sus líneas; los más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen los que los cumplen todos. Ordenados por valid_until, los que no tienen fin van al final en los dos sentidos. Para la página siguiente se repite la llamada con starting_after y el next_cursor de la respuesta, mientras has_more sea true.',
  examples: [
    {
      title: 'Los que esperan respuesta y terminan antes',
      query: { status: 'pending', sort: 'valid_until' },
    },
  ],
});

export const createQuote: Operation = createDocument(quotes, {
  name: 'create_quote',
  scope: 'quotes:write',
  summary: 'Crea un presupuesto.',
  description:
    'Guarda un presupuesto en borrador, sin número, que se puede modificar y borrar. Con options.mark_pending deja de ser un borrador en la misma llamada: toma el siguiente número de su serie y espera respuesta. Los importes los calcula el servicio a partir de las líneas. Si falta un dato o se incumple una regla se rechaza entero, sin gastar número; options.dry_run dice todos los motivos y no guarda nada. Repetido con el mismo external_id responde el presupuesto que ya existe. Se envía después con send_quote.',
  events: [...numbering, 'quote.marked_as_pending'],
  examples: [
    {
      title: 'Una línea, válido hasta fin de 2030',
      body: {
        valid_until: '2030-12-31',
        lines: [{ description: 'Reforma del local', quantity: 1, unit_price: 1200, tax_rate: 21 }],
      },
    },
  ],
});

export const getQuote: Operation = getDocument(quotes, {
  name: 'get_quote',
  scope: 'quotes:read',
  summary: 'Consulta un presupuesto.',
  description:
    'Responde el presupuesto con sus líneas, el desglose de impuestos, hasta cuándo vale, quién lo aceptó o por qué se rechazó, y en qué documento se ha convertido. El cliente de uno con número aparece como era al tomarlo, o en el último cambio de contenido. Si el id no es de ningún presupuesto de la empresa, responde resource_not_found. El pendiente se envía con send_quote, y el pendiente o aceptado se convierte con convert_quote.',
  examples: [{ title: 'Un presupuesto' }],
});

export const updateQuote: Operation = updateDocument(quotes, {
  name: 'update_quote',
  scope: 'quotes:write',
  summary: 'Modifica un presupuesto en borrador o pendiente, o las etiquetas de cualquiera.',
  description:
    'En un borrador o en uno pendiente cambia lo que se envía: lo que no se envía queda como estaba y null lo borra. lines, si se envía, es la lista entera que queda, y los importes se calculan de nuevo. Cada cambio de contenido sube version, y uno con número toma de nuevo los datos del cliente y de la empresa. En los demás estados solo cambian metadata, tags y custom_fields; cualquier otro cambio se rechaza con invalid_status_transition y el campo en error.param. Los campos de solo lectura se admiten sin cambios, así que se puede devolver lo que dio get_quote.',
  examples: [{ title: 'Otro plazo y una etiqueta', body: { valid_until: '2031-02-28', tags: ['obra-7'] } }],
});

export const deleteQuote: Operation = deleteDocument(quotes, {
  name: 'delete_quote',
  scope: 'quotes:delete',
  summary: 'Borra un presupuesto en borrador.',
  description:
    'Borra para siempre un borrador, con sus líneas. Uno que ya tiene número no se borra (invalid_status_transition): se cancela con cancel_quote.',
  examples: [{ title: 'Borrar un borrador' }],
});

export const duplicateQuote: Operation = duplicateDocument(quotes, {
  name: 'duplicate_quote',
  scope: 'quotes:write',
  summary: 'Copia un presupuesto en un borrador nuevo.',
  description:
    'Crea un borrador con el cliente, las líneas, los textos y las etiquetas de otro presupuesto, esté en el estado que esté. No copia el número, las fechas, la aceptación, el documento en el que se convirtió ni external_id. La copia toma número con mark_quote_pending o con send_quote.',
});

export const getQuotePdf: Operation = getDocumentPdf(quotes, {
  name: 'get_quote_pdf',
  scope: 'quotes:read',
  summary: 'Descarga el PDF de un presupuesto.',
  description:
    'Responde el fichero PDF, en hoja A4 o en rollo de 80 o 58 mm. Un borrador y un presupuesto cancelado llevan una marca que lo dice. La cabecera ETag cambia cuando cambia lo que se imprime, y con el formato. Si el servicio tiene demasiados documentos por imprimir, responde service_unavailable y se puede repetir.',
  examples: [{ title: 'En A4' }],
});

export const getQuotePdfLink: Operation = getDocumentPdfLink(quotes, {
  name: 'get_quote_pdf_link',
  scope: 'quotes:read',
  summary: 'Da una dirección que abre el PDF de un presupuesto sin clave.',
  examples: [{ title: 'En rollo de 80 mm', query: { format: 'ticket_80' } }],
});

export const revokeQuotePublicLink: Operation = revokeDocumentLink(quotes, {
  name: 'revoke_quote_public_link',
  scope: 'quotes:write',
  summary: 'Cambia la dirección pública de un presupuesto por otra.',
  description:
    'Deja sin valor las direcciones que abren el presupuesto sin clave, también las de su PDF que se dieron por un día, y responde el presupuesto con la nueva public_url. Quien tenga una de antes ve que el enlace ha caducado. Un borrador no tiene dirección (invalid_status_transition). Queda en el registro de auditoría.',
  examples: [{ title: 'Una dirección nueva' }],
});

export const sendQuote: Operation = sendDocument(quotes, {
  name: 'send_quote',
  scope: 'quotes:send',
  summary: 'Envía el presupuesto por correo; si es un borrador, le da número.',
  description:
    'Envía el presupuesto por correo, con un enlace para verlo y, salvo que attach_pdf sea false, con su PDF. Sin to va a los billing_emails del cliente o, si no tiene, a su email; si no hay ninguna dirección se rechaza (missing_required_param). Un borrador toma antes su número y queda pendiente; en un borrador cuya validez ya ha pasado hay que cambiar valid_until. Deja el correo en cola y responde su id en email; get_email dice qué ha sido de él. En el entorno de pruebas, o sin servidor de correo, el correo se guarda como not_sent y no sale. Solo se envía el pendiente y el aceptado (invalid_status_transition).',
  irreversible: true,
  events: [...numbering, 'quote.marked_as_pending'],
  examples: [{ title: 'A una dirección', body: { to: ['compras@example.com'] } }],
});

export const markQuotePending: Operation = moveDocument(
  quotes,
  'mark_pending',
  {
    name: 'mark_quote_pending',
    scope: 'quotes:transition',
    summary: 'Deja un presupuesto pendiente de respuesta.',
    description:
      'Da número a un borrador, o reabre un presupuesto aceptado, rechazado o caducado: la aceptación o el rechazo de antes desaparecen. Si su validez ya ha pasado, valid_until es obligatorio (missing_required_param). Un borrador necesita cliente. Queda en el registro de auditoría. No envía nada: para eso está send_quote.',
    irreversible: true,
    events: [...numbering, 'quote.marked_as_pending'],
    examples: [{ title: 'Con otro plazo', body: { valid_until: '2031-03-31' } }],
  },
  moveBodies.mark_pending,
);

export const acceptQuote: Operation = moveDocument(
  quotes,
  'accept',
  {
    name: 'accept_quote',
    scope: 'quotes:transition',
    summary: 'Acepta un presupuesto en nombre del cliente.',
    description:
      'Anota que el cliente ha aceptado, y quién y qué versión si se dice. Un borrador toma antes su número. Después de valid_until no se puede (invalid_status_transition): se reabre con mark_quote_pending. Con expected_version, se rechaza si el presupuesto ha cambiado desde que se leyó (version_conflict). Desde entonces su contenido no cambia. Aceptarlo no crea ninguna factura: el borrador lo hace convert_quote.',
    irreversible: true,
    errors: [c.version_conflict],
    events: [...numbering, 'quote.approved'],
    examples: [{ title: 'Lo aceptó Ana', body: { name: 'Ana Ruiz', expected_version: 1 } }],
  },
  moveBodies.accept,
);

export const rejectQuote: Operation = moveDocument(
  quotes,
  'reject',
  {
    name: 'reject_quote',
    scope: 'quotes:transition',
    summary: 'Rechaza un presupuesto en nombre del cliente.',
    description:
      'Anota que el cliente no lo acepta, y por qué si se dice. Solo se rechaza uno pendiente y en plazo (invalid_status_transition). mark_quote_pending lo reabre. Para retirarlo del todo está cancel_quote.',
    events: ['quote.rejected'],
    examples: [{ title: 'Con su motivo', body: { reason: 'Precio' } }],
  },
  moveBodies.reject,
);

export const cancelQuote: Operation = moveDocument(
  quotes,
  'cancel',
  {
    name: 'cancel_quote',
    scope: 'quotes:transition',
    summary: 'Cancela un presupuesto.',
    description:
      'Retira para siempre un presupuesto con número: ya no se acepta, no se envía ni se convierte, y su página dice que está anulado. Un borrador no se cancela, se borra con delete_quote; uno convertido no se puede cancelar (invalid_status_transition). Queda en el registro de auditoría, con el motivo.',
    effects: 'withdraw',
    irreversible: true,
    events: ['quote.cancelled'],
    examples: [{ title: 'Con su motivo', body: { reason: 'Se ofreció otra cosa' } }],
  },
  moveBodies.cancel,
);

export const convertQuote: Operation = convertDocument(
  quotes,
  { targets: [invoiceTarget, proformaTarget, noteTarget] },
  {
    name: 'convert_quote',
    scope: 'quotes:transition',
    summary: 'Convierte un presupuesto en el borrador de una factura, de una proforma o de un albarán.',
    description:
      'Crea un borrador de factura, o de proforma o de albarán si lo dice target, con el cliente, las líneas, los precios y los textos que se acordaron, y deja el presupuesto convertido. Solo se convierte uno pendiente y en plazo, o aceptado, entero y una vez (invalid_status_transition). No emite nada: si el borrador se puede emitir se pregunta a can_issue_invoice. Una factura en otra moneda necesita exchange_rate. Para facturarlo por partes se convierte en un albarán, se duplica este y se reparten las cantidades. Si lo creado se borra, se cancela o, siendo factura, se anula, el presupuesto vuelve al estado que tenía. warnings dice lo que conviene revisar. Con dry_run dice todos los motivos que lo impedirían y no guarda nada.',
    events: ['quote.converted'],
    examples: [{ title: 'En una factura que vence a fin de mes', body: { due_on: '2027-01-31' } }],
  },
);
