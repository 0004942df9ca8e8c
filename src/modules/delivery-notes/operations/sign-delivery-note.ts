/** Signs what was delivered. What was signed cannot change, and its hash proves it (ADR 43). */
import { readLogo } from '../../../domain/printing/logo-image.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { Name, Nullable, One, Shape, Text, Type } from '../../../kernel/schema.ts';
import {
  documentOutput,
  findBundle,
  idParams,
  lockDocument,
  movedDocument,
  presentDocument,
  tellMove,
  updateDocuments,
} from '../../sales/index.ts';
import { deliveryNotes } from '../delivery-notes.family.ts';
import type { SignatureRow } from '../delivery-notes.rows.ts';
import { receivedByInput } from '../delivery-notes.schema.ts';
import { personOf } from '../rules/note-fields.ts';
import { contentHash } from '../rules/signed-content.ts';
import { insertSignature } from '../signatures.store.ts';

const imageLimits = { kib: 300, side: 2000 };
/** A data: URL of 300 KiB, in base 64. */
const imageTextMax = 410_000;

/** @throws 422 parameter_invalid for what is no picture, or a large one */
function readImage(text: string | null | undefined) {
  if (text === null || text === undefined) return null;
  const image = readLogo(text, imageLimits);
  if ('fault' in image) refuseIssues([invalidField('signature_image', image.fault)]);
  return 'fault' in image ? null : image;
}

const maxOf = (text: string | null | undefined, length: number) => text?.slice(0, length) ?? null;

export const signDeliveryNote = defineOperation({
  name: 'sign_delivery_note',
  method: 'POST',
  path: '/v1/delivery_notes/:delivery_note/sign',
  scope: 'delivery_notes:transition',
  tag: 'delivery_notes',
  summary: 'Firma un albarán.',
  description:
    'Guarda quién firma un albarán pendiente o entregado y, si se envía, la imagen de su firma. signed_at es ahora. Desde entonces lo firmado no cambia, y content_hash (get_delivery_note_signature) lo prueba; si el albarán va sin valorar, los precios, descuentos e impuestos sí pueden cambiar hasta que se facture. Un albarán firmado no se borra. Firmado ya, en borrador, cancelado o facturado se rechaza (invalid_status_transition). Los datos del firmante se borran con forget_delivery_note_signature.',
  transaction: 'own',
  mcp: true,
  status: 200,
  irreversible: true,
  body_limit: 524_288,
  params: idParams(deliveryNotes),
  body: Shape({
    signed_by: Name(120, { minLength: 1, pattern: '\\S', description: 'Nombre de quien firma' }),
    signer_tax_id: Type.Optional(Nullable(Name(20, { description: 'NIF u otro documento de quien firma' }))),
    signature_image: Type.Optional(
      Nullable(
        Text(imageTextMax, {
          description:
            'Imagen de la firma: PNG o JPEG como data: URL, de 300 KiB y 2000 píxeles por lado como máximo',
        }),
      ),
    ),
    received_by: receivedByInput,
  }),
  output: One(documentOutput(deliveryNotes)),
  errors: [c.resource_not_found, c.invalid_status_transition],
  events: ['delivery_note.signed', 'delivery_note.status_changed'],
  examples: [{ title: 'Con el nombre de quien firma', body: { signed_by: 'Eva Ruiz' } }],

  async handle(ctx, { params, body }) {
    const { tx, company, caller, now } = ctx;
    const { company_id } = company;
    const { delivery_note: id = '' } = params as Record<string, string>;
    const image = readImage(body.signature_image);
    const locked = await lockDocument(tx, deliveryNotes, company_id, id);
    const bundle = locked && (await findBundle(tx, deliveryNotes, company_id, id));
    if (!bundle) throw fail(c.resource_not_found, { param: 'delivery_note' });
    const before = bundle.document;
    const moved = await movedDocument(ctx, deliveryNotes, bundle, 'sign');
    const signed_at = now.toISOString();
    const after = {
      ...moved,
      signed_at,
      content_hash: contentHash(bundle),
      received_by: body.received_by === undefined ? moved.received_by : personOf(body.received_by),
      version: before.version + 1,
      updated_at: now,
    };
    const signature: SignatureRow = {
      delivery_note_id: id,
      signed_by: body.signed_by.trim(),
      signer_tax_id: body.signer_tax_id ?? null,
      image_media_type: image?.media_type ?? null,
      ip: caller.ip,
      user_agent: maxOf(caller.user_agent, 500),
      signed_at,
      signed_on: ctx.today,
      erased_at: null,
    };
    await updateDocuments(tx, deliveryNotes, company_id, [after]);
    await insertSignature(tx, company_id, signature, image);
    tellMove(ctx, deliveryNotes, { move: 'sign', before, after });
    return { data: presentDocument(deliveryNotes, { ...bundle, document: after, signature }, ctx) };
  },
});
