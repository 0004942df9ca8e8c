/** The bench's invoice as a request and as rows for the floors. */
import { newId } from '../src/kernel/uuid7.ts';
import { latestVersion } from '../src/kernel/versions.ts';
import type { InvoiceBundle } from '../src/modules/invoices/invoices.rows.ts';
import type { Columns } from '../src/platform/rows.ts';

const lines = [
  { description: 'Consultoría', quantity: 3, unit_price: 80, tax_rate: 21 },
  { description: 'Manual impreso', quantity: 2, unit_price: 15.5, tax_rate: 4 },
  { description: 'Desplazamiento', unit_price: 24.9, discount_percent: 10, tax_rate: 21 },
];

/** By hand: 240.00 + 31.00 + 22.41; VAT 21 % of 262.41 and 4 % of 31.00. */
export const expected = {
  subtotal: 293.41,
  taxes_total: 56.35,
  total: 349.76,
  lines: 3,
  tax_rows: 2,
} as const;

/** @param external_id repeated, it returns the same invoice */
export function invoiceBody(client_id: string, external_id?: string): string {
  return JSON.stringify({ client_id, external_id, lines, options: { issue: true } });
}

/** Of any family: the same lines, in a draft. */
export function draftBody(client_id: string, more: object = {}): string {
  return JSON.stringify({ client_id, lines, ...more });
}

export function bulkBody(client_id: string, count: number): string {
  const invoices = Array.from({ length: count }, () => ({ client_id, lines, options: { issue: true } }));
  return JSON.stringify({ invoices });
}

/** Yearly; each issues the same invoice. */
export function recurrenceBody(client_id: string): string {
  const calendar = { frequency: 'yearly', starts_on: '2199-01-31' };
  return JSON.stringify({ name: 'Cuota', type: 'F1', client_id, ...calendar, auto_issue: true, lines });
}

export type FloorInvoice = {
  client_id: string;
  series_id: string;
  series_code: string;
  period: string;
  issued_on: string;
};

/** Null where SQL gives the number. */
export type Taken = { series_number: number; number: string } | null;

/**
 * The rows of one more invoice.
 * @param model the service's own, with every column that it writes
 */
export function makeBundle(model: InvoiceBundle, floor: FloorInvoice, taken: Taken): InvoiceBundle {
  const { client_id, series_id, series_code, period, issued_on } = floor;
  const id = newId();
  const now = new Date().toISOString();
  return {
    ...model,
    document: {
      ...model.document,
      id,
      number: taken?.number ?? null,
      series_id,
      series_code,
      series_period: period,
      series_number: taken?.series_number ?? null,
      client_id,
      issued_on,
      issued_at: now,
      created_at: now,
      updated_at: now,
    },
    lines: model.lines.map((row) => ({ ...row, document_id: id, id: newId() })),
    tax_rows: model.tax_rows.map((row) => ({ ...row, document_id: id })),
  };
}

export const eventColumns: Columns = {
  id: 'uuid',
  type: 'text',
  aggregate_id: 'uuid',
  sequence: 'integer',
  api_version: 'text',
  livemode: 'boolean',
  data: 'jsonb',
  correlation_id: 'text',
  created_at: 'timestamptz',
};

/** Each number has one event of the series, so its sequence is the number. */
export function eventRows({ document: invoice }: InvoiceBundle): object[] {
  const row = (type: string, aggregate_id: string | null, sequence: number | null, data: object) => ({
    id: newId(),
    type,
    aggregate_id,
    sequence,
    api_version: latestVersion,
    livemode: true,
    data,
    correlation_id: null,
    created_at: invoice.created_at,
  });
  const of_invoice = { invoice: { id: invoice.id } };
  return [
    row('invoice.created', invoice.id, 1, of_invoice),
    row('invoice.number_assigned', invoice.id, 2, of_invoice),
    row('series.number_consumed', invoice.series_id, invoice.series_number, {
      series: { id: invoice.series_id },
      ...of_invoice,
    }),
  ];
}
