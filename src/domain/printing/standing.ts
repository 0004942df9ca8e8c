/**
 * What has happened to a document since its issue. The public page shows it; paper and PDF never do (ADR 18).
 * Texts are final, in the document's language.
 */
import type { LabelledText, PrintedDocument } from './printed-document.ts';

export type Standing = {
  /**
   * `counted_elsewhere`: the amount is in the invoice that this one corrects. Only `open` and `overdue` ask
   * for payment.
   */
  state: 'open' | 'overdue' | 'paid' | 'rectified' | 'substituted' | 'counted_elsewhere';
  /** Corrections and payments that lead from the printed amount to what is left. */
  changes: readonly LabelledText[];
  /** The amount left to pay; null when it is nothing or the printed amount. */
  pending: string | null;
  /** Replaces the paper's payment details: once nothing is to be paid, it asks for nothing. */
  payment: PrintedDocument['payment'];
};
