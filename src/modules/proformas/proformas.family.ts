/** Pro-forma invoices as a family of sales documents (ADR 28). */
import { defineOffers } from '../offers/index.ts';
import { proformasEvents } from './proformas.events.ts';
import { type ProformaRow, shipping } from './shipping.fields.ts';
import { proformaWords } from './proformas.words.ts';

export const proformas = defineOffers<ProformaRow>({
  object: 'proforma',
  one: 'una factura proforma',
  many: 'las facturas proforma',
  the: 'la factura proforma',
  collection: 'proformas',
  words: proformaWords,
  moves: {
    accept: 'proforma.accepted',
    reject: 'proforma.rejected',
    cancel: 'proforma.cancelled',
    expire: 'proforma.expired',
    convert: 'proforma.converted_to_invoice',
  },
  // The first entry is told by `proforma.number_assigned`.
  entersPending: (is_first) => (is_first ? null : 'proforma.updated'),
  events: proformasEvents,
  becomes: ['invoice'],
  withdraws: ['cancel'],
  extras: shipping,
});
