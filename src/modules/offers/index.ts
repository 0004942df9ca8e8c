/** What quotes and pro-forma invoices share: offers that a client accepts or rejects. It owns no table. */
export { expiryOf } from './expire.jobs.ts';
export { defineOffers } from './offer.family.ts';
export { moveBodies, newOffer, type OfferRow } from './offer.fields.ts';
export type { OfferWords } from './offer.words.ts';
export { checkDays } from './rules/validity.ts';
