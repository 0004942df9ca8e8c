/** Delivery notes: what is delivered, signed for, and billed once. Owns `delivery_notes` and their signatures. */
import type { Operation } from '../../kernel/operation.ts';
import {
  cancelDeliveryNote,
  convertDeliveryNote,
  createDeliveryNote,
  deleteDeliveryNote,
  duplicateDeliveryNote,
  getDeliveryNote,
  getDeliveryNotePdf,
  getDeliveryNotePdfLink,
  listDeliveryNotes,
  markDeliveryNoteDelivered,
  markDeliveryNotePending,
  revokeDeliveryNotePublicLink,
  sendDeliveryNote,
  updateDeliveryNote,
} from './delivery-notes.operations.ts';
import { bulkDeleteDeliveryNotes } from './operations/bulk-delete-delivery-notes.ts';
import { getDeliveryNoteSignature } from './operations/get-delivery-note-signature.ts';
import { getDeliveryNoteSignatureImage } from './operations/get-delivery-note-signature-image.ts';
import { forgetDeliveryNoteSignature } from './operations/forget-delivery-note-signature.ts';
import { recapitulateDeliveryNotes } from './operations/recapitulate-delivery-notes.ts';
import { signDeliveryNote } from './operations/sign-delivery-note.ts';
import { changeDeliveryNoteStatus } from './operations/change-delivery-note-status.ts';

export { noteTarget } from './converting.ts';
export { deliveryNotes } from './delivery-notes.family.ts';

export const deliveryNotesOperations: readonly Operation[] = [
  listDeliveryNotes,
  createDeliveryNote,
  getDeliveryNote,
  getDeliveryNotePdf,
  getDeliveryNotePdfLink,
  revokeDeliveryNotePublicLink,
  updateDeliveryNote,
  deleteDeliveryNote,
  bulkDeleteDeliveryNotes,
  duplicateDeliveryNote,
  sendDeliveryNote,
  markDeliveryNotePending,
  markDeliveryNoteDelivered,
  signDeliveryNote,
  getDeliveryNoteSignature,
  getDeliveryNoteSignatureImage,
  forgetDeliveryNoteSignature,
  cancelDeliveryNote,
  changeDeliveryNoteStatus,
  convertDeliveryNote,
  recapitulateDeliveryNotes,
];
