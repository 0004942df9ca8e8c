import { type Calls, inDays, type Seed } from './seed.ts';

const recurringBody = (seed: Seed) => ({
  name: 'Alquiler',
  type: 'F1',
  client_id: seed.client,
  series_id: seed.series,
  description: 'Alquiler de {month_name}',
  currency: 'EUR',
  prices_include_tax: false,
  notes: 'Del {period_start} al {period_end}',
  frequency: 'monthly',
  interval: 1,
  starts_on: inDays(40),
  ends_on: inDays(800),
  max_occurrences: 12,
  auto_issue: true,
  auto_send: true,
  send_to: 'ana@example.com',
  payment_terms_days: 30,
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

export const recurringInvoicesCalls: Calls = {
  list_recurring_invoices: () => ({ query: { status: 'active', frequency: 'monthly' } }),
  create_recurring_invoice: (seed) => ({
    body: { ...recurringBody(seed), status: 'paused', external_id: 'REC-7' },
  }),
  get_recurring_invoice: () => ({}),
  update_recurring_invoice: (seed) => ({
    body: {
      ...recurringBody(seed),
      lines: [{ id: seed.recurring_line, description: 'Cambiada', quantity: 1 }],
    },
  }),
  delete_recurring_invoice: () => ({}),
  duplicate_recurring_invoice: () => ({}),
  pause_recurring_invoice: () => ({}),
  resume_recurring_invoice: (seed) => ({ params: { recurring_invoice: seed.paused_recurrence } }),
  activate_recurring_invoice: (seed) => ({ params: { recurring_invoice: seed.paused_recurrence } }),
  cancel_recurring_invoice: () => ({ body: { reason: 'Fin del contrato' } }),
  emit_recurring_invoice: () => ({ body: { occurrence_on: inDays(400), dry_run: false } }),
  bulk_change_recurring_invoice_status: (seed) => ({
    body: { ids: [seed.recurring_invoice], new_status: 'paused' },
  }),
  bulk_delete_recurring_invoices: (seed) => ({ body: { ids: [seed.recurring_invoice] } }),
  list_recurring_invoice_occurrences: () => ({ query: { status: 'made' } }),
  preview_recurring_invoice: () => ({ query: { limit: '3' } }),
};
