/**
 * The kinds of document and a new company's series. Correctives have series of their own (RD 1619/2012,
 * art. 6.1.a), and so do simplified invoices. Codes are letters followed by the year, so no two give the same
 * number.
 */
import type { SeriesReset } from '../series-format.ts';
import { numberedKinds } from './document-kinds.ts';

export const invoiceSeriesKinds = [
  'invoice',
  'simplified_invoice',
  'corrective_invoice',
  'corrective_simplified_invoice',
] as const;
type OtherNumbered = Exclude<(typeof numberedKinds)[number], 'invoice'>;
export type SeriesKind = (typeof invoiceSeriesKinds)[number] | OtherNumbered;

/** What a series of each kind numbers, in Spanish. */
export const numberedThings: Readonly<Record<SeriesKind, string>> = {
  invoice: 'facturas',
  simplified_invoice: 'simplificadas',
  corrective_invoice: 'rectificativas',
  corrective_simplified_invoice: 'rectificativas de simplificadas',
  quote: 'presupuestos',
  proforma: 'proformas',
  delivery_note: 'albaranes',
  purchase_invoice: 'facturas recibidas',
};

export const otherNumberedKinds = numberedKinds.filter((kind): kind is OtherNumbered => kind !== 'invoice');

/** Of invoices four, of each other kind that takes a number one. */
export const seriesKinds: readonly SeriesKind[] = [...invoiceSeriesKinds, ...otherNumberedKinds];

/** `name` is the kind's Spanish plural. */
export type DefaultSeries = {
  readonly document_type: SeriesKind;
  readonly code: string;
  readonly format: string;
  readonly reset: SeriesReset;
  readonly name: string;
};

const format = '{code}{year}-{number:6}';
const reset = 'year';

/** Qualified simplified invoices use the simplified series. */
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
  { document_type: 'purchase_invoice', code: 'C', format, reset, name: 'Facturas recibidas' },
];
