import { type Calls, inDays, type Seed } from './seed.ts';

const invoiceBody = (seed: Seed) => ({
  type: 'F1',
  client_id: seed.client,
  series_id: seed.series,
  description: 'Pedido 7',
  operation_on: '2026-01-10',
  due_on: inDays(60),
  currency: 'USD',
  exchange_rate: 0.92,
  exchange_rate_on: '2026-01-09',
  issued_by: 'third_party',
  third_party: { name: 'Gestoría Sur', tax_id: 'B99286320' },
  no_recipient_art61d: false,
  print_recipient: false,
  prices_include_tax: false,
  notes: 'Gracias',
  lines: [
    {
      description: 'Cuaderno',
      product_id: seed.product,
      quantity: 3,
      unit: 'ud',
      kind: 'good',
      unit_price: 2.5,
      discount_percent: 10,
      tax_rate: 21,
      retention_rate: 0,
      regime_key: '01',
    },
    { description: 'Encargo', quantity: 1.5, unit_price: 99.99999999, taxes_id: seed.tax },
  ],
  metadata: { pedido: '7' },
  tags: ['web'],
  custom_fields: [{ field: 'Obra', value: '12' }],
});

export const invoicesCalls: Calls = {
  list_invoices: () => ({ query: { status: 'draft' } }),
  create_invoice: (seed) => ({
    body: { ...invoiceBody(seed), external_id: 'PED-7', options: { issue: false } },
  }),
  get_invoice: () => ({}),
  get_invoice_pdf: () => ({ query: { format: 'ticket_58' } }),
  get_invoice_pdf_link: () => ({ query: { format: 'a4' } }),
  revoke_invoice_public_link: (seed) => ({ params: { invoice: seed.issued } }),
  get_invoice_verifactu: (seed) => ({ params: { invoice: seed.issued } }),
  update_invoice: (seed) => ({
    body: { ...invoiceBody(seed), lines: [{ id: seed.line, description: 'Cambiada', quantity: 1 }] },
  }),
  delete_invoice: () => ({}),
  issue_invoice: () => ({}),
  mark_invoice_sent: () => ({}),
  send_invoice: () => ({
    body: { to: ['ana@example.com'], cc: [], subject: 'Factura', message: 'Adjunta', attach_pdf: true },
  }),
  send_invoice_reminder: (seed) => ({
    params: { invoice: seed.issued },
    body: { to: ['ana@example.com'], cc: [], subject: 'Pago', message: 'Pendiente', attach_pdf: true },
  }),
  duplicate_invoice: () => ({}),
  reverse_invoice_payment: (seed) => ({
    params: { invoice: seed.issued },
    body: { reason: 'direct_debit_return', note: 'Sin fondos' },
  }),
  can_annul_invoice: () => ({}),
  can_issue_invoice: () => ({}),
  annul_invoice: (seed) => ({ params: { invoice: seed.issued }, body: { revert_collections: true } }),
  void_invoice: (seed) => ({ params: { invoice: seed.ticket } }),
  create_corrective_invoice: (seed) => ({
    params: { invoice: seed.issued },
    body: {
      correction: { type: 'substitution', reason: 'Precio' },
      type: 'R4',
      original_invoice_id: seed.issued,
      lines: [
        { description: 'Cuaderno', product_id: seed.product, quantity: 1, unit_price: 2, tax_rate: 21 },
        { original_line_id: seed.issued_line, quantity: 2 },
      ],
      dry_run: false,
    },
  }),
  substitute_simplified_invoices: (seed) => ({
    body: { simplified_invoice_uuids: [seed.ticket], client_id: seed.client },
  }),
  bulk_create_invoices: (seed) => ({ body: { invoices: [{ ...invoiceBody(seed), external_id: 'LOTE-1' }] } }),
  list_payments: (seed) => ({
    query: { invoice_id: seed.issued, client_id: seed.client, payment_method: 'cash' },
  }),
  get_client_balance: () => ({}),
  get_client_statement: () => ({ query: { currency: 'EUR' } }),
  register_invoice_payment: (seed) => ({
    params: { invoice: seed.issued },
    body: {
      amount: 1.5,
      payment_date: '2026-01-15',
      payment_method: 'bank_transfer',
      reference: 'T1',
      notes: 'n',
    },
  }),
};
