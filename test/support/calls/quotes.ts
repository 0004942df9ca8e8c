import { type Calls, documentContent, inDays, type Seed } from './seed.ts';

const content = (seed: Seed) => ({
  ...documentContent(seed),
  description: 'Reforma',
  issued_on: '2026-01-10',
  valid_until: inDays(60),
});
const pending = (seed: Seed) => ({ quote: seed.pending_quote });

export const quotesCalls: Calls = {
  list_quotes: () => ({ query: { status: 'draft' } }),
  create_quote: (seed) => ({
    body: { ...content(seed), external_id: 'OF-7', options: { mark_pending: false, dry_run: false } },
  }),
  get_quote: () => ({}),
  get_quote_pdf: () => ({ query: { format: 'a4' } }),
  get_quote_pdf_link: () => ({ query: { format: 'a4' } }),
  revoke_quote_public_link: (seed) => ({ params: pending(seed) }),
  update_quote: (seed) => ({ body: content(seed) }),
  delete_quote: () => ({}),
  duplicate_quote: () => ({}),
  send_quote: (seed) => ({
    params: pending(seed),
    body: { to: ['ana@example.com'], cc: [], subject: 'Oferta', message: 'Adjunta', attach_pdf: true },
  }),
  mark_quote_pending: () => ({ body: { valid_until: inDays(30) } }),
  accept_quote: (seed) => ({
    params: pending(seed),
    body: { name: 'Ana Ruiz', tax_id: '12345678Z', note: 'Adelante', expected_version: 1 },
  }),
  reject_quote: (seed) => ({ params: pending(seed), body: { reason: 'Precio' } }),
  cancel_quote: (seed) => ({ params: pending(seed), body: { reason: 'Otra oferta' } }),
  convert_quote: (seed) => ({
    params: pending(seed),
    body: { target: 'invoice', due_on: inDays(90), external_id: 'C-7', dry_run: false },
  }),
};
