/** The `verifactu` member of an invoice. */
import type { RecordSummary } from '../records.store.ts';

/** The text below the QR (Orden HAC/1177/2024, arts. 20 and 21). Never translated. */
export const verifactuLegend = 'Factura verificable en la sede electrónica de la AEAT';

/** Without a QR nothing stands below it: an invoice from before VeriFactu was on has no record but that of its annulment. */
export function legendOf({ qr_url, qr_mode }: Pick<RecordSummary, 'qr_url' | 'qr_mode'>): string | null {
  return qr_url !== null && qr_mode === 'verifactu' ? verifactuLegend : null;
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

/** Records of no-verifactu mode are `kept`. */
export function recordStatus(summary: Pick<RecordSummary, 'status'>): RecordStatus {
  return summary.status ?? 'kept';
}

/** Null before the authority's answer. */
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

export function recordBlock(summary: RecordSummary, png: Buffer | null = null): RecordBlock {
  const status = recordStatus(summary);
  return {
    status,
    error_code: summary.aeat_error_code,
    aeat_status: aeatStatus(status),
    huella: summary.huella,
    qr_url: summary.qr_url,
    qr_png_base64: png?.toString('base64') ?? null,
    legend: legendOf(summary),
    csv: summary.csv,
  };
}
