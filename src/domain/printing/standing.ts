/**
 * What has become of a document since its issue. The public page shows it; the paper and the PDF never do (ADR 18).
 * Texts are final, in the document's language.
 */
import type { LabelledText, PrintedDocument } from './printed-document.ts';

export type Standing = {
  /** `counted_elsewhere`: the amount is in the invoice that this one corrects. Only `open` and `overdue` are to be paid. */
  state: 'open' | 'overdue' | 'paid' | 'rectified' | 'substituted' | 'counted_elsewhere';
  /** From the amount on paper to what is left: corrections, payments. */
  changes: readonly LabelledText[];
  /** The amount left to pay; null when it is nothing, or the amount on paper. */
  pending: string | null;
  /** In place of the paper's own: it asks for nothing once nothing is to be paid. */
  payment: PrintedDocument['payment'];
};
