/** The operations that invoices share with every family, by literal name. */
import type { Operation } from '../../kernel/operation.ts';
import {
  deleteDocument,
  duplicateDocument,
  getDocument,
  getDocumentPdf,
  getDocumentPdfLink,
  listDocuments,
  revokeDocumentLink,
  sendDocument,
  updateDocument,
} from '../sales/index.ts';
import { invoiceErrors as e } from './invoices.errors.ts';
import { invoices } from './invoices.family.ts';
import { commitInvoicePlan } from './issuing/commit-plans.ts';
import { planSending } from './issuing/plan-sending.ts';
import { addressWarningCodes } from './rules/addresses.ts';

export const listInvoices: Operation = listDocuments(invoices, {
  name: 'list_invoices',
  scope: 'invoices:read',
  summary: 'Lista las facturas.',
  description:
    'Responde una página de facturas, también los borradores y las anuladas, cada una con sus líneas y sus cobros; las más recientes primero, si sort no dice otra cosa. Los filtros se suman: solo salen las que los cumplen todos. Para la página siguiente se repite la llamada con starting_after y el next_cursor de la respuesta, mientras has_more sea true.',
  examples: [{ title: 'Las dos de mayor importe', query: { sort: '-total', limit: '2' } }],
});

export const getInvoice: Operation = getDocument(invoices, {
  name: 'get_invoice',
  scope: 'invoices:read',
  summary: 'Consulta una factura.',
  description:
    'Responde la factura con sus líneas, el desglose de impuestos, los cobros, lo que queda por cobrar y el estado de su registro de VeriFactu. El cliente de una emitida aparece como era al emitirla. Si el id no es de ninguna factura de la empresa, responde resource_not_found. Un borrador se emite con issue_invoice; una emitida se envía con send_invoice y se cobra con register_invoice_payment.',
  examples: [{ title: 'Una factura' }],
});

export const updateInvoice: Operation = updateDocument(invoices, {
  name: 'update_invoice',
  scope: 'invoices:write',
  summary: 'Modifica una factura en borrador, o las etiquetas de una emitida.',
  description:
    'En un borrador cambia lo que se envía: lo que no se envía queda como estaba y null lo borra. lines, si se envía, es la lista entera que queda, y los importes se calculan de nuevo. De un borrador que reúne albaranes, el que se queda sin ninguna línea, sin añadir otras en la misma llamada, sale de sources y vuelve al estado que tenía, para facturarlo aparte. De una factura emitida solo cambian metadata, tags y custom_fields; cualquier otro cambio se rechaza con invalid_status_transition y el campo en error.param. Los campos de solo lectura se admiten sin cambios, así que se puede devolver lo que dio get_invoice. can_issue_invoice dice después si el borrador se puede emitir.',
  errors: [e.operation_date_after_issue_date, e.simplified_invoices_disabled],
  events: ['delivery_note.status_changed'],
  examples: [{ title: 'Vencimiento y etiqueta', body: { due_on: '2027-01-31', tags: ['proyecto-7'] } }],
});

export const deleteInvoice: Operation = deleteDocument(invoices, {
  name: 'delete_invoice',
  scope: 'invoices:delete',
  summary: 'Borra una factura en borrador.',
  description:
    'Borra para siempre un borrador, con sus líneas. Una factura emitida no se borra (invalid_status_transition): se anula con annul_invoice o se rectifica con create_corrective_invoice.',
  examples: [{ title: 'Borrar un borrador' }],
});

export const duplicateInvoice: Operation = duplicateDocument(invoices, {
  name: 'duplicate_invoice',
  scope: 'invoices:write',
  summary: 'Copia una factura en un borrador nuevo.',
  description:
    'Crea un borrador con el cliente, las líneas, los textos y las etiquetas de otra factura, esté en el estado que esté. No copia el número, las fechas, los cobros ni external_id. En otra divisa copia el tipo de cambio y el día de ese tipo (exchange_rate_on): cámbielos si ya no son los suyos. Una F3 se copia como F1. Una rectificativa no se duplica (business_rule_violation): se rectifica de nuevo la original.',
});

export const getInvoicePdf: Operation = getDocumentPdf(invoices, {
  name: 'get_invoice_pdf',
  scope: 'invoices:read',
  summary: 'Descarga el PDF de una factura.',
  description:
    'Responde el fichero PDF, en hoja A4 o en rollo de 80 o 58 mm. Un borrador y una factura anulada llevan una marca que lo dice. La cabecera ETag cambia cuando cambia lo que se imprime, por ejemplo al crearse el registro de facturación, y con el formato. Si el servicio tiene demasiados documentos por imprimir, responde service_unavailable y se puede repetir.',
  examples: [{ title: 'En A4' }],
});

export const getInvoicePdfLink: Operation = getDocumentPdfLink(invoices, {
  name: 'get_invoice_pdf_link',
  scope: 'invoices:read',
  summary: 'Da una dirección que abre el PDF de una factura sin clave.',
  examples: [{ title: 'En rollo de 80 mm', query: { format: 'ticket_80' } }],
});

export const revokeInvoicePublicLink: Operation = revokeDocumentLink(invoices, {
  name: 'revoke_invoice_public_link',
  scope: 'invoices:write',
  summary: 'Cambia la dirección pública de una factura por otra.',
  description:
    'Deja sin valor las direcciones que abren la factura sin clave, también las de su PDF que se dieron por un día, y responde la factura con la nueva public_url. Quien tenga una de antes ve que el enlace ha caducado. De la factura solo cambia esa dirección. Un borrador no tiene dirección (invalid_status_transition). Queda en el registro de auditoría.',
  examples: [{ title: 'Una dirección nueva' }],
});

export const sendInvoice: Operation = sendDocument(
  invoices,
  {
    name: 'send_invoice',
    scope: 'invoices:send',
    summary: 'Envía la factura por correo; si es un borrador, la emite.',
    description:
      'Envía la factura por correo, con un enlace para verla y, salvo que attach_pdf sea false, con su PDF. Sin to va a los billing_emails del cliente o, si no tiene, a su email; si no hay ninguna dirección se rechaza (missing_required_param). Un borrador se emite antes: toma número y ya no se puede modificar. Deja el correo en cola y responde su id en email; la factura queda como enviada cuando el servidor de correo lo acepta, y get_email dice qué ha sido de él. En el entorno de pruebas, o sin servidor de correo, el correo se guarda como not_sent y no sale; a las direcciones mágicas del entorno de pruebas (accepted@, refused@, deferred@ y bounced@sandbox.example) se simula el envío, con sus eventos. Una factura rectificada por entero, sustituida, invalidada o anulada no se envía (invalid_status_transition).',
    irreversible: true,
    errors: [e.operation_date_after_issue_date, e.simplified_invoices_disabled, e.verifactu_not_eligible],
    events: [
      'invoice.number_assigned',
      'invoice.simplified_created',
      'invoice.simplified_substituted',
      'invoice.substituted_by_complete',
      'invoice.rectified',
      'invoice.paid',
      'invoice.overdue',
      'series.number_consumed',
      'series.year_reset',
      'series.month_reset',
      'invoice.verifactu_failed',
    ],
    examples: [{ title: 'A una dirección', body: { to: ['compras@example.com'] } }],
  },
  { commit: commitInvoicePlan, planSending, warning_codes: addressWarningCodes },
);
