/** Erases who signed and who received (Regulation (EU) 2016/679, art. 17). It keeps that it was signed, when, and what. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Nullable, One, Shape, Text, Type } from '../../../kernel/schema.ts';
import { blankAnswers } from '../../../platform/idempotency.ts';
import {
  documentOutput,
  findBundle,
  idParams,
  lockDocument,
  presentDocument,
  updateDocuments,
} from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import { eraseSignature } from '../signatures.store.ts';

export const forgetDeliveryNoteSignature = defineOperation({
  name: 'forget_delivery_note_signature',
  method: 'POST',
  path: '/v1/delivery_notes/:delivery_note/gdpr-forget',
  scope: 'delivery_notes:gdpr_forget',
  tag: 'delivery_notes',
  summary: 'Borra los datos personales de la firma de un albarán.',
  description:
    'Borra para siempre el nombre y el documento de quien firmó, la imagen de la firma, la dirección IP y el programa desde los que llegó, y received_by; también de las respuestas guardadas para repetir llamadas. Quedan el estado, signed_at, content_hash y los importes. Sin firma se rechaza (invalid_status_transition); repetida no cambia nada. reason queda en el registro de auditoría, así que no debe llevar datos personales. Lo que ya se envió por correo no se puede borrar.',
  transaction: 'own',
  mcp: true,
  status: 200,
  effects: 'withdraw',
  irreversible: true,
  params: idParams(deliveryNotes),
  body: Shape({
    reason: Type.Optional(
      Nullable(
        Text(500, { description: 'Por qué se borran, sin datos personales; va al registro de auditoría' }),
      ),
    ),
  }),
  body_optional: true,
  output: One(documentOutput(deliveryNotes)),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['delivery_note.updated'],
  examples: [{ title: 'Borrar los datos', body: { reason: 'Solicitud de supresión' } }],

  async handle(ctx, { params, body }) {
    const { tx, company, now } = ctx;
    const { company_id } = company;
    const { delivery_note: id = '' } = params as Record<string, string>;
    const locked = await lockDocument(tx, deliveryNotes, company_id, id);
    const bundle = locked && (await findBundle(tx, deliveryNotes, company_id, id));
    if (!bundle) throw fail(c.resource_not_found, { param: 'delivery_note' });
    const { document, signature } = bundle;
    if (!signature) {
      const values = { reason: 'el albarán no está firmado.' };
      throw fail(c.invalid_status_transition, { param: 'delivery_note', values });
    }
    if (signature.erased_at !== null) return { data: presentDocument(deliveryNotes, bundle, ctx) };
    const erased = { ...document, received_by: null, version: document.version + 1, updated_at: now };
    await updateDocuments(tx, deliveryNotes, company_id, [erased]);
    await eraseSignature(tx, company_id, id, now);
    await blankAnswers(tx, company_id, { object: 'delivery_note', id }, [
      'signed_by',
      'received_by',
      'signature_image_url',
    ]);
    ctx.emit('delivery_note.updated', id);
    ctx.audit({
      action: 'delivery_note.gdpr_forget',
      object: 'delivery_note',
      object_id: id,
      details: body?.reason ? { reason: body.reason } : {},
    });
    const blank = {
      ...signature,
      signed_by: null,
      signer_tax_id: null,
      image_media_type: null,
      ip: null,
      user_agent: null,
      erased_at: now,
    };
    return { data: presentDocument(deliveryNotes, { ...bundle, document: erased, signature: blank }, ctx) };
  },
});
