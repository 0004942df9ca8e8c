import { type Calls, documentContent, inDays, type Seed } from './seed.ts';

const content = (seed: Seed) => ({
  ...documentContent(seed),
  description: 'Reforma',
  issued_on: '2026-01-10',
  valid_until: inDays(60),
  shipping_cost: 12.1,
  shipping_taxes_id: seed.tax,
});
const pending = (seed: Seed) => ({ proforma: seed.pending_proforma });

export const proformasCalls: Calls = {
  list_proformas: () => ({ query: { status: 'draft' } }),
  create_proforma: (seed) => ({
    body: { ...content(seed), external_id: 'OF-7', options: { mark_pending: false, dry_run: false } },
  }),
  get_proforma: () => ({}),
  get_proforma_pdf: () => ({ query: { format: 'a4' } }),
  get_proforma_pdf_link: () => ({ query: { format: 'a4' } }),
  revoke_proforma_public_link: (seed) => ({ params: pending(seed) }),
  update_proforma: (seed) => ({ body: content(seed) }),
  delete_proforma: () => ({}),
  duplicate_proforma: () => ({}),
  send_proforma: (seed) => ({
    params: pending(seed),
    body: { to: ['ana@example.com'], cc: [], subject: 'Oferta', message: 'Adjunta', attach_pdf: true },
  }),
  mark_proforma_pending: () => ({ body: { valid_until: inDays(30) } }),
  accept_proforma: (seed) => ({
    params: pending(seed),
    body: { name: 'Ana Ruiz', tax_id: '12345678Z', note: 'Adelante', expected_version: 1 },
  }),
  reject_proforma: (seed) => ({ params: pending(seed), body: { reason: 'Precio' } }),
  cancel_proforma: (seed) => ({ params: pending(seed), body: { reason: 'Otra oferta' } }),
  convert_proforma: (seed) => ({
    params: pending(seed),
    body: { target: 'invoice', due_on: inDays(90), external_id: 'C-7', dry_run: false },
  }),
};
