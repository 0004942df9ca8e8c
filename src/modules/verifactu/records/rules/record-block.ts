/** How a record is told in the `verifactu` member of an invoice (specification, section 3). */
import type { RecordSummary } from '../records.store.ts';

/** What stands below the QR in VERI*FACTU mode; never translated (VeriFactu facts, section 11). */
export const verifactuLegend = 'Factura verificable en la sede electrónica de la AEAT';

/** What stands below the QR; nothing in no-verifactu mode. */
export function legendOf(mode: RecordSummary['qr_mode']): string | null {
  return mode === 'verifactu' ? verifactuLegend : null;
}

export const recordStatuses = [
  'pending',
  'sending',
  'accepted',
  'accepted_with_errors',
  'rejected',
  'kept',
] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** `kept`: in no-verifactu mode a record is not sent. */
export function recordStatus(summary: Pick<RecordSummary, 'status'>): RecordStatus {
  return summary.status ?? 'kept';
}

/** What the authority said, in its words; null while it has said nothing. */
const aeatStatuses = {
  pending: null,
  sending: null,
  kept: null,
  accepted: 'Correcto',
  accepted_with_errors: 'AceptadoConErrores',
  rejected: 'Incorrecto',
} as const satisfies Record<RecordStatus, string | null>;

export function aeatStatus(status: RecordStatus) {
  return aeatStatuses[status];
}

export type RecordBlock = {
  status: RecordStatus;
  error_code: string | null;
  aeat_status: (typeof aeatStatuses)[RecordStatus];
  huella: string;
  qr_url: string | null;
  qr_png_base64: string | null;
  legend: string | null;
  csv: string | null;
};

/** @param png the QR as a picture, where it was asked for */
export function recordBlock(summary: RecordSummary, png: Buffer | null = null): RecordBlock {
  const status = recordStatus(summary);
  return {
    status,
    error_code: summary.aeat_error_code,
    aeat_status: aeatStatus(status),
    huella: summary.huella,
    qr_url: summary.qr_url,
    qr_png_base64: png?.toString('base64') ?? null,
    legend: legendOf(summary.qr_mode),
    csv: summary.csv,
  };
}
