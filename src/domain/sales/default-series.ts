/**
 * The kinds of sales document and the series that a new company gets for each. Correctives have series of
 * their own, as RD 1619/2012, art. 6.1.a requires, and so do simplified invoices. Codes are letters followed
 * by the year, so two of these series never give the same number.
 */
import type { SeriesReset } from '../series-format.ts';

export const seriesKinds = [
  'invoice',
  'simplified_invoice',
  'corrective_invoice',
  'corrective_simplified_invoice',
  'quote',
  'proforma',
  'delivery_note',
] as const;
export type SeriesKind = (typeof seriesKinds)[number];

/** `name` is the Spanish name of the kind, in the plural. */
export type DefaultSeries = {
  readonly document_type: SeriesKind;
  readonly code: string;
  readonly format: string;
  readonly reset: SeriesReset;
  readonly name: string;
};

const format = '{code}{year}-{number:6}';
const reset = 'year';

/**
 * One series per kind, in the order of the kinds. Qualified simplified invoices use the simplified series.
 */
export const defaultSeries: readonly DefaultSeries[] = [
  { document_type: 'invoice', code: 'F', format, reset, name: 'Facturas' },
  { document_type: 'simplified_invoice', code: 'S', format, reset, name: 'Facturas simplificadas' },
  { document_type: 'corrective_invoice', code: 'R', format, reset, name: 'Facturas rectificativas' },
  {
    document_type: 'corrective_simplified_invoice',
    code: 'RS',
    format,
    reset,
    name: 'Facturas rectificativas de simplificadas',
  },
  { document_type: 'quote', code: 'P', format, reset, name: 'Presupuestos' },
  { document_type: 'proforma', code: 'PF', format, reset, name: 'Facturas proforma' },
  { document_type: 'delivery_note', code: 'A', format, reset, name: 'Albaranes' },
];
