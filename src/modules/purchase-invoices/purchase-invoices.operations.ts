/** The operations that purchases share with every family, by literal name. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Operation } from '../../kernel/operation.ts';
import { Nullable, Text, Type } from '../../kernel/schema.ts';
import {
  createDocument,
  deleteDocument,
  duplicateDocument,
  getDocument,
  listDocuments,
  moveDocument,
  updateDocument,
} from '../sales/index.ts';
import { purchaseInvoices } from './purchase-invoices.family.ts';

/** Of a move that may be the first out of draft. */
const receptionEvents = [
  'purchase_invoice.updated',
  'purchase_invoice.paid',
  'series.number_consumed',
  'series.year_reset',
  'series.month_reset',
];

export const listPurchaseInvoices: Operation = listDocuments(purchaseInvoices, {
  name: 'list_purchase_invoices',
  scope: 'purchase_invoices:read',
  summary: 'Lista las facturas recibidas.',
  description:
    'Responde una página de facturas recibidas con sus líneas y sus pagos, en cualquier estado; las últimas en registrarse primero, si sort no dice otra cosa. Los filtros se suman. En los órdenes por fecha las que no la tienen van al final.',
  examples: [{ title: 'Las vencidas sin pagar', query: { is_overdue: 'true', sort: 'due_on' } }],
});

export const createPurchaseInvoice: Operation = createDocument(purchaseInvoices, {
  name: 'create_purchase_invoice',
  scope: 'purchase_invoices:write',
  summary: 'Registra una factura recibida.',
  description:
    'Registra lo que factura un proveedor, como dice su papel: las cuotas y el total que se indican se comprueban con las líneas (amount_reconciliation_failed) y no se corrigen. Queda recibida, con número de recepción de la serie de facturas recibidas; con draft true queda en borrador. Lo que una línea no dice lo ponen los valores habituales del proveedor; sin tipo de impuesto se rechaza. Una factura con el mismo proveedor, número y fecha que otra se rechaza (business_rule_violation); con otra fecha se avisa (possible_duplicate). Repetida con el mismo external_id responde la que ya existe.',
  errors: [c.invalid_status_transition],
  events: receptionEvents,
  examples: [
    {
      title: 'Una factura de material',
      body: {
        supplier_id: '{supplier}',
        number: 'A-2026/881',
        issued_on: '2026-01-12',
        lines: [{ description: 'Papel A4', quantity: 20, unit_price: 4.5, tax_rate: 21 }],
        expected_total: 108.9,
      },
    },
    {
      title: 'Un profesional, con retención',
      body: {
        supplier_id: '{supplier}',
        number: '14/2026',
        issued_on: '2026-01-15',
        retention_kind: 'professional',
        lines: [{ description: 'Asesoría de enero', unit_price: 300, tax_rate: 21, retention_rate: 15 }],
      },
    },
  ],
});

export const getPurchaseInvoice: Operation = getDocument(purchaseInvoices, {
  name: 'get_purchase_invoice',
  scope: 'purchase_invoices:read',
  summary: 'Consulta una factura recibida.',
  description:
    'Responde la factura con sus líneas, su desglose, lo que se deduce y sus pagos. Si el id no es de ninguna factura recibida de la empresa, responde resource_not_found. Una factura se paga con register_purchase_invoice_payment o mark_purchase_invoice_paid, y se contabiliza con mark_purchase_invoice_accounted.',
  examples: [{ title: 'Una factura recibida' }],
});

export const updatePurchaseInvoice: Operation = updateDocument(purchaseInvoices, {
  name: 'update_purchase_invoice',
  scope: 'purchase_invoices:write',
  summary: 'Modifica una factura recibida, o sus etiquetas.',
  description:
    'Cambia lo que se envía: lo que no se envía queda como estaba y null lo borra. El contenido se modifica mientras no esté contabilizada, cancelada ni tenga pagos sin anular (invalid_status_transition, con el campo en error.param); metadata, tags y custom_fields cambian en cualquier estado. La cuota indicada de una fila del desglose se olvida si cambian sus líneas y no se envía de nuevo. Se puede devolver lo que dio get_purchase_invoice.',
  events: ['purchase_invoice.paid'],
  examples: [{ title: 'El vencimiento', body: { due_on: '2026-02-28' } }],
});

