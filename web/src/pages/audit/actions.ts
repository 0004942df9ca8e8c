/** What an action of the audit log is, for who knows no codes: a text of its own, or a verb and what it was done to. */
import type { Language } from '../../app/words.ts';

type Texts = Readonly<Record<string, readonly [es: string, en: string]>>;

/** Actions that are no verb and object. */
const own: Texts = {
  'api_key.address_refused': [
    'Se rechazó una clave por la dirección desde la que llamaba',
    'A key was refused for the address it called from',
  ],
  'api_key.rotated': ['Cambiar el secreto de una clave', 'Change the secret of a key'],
  'delivery_note.gdpr_forget': [
    'Borrar los datos personales de la firma de un albarán',
    'Erase the personal data of the signature of a delivery note',
  ],
  'invoice.reverse_payment': ['Anular un cobro de una factura', 'Reverse a payment of an invoice'],
  'oauth_grant.ended': ['Terminó el acceso de una aplicación', 'The access of an application ended'],
  'oauth_grant.revoked': ['Quitar el acceso a una aplicación', 'Take the access of an application away'],
  'price_list.items_saved': ['Guardar precios de una tarifa', 'Save prices of a price list'],
  'purchase_scan.failed': ['No se pudo leer un documento escaneado', 'A scanned document could not be read'],
  'purchase_scan.processed': ['Se leyó un documento escaneado', 'A scanned document was read'],
  'recurring_invoice.run': [
    'Emitir las facturas pendientes de una factura recurrente',
    'Make the invoices due of a recurring invoice',
  ],
  'recurring_invoice.emit': [
    'Emitir a mano una factura recurrente',
    'Make an invoice of a recurring invoice by hand',
  ],
  'sandbox_clock.updated': ['Cambiar el reloj de pruebas', 'Change the clock of the sandbox'],
  'sandbox_data.deleted': ['Borrar los datos de pruebas', 'Delete the data of the sandbox'],
  'tax.rate_changed': ['Cambiar el tipo de un impuesto', 'Change the rate of a tax'],
  'verifactu.blocked_records_retried': [
    'Volver a enviar los registros detenidos',
    'Send the blocked records again',
  ],
  'verifactu.event_retried': ['Volver a enviar un evento de VeriFactu', 'Send an event of VeriFactu again'],
  'verifactu.integrity_checked': [
    'Comprobar la integridad de los registros',
    'Check the integrity of the records',
  ],
  'verifactu.record_mended': ['Subsanar un registro', 'Amend a record'],
  'verifactu.record_retried': ['Volver a enviar un registro', 'Send a record again'],
  'verifactu.settings_updated': ['Cambiar los ajustes de VeriFactu', 'Change the settings of VeriFactu'],
  'verifactu_certificate.expiring': ['Aviso: un certificado caduca', 'Warning: a certificate expires'],
  'verifactu_representation.expiring': [
    'Aviso: una representación caduca',
    'Warning: a representation expires',
  ],
  'webhook_delivery.replayed': ['Repetir una entrega de webhook', 'Repeat a webhook delivery'],
};

const objects: Texts = {
  api_key: ['una clave', 'a key'],
  client: ['un cliente', 'a client'],
  company: ['la empresa', 'the company'],
  delivery_note: ['un albarán', 'a delivery note'],
  invitation: ['una invitación', 'an invitation'],
  invoice: ['una factura', 'an invoice'],
  oauth_client: ['una aplicación', 'an application'],
  oauth_grant: ['el acceso de una aplicación', 'the access of an application'],
  price_list: ['una tarifa', 'a price list'],
  price_list_item: ['un precio de una tarifa', 'a price of a price list'],
  product: ['un producto', 'a product'],
  proforma: ['una factura proforma', 'a pro-forma invoice'],
  purchase_invoice: ['una factura de compra', 'a purchase invoice'],
  purchase_scan: ['un documento escaneado', 'a scanned document'],
  quote: ['un presupuesto', 'a quote'],
  recurring_invoice: ['una factura recurrente', 'a recurring invoice'],
  supplier: ['un proveedor', 'a supplier'],
  tax: ['un impuesto', 'a tax'],
  user: ['una persona', 'a person'],
  verifactu_certificate: ['un certificado', 'a certificate'],
  verifactu_event: ['un evento de VeriFactu', 'an event of VeriFactu'],
  verifactu_record: ['un registro', 'a record'],
  verifactu_representation: ['una representación', 'a representation'],
  webhook_delivery: ['una entrega de webhook', 'a webhook delivery'],
  webhook_endpoint: ['un punto de recepción', 'an endpoint'],
};

