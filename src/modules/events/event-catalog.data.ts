/**
 * Every event of the API, emitted by this build or not. `invoice.*` subscribes to the category before the
 * dot.
 */
import type { Words } from '../../kernel/words.ts';

export type EventCatalogItem = {
  readonly name: string;
  readonly category: string;
  readonly description: Words;
};

const rows = [
  ['invoice.created', { es: 'Se ha creado una factura.', en: 'An invoice was created.' }],
  [
    'invoice.auto_created',
    {
      es: 'La pasarela de pago ha generado una factura por un cobro.',
      en: 'The payment gateway made an invoice for a charge.',
    },
  ],
  [
    'invoice.corrective_auto_created',
    {
      es: 'La pasarela de pago ha generado una rectificativa por una devolución.',
      en: 'The payment gateway made a corrective invoice for a refund.',
    },
  ],
  [
    'invoice.subscription_auto_created',
    {
      es: 'La pasarela de pago ha generado una factura por una suscripción.',
      en: 'The payment gateway made an invoice for a subscription.',
    },
  ],
  ['invoice.updated', { es: 'Se ha modificado una factura.', en: 'An invoice was changed.' }],
  ['invoice.sent', { es: 'Una factura ha pasado a enviada.', en: 'An invoice is now sent.' }],
  ['invoice.paid', { es: 'Una factura ha quedado cobrada por completo.', en: 'An invoice is fully paid.' }],
  ['invoice.cancelled', { es: 'Una factura emitida se ha invalidado.', en: 'An issued invoice was voided.' }],
  [
    'invoice.annulled',
    {
      es: 'Una factura se ha anulado porque no debió existir.',
      en: 'An invoice was annulled because it should never have existed.',
    },
  ],
  [
    'invoice.overdue',
    {
      es: 'Ha pasado el vencimiento de una factura sin cobrar.',
      en: 'The due date of an unpaid invoice has passed.',
    },
  ],
  ['invoice.deleted', { es: 'Se ha eliminado un borrador de factura.', en: 'A draft invoice was deleted.' }],
  [
    'invoice.number_assigned',
    {
      es: 'Una factura ha recibido su número al emitirse.',
      en: 'An invoice took its number as it was issued.',
    },
  ],
  [
    'invoice.rectified',
    { es: 'Una factura ha quedado rectificada.', en: 'An invoice was corrected by a corrective invoice.' },
  ],
  [
    'invoice.email_sent',
    { es: 'Se ha enviado el correo de una factura.', en: 'The e-mail of an invoice was sent.' },
  ],
  [
    'invoice.email_failed',
    {
      es: 'No se ha podido enviar el correo de una factura.',
      en: 'The e-mail of an invoice could not be sent.',
    },
  ],
  [
    'invoice.payment_reminder_sent',
    {
      es: 'Se ha enviado un recordatorio de pago de una factura.',
      en: 'A payment reminder of an invoice was sent.',
    },
  ],
  [
    'invoice.simplified_created',
    { es: 'Se ha creado una factura simplificada.', en: 'A simplified invoice was created.' },
  ],
  [
    'invoice.simplified_substituted',
    {
      es: 'Una factura simplificada se ha sustituido por una completa.',
      en: 'A simplified invoice was replaced by a full one.',
    },
  ],
  [
    'invoice.substituted_by_complete',
    {
      es: 'Se ha emitido la factura completa que sustituye a simplificadas.',
      en: 'The full invoice that replaces simplified ones was issued.',
    },
  ],
  [
    'invoice.verifactu_submitted',
    {
      es: 'La Agencia Tributaria ha recibido el registro de una factura.',
      en: 'The tax agency received the record of an invoice.',
    },
  ],
  [
    'invoice.verifactu_failed',
    {
      es: 'La Agencia Tributaria ha rechazado el registro de una factura o no se ha podido enviar.',
      en: 'The tax agency rejected the record of an invoice, or it could not be sent.',
    },
  ],
  [
    'invoice.metadata_changed',
    { es: 'Han cambiado los metadatos de una factura.', en: 'The metadata of an invoice changed.' },
  ],

  ['quote.created', { es: 'Se ha creado un presupuesto.', en: 'A quote was created.' }],
  ['quote.updated', { es: 'Se ha modificado un presupuesto.', en: 'A quote was changed.' }],
  ['quote.deleted', { es: 'Se ha eliminado un presupuesto.', en: 'A quote was deleted.' }],
  ['quote.approved', { es: 'Se ha aceptado un presupuesto.', en: 'A quote was accepted.' }],
  ['quote.rejected', { es: 'Se ha rechazado un presupuesto.', en: 'A quote was rejected.' }],
  [
    'quote.converted',
    {
      es: 'Un presupuesto se ha convertido en otro documento.',
      en: 'A quote was converted into another document.',
    },
  ],
  [
    'quote.expired',
    {
      es: 'Ha terminado el plazo de validez de un presupuesto.',
      en: 'The time for which a quote is valid has ended.',
    },
  ],
  [
    'quote.marked_as_pending',
    { es: 'Un presupuesto ha quedado pendiente de respuesta.', en: 'A quote is waiting for an answer.' },
  ],
  ['quote.cancelled', { es: 'Se ha cancelado un presupuesto.', en: 'A quote was cancelled.' }],
  ['quote.number_assigned', { es: 'Un presupuesto ha recibido su número.', en: 'A quote took its number.' }],
  [
    'quote.metadata_changed',
    { es: 'Han cambiado los metadatos de un presupuesto.', en: 'The metadata of a quote changed.' },
  ],
  [
    'quote.email_sent',
    { es: 'Se ha enviado el correo de un presupuesto.', en: 'The e-mail of a quote was sent.' },
  ],
  [
    'quote.email_failed',
    {
      es: 'No se ha podido enviar el correo de un presupuesto.',
      en: 'The e-mail of a quote could not be sent.',
    },
  ],

  ['proforma.created', { es: 'Se ha creado una factura proforma.', en: 'A pro-forma invoice was created.' }],
  [
    'proforma.updated',
    { es: 'Se ha modificado una factura proforma.', en: 'A pro-forma invoice was changed.' },
  ],
  [
    'proforma.deleted',
    { es: 'Se ha eliminado una factura proforma.', en: 'A pro-forma invoice was deleted.' },
  ],
  [
    'proforma.accepted',
    { es: 'Se ha aceptado una factura proforma.', en: 'A pro-forma invoice was accepted.' },
  ],
  [
    'proforma.rejected',
    { es: 'Se ha rechazado una factura proforma.', en: 'A pro-forma invoice was rejected.' },
  ],
  [
    'proforma.cancelled',
    { es: 'Se ha cancelado una factura proforma.', en: 'A pro-forma invoice was cancelled.' },
  ],
  [
    'proforma.expired',
    {
      es: 'Ha terminado el plazo de validez de una factura proforma.',
      en: 'The time for which a pro-forma invoice is valid has ended.',
    },
  ],
  [
    'proforma.converted_to_invoice',
    {
      es: 'Una factura proforma se ha convertido en factura.',
      en: 'A pro-forma invoice was converted into an invoice.',
    },
  ],
  [
    'proforma.number_assigned',
    { es: 'Una factura proforma ha recibido su número.', en: 'A pro-forma invoice took its number.' },
  ],
  [
    'proforma.metadata_changed',
    {
      es: 'Han cambiado los metadatos de una factura proforma.',
      en: 'The metadata of a pro-forma invoice changed.',
    },
  ],
  [
    'proforma.email_sent',
    {
      es: 'Se ha enviado el correo de una factura proforma.',
      en: 'The e-mail of a pro-forma invoice was sent.',
    },
  ],
  [
    'proforma.email_failed',
    {
      es: 'No se ha podido enviar el correo de una factura proforma.',
      en: 'The e-mail of a pro-forma invoice could not be sent.',
    },
  ],

  ['delivery_note.created', { es: 'Se ha creado un albarán.', en: 'A delivery note was created.' }],
  ['delivery_note.updated', { es: 'Se ha modificado un albarán.', en: 'A delivery note was changed.' }],
  [
    'delivery_note.status_changed',
    { es: 'Un albarán ha cambiado de estado.', en: 'A delivery note changed its status.' },
  ],
  ['delivery_note.signed', { es: 'Se ha firmado un albarán.', en: 'A delivery note was signed.' }],
  [
    'delivery_note.converted',
    { es: 'Un albarán se ha convertido en factura.', en: 'A delivery note was converted into an invoice.' },
  ],
  [
    'delivery_note.email_sent',
    { es: 'Se ha enviado el correo de un albarán.', en: 'The e-mail of a delivery note was sent.' },
  ],
  [
    'delivery_note.email_failed',
    {
      es: 'No se ha podido enviar el correo de un albarán.',
      en: 'The e-mail of a delivery note could not be sent.',
    },
  ],

  [
    'purchase_invoice.created',
    { es: 'Se ha registrado una factura de compra.', en: 'A purchase invoice was registered.' },
  ],
  [
    'purchase_invoice.updated',
    { es: 'Se ha modificado una factura de compra.', en: 'A purchase invoice was changed.' },
  ],
  [
    'purchase_invoice.paid',
    { es: 'Una factura de compra ha quedado pagada por completo.', en: 'A purchase invoice is fully paid.' },
  ],
  [
    'purchase_invoice.payment_registered',
    {
      es: 'Se ha registrado un pago de una factura de compra.',
      en: 'A payment of a purchase invoice was registered.',
    },
  ],
  [
    'purchase_invoice.cancelled',
    { es: 'Se ha cancelado una factura de compra.', en: 'A purchase invoice was cancelled.' },
  ],
  [
    'purchase_invoice.metadata_changed',
    {
      es: 'Han cambiado los metadatos de una factura de compra.',
      en: 'The metadata of a purchase invoice changed.',
    },
  ],

  [
    'recurring_invoice.created',
    { es: 'Se ha creado una factura recurrente.', en: 'A recurring invoice was created.' },
  ],
  [
    'recurring_invoice.activated',
    { es: 'Una factura recurrente vuelve a estar activa.', en: 'A recurring invoice is active again.' },
  ],
  [
    'recurring_invoice.paused',
    { es: 'Se ha puesto en pausa una factura recurrente.', en: 'A recurring invoice was paused.' },
  ],
  [
    'recurring_invoice.updated',
    { es: 'Se ha modificado una factura recurrente.', en: 'A recurring invoice was changed.' },
  ],
  [
    'recurring_invoice.deleted',
    { es: 'Se ha eliminado una factura recurrente.', en: 'A recurring invoice was deleted.' },
  ],
  [
    'recurring_invoice.completed',
    { es: 'Una factura recurrente ha llegado a su fin.', en: 'A recurring invoice came to its end.' },
  ],
  [
    'recurring_invoice.executed',
    { es: 'Una factura recurrente ha generado una factura.', en: 'A recurring invoice made an invoice.' },
  ],
  [
    'recurring_invoice.failed',
    {
      es: 'Una factura recurrente no ha podido generar su factura.',
      en: 'A recurring invoice could not make its invoice.',
    },
  ],
  [
    'recurring_invoice.cancelled',
    { es: 'Se ha cancelado una factura recurrente.', en: 'A recurring invoice was cancelled.' },
  ],
  [
    'recurring_invoice.metadata_changed',
    {
      es: 'Han cambiado los metadatos de una factura recurrente.',
      en: 'The metadata of a recurring invoice changed.',
    },
  ],

  ['client.created', { es: 'Se ha creado un cliente.', en: 'A client was created.' }],
  ['client.updated', { es: 'Se ha modificado un cliente.', en: 'A client was changed.' }],
  [
    'client.deleted',
    {
      es: 'Se ha archivado un cliente, o ha dejado de serlo.',
      en: 'A client was archived, or is no longer one.',
    },
  ],
  [
    'client.metadata_changed',
    { es: 'Han cambiado los metadatos de un cliente.', en: 'The metadata of a client changed.' },
  ],
  ['product.created', { es: 'Se ha creado un producto.', en: 'A product was created.' }],
  ['product.updated', { es: 'Se ha modificado un producto.', en: 'A product was changed.' }],

  ['series.created', { es: 'Se ha creado una serie de numeración.', en: 'A numbering series was created.' }],
  [
    'series.updated',
    { es: 'Se ha modificado una serie de numeración.', en: 'A numbering series was changed.' },
  ],
  [
    'series.deleted',
    {
      es: 'Se ha eliminado una serie de numeración sin usar.',
      en: 'An unused numbering series was deleted.',
    },
  ],
  [
    'series.archived',
    { es: 'Se ha archivado una serie de numeración.', en: 'A numbering series was archived.' },
  ],
  [
    'series.unarchived',
    {
      es: 'Se ha recuperado una serie de numeración archivada.',
      en: 'An archived numbering series was brought back.',
    },
  ],
  [
    'series.marked_as_default',
    {
      es: 'Una serie ha pasado a ser la predeterminada de su tipo de documento.',
      en: 'A series became the default of its kind of document.',
    },
  ],
  [
    'series.demoted_from_default',
    {
      es: 'Una serie ha dejado de ser la predeterminada de su tipo de documento.',
      en: 'A series is no longer the default of its kind of document.',
    },
  ],
  [
    'series.number_consumed',
    { es: 'Una serie ha dado un número a un documento.', en: 'A series gave a number to a document.' },
  ],
  [
    'series.year_reset',
    {
      es: 'La numeración de una serie ha vuelto a empezar con el año.',
      en: 'The numbers of a series began again with the year.',
    },
  ],
  [
    'series.month_reset',
    {
      es: 'La numeración de una serie ha vuelto a empezar con el mes.',
      en: 'The numbers of a series began again with the month.',
    },
  ],
  [
    'tax.metadata_changed',
    { es: 'Han cambiado los metadatos de un impuesto.', en: 'The metadata of a tax changed.' },
  ],
  [
    'tax.validity_changed',
    {
      es: 'Han cambiado las fechas de vigencia de un impuesto.',
      en: 'The dates between which a tax is valid changed.',
    },
  ],
  [
    'tax.external_reference_changed',
    {
      es: 'Ha cambiado la referencia externa de un impuesto.',
      en: 'The external reference of a tax changed.',
    },
  ],

  [
    'facturae.face_submitted',
    { es: 'Se ha presentado una factura en FACe.', en: 'An invoice was submitted to FACe.' },
  ],
  [
    'facturae.face_status_changed',
    {
      es: 'Una factura presentada en FACe ha cambiado de estado.',
      en: 'An invoice submitted to FACe changed its status.',
    },
  ],
  [
    'facturae.face_cancellation_requested',
    {
      es: 'Se ha solicitado a FACe la anulación de una factura.',
      en: 'FACe was asked to cancel an invoice.',
    },
  ],

  [
    'payment.received',
    {
      es: 'Se ha registrado un cobro de una factura, o lo que se devuelve al cliente, con importe negativo.',
      en: 'A payment of an invoice was registered, or what is given back to the client, with a negative amount.',
    },
  ],
  [
    'payment.reversed',
    { es: 'Se ha revertido un cobro de una factura.', en: 'A payment of an invoice was reversed.' },
  ],
  [
    'payout.reconciled',
    {
      es: 'Una liquidación de la pasarela se ha conciliado con el extracto bancario.',
      en: 'A payout of the gateway was matched with the bank statement.',
    },
  ],

  [
    'automation_rule.activated',
    { es: 'Se ha activado una regla de automatización.', en: 'An automation rule was activated.' },
  ],
  [
    'automation_rule.paused',
    { es: 'Se ha puesto en pausa una regla de automatización.', en: 'An automation rule was paused.' },
  ],
  [
    'automation_rule.auto_paused',
    {
      es: 'Una regla de automatización se ha pausado sola tras fallos seguidos.',
      en: 'An automation rule paused itself after failing again and again.',
    },
  ],
  [
    'automation_run.started',
    {
      es: 'Ha empezado la ejecución de una regla de automatización.',
      en: 'A run of an automation rule began.',
    },
  ],
  [
    'automation_run.completed',
    {
      es: 'Ha terminado bien la ejecución de una regla de automatización.',
      en: 'A run of an automation rule ended well.',
    },
  ],
  [
    'automation_run.failed',
    {
      es: 'Ha fallado la ejecución de una regla de automatización.',
      en: 'A run of an automation rule failed.',
    },
  ],
  [
    'automation_run.step_dead_lettered',
    {
      es: 'Se ha descartado un paso de una ejecución; se puede volver a lanzar.',
      en: 'A step of a run was given up; it can be started again.',
    },
  ],

  [
    'order.invoiced',
    { es: 'Se ha facturado un pedido de una tienda.', en: 'An order of a shop was invoiced.' },
  ],
  [
    'order.refunded',
    {
      es: 'Se ha rectificado la factura de un pedido devuelto.',
      en: 'The invoice of a refunded order was corrected.',
    },
  ],
] as const;

export type EventName = (typeof rows)[number][0];

/** In the order of docs/events.md. */
export const eventCatalog: readonly (EventCatalogItem & { readonly name: EventName })[] = rows.map(
  ([name, description]) => ({ name, category: name.slice(0, name.indexOf('.')), description }),
);
