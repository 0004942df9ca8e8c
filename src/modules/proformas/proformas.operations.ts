/** The operations of pro-forma invoices, by literal name. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Operation } from '../../kernel/operation.ts';
import { invoiceTarget } from '../invoices/index.ts';
import { moveBodies } from '../offers/index.ts';
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
import { proformas } from './proformas.family.ts';

/** Of the first move out of draft. */
const numbering = [
  'proforma.number_assigned',
  'series.number_consumed',
  'series.year_reset',
  'series.month_reset',
];

export const listProformas: Operation = listDocuments(proformas, {
  name: 'list_proformas',
  scope: 'proformas:read',
  summary: 'Lista las facturas proforma.',
  description:
    'Responde una página de facturas proforma en cualquier estado, cada una con sus líneas; las más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen las que los cumplen todos. Ordenados por valid_until, las que no tienen fin van al final en los dos sentidos. Para la página siguiente se repite la llamada con starting_after y el next_cursor de la respuesta, mientras has_more sea true.',
  examples: [
    {
      title: 'Las que esperan respuesta y terminan antes',
      query: { status: 'pending', sort: 'valid_until' },
    },
  ],
});

export const createProforma: Operation = createDocument(proformas, {
  name: 'create_proforma',
  scope: 'proformas:write',
  summary: 'Crea una factura proforma.',
  description:
    'Guarda una factura proforma en borrador, sin número, que se puede modificar y borrar. Con options.mark_pending deja de ser un borrador en la misma llamada: toma el siguiente número de su serie y espera respuesta. Los importes los calcula el servicio a partir de las líneas. Si falta un dato o se incumple una regla se rechaza entero, sin gastar número; options.dry_run dice todos los motivos y no guarda nada. Repetida con el mismo external_id responde la proforma que ya existe. Se envía después con send_proforma.',
  events: [...numbering],
  examples: [
    {
      title: 'Una línea, válido hasta fin de 2030',
      body: {
        valid_until: '2030-12-31',
        lines: [{ description: 'Mesa de roble', quantity: 1, unit_price: 1200, tax_rate: 21 }],
      },
    },
  ],
});

export const getProforma: Operation = getDocument(proformas, {
  name: 'get_proforma',
  scope: 'proformas:read',
  summary: 'Consulta una factura proforma.',
  description:
    'Responde la proforma con sus líneas, el desglose de impuestos, hasta cuándo vale, quién la aceptó o por qué se rechazó, y en qué documento se ha convertido. El cliente de una con número aparece como era al tomarlo, o en el último cambio de contenido. Si el id no es de ninguna proforma de la empresa, responde resource_not_found. La pendiente se envía con send_proforma, y la pendiente o aceptada se convierte con convert_proforma.',
  examples: [{ title: 'Una proforma' }],
});

export const updateProforma: Operation = updateDocument(proformas, {
  name: 'update_proforma',
  scope: 'proformas:write',
  summary: 'Modifica una factura proforma en borrador o pendiente, o las etiquetas de cualquiera.',
  description:
    'En un borrador o en una pendiente cambia lo que se envía: lo que no se envía queda como estaba y null lo borra. lines, si se envía, es la lista entera que queda, y los importes se calculan de nuevo. Cada cambio de contenido sube version, y una con número toma de nuevo los datos del cliente y de la empresa. En los demás estados solo cambian metadata, tags y custom_fields; cualquier otro cambio se rechaza con invalid_status_transition y el campo en error.param. Los campos de solo lectura se admiten sin cambios, así que se puede devolver lo que dio get_proforma.',
  examples: [{ title: 'Otro plazo y una etiqueta', body: { valid_until: '2031-02-28', tags: ['obra-7'] } }],
});

export const deleteProforma: Operation = deleteDocument(proformas, {
  name: 'delete_proforma',
  scope: 'proformas:delete',
  summary: 'Borra una factura proforma en borrador.',
  description:
    'Borra para siempre un borrador, con sus líneas. La que ya tiene número no se borra (invalid_status_transition): se cancela con cancel_proforma.',
  examples: [{ title: 'Borrar un borrador' }],
});

export const duplicateProforma: Operation = duplicateDocument(proformas, {
  name: 'duplicate_proforma',
  scope: 'proformas:write',
  summary: 'Copia una factura proforma en un borrador nuevo.',
  description:
    'Crea un borrador con el cliente, las líneas, los textos y las etiquetas de otra proforma, esté en el estado que esté. No copia el número, las fechas, la aceptación, el documento en el que se convirtió ni external_id. La copia toma número con mark_proforma_pending o con send_proforma.',
});

export const getProformaPdf: Operation = getDocumentPdf(proformas, {
  name: 'get_proforma_pdf',
  scope: 'proformas:read',
  summary: 'Descarga el PDF de una factura proforma.',
  description:
    'Responde el fichero PDF, en hoja A4 o en rollo de 80 o 58 mm. Un borrador y una proforma cancelada llevan una marca que lo dice. La cabecera ETag cambia cuando cambia lo que se imprime, y con el formato. Si el servicio tiene demasiados documentos por imprimir, responde service_unavailable y se puede repetir.',
  examples: [{ title: 'En A4' }],
});

export const getProformaPdfLink: Operation = getDocumentPdfLink(proformas, {
  name: 'get_proforma_pdf_link',
  scope: 'proformas:read',
  summary: 'Da una dirección que abre el PDF de una factura proforma sin clave.',
  examples: [{ title: 'En rollo de 80 mm', query: { format: 'ticket_80' } }],
});

