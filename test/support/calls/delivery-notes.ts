import { signatureImage } from '../notes.ts';
import { type Calls, documentContent, inDays, type Seed } from './seed.ts';

const content = (seed: Seed) => ({
  ...documentContent(seed),
  description: 'Pedido 7',
  issued_on: '2026-01-10',
  delivery_date: '2026-01-12',
  delivery_address: { line1: 'Nave 4', city: 'Getafe', country: 'ES' },
  show_prices: true,
  vehicle_plate: '1234 BCD',
  driver: { name: 'Luis Pardo', tax_id: '12345678Z' },
  tracking: { number: 'SEG-7', carrier: 'Correos' },
  received_by: { name: 'Eva Ruiz', tax_id: '12345678Z' },
  billing_emails: ['almacen@example.com'],
});
const pending = (seed: Seed) => ({ delivery_note: seed.pending_note });
const signed = (seed: Seed) => ({ delivery_note: seed.signed_note });

export const deliveryNotesCalls: Calls = {
  list_delivery_notes: () => ({ query: { status: 'draft', convertible: 'false', signed: 'false' } }),
  create_delivery_note: (seed) => ({
    body: { ...content(seed), external_id: 'ALB-7', options: { mark_pending: false, dry_run: false } },
  }),
  get_delivery_note: () => ({}),
  get_delivery_note_pdf: () => ({ query: { format: 'a4' } }),
  get_delivery_note_pdf_link: () => ({ query: { format: 'a4' } }),
  revoke_delivery_note_public_link: (seed) => ({ params: pending(seed) }),
  update_delivery_note: (seed) => ({ body: content(seed) }),
  delete_delivery_note: () => ({}),
  bulk_delete_delivery_notes: (seed) => ({ body: { ids: [seed.delivery_note] } }),
  duplicate_delivery_note: () => ({}),
  send_delivery_note: (seed) => ({
    params: pending(seed),
    body: { to: ['ana@example.com'], cc: [], subject: 'Albarán', message: 'Adjunto', attach_pdf: true },
  }),
  mark_delivery_note_pending: () => ({}),
  mark_delivery_note_delivered: () => ({ body: { delivered_at: '2026-01-12T10:00:00Z' } }),
  sign_delivery_note: (seed) => ({
    params: pending(seed),
    body: {
      signed_by: 'Eva Ruiz',
      signer_tax_id: '12345678Z',
      signature_image: signatureImage,
      received_by: { name: 'Eva Ruiz', tax_id: '12345678Z' },
    },
  }),
  get_delivery_note_signature: (seed) => ({ params: signed(seed) }),
  get_delivery_note_signature_image: (seed) => ({ params: signed(seed) }),
  forget_delivery_note_signature: (seed) => ({ params: signed(seed), body: { reason: 'Solicitud' } }),
  cancel_delivery_note: (seed) => ({ params: pending(seed), body: { reason: 'Duplicado' } }),
  change_delivery_note_status: () => ({ body: { status: 'pending' } }),
  convert_delivery_note: (seed) => ({
    params: pending(seed),
    body: { target: 'invoice', due_on: inDays(90), external_id: 'C-8', dry_run: false },
  }),
  recapitulate_delivery_notes: (seed) => ({
    body: {
      delivery_note_ids: [seed.pending_note],
      operation_on: '2026-01-31',
      due_on: inDays(90),
      external_id: 'C-9',
      dry_run: false,
    },
  }),
};
