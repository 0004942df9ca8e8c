import type { LineFacts } from '../../src/domain/sales/line-facts.ts';
import type { LineInput } from '../../src/domain/sales/line-input.ts';
import type { InvoiceBundle, InvoiceRow } from '../../src/modules/invoices/invoices.rows.ts';
import { amountColumns, buildDocumentLines } from '../../src/domain/sales/build-rows.ts';
import type { InvoiceSource, PrintedIssuer } from '../../src/modules/invoices/rules/printed-invoice.ts';
import { noReferences } from '../../src/modules/invoices/rules/references.ts';

const facts: LineFacts = {
  products: new Map(),
  taxes: new Map(),
  default_vat: '21',
  is_surcharge_subject: false,
  on_date: '2026-11-21',
  version: '2026-10-01',
};

export const printedIssuer: PrintedIssuer = {
  name: 'Talleres Ibáñez e Hijos, S. L.',
  commercial_name: 'Ibáñez',
  tax_id: 'B12345674',
  address: {
    line1: 'Calle del Olmo',
    line2: null,
    number: '7',
    floor: '2',
    door: 'B',
    staircase: null,
    postal_code: '50001',
    city: 'Zaragoza',
    province: 'Zaragoza',
    country: 'ES',
  },
  email: 'hola@ibanez.example',
  phone: '+34 976 000 000',
  website: 'https://ibanez.example',
  iban: 'ES9121000418450200051332',
  colour: '#0f766e',
};

export const spanishClient = {
  client_id: '0199c000-0000-7000-8000-000000000001',
  client_name: 'Comercial Prueba, S. A.',
  client_tax_id: 'A58818501',
  client_snapshot: {
    address: {
      line1: 'Gran Vía',
      number: '12',
      postal_code: '48001',
      city: 'Bilbao',
      province: 'Bizkaia',
      country: 'ES',
    },
    vat_id: null,
    alternative_id: null,
    email: 'compras@prueba.example',
    commercial_name: null,
    payment_method: 'bank_transfer',
  },
} satisfies Partial<InvoiceRow>;

export const frenchClient = {
  client_id: '0199c000-0000-7000-8000-000000000002',
  client_name: 'Société Exemple SARL',
  client_tax_id: null,
  client_snapshot: {
    address: { line1: 'Rue de Rivoli', number: '5', postal_code: '75001', city: 'Paris', country: 'FR' },
    vat_id: 'FR40303265045',
    alternative_id: null,
    email: null,
    commercial_name: 'Exemple',
    payment_method: null,
  },
} satisfies Partial<InvoiceRow>;

export const noClient = {
  client_id: null,
  client_name: null,
  client_tax_id: null,
  client_snapshot: null,
} satisfies Partial<InvoiceRow>;

const invoice_id = '0199c000-0000-7000-8000-00000000000f';

/** By default an issued F1 to a Spanish client. */
export function storedBundle(lines: readonly LineInput[], change: Partial<InvoiceRow> = {}): InvoiceBundle {
  const prices_include_tax = change.prices_include_tax ?? false;
  const built = buildDocumentLines(invoice_id, lines, facts, { prices_include_tax });
  const invoice: InvoiceRow = {
    id: invoice_id,
    version: 1,
    type: 'F1',
    status: 'issued',
    number: 'F2026-00012',
    series_id: '0199c000-0000-7000-8000-0000000000aa',
    series_code: 'F',
    series_period: '2026',
    series_number: 12,
    ...spanishClient,
    issuer_snapshot: null,
    description: null,
    issued_on: '2026-11-21',
    operation_on: null,
    due_on: '2026-12-21',
    terms_days: null,
    currency: 'EUR',
    exchange_rate: null,
    exchange_rate_on: null,
    prices_include_tax,
    ...amountColumns(built.totals),
    paid_amount: '0.00',
    ...noReferences,
    issued_by: 'issuer',
    third_party: null,
    no_recipient_art61d: false,
    print_recipient: false,
    notes: null,
    external_id: null,
    external_type: null,
    external_total: null,
    external_hash: null,
    metadata: {},
    tags: [],
    custom_fields: [],
    issued_at: '2026-11-21T10:20:30.000Z',
    sent_at: null,
    link_renewed_at: null,
    has_record: true,
    created_at: '2026-11-21T10:20:29.000Z',
    updated_at: '2026-11-21T10:20:30.000Z',
    ...change,
  };
  return { document: invoice, lines: built.lines, tax_rows: built.tax_rows, payments: [] };
}

const qr_url =
  'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=F2026-00012&fecha=21-11-2026&importe=121.00';

/** By default live, registered in VERI*FACTU mode, in Spanish. */
export function invoiceSource(bundle: InvoiceBundle, change: Partial<InvoiceSource> = {}): InvoiceSource {
  return {
    bundle,
    issuer: printedIssuer,
    environment: 'live',
    record: { qr_url, qr_mode: 'verifactu' },
    logo: null,
    language: 'es',
    ...change,
  };
}
