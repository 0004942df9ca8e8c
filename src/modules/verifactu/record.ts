/**
 * A billing record in the service's own words: what RD 1007/2023 (arts. 10 and 11) and Orden HAC/1177/2024 ask of
 * it. The authority's element names exist only in integrations/aeat, which writes and reads these values.
 * Amounts are texts with exactly two decimals, rates likewise, days are ISO days: each is serialised once, here,
 * and the same text goes into record, huella and QR.
 */
import type { ExemptionReason, Qualification, RegimeKey } from '../../domain/tax/record-codes.ts';

/** `verifactu`: each record is sent as it is made. `no_verifactu`: records are kept, signed, with an event log. */
export type RemissionMode = 'verifactu' | 'no_verifactu';

export type RecordKind = 'alta' | 'anulacion';

/** 02 EU VAT number, 03 passport, 04 official id of the country, 05 residence certificate, 06 other, 07 not in census. */
export type ForeignIdType = '02' | '03' | '04' | '05' | '06' | '07';

export type ForeignId = { type: ForeignIdType; country: string | null; id: string };

/** Somebody with a Spanish tax id. */
export type SpanishParty = { name: string; tax_id: string };

/** Anybody: exactly one of the two identifications is there. */
export type Party =
  | { name: string; tax_id: string; foreign_id: null }
  | { name: string; tax_id: null; foreign_id: ForeignId };

/** What identifies an invoice for the authority. */
export type InvoiceRef = { tax_id: string; number: string; issued_on: string };

/** One group of the breakdown (tax, regime, qualification or cause, rate, surcharge rate). */
export type BreakdownRow = {
  /** 01 VAT, 02 IPSI, 03 IGIC, 05 other. */
  tax_code: '01' | '02' | '03' | '05';
  /** Null only for `05`. */
  regime_key: RegimeKey | null;
  /** Exactly one of qualification and exemption_reason is there. */
  qualification: Qualification | null;
  exemption_reason: ExemptionReason | null;
  rate: string | null;
  base: string;
  /** Base at cost: groups of entities (regime key 06) only. */
  base_at_cost: string | null;
  tax: string | null;
  surcharge_rate: string | null;
  surcharge: string | null;
};

export type RecordInvoiceType = 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5';

/** Whether AEAT rejected the record before: S it did and holds an earlier one, X it did (or was never sent one) and holds none. */
export type PriorRejection = 'S' | 'X';

export type AltaContent = {
  kind: 'alta';
  issuer: SpanishParty;
  number: string;
  issued_on: string;
  /** Ours; the authority echoes it. At most 60 characters: the record's id. */
  reference: string | null;
  is_subsanacion: boolean;
  prior_rejection: PriorRejection | null;
  type: RecordInvoiceType;
  /** S by substitution, I by differences; null when it corrects nothing. */
  correction: 'S' | 'I' | null;
  corrected_invoices: readonly InvoiceRef[];
  substituted_invoices: readonly InvoiceRef[];
  /** What a corrective by substitution replaces. */
  corrected_amounts: { base: string; tax: string; surcharge: string | null } | null;
  /** Only when it differs from the day of issue. */
  operation_on: string | null;
  /** 1 to 500 characters. */
  description: string;
  /** A simplified invoice with the recipient's data (art. 7.2 and 7.3 RD 1619/2012). */
  is_qualified_simplified: boolean;
  /** Without the recipient's identification (art. 6.1.d). */
  is_without_recipient: boolean;
  /** D by the recipient, T by a third party. */
  issued_by: 'D' | 'T' | null;
  third_party: Party | null;
  recipients: readonly Party[];
  rows: readonly BreakdownRow[];
  /** Taxes and surcharges. */
  tax_total: string;
  /** Bases, taxes and surcharges; never less a retention. */
  total: string;
};

export type AnulacionContent = {
  kind: 'anulacion';
  issuer: SpanishParty;
  number: string;
  issued_on: string;
  reference: string | null;
  /** AEAT never got the invoice that is annulled. */
  has_no_prior_record: boolean;
  /** Its annulment was rejected before. */
  is_prior_rejection: boolean;
};

export type RecordContent = AltaContent | AnulacionContent;

/** The record before in the chain of the company and installation. */
export type ChainLink = InvoiceRef & { huella: string };

/** The invoicing system, as each record names it (Orden HAC/1177/2024, art. 10). */
export type SystemInfo = {
  producer: Party;
  /** At most 30 characters. */
  name: string;
  /** Exactly two of A-Z 0-9. */
  code: string;
  version: string;
  /** Never repeats for a taxpayer, past or future. */
  installation_number: string;
  is_verifactu_only: boolean;
  supports_many_taxpayers: boolean;
  /** Computed: this account handles more than one issuing company. */
  has_many_taxpayers: boolean;
};

/** A record with its place: everything its text is written from. */
export type ChainedRecord = {
  content: RecordContent;
  previous: ChainLink | null;
  system: SystemInfo;
  /** `2026-11-21T10:20:30+01:00`: whole seconds, the offset of the place of issue. */
  stamped_at: string;
};

/** A record as it is kept: its exact text and its huella (64 uppercase hex). */
export type WrittenRecord = { xml: string; huella: string };

/** A record read back from its text; what it says may be wrong, and is compared by the integrity checks. */
export type ReadRecord = ChainedRecord & { huella: string; is_signed: boolean };

/** What the event log of no-verifactu mode says (Orden HAC/1177/2024, art. 9); numbers as in the authority's list. */
export const eventTypes = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '90'] as const;
export type EventType = (typeof eventTypes)[number];

export type EventLink = { type: EventType; stamped_at: string; huella: string };

export type IntegrityCounts = {
  /** How many were checked; null when that was not. */
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

/** Anomalies, as the authority numbers them (VeriFactu facts, section 16). */
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