export const deletePurchaseInvoice: Operation = deleteDocument(purchaseInvoices, {
  name: 'delete_purchase_invoice',
  scope: 'purchase_invoices:delete',
  summary: 'Borra una factura recibida en borrador.',
  description:
    'Borra para siempre un borrador con sus líneas. Una que tiene número de recepción no se borra (invalid_status_transition): se cancela con cancel_purchase_invoice. Queda en el registro de auditoría.',
  examples: [{ title: 'Borrar un borrador' }],
});

export const duplicatePurchaseInvoice: Operation = duplicateDocument(purchaseInvoices, {
  name: 'duplicate_purchase_invoice',
  scope: 'purchase_invoices:write',
  summary: 'Copia una factura recibida en un borrador nuevo.',
  description:
    'Crea un borrador con el proveedor, las líneas, los textos y las etiquetas de otra factura, esté en el estado que esté. No copia los números, las fechas, lo que rectifica, los pagos ni external_id. La copia queda recibida con mark_purchase_invoice_received.',
});

export const markPurchaseInvoiceReceived: Operation = moveDocument(purchaseInvoices, 'mark_received', {
  name: 'mark_purchase_invoice_received',
  scope: 'purchase_invoices:transition',
  summary: 'Marca una factura recibida como recibida.',
  description:
    'Un borrador toma número de recepción, del periodo del día en que se recibió, y guarda los datos del proveedor como son hoy; le hacen falta proveedor (salvo a una simplificada), número y fecha (missing_required_param). Una contabilizada deja de estarlo y su contenido se puede modificar otra vez. En otro estado se rechaza (invalid_status_transition). Después se contabiliza con mark_purchase_invoice_accounted.',
  irreversible: true,
  events: receptionEvents,
  examples: [{ title: 'Recibida' }],
});

export const markPurchaseInvoiceAccounted: Operation = moveDocument(purchaseInvoices, 'mark_accounted', {
  name: 'mark_purchase_invoice_accounted',
  scope: 'purchase_invoices:transition',
  summary: 'Marca una factura recibida como contabilizada.',
  description:
    'Guarda cuándo se contabilizó y cierra su contenido; los pagos se siguen registrando, y una pagada sigue pagada. Un borrador, una ya contabilizada o una cancelada se rechazan (invalid_status_transition). Una contabilizada se vuelve a abrir con mark_purchase_invoice_received.',
  events: ['purchase_invoice.updated'],
  examples: [{ title: 'Contabilizada' }],
});

export const cancelPurchaseInvoice: Operation = moveDocument(
  purchaseInvoices,
  'cancel',
  {
    name: 'cancel_purchase_invoice',
    scope: 'purchase_invoices:transition',
    summary: 'Cancela una factura recibida.',
    description:
      'La factura deja de contar y su número de recepción no se vuelve a dar. Con un pago sin anular se rechaza (invalid_status_transition): antes se anula el pago con reverse_purchase_invoice_payment. Un borrador no se cancela, se borra con delete_purchase_invoice. No se puede deshacer. reason queda en el registro de auditoría, así que no debe llevar datos personales.',
    effects: 'withdraw',
    irreversible: true,
    events: ['purchase_invoice.cancelled'],
    examples: [{ title: 'Cancelar', body: { reason: 'Registrada dos veces' } }],
  },
  {
    reason: Type.Optional(
      Nullable(
        Text(500, { description: 'Por qué se cancela, sin datos personales; va al registro de auditoría' }),
      ),
    ),
  },
);
