/**
 * Every event of the API, emitted by this build or not. `invoice.*` subscribes to the category before the
 * dot.
 */

export type EventCatalogItem = {
  readonly name: string;
  readonly category: string;
  readonly description: string;
};

const rows = [
  ['invoice.created', 'Se ha creado una factura.'],
  ['invoice.auto_created', 'La pasarela de pago ha generado una factura por un cobro.'],
  [
    'invoice.corrective_auto_created',
    'La pasarela de pago ha generado una rectificativa por una devolución.',
  ],
  ['invoice.subscription_auto_created', 'La pasarela de pago ha generado una factura por una suscripción.'],
  ['invoice.updated', 'Se ha modificado una factura.'],
  ['invoice.sent', 'Una factura ha pasado a enviada.'],
  ['invoice.paid', 'Una factura ha quedado cobrada por completo.'],
  ['invoice.cancelled', 'Una factura emitida se ha invalidado.'],
  ['invoice.annulled', 'Una factura se ha anulado porque no debió existir.'],
  ['invoice.overdue', 'Ha pasado el vencimiento de una factura sin cobrar.'],
  ['invoice.deleted', 'Se ha eliminado un borrador de factura.'],
  ['invoice.number_assigned', 'Una factura ha recibido su número al emitirse.'],
  ['invoice.rectified', 'Una factura ha quedado rectificada.'],
  ['invoice.email_sent', 'Se ha enviado el correo de una factura.'],
  ['invoice.email_failed', 'No se ha podido enviar el correo de una factura.'],
  ['invoice.payment_reminder_sent', 'Se ha enviado un recordatorio de pago de una factura.'],
  ['invoice.simplified_created', 'Se ha creado una factura simplificada.'],
  ['invoice.simplified_substituted', 'Una factura simplificada se ha sustituido por una completa.'],
  ['invoice.substituted_by_complete', 'Se ha emitido la factura completa que sustituye a simplificadas.'],
  ['invoice.verifactu_submitted', 'La Agencia Tributaria ha recibido el registro de una factura.'],
  [
    'invoice.verifactu_failed',
    'La Agencia Tributaria ha rechazado el registro de una factura o no se ha podido enviar.',
  ],
  ['invoice.metadata_changed', 'Han cambiado los metadatos de una factura.'],

  ['quote.created', 'Se ha creado un presupuesto.'],
  ['quote.updated', 'Se ha modificado un presupuesto.'],
  ['quote.deleted', 'Se ha eliminado un presupuesto.'],
  ['quote.approved', 'Se ha aceptado un presupuesto.'],
  ['quote.rejected', 'Se ha rechazado un presupuesto.'],
  ['quote.converted', 'Un presupuesto se ha convertido en otro documento.'],
  ['quote.expired', 'Ha terminado el plazo de validez de un presupuesto.'],
  ['quote.marked_as_pending', 'Un presupuesto ha quedado pendiente de respuesta.'],
  ['quote.cancelled', 'Se ha cancelado un presupuesto.'],
  ['quote.number_assigned', 'Un presupuesto ha recibido su número.'],
  ['quote.metadata_changed', 'Han cambiado los metadatos de un presupuesto.'],
  ['quote.email_sent', 'Se ha enviado el correo de un presupuesto.'],
  ['quote.email_failed', 'No se ha podido enviar el correo de un presupuesto.'],

  ['proforma.created', 'Se ha creado una factura proforma.'],
  ['proforma.updated', 'Se ha modificado una factura proforma.'],
  ['proforma.deleted', 'Se ha eliminado una factura proforma.'],
  ['proforma.accepted', 'Se ha aceptado una factura proforma.'],
  ['proforma.rejected', 'Se ha rechazado una factura proforma.'],
  ['proforma.cancelled', 'Se ha cancelado una factura proforma.'],
  ['proforma.expired', 'Ha terminado el plazo de validez de una factura proforma.'],
  ['proforma.converted_to_invoice', 'Una factura proforma se ha convertido en factura.'],
  ['proforma.number_assigned', 'Una factura proforma ha recibido su número.'],
  ['proforma.metadata_changed', 'Han cambiado los metadatos de una factura proforma.'],
  ['proforma.email_sent', 'Se ha enviado el correo de una factura proforma.'],
  ['proforma.email_failed', 'No se ha podido enviar el correo de una factura proforma.'],

  ['delivery_note.created', 'Se ha creado un albarán.'],
  ['delivery_note.updated', 'Se ha modificado un albarán.'],
  ['delivery_note.status_changed', 'Un albarán ha cambiado de estado.'],
  ['delivery_note.signed', 'Se ha firmado un albarán.'],
  ['delivery_note.converted', 'Un albarán se ha convertido en factura.'],
  ['delivery_note.email_sent', 'Se ha enviado el correo de un albarán.'],
  ['delivery_note.email_failed', 'No se ha podido enviar el correo de un albarán.'],

  ['purchase_invoice.created', 'Se ha registrado una factura de compra.'],
  ['purchase_invoice.updated', 'Se ha modificado una factura de compra.'],
  ['purchase_invoice.paid', 'Una factura de compra ha quedado pagada por completo.'],
  ['purchase_invoice.payment_registered', 'Se ha registrado un pago de una factura de compra.'],
  ['purchase_invoice.cancelled', 'Se ha cancelado una factura de compra.'],
  ['purchase_invoice.metadata_changed', 'Han cambiado los metadatos de una factura de compra.'],

  ['recurring_invoice.created', 'Se ha creado una factura recurrente.'],
  ['recurring_invoice.activated', 'Una factura recurrente vuelve a estar activa.'],
  ['recurring_invoice.paused', 'Se ha puesto en pausa una factura recurrente.'],
  ['recurring_invoice.updated', 'Se ha modificado una factura recurrente.'],
  ['recurring_invoice.deleted', 'Se ha eliminado una factura recurrente.'],
  ['recurring_invoice.completed', 'Una factura recurrente ha llegado a su fin.'],
  ['recurring_invoice.executed', 'Una factura recurrente ha generado una factura.'],
  ['recurring_invoice.failed', 'Una factura recurrente no ha podido generar su factura.'],
  ['recurring_invoice.cancelled', 'Se ha cancelado una factura recurrente.'],
  ['recurring_invoice.metadata_changed', 'Han cambiado los metadatos de una factura recurrente.'],

  ['client.created', 'Se ha creado un cliente.'],
  ['client.updated', 'Se ha modificado un cliente.'],
  ['client.deleted', 'Se ha archivado un cliente, o ha dejado de serlo.'],
  ['client.metadata_changed', 'Han cambiado los metadatos de un cliente.'],
  ['product.created', 'Se ha creado un producto.'],
  ['product.updated', 'Se ha modificado un producto.'],

  ['series.created', 'Se ha creado una serie de numeración.'],
  ['series.updated', 'Se ha modificado una serie de numeración.'],
  ['series.deleted', 'Se ha eliminado una serie de numeración sin usar.'],
  ['series.archived', 'Se ha archivado una serie de numeración.'],
  ['series.unarchived', 'Se ha recuperado una serie de numeración archivada.'],
  ['series.marked_as_default', 'Una serie ha pasado a ser la predeterminada de su tipo de documento.'],
  ['series.demoted_from_default', 'Una serie ha dejado de ser la predeterminada de su tipo de documento.'],
  ['series.number_consumed', 'Una serie ha dado un número a un documento.'],
  ['series.year_reset', 'La numeración de una serie ha vuelto a empezar con el año.'],
  ['series.month_reset', 'La numeración de una serie ha vuelto a empezar con el mes.'],
  ['tax.metadata_changed', 'Han cambiado los metadatos de un impuesto.'],
  ['tax.validity_changed', 'Han cambiado las fechas de vigencia de un impuesto.'],
  ['tax.external_reference_changed', 'Ha cambiado la referencia externa de un impuesto.'],

  ['facturae.face_submitted', 'Se ha presentado una factura en FACe.'],
  ['facturae.face_status_changed', 'Una factura presentada en FACe ha cambiado de estado.'],
  ['facturae.face_cancellation_requested', 'Se ha solicitado a FACe la anulación de una factura.'],

  ['payment.received', 'Se ha registrado un cobro de una factura.'],
  ['payment.reversed', 'Se ha revertido un cobro de una factura.'],
  ['payout.reconciled', 'Una liquidación de la pasarela se ha conciliado con el extracto bancario.'],

  ['automation_rule.activated', 'Se ha activado una regla de automatización.'],
  ['automation_rule.paused', 'Se ha puesto en pausa una regla de automatización.'],
  ['automation_rule.auto_paused', 'Una regla de automatización se ha pausado sola tras fallos seguidos.'],
  ['automation_run.started', 'Ha empezado la ejecución de una regla de automatización.'],
  ['automation_run.completed', 'Ha terminado bien la ejecución de una regla de automatización.'],
  ['automation_run.failed', 'Ha fallado la ejecución de una regla de automatización.'],
  [
    'automation_run.step_dead_lettered',
    'Se ha descartado un paso de una ejecución; se puede volver a lanzar.',
  ],

  ['order.invoiced', 'Se ha facturado un pedido de una tienda.'],
  ['order.refunded', 'Se ha rectificado la factura de un pedido devuelto.'],
] as const;

export type EventName = (typeof rows)[number][0];

/** In the order of docs/events.md. */
export const eventCatalog: readonly (EventCatalogItem & { readonly name: EventName })[] = rows.map(
  ([name, description]) => ({ name, category: name.slice(0, name.indexOf('.')), description }),
);
