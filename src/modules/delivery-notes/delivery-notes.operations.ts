/** The operations that delivery notes share with every family, by literal name. */
import { Described, Timestamp, Type, Nullable, Text } from '../../kernel/schema.ts';
import type { Operation } from '../../kernel/operation.ts';
import { invoiceTarget } from '../invoices/index.ts';
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
import { deliveryNotes } from './delivery-notes.family.ts';

/** Of a move that may be the first out of draft. */
export const numberingEvents = [
  'delivery_note.status_changed',
  'series.number_consumed',
  'series.year_reset',
  'series.month_reset',
];

export const listDeliveryNotes: Operation = listDocuments(deliveryNotes, {
  name: 'list_delivery_notes',
  scope: 'delivery_notes:read',
  summary: 'Lista los albaranes.',
  description:
    'Responde una página de albaranes con sus líneas, en cualquier estado; los más recientes primero, si sort no dice otra cosa. Los filtros se suman. Con convertible=true salen los que quedan por facturar. En el orden por delivery_date los que no tienen día van al final. Se facturan con convert_delivery_note, o los de un mes juntos con recapitulate_delivery_notes.',
  examples: [{ title: 'Los que quedan por facturar', query: { convertible: 'true', sort: 'delivery_date' } }],
});

export const createDeliveryNote: Operation = createDocument(deliveryNotes, {
  name: 'create_delivery_note',
  scope: 'delivery_notes:write',
  summary: 'Crea un albarán.',
  description:
    'Guarda un albarán en borrador, sin número. Con options.mark_pending toma su número en la misma llamada y queda pendiente de entrega. Si falta un dato o se incumple una regla se rechaza entero, sin gastar número; options.dry_run dice todos los motivos y no guarda nada. Una línea devuelta lleva la cantidad en negativo. Repetida con el mismo external_id responde el albarán que ya existe. Después se entrega con mark_delivery_note_delivered y se factura con convert_delivery_note.',
  events: numberingEvents,
  examples: [
    {
      title: 'Un albarán sin valorar',
      body: {
        client_id: '{client}',
        delivery_date: '2026-12-01',
        show_prices: false,
        lines: [{ description: 'Cuaderno A5', quantity: 40, unit_price: 2.5, tax_rate: 21 }],
        options: { mark_pending: true },
      },
    },
  ],
});

export const getDeliveryNote: Operation = getDocument(deliveryNotes, {
  name: 'get_delivery_note',
  scope: 'delivery_notes:read',
  summary: 'Consulta un albarán.',
  description:
    'Responde el albarán con sus líneas, su entrega y su firma. Los importes se dan también en un albarán sin valorar. Si el id no es de ningún albarán de la empresa, responde resource_not_found. El pendiente, entregado o firmado se factura con convert_delivery_note.',
  examples: [{ title: 'Un albarán' }],
});

export const updateDeliveryNote: Operation = updateDocument(deliveryNotes, {
  name: 'update_delivery_note',
  scope: 'delivery_notes:write',
  summary: 'Modifica un albarán que no se ha firmado, o sus etiquetas.',
  description:
    'Cambia lo que se envía de un albarán en borrador, pendiente o entregado: lo que no se envía queda como estaba y null lo borra. Lo firmado no cambia (invalid_status_transition, con el campo en error.param); si se firmó sin valorar, sus precios, descuentos e impuestos sí, hasta que se facture. metadata, tags y custom_fields cambian en cualquier estado. Se puede devolver lo que dio get_delivery_note.',
  examples: [{ title: 'El día de la entrega', body: { delivery_date: '2026-12-03' } }],
});

export const deleteDeliveryNote: Operation = deleteDocument(deliveryNotes, {
  name: 'delete_delivery_note',
  scope: 'delivery_notes:delete',
  summary: 'Borra un albarán que no se ha firmado ni facturado.',
  description:
    'Borra para siempre un albarán con sus líneas; su número no se vuelve a dar, y el presupuesto del que salió vuelve al estado que tenía. Uno que se firmó alguna vez no se borra, ni uno facturado (invalid_status_transition); el firmado se retira con cancel_delivery_note. Queda en el registro de auditoría.',
  examples: [{ title: 'Borrar un borrador' }],
});

export const duplicateDeliveryNote: Operation = duplicateDocument(deliveryNotes, {
  name: 'duplicate_delivery_note',
  scope: 'delivery_notes:write',
  summary: 'Copia un albarán en un borrador nuevo.',
  description:
    'Crea un borrador con el cliente, las líneas, los textos y las etiquetas de otro albarán, esté en el estado que esté. No copia el número, las fechas, quién lo recibió, la firma ni external_id. La copia toma número con mark_delivery_note_pending.',
});

export const getDeliveryNotePdf: Operation = getDocumentPdf(deliveryNotes, {
  name: 'get_delivery_note_pdf',
  scope: 'delivery_notes:read',
  summary: 'Descarga el PDF de un albarán.',
  description:
    'Responde el fichero PDF, en hoja A4 o en rollo de 80 o 58 mm. Sin importes si show_prices es false, y con la firma si está firmado. La cabecera ETag cambia cuando cambia lo que se imprime. Si el servicio tiene demasiados documentos por imprimir, responde service_unavailable y se puede repetir.',
  examples: [{ title: 'En A4' }],
});

export const getDeliveryNotePdfLink: Operation = getDocumentPdfLink(deliveryNotes, {
  name: 'get_delivery_note_pdf_link',
  scope: 'delivery_notes:read',
  summary: 'Da una dirección que abre el PDF de un albarán sin clave.',
  examples: [{ title: 'En rollo de 80 mm', query: { format: 'ticket_80' } }],
});

