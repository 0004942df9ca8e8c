/** Quotes as a family of sales documents (ADR 28). */
import { defineOffers } from '../offers/index.ts';
import { quotesEvents } from './quotes.events.ts';
import { quoteWords } from './quotes.words.ts';

export const quotes = defineOffers({
  object: 'quote',
  one: 'un presupuesto',
  many: 'los presupuestos',
  the: 'el presupuesto',
  collection: 'quotes',
  words: quoteWords,
  moves: {
    accept: 'quote.approved',
    reject: 'quote.rejected',
    cancel: 'quote.cancelled',
    expire: 'quote.expired',
    convert: 'quote.converted',
  },
  entersPending: () => 'quote.marked_as_pending',
  events: quotesEvents,
  becomes: ['invoice', 'proforma', 'delivery_note'],
});
