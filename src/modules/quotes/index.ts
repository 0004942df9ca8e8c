/** Quotes: what a company offers. It is accepted or rejected, and becomes another document. */
import type { Operation } from '../../kernel/operation.ts';
import { expiryOf } from '../offers/index.ts';
import { quotes } from './quotes.family.ts';
import {
  acceptQuote,
  cancelQuote,
  convertQuote,
  createQuote,
  deleteQuote,
  duplicateQuote,
  getQuote,
  getQuotePdf,
  getQuotePdfLink,
  listQuotes,
  markQuotePending,
  rejectQuote,
  revokeQuotePublicLink,
  sendQuote,
  updateQuote,
} from './quotes.operations.ts';

export { quotes } from './quotes.family.ts';

export const expireQuotes = expiryOf(quotes);

export const quotesOperations: readonly Operation[] = [
  listQuotes,
  createQuote,
  getQuote,
  getQuotePdf,
  getQuotePdfLink,
  revokeQuotePublicLink,
  updateQuote,
  deleteQuote,
  duplicateQuote,
  sendQuote,
  markQuotePending,
  acceptQuote,
  rejectQuote,
  cancelQuote,
  convertQuote,
];
