/** Every language and kind, as the service prints them. All names are invented. */
import {
  type PrintedFormat,
  type PrintedLanguage,
  printedLanguages,
} from '../../src/domain/printing/printed-document.ts';
import type { LineInput } from '../../src/domain/sales/line-input.ts';
import { qrUrl } from '../../src/integrations/aeat/endpoints.ts';
import type { InvoiceBundle, InvoiceRow } from '../../src/modules/invoices/invoices.rows.ts';
import { type InvoiceSource, printInvoice } from '../../src/modules/invoices/rules/printed-invoice.ts';
import { frenchClient, invoiceSource, noClient, printedIssuer, storedBundle } from './printed-cases.ts';
import { sampleLogos } from './printed-sample-logos.ts';
import type { PrintedSample } from './printed-samples.ts';

const repair: LineInput[] = [
  {
    description: 'Revisión de 40.000 km: aceite, filtros y niveles',
    quantity: 1,
    unit_price: 189.5,
    tax_rate: 21,
  },
  { description: 'Mano de obra de taller', quantity: 2.5, unit: 'h', unit_price: 48, tax_rate: 21 },
  {
    description: 'Neumático 205/55 R16, montado y equilibrado',
    quantity: 4,
    unit: 'ud.',
    unit_price: 86.4,
    discount_percent: 10,
    tax_rate: 21,
  },
  { description: 'Manual del conductor, en papel', unit_price: 25, tax_rate: 4 },
];

const snack: LineInput[] = [
  { description: 'Café con leche', quantity: 3, unit_price: 1.6, tax_rate: 10 },
  { description: 'Bocadillo de tortilla', quantity: 2, unit_price: 4.25, discount_percent: 10, tax_rate: 10 },
  { description: 'Agua mineral 50 cl', quantity: 2, unit_price: 1.2, tax_rate: 10 },
  { description: 'Cerveza', quantity: 1, unit_price: 2.5, tax_rate: 21 },
];

/** With the QR of the invoice's record. */
function source(
  bundle: InvoiceBundle,
  change: Partial<InvoiceSource> = {},
  mode: 'verifactu' | 'no_verifactu' = 'verifactu',
): InvoiceSource {
  const { number, issued_on, total } = bundle.document;
  const host = change.environment === 'test' ? 'preproduction' : 'production';
  const { tax_id } = printedIssuer;
  const record =
    number === null || issued_on === null || !tax_id
      ? null
      : { qr_url: qrUrl(host, mode, { tax_id, number, issued_on, total }), qr_mode: mode };
  return invoiceSource(bundle, { record, logo: sampleLogos.wide, ...change });
}

const invoice = (change: Partial<InvoiceRow> = {}) =>
  storedBundle(repair, {
    description: 'Revisión de la furgoneta 4521 LKM',
    operation_on: '2026-11-19',
    notes: 'Garantía de dos años en piezas y mano de obra.',
    ...change,
  });

/** Paid in cash by the call that issues it. */
function ticket(): InvoiceBundle {
  const bundle = storedBundle(snack, {
    type: 'F2',
    ...noClient,
    number: 'T2026-00007',
    series_code: 'T',
    prices_include_tax: true,
    due_on: null,
    notes: '¡Gracias por su visita!',
  });
  const at = bundle.document.created_at;
  const payment: InvoiceBundle['payments'][number] = {
    id: '0199c000-0000-7000-8000-0000000000bb',
    invoice_id: bundle.document.id,
    amount: bundle.document.amount_due,
    payment_date: '2026-11-21',
    payment_method: 'cash',
    reference: null,
    notes: null,
    client_id: null,
    external_id: null,
    metadata: {},
    is_reversed: false,
    reversed_at: null,
    reversal_reason: null,
    reversal_note: null,
    created_at: at,
    updated_at: at,
  };
  return { ...bundle, payments: [payment] };
}

