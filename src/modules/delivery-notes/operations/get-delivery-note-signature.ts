/** Who signed a note, how it came, and the hash of what was signed. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Tx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Timestamp, Type, Uuid } from '../../../kernel/schema.ts';
import { findDocument, idParams } from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import { instant, signatureImageUrl } from '../delivery-notes.schema.ts';
import { listSignatures } from '../signatures.store.ts';

const Signature = Type.Object({
  object: Type.Literal('delivery_note_signature'),
  id: Described(Uuid, 'Id del albarán: tiene una firma como mucho'),
  delivery_note_id: Described(Uuid, 'Id del albarán'),
  signed_by: Nullable(Type.String({ description: 'Quién firmó; null si se han borrado sus datos' })),
  signer_tax_id: Nullable(Type.String({ description: 'NIF u otro documento de quien firmó' })),
  signature_image_url: Nullable(
    Type.String({ description: 'Dirección de la imagen, que se abre con la clave de la API' }),
  ),
  ip: Nullable(Type.String({ description: 'Dirección IP desde la que llegó la firma' })),
  user_agent: Nullable(Type.String({ description: 'Programa desde el que llegó la firma' })),
  content_hash: Type.String({
    description:
      'SHA-256, en hexadecimal, de lo firmado: el cliente, las líneas y, si el albarán va valorado, los importes',
  }),
  signed_at: Described(Timestamp, 'Cuándo se firmó (ISO 8601 UTC)'),
  erased_at: Described(Nullable(Timestamp), 'Cuándo se borraron los datos del firmante (ISO 8601 UTC)'),
});

const readSignature = (tx: Tx, company_id: string, id: string) =>
  Promise.all([findDocument(tx, deliveryNotes, company_id, id), listSignatures(tx, company_id, [id])]);

export const getDeliveryNoteSignature = defineOperation({
  name: 'get_delivery_note_signature',
  method: 'GET',
  path: '/v1/delivery_notes/:delivery_note/signature',
  scope: 'delivery_notes:read',
  tag: 'delivery_notes',
  summary: 'Consulta la firma de un albarán.',
  description:
    'Responde quién firmó el albarán, cuándo, desde dónde, y content_hash, que prueba qué se firmó. Tras forget_delivery_note_signature los datos del firmante son null. Si el albarán no se ha firmado, responde resource_not_found.',
  transaction: 'read',
  mcp: true,
  params: idParams(deliveryNotes),
  output: One(Signature),
  errors: [c.resource_not_found],
  examples: [{ title: 'La firma' }],

  prefetch: (tx, company_id, { params }) => readSignature(tx, company_id, params.delivery_note as string),

  async handle({ ports }, _input, [note, [signature]]) {
    if (!note || !signature) throw fail(c.resource_not_found, { param: 'delivery_note' });
    return {
      data: {
        object: 'delivery_note_signature',
        id: note.id,
        delivery_note_id: note.id,
        signed_by: signature.signed_by,
        signer_tax_id: signature.signer_tax_id,
        signature_image_url: signature.image_media_type ? signatureImageUrl({ ports }, note.id) : null,
        ip: signature.ip,
        user_agent: signature.user_agent,
        content_hash: note.content_hash,
        signed_at: instant(signature.signed_at),
        erased_at: instant(signature.erased_at),
      },
    };
  },
});
