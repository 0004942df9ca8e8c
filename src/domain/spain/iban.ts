/**
 * IBAN (ISO 13616, with the check digits of Spanish accounts) and BIC (ISO 9362). The library has the rules
 * of each country; this file decides which spellings are accepted and stored.
 */
import { isValidBIC, isValidIBAN } from 'ibantools';
import { compactIdentifier } from './tax-id.ts';

/** @returns upper case without spaces; undefined when invalid */
export function parseIban(text: string): string | undefined {
  const compact = compactIdentifier(text);
  return compact !== undefined && isValidIBAN(compact) ? compact : undefined;
}

/** @returns 8 or 11 characters in upper case; undefined when invalid */
export function parseBic(text: string): string | undefined {
  const compact = compactIdentifier(text);
  return compact !== undefined && isValidBIC(compact) ? compact : undefined;
}
