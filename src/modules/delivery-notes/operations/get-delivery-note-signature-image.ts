/** The picture of a signature, as it was sent. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { FileContent } from '../../../kernel/schema.ts';
import { idParams } from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import { findSignatureImage } from '../signatures.store.ts';

export const getDeliveryNoteSignatureImage = defineOperation({
  name: 'get_delivery_note_signature_image',
  method: 'GET',
  path: '/v1/delivery_notes/:delivery_note/signature/image',
  scope: 'delivery_notes:read',
  tag: 'delivery_notes',
  summary: 'Descarga la imagen de la firma de un albarán.',
  description:
    'Responde la imagen, PNG o JPEG, tal como se envió al firmar. Si el albarán no lleva imagen, o se ha borrado, responde resource_not_found.',
  transaction: 'read',
  mcp: false,
  params: idParams(deliveryNotes),
  output_media_type: 'image/*',
  output: FileContent,
  errors: [c.resource_not_found],
  examples: [{ title: 'La imagen' }],

  prefetch: (tx, company_id, { params }) =>
    findSignatureImage(tx, company_id, params.delivery_note as string),

  async handle(_ctx, _input, image) {
    if (!image) throw fail(c.resource_not_found, { param: 'delivery_note' });
    const body = Buffer.from(image.base64, 'base64');
    // Without a tag, since a signature can be forgotten: no copy of it may be kept.
    return { body, file: { name: 'firma', is_attachment: false, media_type: image.media_type } };
  },
});