export const revokeDeliveryNotePublicLink: Operation = revokeDocumentLink(deliveryNotes, {
  name: 'revoke_delivery_note_public_link',
  scope: 'delivery_notes:write',
  summary: 'Cambia la dirección pública de un albarán por otra.',
  description:
    'Deja sin valor las direcciones que abren el albarán sin clave y responde el albarán con la nueva public_url. Un borrador no tiene dirección (invalid_status_transition). Queda en el registro de auditoría.',
  examples: [{ title: 'Una dirección nueva' }],
});

export const sendDeliveryNote: Operation = sendDocument(deliveryNotes, {
  name: 'send_delivery_note',
  scope: 'delivery_notes:write',
  summary: 'Envía el albarán por correo; si es un borrador, le da número.',
  description:
    'Envía el albarán por correo, con un enlace para verlo y, salvo que attach_pdf sea false, con su PDF. Sin to va a los billing_emails del albarán; si no tiene, a los del cliente o a su email, y si no hay ninguna dirección se rechaza (missing_required_param). Un borrador toma número y queda pendiente; los demás no cambian de estado. Uno cancelado no se envía (invalid_status_transition). Deja el correo en cola y responde su id en email; get_email dice qué ha sido de él. En el entorno de pruebas, o sin servidor de correo, se guarda como not_sent y no sale.',
  irreversible: true,
  events: numberingEvents,
  examples: [{ title: 'A una dirección', body: { to: ['almacen@example.com'] } }],
});

export const markDeliveryNotePending: Operation = moveDocument(deliveryNotes, 'mark_pending', {
  name: 'mark_delivery_note_pending',
  scope: 'delivery_notes:transition',
  summary: 'Da número a un albarán en borrador: queda pendiente de entrega.',
  description:
    'El borrador toma el siguiente número de su serie, guarda los datos del cliente y de la empresa como son hoy, y queda pendiente. Sin cliente se rechaza (missing_required_param). Solo se hace desde borrador (invalid_status_transition). No envía nada: para eso está send_delivery_note.',
  irreversible: true,
  events: numberingEvents,
  examples: [{ title: 'Listo para entregar' }],
});

export const markDeliveryNoteDelivered: Operation = moveDocument(
  deliveryNotes,
  'mark_delivered',
  {
    name: 'mark_delivery_note_delivered',
    scope: 'delivery_notes:transition',
    summary: 'Marca un albarán como entregado.',
    description:
      'Un albarán en borrador o pendiente queda entregado; un borrador toma antes su número. delivered_at dice cuándo, y no puede ser futuro (business_rule_violation); ahora si se omite. Un borrador sin cliente se rechaza (missing_required_param), y también uno ya entregado, firmado, facturado o cancelado (invalid_status_transition). Después se firma con sign_delivery_note o se factura con convert_delivery_note.',
    irreversible: true,
    events: numberingEvents,
    examples: [
      { title: 'Entregado ahora' },
      { title: 'Entregado ayer', body: { delivered_at: '2026-01-12T10:30:00Z' } },
    ],
  },
  {
    delivered_at: Type.Optional(
      Described(Timestamp, 'Cuándo se entregó (ISO 8601), no futuro; ahora si se omite'),
    ),
  },
);

export const cancelDeliveryNote: Operation = moveDocument(
  deliveryNotes,
  'cancel',
  {
    name: 'cancel_delivery_note',
    scope: 'delivery_notes:transition',
    summary: 'Cancela un albarán.',
    description:
      'El albarán queda cancelado y su página deja de verse; un borrador toma antes su número. La firma, si la tiene, se conserva. El presupuesto del que salió vuelve al estado que tenía. Uno facturado o cancelado no se cancela (invalid_status_transition). reason queda en el registro de auditoría, así que no debe llevar datos personales. La Idempotency-Key tiene de 1 a 64 caracteres. Cancelar no se puede deshacer.',
    effects: 'withdraw',
    irreversible: true,
    idempotency_length: { min: 1, max: 64 },
    events: numberingEvents,
    examples: [{ title: 'Cancelar', body: { reason: 'Pedido duplicado' } }],
  },
  {
    reason: Type.Optional(
      Nullable(
        Text(500, { description: 'Por qué se cancela, sin datos personales; va al registro de auditoría' }),
      ),
    ),
  },
);

export const convertDeliveryNote: Operation = convertDocument(
  deliveryNotes,
  { targets: [invoiceTarget], is_target_required: true },
  {
    name: 'convert_delivery_note',
    scope: 'delivery_notes:transition',
    summary: 'Convierte un albarán en una factura en borrador.',
    description:
      'Copia el cliente, las líneas y los textos de un albarán pendiente, entregado o firmado en una factura en borrador, con el día de la entrega como operation_on, y el albarán queda facturado. Un borrador y un albarán ya facturado o cancelado se rechazan (invalid_status_transition). No emite la factura: para eso está issue_invoice. Si se borra el borrador, o se anula la factura, el albarán vuelve al estado que tenía. target es obligatorio (invoice). Lo que puede estar mal y no lo impide va en warnings y warning_codes. Con dry_run dice todo lo que lo impediría y no guarda nada.',
    events: ['delivery_note.converted', 'delivery_note.status_changed'],
    examples: [{ title: 'Facturar el albarán', body: { target: 'invoice' } }],
  },
);
