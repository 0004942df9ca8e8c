/** The operations that recurrences share with every family, and their moves, by literal name. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Operation } from '../../kernel/operation.ts';
import { invoiceErrors } from '../invoices/index.ts';
import {
  createDocument,
  deleteDocument,
  duplicateDocument,
  getDocument,
  listDocuments,
  updateDocument,
} from '../sales/index.ts';
import { moveRecurringInvoice } from './moves.ts';
import { recurringErrors as e } from './recurring-invoices.errors.ts';
import { recurringInvoices } from './recurring-invoices.family.ts';

const resumeErrors = [
  e.recurring_invoice_already_active,
  e.recurring_invoice_cancelled_cannot_resume,
  e.recurring_invoice_completed_cannot_resume,
  c.business_rule_violation,
];

export const listRecurringInvoices: Operation = listDocuments(recurringInvoices, {
  name: 'list_recurring_invoices',
  scope: 'recurring_invoices:read',
  summary: 'Lista las facturas recurrentes.',
  description:
    'Responde una página de facturas recurrentes de todos los estados, con sus líneas; las más recientes primero, si sort no dice otra cosa. Con sort next_run_at salen primero las que antes harán una factura, y al final las que no harán ninguna. q busca en el nombre y en el cliente. Los próximos días de cada una los dice preview_recurring_invoice.',
  examples: [{ title: 'Las que antes harán una factura', query: { status: 'active', sort: 'next_run_at' } }],
});

/** Its invoices are sent without another call. */
const sendingScope = { param: 'auto_send', scope: 'invoices:send' } as const;
const changedScope = { ...sendingScope, if_changed: true } as const;

export const createRecurringInvoice: Operation = createDocument(recurringInvoices, {
  name: 'create_recurring_invoice',
  scope: 'recurring_invoices:write',
  input_scopes: [sendingScope],
  summary: 'Crea una factura recurrente.',
  description:
    'Guarda lo que dirán las facturas y cada cuánto se hacen; desde entonces se hacen solas, a las 06:00 de la empresa, en borrador o emitidas (auto_issue) y enviadas (auto_send). Los días se cuentan siempre desde starts_on, y los que ya han pasado no se hacen. Los textos pueden llevar {month}, {month_name}, {quarter}, {year}, {period_start} y {period_end}, que son los del periodo de cada factura; otra entre llaves se rechaza. El precio queda como está aquí; el impuesto que una línea no diga es el de cada día. Con auto_send tiene que haber a quién enviar. Se para con pause_recurring_invoice.',
  errors: [invoiceErrors.simplified_invoices_disabled],
  examples: [
    {
      title: 'Una cuota mensual, emitida',
      body: {
        name: 'Cuota',
        type: 'F2',
        frequency: 'monthly',
        starts_on: '2199-01-31',
        auto_issue: true,
        lines: [{ description: 'Cuota de {month_name} de {year}', unit_price: 50, tax_rate: 21 }],
      },
    },
  ],
});

export const getRecurringInvoice: Operation = getDocument(recurringInvoices, {
  name: 'get_recurring_invoice',
  scope: 'recurring_invoices:read',
  summary: 'Consulta una factura recurrente.',
  description:
    'Responde lo que dirán sus facturas, su calendario, cuándo hará la próxima, cuántas ha hecho y por qué no pudo hacer la última, si falló (last_error). Los próximos días los dice preview_recurring_invoice, y los que ya llegaron, list_recurring_invoice_occurrences.',
  examples: [{ title: 'Una factura recurrente' }],
});

export const updateRecurringInvoice: Operation = updateDocument(recurringInvoices, {
  name: 'update_recurring_invoice',
  scope: 'recurring_invoices:write',
  // A recurrence that sends already would send to another address.
  input_scopes: [changedScope, { ...changedScope, param: 'send_to' }],
  summary: 'Modifica una factura recurrente.',
  description:
    'Cambia lo que se envía: lo que no se envía queda como estaba y null lo borra. Las facturas ya hechas no cambian. Después de la primera, frequency, interval y starts_on solo cambian con un starts_on que no haya pasado, desde el que se cuenta de nuevo. Si le falta hacer facturas de días que ya han llegado, no cambian hasta que se hagan o se ponga en pausa. Un cambio que no deja ningún día la termina (completed). De una terminada o cancelada solo cambian metadata, tags y custom_fields; cualquier otro cambio se rechaza (invalid_status_transition). Los días que quedan los dice después preview_recurring_invoice.',
  errors: [invoiceErrors.simplified_invoices_disabled],
  events: ['recurring_invoice.completed'],
  examples: [{ title: 'Hasta fin de año', body: { ends_on: '2199-12-31' } }],
});