export const revokeProformaPublicLink: Operation = revokeDocumentLink(proformas, {
  name: 'revoke_proforma_public_link',
  scope: 'proformas:write',
  summary: 'Cambia la dirección pública de una factura proforma por otra.',
  description:
    'Deja sin valor las direcciones que abren la proforma sin clave, también las de su PDF que se dieron por un día, y responde la proforma con la nueva public_url. Quien tenga una de antes ve que el enlace ha caducado. Un borrador no tiene dirección (invalid_status_transition). Queda en el registro de auditoría.',
  examples: [{ title: 'Una dirección nueva' }],
});

export const sendProforma: Operation = sendDocument(proformas, {
  name: 'send_proforma',
  scope: 'proformas:send',
  summary: 'Envía la factura proforma por correo; si es un borrador, le da número.',
  description:
    'Envía la proforma por correo, con un enlace para verla y, salvo que attach_pdf sea false, con su PDF. Sin to va a los billing_emails del cliente o, si no tiene, a su email; si no hay ninguna dirección se rechaza (missing_required_param). Un borrador toma antes su número y queda pendiente; en un borrador cuya validez ya ha pasado hay que cambiar valid_until. Deja el correo en cola y responde su id en email; get_email dice qué ha sido de él. En el entorno de pruebas, o sin servidor de correo, el correo se guarda como not_sent y no sale. Solo se envía la pendiente y la aceptada (invalid_status_transition).',
  irreversible: true,
  events: [...numbering],
  examples: [{ title: 'A una dirección', body: { to: ['compras@example.com'] } }],
});

export const markProformaPending: Operation = moveDocument(
  proformas,
  'mark_pending',
  {
    name: 'mark_proforma_pending',
    scope: 'proformas:transition',
    summary: 'Deja una factura proforma pendiente de respuesta.',
    description:
      'Da número a un borrador, o reabre una proforma aceptada, rechazada o caducada: la aceptación o el rechazo de antes desaparecen. Si su validez ya ha pasado, valid_until es obligatorio (missing_required_param). Un borrador necesita cliente. Queda en el registro de auditoría. No envía nada: para eso está send_proforma.',
    irreversible: true,
    events: [...numbering, 'proforma.updated'],
    examples: [{ title: 'Con otro plazo', body: { valid_until: '2031-03-31' } }],
  },
  moveBodies.mark_pending,
);

export const acceptProforma: Operation = moveDocument(
  proformas,
  'accept',
  {
    name: 'accept_proforma',
    scope: 'proformas:transition',
    summary: 'Acepta una factura proforma en nombre del cliente.',
    description:
      'Anota que el cliente ha aceptado, y quién y qué versión si se dice. Un borrador toma antes su número. Después de valid_until no se puede (invalid_status_transition): se reabre con mark_proforma_pending. Con expected_version, se rechaza si la proforma ha cambiado desde que se leyó (version_conflict). Desde entonces su contenido no cambia. Aceptarla no crea ninguna factura: el borrador lo hace convert_proforma.',
    irreversible: true,
    errors: [c.version_conflict],
    events: [...numbering, 'proforma.accepted'],
    examples: [{ title: 'La aceptó Ana', body: { name: 'Ana Ruiz', expected_version: 1 } }],
  },
  moveBodies.accept,
);

export const rejectProforma: Operation = moveDocument(
  proformas,
  'reject',
  {
    name: 'reject_proforma',
    scope: 'proformas:transition',
    summary: 'Rechaza una factura proforma en nombre del cliente.',
    description:
      'Anota que el cliente no la acepta, y por qué si se dice. Solo se rechaza una pendiente y en plazo (invalid_status_transition). mark_proforma_pending la reabre. Para retirarla del todo está cancel_proforma.',
    events: ['proforma.rejected'],
    examples: [{ title: 'Con su motivo', body: { reason: 'Precio' } }],
  },
  moveBodies.reject,
);

export const cancelProforma: Operation = moveDocument(
  proformas,
  'cancel',
  {
    name: 'cancel_proforma',
    scope: 'proformas:transition',
    summary: 'Cancela una factura proforma.',
    description:
      'Retira para siempre una proforma con número: ya no se acepta, no se envía ni se convierte, y su página dice que está anulada. El presupuesto del que salió vuelve al estado que tenía. Un borrador no se cancela, se borra con delete_proforma; una convertida no se puede cancelar (invalid_status_transition). Queda en el registro de auditoría, con el motivo.',
    effects: 'withdraw',
    irreversible: true,
    events: ['proforma.cancelled'],
    examples: [{ title: 'Con su motivo', body: { reason: 'Se ofreció otra cosa' } }],
  },
  moveBodies.cancel,
);

export const convertProforma: Operation = convertDocument(
  proformas,
  { targets: [invoiceTarget] },
  {
    name: 'convert_proforma',
    scope: 'proformas:transition',
    summary: 'Convierte una factura proforma en el borrador de una factura.',
    description:
      'Crea un borrador con el cliente, las líneas, los precios y los textos que se acordaron, y deja la proforma convertida. Solo se convierte una pendiente y en plazo, o aceptada, entera y una vez (invalid_status_transition). No emite nada: si el borrador se puede emitir se pregunta a can_issue_invoice. En otra moneda hace falta exchange_rate. Si el borrador se borra, o la factura se anula, la proforma vuelve al estado que tenía. warnings dice lo que conviene revisar. Con dry_run dice todos los motivos que lo impedirían y no guarda nada.',
    events: ['proforma.converted_to_invoice'],
    examples: [{ title: 'En una factura que vence a fin de mes', body: { due_on: '2027-01-31' } }],
  },
);
