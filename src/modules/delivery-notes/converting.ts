/** Makes delivery notes of quotes. The delivery itself is not known yet. */
import { type ConversionTarget, refuseFuture } from '../sales/index.ts';
import { blankOwn, deliveryNotes } from './delivery-notes.family.ts';
import { noteFields } from './rules/note-fields.ts';

export const noteTarget: ConversionTarget = {
  family: deliveryNotes,
  input: {},
  own({ today }, _source, { issued_on = null }, reasons) {
    reasons.attempt(() => refuseFuture(issued_on, today));
    return { ...blankOwn, ...noteFields(null, {}, reasons) };
  },
};
