/**
 * Bank identifiers: IBAN (ISO 13616, with the Spanish account's own check digits) and BIC (ISO 9362).
 * The rules of each country are those of the library; this file settles what spelling is taken and kept.
 */
import { isValidBIC, isValidIBAN } from 'ibantools';
import { compactIdentifier } from './tax-id.ts';

/** Reads an IBAN in any usual spelling: its electronic format (upper case, no spaces), or undefined. */
export function parseIban(text: string): string | undefined {
  const compact = compactIdentifier(text);
  return compact !== undefined && isValidIBAN(compact) ? compact : undefined;
}

/** Reads a BIC of 8 or 11 characters, kept as written in upper case, or undefined. */
export function parseBic(text: string): string | undefined {
  const compact = compactIdentifier(text);
  return compact !== undefined && isValidBIC(compact) ? compact : undefined;
}
