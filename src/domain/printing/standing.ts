/**
 * What has become of a document since it was issued, for pages that are looked at when they are opened: never a part of
 * its paper, nor of the PDF (docs/adr/0018). Texts are final, in the document's language and currency.
 */
import type { LabelledText, PrintedDocument } from './printed-document.ts';

export type Standing = {
  /** `counted_elsewhere`: its amount is in the invoice that it corrects. In the last four it has nothing to pay itself. */
  state: 'open' | 'overdue' | 'paid' | 'rectified' | 'substituted' | 'counted_elsewhere';
  /** What leads from the amount of the paper to what is left: corrections, payments. */
  changes: readonly LabelledText[];
  /** What is left to pay; null when it is what the paper says, or nothing. */
  pending: string | null;
  /** In place of the paper's: it asks for nothing once there is nothing to pay. */
  payment: PrintedDocument['payment'];
};