const a4: Record<string, InvoiceSource> = {
  'a4-corrective': source(
    storedBundle(
      [
        {
          description: 'Abono de 2 neumáticos 205/55 R16',
          quantity: -2,
          unit: 'ud.',
          unit_price: 86.4,
          discount_percent: 10,
          tax_rate: 21,
        },
      ],
      {
        type: 'R1',
        number: 'R2026-00003',
        series_code: 'R',
        due_on: null,
        correction_type: 'differences',
        correction_reason: 'Devolución de dos neumáticos sin montar.',
        corrected_invoices: [
          {
            id: null,
            number: 'F2026-00009',
            issued_on: '2026-10-30',
            subtotal: 645.54,
            taxes_total: 131.31,
            surcharge_total: 0,
          },
        ],
      },
    ),
  ),
  'a4-exempt': source(
    storedBundle([
      { description: 'Clase de mecánica', quantity: 4, unit: 'h', unit_price: 30, exemption_reason: 'E1' },
      { description: 'Piezas para exportación', unit_price: 200, exemption_reason: 'E2' },
      {
        description: 'Revisión de vehículo oficial',
        unit_price: 180,
        exemption_reason: 'E6',
        exemption_reason_text: 'Acuerdo de sede, artículo 7',
      },
      { description: 'Indemnización por retraso', unit_price: 45, qualification: 'N1' },
    ]),
    {
      logo: null,
      issuer: {
        ...printedIssuer,
        colour: '#1d4ed8',
        registry_data: 'Registro Mercantil de Zaragoza, tomo 3.210, folio 45, hoja Z-6.789, inscripción 1.ª',
      },
    },
  ),
  'a4-foreign': source(
    storedBundle(
      [
        {
          description: 'Banc d’essai de freinage',
          quantity: 2,
          unit: 'ud.',
          unit_price: 5000,
          exemption_reason: 'E5',
        },
      ],
      frenchClient,
    ),
    { language: 'en' },
    'no_verifactu',
  ),
  'a4-surcharge-retention': source(
    storedBundle([
      {
        description: 'Aceite de motor 5W-30',
        quantity: 10,
        unit: 'l',
        unit_price: 12,
        tax_rate: 21,
        surcharge_rate: 5.2,
      },
      {
        description: 'Agua destilada',
        quantity: 5,
        unit: 'l',
        unit_price: 2,
        tax_rate: 10,
        surcharge_rate: 1.4,
      },
      {
        description: 'Herramienta de taller',
        unit_price: 100,
        tax_rate: 21,
        surcharge_rate: 5.2,
        retention_rate: 1,
      },
    ]),
    { logo: sampleLogos.square },
  ),
  'a4-draft': source(
    invoice({ status: 'draft', number: null, issued_on: null, issued_at: null, due_on: null }),
  ),
  'a4-sandbox': source(invoice(), { environment: 'test', logo: sampleLogos.photo }),
  'a4-annulled': source(invoice({ status: 'annulled' })),
};

const tickets: readonly [name: string, language: PrintedLanguage, format: PrintedFormat][] = [
  ['ticket-80', 'es', 'ticket_80'],
  ['ticket-58', 'es', 'ticket_58'],
  ['ticket-58-ca', 'ca', 'ticket_58'],
  ['ticket-80-eu', 'eu', 'ticket_80'],
  ['ticket-58-gl', 'gl', 'ticket_58'],
  ['ticket-80-en', 'en', 'ticket_80'],
];

export const printedInvoices: readonly PrintedSample[] = [
  ...printedLanguages.map((language): [string, InvoiceSource] => [
    `a4-${language}`,
    source(invoice(), { language }),
  ]),
  ...Object.entries(a4),
]
  .map(([name, one]): PrintedSample => ({ name, format: 'a4', document: printInvoice(one) }))
  .concat(
    tickets.map(([name, language, format]) => ({
      name,
      format,
      document: printInvoice(source(ticket(), { language, logo: sampleLogos.square })),
    })),
  );
