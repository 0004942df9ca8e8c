import { Type } from '../../kernel/schema.ts';
import { defineEvents, Reference } from '../events/index.ts';
import { offerTriggers } from '../offers/index.ts';

const by = offerTriggers('/v1/quotes');
const withEmail = Type.Object({ quote: Reference, email: Reference });

export const quotesEvents = defineEvents({
  'quote.created': by.make,
  'quote.updated': by.edit,
  'quote.deleted': by.remove,
  'quote.metadata_changed': by.relabel,
  'quote.number_assigned': by.pending,
  'quote.marked_as_pending': by.pending,
  'quote.approved': by.move('accept'),
  'quote.rejected': by.move('reject'),
  'quote.cancelled': by.move('cancel'),
  'quote.expired': by.expire,
  'quote.converted': {
    ...by.move('convert'),
    data: Type.Object({
      quote: Reference,
      invoice: Type.Optional(Reference),
      proforma: Type.Optional(Reference),
      delivery_note: Type.Optional(Reference),
    }),
  },
  'quote.email_sent': { ...by.email('accepted'), data: withEmail },
  'quote.email_failed': { ...by.email('refused'), data: withEmail },
});