export const deleteRecurringInvoice: Operation = deleteDocument(recurringInvoices, {
  name: 'delete_recurring_invoice',
  scope: 'recurring_invoices:delete',
  summary: 'Borra una factura recurrente que no ha hecho ninguna factura.',
  description:
    'Borra para siempre una factura recurrente que no ha hecho ninguna factura. La que ya ha hecho alguna no se borra (invalid_status_transition): se cancela con cancel_recurring_invoice.',
  examples: [{ title: 'Borrar una sin facturas' }],
});

export const duplicateRecurringInvoice: Operation = duplicateDocument(recurringInvoices, {
  name: 'duplicate_recurring_invoice',
  scope: 'recurring_invoices:write',
  summary: 'Copia una factura recurrente en otra, en pausa.',
  description:
    'Crea otra factura recurrente con el mismo contenido y calendario, sin facturas hechas ni external_id, y en pausa: no hace nada hasta que se reanude con resume_recurring_invoice.',
  examples: [{ title: 'Copiar' }],
});

export const pauseRecurringInvoice: Operation = moveRecurringInvoice('pause', 'pause', {
  name: 'pause_recurring_invoice',
  scope: 'recurring_invoices:transition',
  summary: 'Pausa una factura recurrente.',
  description:
    'Deja de hacer facturas hasta que se reanude con resume_recurring_invoice. Los días que pasen entretanto no se hacen después. Las facturas ya hechas no cambian. Se rechaza si ya está en pausa (recurring_invoice_already_paused), ha terminado o está cancelada (business_rule_violation).',
  errors: [e.recurring_invoice_already_paused, c.business_rule_violation],
  events: ['recurring_invoice.paused'],
  examples: [{ title: 'Pausar' }],
});

const resumed =
  'Vuelve a hacer facturas desde el primer día de su calendario que no haya pasado; los que pasaron en pausa quedan como skipped. Si no queda ninguno se rechaza con recurring_invoice_completed_cannot_resume. Con auto_send tiene que haber a quién enviar (business_rule_violation). Qué días serán lo dice antes preview_recurring_invoice.';

export const resumeRecurringInvoice: Operation = moveRecurringInvoice('resume', 'resume', {
  name: 'resume_recurring_invoice',
  scope: 'recurring_invoices:transition',
  summary: 'Reanuda una factura recurrente en pausa.',
  description: resumed,
  errors: resumeErrors,
  events: ['recurring_invoice.activated'],
  examples: [{ title: 'Reanudar' }],
});

export const activateRecurringInvoice: Operation = moveRecurringInvoice('resume', 'activate', {
  name: 'activate_recurring_invoice',
  scope: 'recurring_invoices:transition',
  summary: 'Activa una factura recurrente en pausa.',
  description: `Es otro nombre de resume_recurring_invoice. ${resumed}`,
  errors: resumeErrors,
  events: ['recurring_invoice.activated'],
  examples: [{ title: 'Activar' }],
});

export const cancelRecurringInvoice: Operation = moveRecurringInvoice('cancel', 'cancel', {
  name: 'cancel_recurring_invoice',
  scope: 'recurring_invoices:transition',
  summary: 'Cancela una factura recurrente para siempre.',
  description:
    'No hará más facturas y no se puede reanudar. Las ya hechas no cambian. Una terminada o ya cancelada se rechaza con invalid_status_transition. Para detenerla un tiempo está pause_recurring_invoice.',
  errors: [c.invalid_status_transition],
  events: ['recurring_invoice.cancelled'],
  examples: [{ title: 'Cancelar', body: { reason: 'Fin del contrato' } }],
});
