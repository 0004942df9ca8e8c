/** Words that a kind of offer has in each language. */
import type { DocumentEmailWords } from '../sales/index.ts';

export type OfferWords = DocumentEmailWords & {
  title: string;
  number: string;
  /** Of its day. */
  day: string;
  valid_until: string;
  /** Across the page. */
  cancelled: string;
  /** Null for a document that nobody takes for an invoice. */
  is_no_invoice: string | null;
  /** Of its cost, with tax. Null for a kind without. */
  carriage: string | null;
  /** `taken_up`: converted, and nobody had accepted it. */
  states: Record<'accepted' | 'rejected' | 'expired' | 'converted' | 'taken_up', string>;
};
