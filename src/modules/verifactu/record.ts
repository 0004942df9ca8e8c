/**
 * A billing record in the service's own words (RD 1007/2023, arts. 10 and 11).
 * Only integrations/aeat knows the authority's element names.
 * Amounts and rates are texts with exactly two decimals: record, huella and QR take the same text. Days are ISO days.
 */
import type { ExemptionReason, Qualification, RegimeKey } from '../../domain/tax/record-codes.ts';

/** `verifactu`: records are sent as they are made. `no_verifactu`: they are signed and kept, with a log of events. */
export type RemissionMode = 'verifactu' | 'no_verifactu';

export type RecordKind = 'alta' | 'anulacion';

/**
 * 02 EU VAT number, 03 passport, 04 official id of the country, 05 residence certificate, 06 other,
 * 07 not in the census.
 */
export type ForeignIdType = '02' | '03' | '04' | '05' | '06' | '07';

export type ForeignId = { type: ForeignIdType; country: string | null; id: string };

export type SpanishParty = { name: string; tax_id: string };

/** Exactly one of the two identifications. */
export type Party =
  | { name: string; tax_id: string; foreign_id: null }
  | { name: string; tax_id: null; foreign_id: ForeignId };

export type InvoiceRef = { tax_id: string; number: string; issued_on: string };

export type BreakdownRow = {
  /** 01 VAT, 02 IPSI, 03 IGIC, 05 other. */
  tax_code: '01' | '02' | '03' | '05';
  /** Null only for `05`. */
  regime_key: RegimeKey | null;
  /** Exactly one of qualification and exemption_reason. */
  qualification: Qualification | null;
  exemption_reason: ExemptionReason | null;
  rate: string | null;
  base: string;
  /** Only for groups of entities (regime key 06). */
  base_at_cost: string | null;
  tax: string | null;
  surcharge_rate: string | null;
  surcharge: string | null;
};

export type RecordInvoiceType = 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5';

/** The authority rejected the record before. S: it holds an earlier record. X: it holds none, or was sent none. */
export type PriorRejection = 'S' | 'X';

export type AltaContent = {
  kind: 'alta';
  issuer: SpanishParty;
  number: string;
  issued_on: string;
  /** The record's id, which the authority echoes. At most 60 characters. */
  reference: string | null;
  is_subsanacion: boolean;
  prior_rejection: PriorRejection | null;
  type: RecordInvoiceType;
  /** S by substitution, I by differences. */
  correction: 'S' | 'I' | null;
  corrected_invoices: readonly InvoiceRef[];
  substituted_invoices: readonly InvoiceRef[];
  corrected_amounts: { base: string; tax: string; surcharge: string | null } | null;
  operation_on: string | null;
  /** 1 to 500 characters. */
  description: string;
  /** A simplified invoice that names its recipient (RD 1619/2012, art. 7.2 and 7.3). */
  is_qualified_simplified: boolean;
  /** Without the recipient's identification (RD 1619/2012, art. 6.1.d). */
  is_without_recipient: boolean;
  /** D by the recipient, T by a third party. */
  issued_by: 'D' | 'T' | null;
  third_party: Party | null;
  recipients: readonly Party[];
  rows: readonly BreakdownRow[];
  /** Taxes and surcharges. */
  tax_total: string;
  /** Bases, taxes and surcharges. No retention is taken off. */
  total: string;
};

export type AnulacionContent = {
  kind: 'anulacion';
  issuer: SpanishParty;
  number: string;
  issued_on: string;
  reference: string | null;
  /** The authority never got the annulled invoice. */
  has_no_prior_record: boolean;
  is_prior_rejection: boolean;
};

export type RecordContent = AltaContent | AnulacionContent;

/** The record before, in the chain of company and installation. */
export type ChainLink = InvoiceRef & { huella: string };

/** As each record names it (Orden HAC/1177/2024, art. 10). */
export type SystemInfo = {
  producer: Party;
  /** At most 30 characters. */
  name: string;
  /** Exactly two of A-Z 0-9. */
  code: string;
  version: string;
  /** Never repeats for a taxpayer. */
  installation_number: string;
  is_verifactu_only: boolean;
  supports_many_taxpayers: boolean;
  has_many_taxpayers: boolean;
};

export type ChainedRecord = {
  content: RecordContent;
  previous: ChainLink | null;
  system: SystemInfo;
  /** `2026-11-21T10:20:30+01:00`, with the offset of the place of issue. */
  stamped_at: string;
};

/** The huella has 64 uppercase hexadecimal digits. */
export type WrittenRecord = { xml: string; huella: string };

/** Read back from its text, which may be wrong. */
export type ReadRecord = ChainedRecord & { huella: string; is_signed: boolean };

/** The authority's numbers for events (Orden HAC/1177/2024, art. 9). */
export const eventTypes = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '90'] as const;
export type EventType = (typeof eventTypes)[number];

export type EventLink = { type: EventType; stamped_at: string; huella: string };

export type IntegrityCounts = {
  /** Null for what was not checked. */
  huellas: number | null;
  signatures: number | null;
  links: number | null;
  dates: number | null;
};

export type PeriodOfRecords = {
  first: ChainLink | null;
  last: ChainLink | null;
  altas: number;
  tax_total: string;
  total: string;
  anulaciones: number;
};

/** The authority's numbers for anomalies. */
export const anomalyTypes = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '08',
  '09',
  '10',
  '11',
  '12',
  '13',
  '14',
  '15',
  '90',
] as const;
export type AnomalyType = (typeof anomalyTypes)[number];

export type EventDetails =
  | { type: '01' | '02' | '07' | '90' }
  | { type: '03' | '05'; checked: IntegrityCounts }
  | { type: '04'; anomaly: AnomalyType; text: string | null; record: InvoiceRef | null }
  | { type: '06'; anomaly: AnomalyType; text: string | null; event: EventLink | null }
  | { type: '08'; from: string; to: string; records: PeriodOfRecords; is_no_longer_kept: boolean }
  | {
      type: '09';
      from: string;
      to: string;
      first: EventLink;
      last: EventLink;
      count: number;
      is_no_longer_kept: boolean;
    }
  | { type: '10'; counts: readonly { type: EventType; count: number }[]; records: PeriodOfRecords };

export type ChainedEvent = {
  details: EventDetails;
  /** At most 100 characters. */
  note: string | null;
  taxpayer: SpanishParty;
  system: SystemInfo;
  previous: EventLink | null;
  stamped_at: string;
};