/** `…` is the object. */
const verbs: Texts = {
  accept: ['Aceptar …', 'Accept …'],
  annul: ['Anular …', 'Annul …'],
  archive: ['Archivar …', 'Archive …'],
  cancel: ['Cancelar …', 'Cancel …'],
  convert: ['Convertir …', 'Convert …'],
  create: ['Crear …', 'Create …'],
  created: ['Crear …', 'Create …'],
  delete: ['Eliminar …', 'Delete …'],
  deleted: ['Eliminar …', 'Delete …'],
  disabled: ['Detener …', 'Disable …'],
  enabled: ['Activar …', 'Enable …'],
  expire: ['Dar por caducado: …', 'Expire …'],
  finish: ['Dar por terminado: …', 'Finish …'],
  link: ['Unir a su compra: …', 'Link to its purchase: …'],
  mark_accounted: ['Marcar como contabilizado: …', 'Mark as accounted: …'],
  mark_delivered: ['Marcar como entregado: …', 'Mark as delivered: …'],
  mark_pending: ['Dejar pendiente: …', 'Leave pending: …'],
  mark_received: ['Marcar como recibido: …', 'Mark as received: …'],
  mark_sent: ['Marcar como enviado: …', 'Mark as sent: …'],
  pause: ['Pausar …', 'Pause …'],
  pay: ['Registrar un pago de …', 'Register a payment of …'],
  public_link_revoked: ['Anular la dirección pública de …', 'Revoke the public address of …'],
  registered: ['Registrar …', 'Register …'],
  reject: ['Rechazar …', 'Reject …'],
  reopen: ['Reabrir …', 'Reopen …'],
  reprocess: ['Leer de nuevo …', 'Read … again'],
  restore: ['Recuperar …', 'Restore …'],
  resume: ['Reanudar …', 'Resume …'],
  reverse_payment: ['Anular un pago de …', 'Reverse a payment of …'],
  revoked: ['Revocar …', 'Revoke …'],
  secret_rotated: ['Cambiar el secreto de …', 'Change the secret of …'],
  send: ['Enviar …', 'Send …'],
  sign: ['Firmar …', 'Sign …'],
  unarchive: ['Recuperar …', 'Unarchive …'],
  unlink: ['Separar de su compra: …', 'Unlink from its purchase: …'],
  update: ['Modificar …', 'Change …'],
  updated: ['Modificar …', 'Change …'],
  upload: ['Subir …', 'Upload …'],
  uploaded: ['Subir …', 'Upload …'],
  void: ['Invalidar …', 'Void …'],
};

const textIn = (texts: Texts, name: string, language: Language): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name]![language === 'es' ? 0 : 1] : undefined;

/** Such as "una factura". Undefined for what is not known here. */
export const objectText = (object: string, language: Language) => textIn(objects, object, language);

/** Such as "Revocar una clave". Undefined for what is not known here. */
export function actionText(action: string, language: Language): string | undefined {
  const text = textIn(own, action, language);
  if (text !== undefined) return text;
  const [object = '', verb = ''] = action.split('.');
  const of = objectText(object, language);
  return of === undefined ? undefined : textIn(verbs, verb, language)?.replace('…', of);
}
