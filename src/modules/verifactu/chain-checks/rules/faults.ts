import type { AnomalyType, EventLink, InvoiceRef } from '../../record.ts';

const chainFaults = [
  'missing',
  'repeated',
  'unreadable',
  'huella_wrong',
  'column_differs',
  'signature_missing',
  'signature_wrong',
  'link_wrong',
  'previous_huella_wrong',
  'stamp_backwards',
  'stamp_in_future',
  'last_missing',
  'head_differs',
] as const;

const documentFaults = [
  'record_schema_broken',
  'record_without_invoice',
  'record_differs_from_invoice',
  'record_without_withdrawal',
  'invoice_without_record',
  'invoice_unmarked',
  'invoice_totals_wrong',
  'number_missing',
  'number_gap',
  'number_duplicate',
  'number_not_of_format',
  'series_date_backwards',
  'series_counter_differs',
] as const;

export type ChainFault = (typeof chainFaults)[number];
export type Subject = 'record' | 'event';
export type FaultKind = `${Subject}_${ChainFault}` | (typeof documentFaults)[number];

export const faultKinds: readonly FaultKind[] = [
  ...chainFaults.map((fault) => `record_${fault}` as const),
  ...chainFaults.map((fault) => `event_${fault}` as const),
  ...documentFaults,
];

/** `what` says the fault in Spanish. */
export type Fault = {
  kind: FaultKind;
  anomaly: AnomalyType;
  position: number | null;
  record_id: string | null;
  event_id: string | null;
  invoice_id: string | null;
  number: string | null;
  /** As event 04 names it. */
  invoice: InvoiceRef | null;
  /** As event 06 names it. */
  event: EventLink | null;
  what: string;
};

const nowhere = {
  position: null,
  record_id: null,
  event_id: null,
  invoice_id: null,
  number: null,
  invoice: null,
  event: null,
} as const;

export function makeFault(
  kind: FaultKind,
  anomaly: AnomalyType,
  what: string,
  place: Partial<Omit<Fault, 'kind' | 'anomaly' | 'what'>> = {},
): Fault {
  return { ...nowhere, ...place, kind, anomaly, what };
}
