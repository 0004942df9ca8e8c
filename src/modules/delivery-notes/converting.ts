/** Delivery notes as what quotes become. The delivery itself is not known yet. */
import type { ConversionTarget } from '../sales/index.ts';
import { blankOwn, deliveryNotes } from './delivery-notes.family.ts';
import { noteFields } from './rules/note-fields.ts';

export const noteTarget: ConversionTarget = {
  family: deliveryNotes,
  input: {},
  own: (_ctx, _source, _asked, reasons) => ({ ...blankOwn, ...noteFields(null, {}, reasons) }),
};
