/** How people call the states of what cannot be undone, by the name of the resource. */
const offers = { draft: 'borrador', pending: 'pendiente' } as const;

const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  invoice: {
    draft: 'borrador',
    issued: 'emitida',
    sent: 'enviada',
    paid: 'cobrada',
    overdue: 'vencida',
    rectified: 'rectificada',
    substituted: 'sustituida',
    voided: 'invalidada',
    annulled: 'anulada',
  },
  quote: {
    ...offers,
    accepted: 'aceptado',
    rejected: 'rechazado',
    expired: 'caducado',
    cancelled: 'cancelado',
    converted: 'convertido',
  },
  proforma: {
    ...offers,
    accepted: 'aceptada',
    rejected: 'rechazada',
    expired: 'caducada',
    cancelled: 'cancelada',
    converted: 'convertida',
  },
  delivery_note: {
    draft: 'borrador',
    pending: 'pendiente',
    delivered: 'entregado',
    signed: 'firmado',
    cancelled: 'cancelado',
    invoiced: 'facturado',
  },
  purchase_invoice: {
    draft: 'borrador',
    received: 'recibida',
    accounted: 'contabilizada',
    paid: 'pagada',
    cancelled: 'cancelada',
  },
  recurring_invoice: {
    active: 'activa',
    paused: 'en pausa',
    completed: 'terminada',
    cancelled: 'cancelada',
  },
  verifactu_record: {
    pending: 'pendiente de envío',
    sending: 'se está enviando',
    accepted: 'aceptado',
    accepted_with_errors: 'aceptado con errores',
    rejected: 'rechazado',
    kept: 'conservado',
  },
  webhook_endpoint: { enabled: 'recibe', disabled: 'detenido' },
};

/** @returns undefined where nobody gave the state a word */
export function stateWord(object: unknown, status: unknown): string | undefined {
  return states[String(object)]?.[String(status)];
}
