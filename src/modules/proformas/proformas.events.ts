import { Type } from '../../kernel/schema.ts';
import { defineEvents, Reference } from '../events/index.ts';
import { offerTriggers } from '../offers/index.ts';

const by = offerTriggers('/v1/proformas');
const withEmail = Type.Object({ proforma: Reference, email: Reference });

export const proformasEvents = defineEvents({
  'proforma.created': by.make,
  'proforma.updated': by.edit,
  'proforma.deleted': by.remove,
  'proforma.metadata_changed': by.relabel,
  'proforma.number_assigned': by.pending,
  'proforma.accepted': by.move('accept'),
  'proforma.rejected': by.move('reject'),
  'proforma.cancelled': by.move('cancel'),
  'proforma.expired': by.expire,
  'proforma.converted_to_invoice': {
    ...by.move('convert'),
    data: Type.Object({ proforma: Reference, invoice: Reference }),
  },
  'proforma.email_sent': { ...by.email('accepted'), data: withEmail },
  'proforma.email_failed': { ...by.email('refused'), data: withEmail },
});
