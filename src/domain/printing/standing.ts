/** What has happened to a document since its issue. The public page shows it; paper never does (ADR 18). */
import type { LabelledText, PrintedDocument } from './printed-document.ts';

export type Standing = {
  /**
   * `counted_elsewhere`: the amount is in the invoice that this one corrects; `tax_counted_elsewhere`: its tax is (ADR 103). Only
   * `open` and `overdue` ask for payment.
   */
  state:
    | 'open'
    | 'overdue'
    | 'paid'
    | 'rectified'
    | 'substituted'
    | 'counted_elsewhere'
    | 'tax_counted_elsewhere'
    | 'told';
  /** Of `told`: what became of a document that nobody pays, in the family's words. */
  text?: string;
  /** Corrections and payments, from the printed amount to what is left. */
  changes: readonly LabelledText[];
  /** What is left to pay; null when it is nothing or the printed amount. */
  pending: string | null;
  /** What is to be given back to the client; absent when nothing is. */
  owed?: string;
  /** In place of the paper's payment details: a document with nothing to pay asks for nothing. */
  payment: PrintedDocument['payment'];
};
