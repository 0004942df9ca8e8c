/** The kinds whose lists are measured, and how their rows are made. */
import { deliveryNotes } from '../src/modules/delivery-notes/index.ts';
import { invoices } from '../src/modules/invoices/invoices.family.ts';
import { purchaseInvoices } from '../src/modules/purchase-invoices/index.ts';
import { proformas } from '../src/modules/proformas/index.ts';
import { quotes } from '../src/modules/quotes/index.ts';
import type { ListedKind } from './bulk-load.ts';

const few = (rare: string, common: string) => `case when i <= 10 then ${rare} else ${common} end`;

export const listedInvoices: ListedKind = {
  family: invoices,
  many: 'invoices',
  status: { rare: 'annulled', common: 'issued' },
  equal: { type: { rare: 'R4', common: 'F1' } },
  day: 'due_on',
  own: ({ day, at }) => ({ type: few("'R4'", "'F1'"), due_on: `${day} + 30`, issued_at: at }),
};

const offer = {
  status: { rare: 'converted', common: 'pending' },
  equal: { converted: { rare: 'true', common: 'false' } },
  day: 'valid_until',
  own: ({ day }: { day: string }) => ({ valid_until: `${day} + 30`, is_valid_until_stated: 'true' }),
} as const;

export const otherKinds: readonly ListedKind[] = [
  { family: quotes, many: 'quotes', ...offer },
  { family: proformas, many: 'pro-formas', ...offer },
  {
    family: deliveryNotes,
    many: 'notes',
    status: { rare: 'cancelled', common: 'delivered' },
    equal: {
      convertible: { rare: 'false', common: 'true' },
      signed: { rare: 'true', common: 'false' },
    },
    day: 'delivery_date',
    own: ({ day, at }) => ({
      delivery_date: `${day} + 30`,
      show_prices: 'true',
      billing_emails: "'[]'::jsonb",
      signed_at: few(at, 'null'),
    }),
  },
  {
    family: purchaseInvoices,
    many: 'purchases',
    status: { rare: 'cancelled', common: 'received' },
    equal: {
      kind: { rare: 'simplified', common: 'invoice' },
      operation: { rare: 'import', common: 'domestic' },
      is_investment_good: { rare: 'true', common: 'false' },
    },
    day: 'due_on',
    own: ({ day, at }) => ({
      supplier_number: "'A-' || i",
      kind: few("'simplified'", "'invoice'"),
      operation: few("'import'", "'domestic'"),
      due_on: `${day} + 30`,
      received_on: day,
      deduct_on: day,
      self_charged_total: '0',
      deductible_total: '(100 + i % 900) * 0.21',
      has_recipient_data: 'true',
      cash_accounting: 'false',
      has_investment_goods: few('true', 'false'),
      cancelled_at: few(at, 'null'),
    }),
  },
];
