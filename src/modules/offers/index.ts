/** What quotes and pro-forma invoices share: offers that a client accepts or rejects. It owns `acceptances`. */
export { answersTo } from './answering.ts';
export { expiryOf } from './expire.jobs.ts';
export { defineOffers, type OfferExtras, offerTarget } from './offer.family.ts';
export { moveBodies, type OfferRow } from './offer.fields.ts';
export { offerTriggers } from './offer.triggers.ts';
export type * from './ports.ts';
export type { OfferWords } from './offer.words.ts';

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['acceptances'];
